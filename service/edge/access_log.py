"""The access log: one JSON line for each request, written once its last byte is sent."""

import asyncio
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from time import time

from service.edge.message import EdgeRequest
from service.logs import QueuedWriter

MAX_PATH, MAX_CLIENT = 128, 64
"""Characters of a path and of a client that are logged: even escaped, and the path twice in a line, they fit into one
write to a pipe. An address has at most 45, and a port six more."""

FLUSH_SECONDS = 0.02
"""Between two hand-overs to the writer: a hand-over for each line would wake its thread for each request."""


class AccessLog:
    """Collects lines on the event loop, and hands them over to the ``writer`` a few at a time.

    The lines are made here and not by ``logging``: a record costs more than all else that the edge does
    for a request seen before.
    """

    def __init__(self, writer: QueuedWriter) -> None:
        self._writer = writer
        self._lines: list[bytes] = []

    def start(self) -> None:
        """Start the thread of the writer, which no request is to wait for."""
        self._writer.start()

    def add(self, request: EdgeRequest, route: str | None, status: int, sent: int, seconds: float) -> None:
        """Add the line of a request that was answered with ``sent`` bytes of body, ``seconds`` after its first byte."""
        now = time()
        same = _same(request.method, request.path[:MAX_PATH], route, status, request.client[:MAX_CLIENT])
        self._lines.append(
            f'{{"time": "{_second(int(now))}.{int(now % 1 * 1000):03d}+00:00", {same}, '
            f'"request_id": {quoted(request.id.decode())}, "duration_ms": {seconds * 1000:.3f}, '
            f'"bytes": {sent}}}\n'.encode()
        )
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)

    def flush(self) -> None:
        """Hand the lines over to the writer."""
        lines, self._lines = self._lines, []
        if lines:
            self._writer.put(lines)


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@lru_cache(maxsize=1024)
def _same(method: str, path: str, route: str | None, status: int, client: str) -> str:
    """Return the part of a line that is the same for requests of a client that are alike."""
    return (
        f'"level": "info", "logger": "service.request", "message": {quoted(f"{method} {path} {status}")}, '
        f'"method": {quoted(method)}, "path": {quoted(path)}, "route": {quoted(route) if route else "null"}, '
        f'"status": {status}, "client": {quoted(client)}'
    )
