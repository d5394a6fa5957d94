"""What the files of ``deploy/`` may name of the service: its settings, its metrics, its routes."""

import re
from dataclasses import fields
from math import ceil

from service.app import create_app
from service.redis_cache import CONNECTIONS
from service.settings import Settings
from tests.contract import CONTRACT
from tests.support import ROOT

DEPLOY = ROOT / "deploy"

SETTINGS = {setting.metadata["variable"] for setting in fields(Settings)}

ROUTES = set(CONTRACT["paths"])

GRACEFUL_SECONDS = Settings().graceful_timeout


WORKER_MB = 350
"""Megabytes that a worker takes at most, without a table that it makes."""

MAKING_BYTES = 160
"""Bytes for each position of a table while a worker makes it."""

RUNTIME_THREADS = 1 + 4 + 32
"""Threads of a worker that runs nothing: the event loop, those of uvloop, and at most those of asyncio's executor."""

LOG_THREADS = 2
"""Threads of a worker that write the log: that of the service, and that of requests."""


def most_megabytes(settings: Settings, shared_memory: int) -> float:
    """The megabytes that a container takes at most, with this size of /dev/shm."""
    worker = WORKER_MB + MAKING_BYTES * settings.max_positions / 1_000_000
    return settings.table_mb + settings.workers * worker + shared_memory


def most_threads(settings: Settings) -> int:
    """The threads and processes that a container has at most: while all workers are replaced, and its health checked.

    A stream searches in a thread beside the one that sends it. The thread of a slot draws an image by a process.
    """
    slots = ceil(settings.max_searches / settings.workers)
    requests = 2 * settings.threads + 2 * slots
    worker = RUNTIME_THREADS + LOG_THREADS + CONNECTIONS + requests + 1  # the one that makes tables
    return 2 * settings.workers * worker + 2 + 1  # the master with its log, and the check


def exported_metrics() -> set[str]:
    """The name of every sample that the service exports, those of histograms included."""
    text = create_app(Settings()).test_client().get("/metrics").get_data(as_text=True)
    names = set[str]()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE):
        names |= {f"{name}_{end}" for end in ("bucket", "count", "sum")} if kind == "histogram" else {name}
    return names


def named_metrics(text: str) -> set[str]:
    """Every name in a text that is one of a metric of the service."""
    return set(re.findall(r"\bmove_oracle_\w+", text))
