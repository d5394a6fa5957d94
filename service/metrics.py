"""Every metric, once, with its description.

Under several workers each keeps its numbers in files below ``PROMETHEUS_MULTIPROC_DIR``, and
whichever worker is asked adds them all up. The library reads that variable when it is imported,
so it must be set before; ``gunicorn_conf`` does it.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE = CONTENT_TYPE_LATEST

BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0)
"""Upper bounds in seconds: a look-up takes a fraction of a millisecond, a search what its limit allows."""


class Durations(Histogram):
    """A histogram to which many durations can be added at once."""

    def add(self, buckets: Sequence[float], total: float) -> None:
        """Add so many durations in each bucket, and their sum in seconds."""
        self._sum.inc(total)
        for bucket, count in zip(self._buckets, buckets, strict=True):
            if count:
                bucket.inc(count)


class Metrics:
    """The numbers of one application, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
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
            self.shared_cache.labels(result)  # told as 0 from the beginning
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
        self.searches_refused = Counter(
            "move_oracle_searches_refused_total",
            "Requests refused with 503 because slots and queue were full.",
            registry=self._registry,
        )
        self.contradictions = Counter(
            "move_oracle_contradictions_total",
            "Searches that met contradictory bounds and were repeated with an empty table; above 0 is a fault.",
            registry=self._registry,
        )
        self.build = Gauge(
            "move_oracle_build_info",
            "Always 1; its labels say which version runs and how its kernel was built.",
            ("version", "kernel"),
            registry=self._registry,
            multiprocess_mode="max",
        )

    def exposition(self) -> bytes:
        """All metrics of all workers, in the text format of Prometheus."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self._registry)
        everyone = CollectorRegistry()
        _Workers(everyone)  # type: ignore[no-untyped-call]
        return generate_latest(everyone)


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
