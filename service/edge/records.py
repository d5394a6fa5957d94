"""Records of requests: the access log, and counts for the metrics.

The log has one JSON line for each request, written after its last byte is sent. Counts are passed on a few times a
second: the metrics of all workers are in shared files, and adding to one takes longer than an answer from the cache.
"""

import asyncio
import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from time import time

from service.api.request_context import AnswerNote
from service.edge.message import EdgeRequest
from service.logs import QueuedWriter
from service.metrics import BUCKETS, Metrics

MAX_PATH, MAX_CLIENT = 128, 64
"""The maximum characters of a path and of a client in the log: a line with both fits in one write to a pipe.

An escaped path is in the line twice. An address has up to 45 characters, its port six more.
"""

LOG_SECONDS = 0.02
"""The seconds between two hand-overs to the writer; one for each line would wake its thread for each request."""

COUNTS_SECONDS = 0.1

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
OTHER_METHOD = "other"
NO_ROUTE = "(none)"


class AccessLog:
    """Collects log lines on the event loop, and hands them to the ``writer`` in groups.

    Lines are formatted here: a ``logging`` record costs more than the rest of a request from the cache.
    """

    def __init__(self, writer: QueuedWriter) -> None:
        self._writer = writer
        self._lines: list[bytes] = []

    def start(self) -> None:
        """Start the writer's thread, so that no request waits for that."""
        self._writer.start()

    def add(  # noqa: PLR0913, the fields of a line
        self,
        request: EdgeRequest,
        route: str | None,
        status: int,
        sent: int,
        seconds: float,
        *,
        notes: Mapping[AnswerNote, int] | None = None,
    ) -> None:
        """Add the line of a request, answered with ``sent`` bytes of body, ``seconds`` after its first byte.

        ``notes`` counts the positions answered with each note.
        """
        now = time()
        same = _same(request.method, request.path[:MAX_PATH], route, status, request.client[:MAX_CLIENT])
        traceparent = request.traceparent
        traced = f', "traceparent": "{traceparent}"' if traceparent else ""
        answered = _answered(notes) if notes else ""
        self._lines.append(
            f'{{"time": "{_second(int(now))}.{int(now % 1 * 1000):03d}+00:00", {same}, '
            f'"request_id": {quoted(request.id.decode())}, "duration_ms": {seconds * 1000:.3f}, '
            f'"bytes": {sent}{answered}{traced}}}\n'.encode()
        )
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(LOG_SECONDS, self.flush)

    def flush(self) -> None:
        """Hand the collected lines to the writer."""
        lines, self._lines = self._lines, []
        if lines:
            self._writer.put(lines)


class Counts:
    """Counts requests and answers on the event loop."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._requests: dict[tuple[str, str | None, int], list[float]] = {}
        self._answers: Counter[AnswerNote] = Counter()

    def add(
        self, method: str, route: str | None, status: int, seconds: float, notes: Mapping[AnswerNote, int] | None
    ) -> None:
        """Count a request, and the number of positions answered with each note."""
        if not self._requests:
            asyncio.get_running_loop().call_later(COUNTS_SECONDS, self.flush)
        key = method, route, status
        request = self._requests.get(key)
        if request is None:
            request = self._requests[key] = [0] * (len(BUCKETS) + 2)
        request[bisect_left(BUCKETS, seconds)] += 1
        request[-1] += seconds
        for note, times in (notes or {}).items():
            self._answers[note] += times

    def flush(self) -> None:
        """Pass all counts on to the metrics."""
        for (method, route, status), (*buckets, seconds) in self._requests.items():
            labels = method if method in METHODS else OTHER_METHOD, route or NO_ROUTE, str(status)
            self._metrics.request_seconds.labels(*labels).add(buckets, seconds)
        for note, times in self._answers.items():
            self._metrics.answers.labels(note.game, note.source, note.outcome).inc(times)
            if note.nodes:
                self._metrics.nodes.labels(note.game).inc(note.nodes * times)
        self._requests.clear()
        self._answers.clear()


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@lru_cache(maxsize=1024)
def _same(method: str, path: str, route: str | None, status: int, client: str) -> str:
    """Return the part of a line that is constant for similar requests of a client."""
    return (
        f'"level": "info", "logger": "service.request", "message": {quoted(f"{method} {path} {status}")}, '
        f'"method": {quoted(method)}, "path": {quoted(path)}, "route": {quoted(route) if route else "null"}, '
        f'"status": {status}, "client": {quoted(client)}'
    )


def _answered(notes: Mapping[AnswerNote, int]) -> str:
    """Return the part of a line about the answered positions: the values that they share, else null; and all nodes."""
    if len(notes) == 1:
        ((note, times),) = notes.items()
        return _found(note.game, note.source, note.nodes * times)
    games, sources = {note.game for note in notes}, {note.source for note in notes}
    nodes = sum(note.nodes * times for note, times in notes.items())
    return _found(games.pop() if len(games) == 1 else None, sources.pop() if len(sources) == 1 else None, nodes)


@lru_cache(maxsize=1024)
def _found(game: str | None, source: str | None, nodes: int) -> str:
    return f', "game": {json.dumps(game)}, "source": {json.dumps(source)}, "nodes": {nodes}'
