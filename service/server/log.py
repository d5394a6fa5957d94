"""The request log: one JSON line for each request, on standard output, and never in anybody's way."""

import logging
import os
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from threading import Lock
from time import perf_counter, time
from typing import Any

from gunicorn.glogging import Logger

from service.api.door import REQUEST_ID, ROUTE, STARTED
from service.log import json_line, takes_more

STANDARD_OUTPUT = 1

LOGGED_CHARACTERS = 128
"""Characters of a path that are logged: even escaped, and twice in a line, they fit into one write of a pipe."""

ONE_WRITE = 4096
"""Bytes that a pipe takes as a whole, even where several processes share it."""

MOST_WAITING = 10_000
"""Lines that wait for a reader that has stopped reading; the oldest of more are lost."""


class RequestLogger(Logger):
    """Makes a line for each request, after its last byte was sent, and writes many of them at once where it can.

    The lines go straight to standard output: as records of ``logging`` they would cost three times
    as much. Only as many are written as their reader takes without waiting: one that has stopped
    to read would else stop the service.
    """

    def __init__(self, cfg: Any) -> None:
        super().__init__(cfg)
        self._lines: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._lost = 0
        self._writing = Lock()

    def access(self, resp: Any, req: Any, environ: Mapping[str, Any], request_time: timedelta) -> None:  # noqa: ARG002
        """Called by gunicorn for every request that it could read. Its ``request_time`` is by the wall clock."""
        self.collect(environ, int(str(resp.status).split(" ", 1)[0]), resp.sent)
        self.flush()

    def collect(self, environ: Mapping[str, Any], status: int, sent: int) -> None:
        """Makes a line about a request that was answered with ``sent`` bytes of body just now."""
        if not self.access_log.isEnabledFor(logging.INFO):
            return
        now = perf_counter()
        method, path = environ.get("REQUEST_METHOD", "-"), _readable(environ.get("PATH_INFO", "-"))
        fields = {
            "request_id": environ.get(REQUEST_ID),
            "method": method,
            "path": path,
            "route": environ.get(ROUTE),
            "status": status,
            "duration_ms": round((now - environ.get(STARTED, now)) * 1000, 3),
            "bytes": sent,
            "client": environ.get("REMOTE_ADDR"),
        }
        line = json_line(time(), "info", "service.request", f"{method} {path} {status}", fields)
        self._lost += len(self._lines) == MOST_WAITING
        self._lines.append(f"{line}\n".encode())

    def flush(self) -> bool:
        """Writes the lines that there are, as far as that does not have to wait; whether none is left."""
        with suppress(OSError), self._writing:  # OSError: a log that nobody can read any more
            while self._lines and takes_more(STANDARD_OUTPUT):
                os.write(STANDARD_OUTPUT, self._next_lines())
        return not self._lines

    def _next_lines(self) -> bytes:
        """As many lines as go into one write; first of all how many were lost before them."""
        lines = [self._lines.popleft()]
        if self._lost:
            message = f"Nobody read the log; {self._lost} lines about requests were lost"
            lines.insert(0, f"{json_line(time(), 'warning', 'service.request', message, {})}\n".encode())
            self._lost = 0
        size = sum(map(len, lines))
        while self._lines and size + len(self._lines[0]) <= ONE_WRITE:
            lines.append(self._lines.popleft())
            size += len(lines[-1])
        return b"".join(lines)


def _readable(path: str) -> str:
    """The path as its client meant it (PEP 3333 hands it over as Latin-1), cut so that its line stays short."""
    return path.encode("latin-1", "replace").decode("utf-8", "replace")[:LOGGED_CHARACTERS]
