"""What the files of ``deploy/`` may name of the service, what it needs, and what every install of it knows."""

import re
from collections.abc import Mapping
from dataclasses import fields
from math import ceil

import httpx

from service.app import create_app
from service.redis_cache import CONNECTIONS
from service.settings import Settings
from tests.contract import CONTRACT
from tests.support import ROOT

DEPLOY = ROOT / "deploy"
ROUTES = set(CONTRACT["paths"])

WORKER_MB = 250
"""Megabytes that a worker takes at most, without a table that it makes."""

MAKING_BYTES = 160
"""Bytes for each position of a table while a worker makes it."""

TABLE_BYTES = 13
"""Bytes for each position in the file of a table."""

RUNTIME_THREADS = 1 + 4 + 32
"""Threads of a worker that runs nothing: the event loop, those of uvloop, and at most those of asyncio's executor."""

LOG_THREADS = 2
"""Threads of a worker that write the log: that of the service, and that of requests."""


def settings_that_fit(environment: Mapping[str, str], *, memory: int, shared_memory: int, cores: int) -> Settings:
    """Return the settings of an environment; fail unless a container of that size, in megabytes, can run with them."""
    assert set(environment) <= {setting.metadata["variable"] for setting in fields(Settings)}
    settings = Settings.from_environment(environment)
    assert settings.workers == settings.max_searches == cores
    worker = WORKER_MB + MAKING_BYTES * settings.max_positions / 1_000_000
    assert memory >= settings.table_mb + settings.workers * worker + shared_memory
    assert settings.tablebases.startswith("/dev/shm/")
    assert settings.tablebases_mb + TABLE_BYTES * settings.max_positions / 1_000_000 < 64
    return settings


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


def assert_connect_four_is_solved(url: str) -> None:
    """Ask for the analysis of the empty board, with a limit that no search could keep, and for the books."""
    question = {"game": "connect-four", "moves": [], "limit": {"nodes": 1}}
    answer = httpx.post(f"{url}/analysis", json=question).json()
    assert (answer["outcome"], answer["plies"], answer["column"]) == ("win", 41, 3)
    assert [move["exact"] for move in answer["moves"]] == [True] * 7
    (book,) = (book for book in httpx.get(f"{url}/version").json()["books"] if book["kind"] == "scores")
    assert (book["game"], "Markus Thill" in book["source"]) == ("connect-four", True)
