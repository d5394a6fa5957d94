"""Every metric, declared once with its description.

Each worker keeps its numbers in files below ``PROMETHEUS_MULTIPROC_DIR``; the worker that is scraped adds them up. The
library reads that variable when it is imported, so ``gunicorn_conf`` sets it before.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

CONTENT_TYPE = CONTENT_TYPE_LATEST

BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0)
"""Upper bounds in seconds: a look-up takes a fraction of a millisecond, a search up to its limit."""


class Durations(Histogram):
    """A histogram to which many durations can be added at once."""

    def add(self, buckets: Sequence[float], total: float) -> None:
        """Add the counts of durations in each bucket, and their sum in seconds."""
        self._sum.inc(total)
        for bucket, count in zip(self._buckets, buckets, strict=True):
            if count:
                bucket.inc(count)


class Metrics:
    """The metrics of one application, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._count_requests()
        self._measure_searches()
        self.build = Gauge(
            "move_oracle_build_info",
            "Always 1; its labels say which version runs and how its kernel was built.",
            ("version", "kernel"),
            registry=self._registry,
            multiprocess_mode="max",
        )

        self.measured: dict[Gauge, Callable[[], float]] = {}
        """Gauges with the same value in all workers, measured only when the metrics are scraped."""

    def _count_requests(self) -> None:
        """Declare the counters and the histogram."""
        self.request_seconds = Durations(
            "move_oracle_request_seconds",
            "HTTP requests, and the seconds from the first byte of a request to the last byte of its answer.",
            ("method", "route", "status"),
            registry=self._registry,
            buckets=BUCKETS,
        )
        self.answers = Counter(
            "move_oracle_answers_total",
            "Positions answered, by game, source of the answer, and outcome.",
            ("game", "source", "outcome"),
            registry=self._registry,
        )
        self.nodes = Counter(
            "move_oracle_nodes_total",
            "Positions searched, by game.",
            ("game",),
            registry=self._registry,
        )
        self.shared_cache = Counter(
            "move_oracle_shared_cache_total",
            "Look-ups and writes of the shared cache, by result: hit, miss, invalid (found, but rejected), kept, "
            "failed, skipped (not asked, because it has just failed).",
            ("result",),
            registry=self._registry,
        )
        for result in ("hit", "miss", "invalid", "kept", "failed", "skipped"):
            self.shared_cache.labels(result)  # exported as 0 from the start
        self.refusals = Counter(
            "move_oracle_refusals_total",
            "Requests refused, by reason: rate (429: the client has used up `RATE_LIMIT`), or with 503 searches (slots "
            "and queue were full), tables (too many were to be made), requests (too many waited for a thread, or too "
            "many large bodies arrived at once).",
            ("reason",),
            registry=self._registry,
        )
        for reason in ("rate", "searches", "tables", "requests"):
            self.refusals.labels(reason)
        self.contradictions = Counter(
            "move_oracle_contradictions_total",
            "Searches that met contradictory bounds and were repeated with an empty table; above 0 is a fault.",
            registry=self._registry,
        )

    def _measure_searches(self) -> None:
        """Declare the gauges of searches and tables."""
        self.searches_running = Gauge(
            "move_oracle_searches_running",
            "Requests that hold a search slot now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self.searches_waiting = Gauge(
            "move_oracle_searches_waiting",
            "Requests that wait for a search slot now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self.search_slots = Gauge(
            "move_oracle_search_slots",
            "Search slots of all workers together.",
            registry=self._registry,
            multiprocess_mode="max",
        )
        self.table_fill = Gauge(
            "move_oracle_table_fill_ratio",
            "The part of the transposition table that is used, by a sample of it.",
            registry=self._registry,
            multiprocess_mode="mostrecent",
        )
        self.tablebases_bytes = Gauge(
            "move_oracle_tablebases_bytes",
            "Bytes of the files in the folder `TABLEBASES`, of which `TABLEBASES_MB` is the most.",
            registry=self._registry,
            multiprocess_mode="mostrecent",
        )

    def exposition(self) -> bytes:
        """Return all metrics of all workers, in the text format of Prometheus."""
        for gauge, measure in self.measured.items():
            gauge.set(measure())
        is_alone = "PROMETHEUS_MULTIPROC_DIR" not in os.environ
        exported = CollectorRegistry()
        exported.register(self._registry if is_alone else _Workers(None))  # type: ignore[no-untyped-call]
        exported.register(_Processes(os.getpid() if is_alone else os.getppid()))
        return generate_latest(exported)


class _Workers(MultiProcessCollector):
    """Adds up the files of all workers; skips files that a worker is just creating."""

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics of all workers."""
        directory = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        files = [str(file) for file in directory.glob("*.db") if _holds_something(file)]
        metrics: Iterable[Metric] = self.merge(files)  # type: ignore[no-untyped-call]
        return metrics


def _holds_something(file: Path) -> bool:
    """Return whether the file holds data; it is gone if its worker has just ended."""
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:
        return False


class _Processes(Collector):
    """The metrics ``process_*`` of a process and its children, by ``pid``; none on systems without ``/proc``."""

    def __init__(self, parent: int) -> None:
        self._parent = parent

    def collect(self) -> Iterable[Metric]:
        """Return the library's metrics of each process."""
        found: dict[str, Metric] = {}
        for pid in self._pids():
            for metric in ProcessCollector(pid=partial(str, pid), registry=None).collect():
                family = found.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
                family.add_sample(metric.samples[0].name, {"pid": pid}, metric.samples[0].value)
        return found.values()

    def _pids(self) -> Sequence[str]:
        with suppress(OSError):
            children = Path(f"/proc/{self._parent}/task/{self._parent}/children").read_text(encoding="ascii")
            return [str(self._parent), *children.split()]
        return []
