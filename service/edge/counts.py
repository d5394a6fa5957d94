"""What the edge counts, handed over to the metrics a few times a second.

The numbers of all workers lie in files that they share, where adding one takes longer than answering from the cache.
"""

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

from service.api.request_context import AnswerNote
from service.metrics import BUCKETS, Metrics

FLUSH_SECONDS = 0.1

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
OTHER_METHOD = "other"
NO_ROUTE = "(none)"


class Counts:
    """Counts requests and answers on the event loop."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._requests: dict[tuple[str, str | None, int], list[float]] = {}
        self._answers: Counter[AnswerNote] = Counter()

    def add(
        self, method: str, route: str | None, status: int, seconds: float, notes: Mapping[AnswerNote, int] | None
    ) -> None:
        """Count a request, and the answers to so many positions with each note."""
        if not self._requests:
            asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)
        key = method, route, status
        request = self._requests.get(key)
        if request is None:
            request = self._requests[key] = [0] * (len(BUCKETS) + 2)
        request[bisect_left(BUCKETS, seconds)] += 1
        request[-1] += seconds
        for note, times in (notes or {}).items():
            self._answers[note] += times

    def flush(self) -> None:
        """Hand everything over to the metrics."""
        for (method, route, status), (*buckets, seconds) in self._requests.items():
            labels = method if method in METHODS else OTHER_METHOD, route or NO_ROUTE, str(status)
            self._metrics.request_seconds.labels(*labels).add(buckets, seconds)
        for note, times in self._answers.items():
            self._metrics.answers.labels(note.game, note.source, note.outcome).inc(times)
            if note.nodes:
                self._metrics.nodes.labels(note.game).inc(note.nodes * times)
        self._requests.clear()
        self._answers.clear()
