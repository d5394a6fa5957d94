"""The parts of gunicorn that the service fits to its contract: the worker, its request log, its error pages."""

import json
import logging
import os
import select
import selectors
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterable, MutableMapping
from concurrent.futures import Future
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from time import monotonic, time
from typing import Any

from gunicorn import util
from gunicorn.glogging import Logger
from gunicorn.workers.gthread import TConn, ThreadWorker

from service.api.client import ENDING
from service.api.door import REQUEST_ID, ROUTE
from service.api.media import PROBLEM
from service.api.problems import shortened
from service.log import json_line

STANDARD_OUTPUT = 1

LOGGED_CHARACTERS = 128
"""Characters of a path that are logged: even escaped, and twice in a line, they fit into one write of a pipe."""

MAX_DETAIL = 200
"""Characters of gunicorn's own words about a request that is not HTTP."""

STOPS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGQUIT})

LINGER_SECONDS = 2.0
"""How long an ended connection waits for its client to have read the answer and to close its side."""

DISCARDED_BYTES = 65536

ENDING_SHARE = 0.7
"""The part of the graceful time after which a search is cut off, so that what it knows can still be sent."""


class Worker(ThreadWorker):
    """A threaded worker that slow clients cannot hold up, and that answers all whom it accepted before it ends.

    gunicorn's own differs in three ways. It gives a new connection a thread before it has sent
    anything, so that a few that stay silent occupy every thread. It waits for clients to close their
    side of an ended connection where it also accepts new ones. And it leaves the listening socket
    open, unattended, while it finishes, so that whoever connects meanwhile is reset in the end. This
    one waits for first bytes and last ones in its poller; and once it is to stop, it empties the queue
    and closes it, so that new connections are refused at once and can be tried elsewhere.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lingering: deque[TConn] = deque()
        self._ends_at: float | None = None

    def load_wsgi(self) -> None:
        """Loads the application, and lets it know for every request whether this worker has to end."""
        super().load_wsgi()
        app = self.wsgi

        def with_ending(environ: MutableMapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            environ[ENDING] = self._must_end
            return app(environ, start_response)

        self.wsgi = with_ending

    def _must_end(self) -> bool:
        """Whether so much of the time to end is over that whatever goes on should come to its end now."""
        if self.alive:
            return False
        self._ends_at = self._ends_at or monotonic() + ENDING_SHARE * self.cfg.graceful_timeout
        return monotonic() >= self._ends_at

    def init_signals(self) -> None:
        """Takes over the signals, those included that came since the fork: see ``_hold_signals``."""
        super().init_signals()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def set_accept_enabled(self, enabled: bool | None) -> None:  # noqa: FBT001, the signature is gunicorn's
        """Starts or stops to accept; stops for good once the worker is to end."""
        super().set_accept_enabled(enabled and self.alive)
        if not self.alive:
            for listener in self.sockets:
                while select.select([listener], [], [], 0)[0]:
                    self.accept(listener)
                listener.close()
            self.sockets = []

    def enqueue_req(self, conn: TConn) -> None:
        """Gives a connection a thread, as soon as it has sent something."""
        if conn.initialized or conn.data_ready:
            super().enqueue_req(conn)
        else:
            self.pending_conns.append(conn)
            self._watch(conn, self.cfg.keepalive, self.on_pending_socket_readable)

    def finish_request(self, conn: TConn, fs: "Future[Any]") -> None:
        """Keeps or ends a connection after a request; ends it without waiting for the client."""
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
            return
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._end(conn)
        else:
            self._lingering.append(conn)
            self._watch(conn, LINGER_SECONDS, self._discard)

    def murder_pending(self) -> None:
        """Closes the connections whose time is up."""
        super().murder_pending()
        now = monotonic()
        while self._lingering and (self._lingering[0].timeout or 0) < now:
            self._forget(self._lingering[0])

    def _cap_keepalive(self, deadline: float) -> None:
        """When the worker is to end: connections that have sent nothing get as long as those kept alive."""
        super()._cap_keepalive(deadline)  # type: ignore[misc]  # younger than its stubs
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout or deadline, deadline)

    def _watch(self, conn: TConn, seconds: float, on_readable: Callable[[TConn, Any], None]) -> None:
        conn.sock.setblocking(False)  # noqa: FBT003
        conn.timeout = monotonic() + seconds
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(on_readable, conn))

    def _discard(self, conn: TConn, sock: socket.socket) -> None:
        """Throws away what a client still sends on an ended connection; its end lets go of it."""
        try:
            ended = not sock.recv(DISCARDED_BYTES)
        except BlockingIOError:
            return
        except OSError:
            ended = True
        if ended:
            self._forget(conn)

    def _forget(self, conn: TConn) -> None:
        self._lingering.remove(conn)
        self.poller.unregister(conn.sock)
        self._end(conn)

    def _end(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()


class RequestLogger(Logger):
    """Logs each request as one JSON line, after its last byte was sent.

    The lines go straight to standard output: as records of ``logging`` they would cost three times
    as much, which is a tenth of what a request costs in all. One write of one line is whole even
    where several processes share a pipe.
    """

    def access(self, resp: Any, req: Any, environ: MutableMapping[str, Any], request_time: timedelta) -> None:  # noqa: ARG002
        """Called by gunicorn for every request that it could read."""
        if not self.access_log.isEnabledFor(logging.INFO):
            return
        method, path = environ.get("REQUEST_METHOD", "-"), _readable(environ.get("PATH_INFO", "-"))
        fields = {
            "request_id": environ.get(REQUEST_ID),
            "method": method,
            "path": path,
            "route": environ.get(ROUTE),
            "status": int(str(resp.status).split(" ", 1)[0]),
            "duration_ms": round(request_time.total_seconds() * 1000, 3),
            "bytes": resp.sent,
            "client": environ.get("REMOTE_ADDR"),
        }
        line = json_line(time(), "info", "service.request", f"{method} {path} {fields['status']}", fields)
        os.write(STANDARD_OUTPUT, f"{line}\n".encode())


def _readable(path: str) -> str:
    """The path as its client meant it (PEP 3333 hands it over as Latin-1), cut so that its line stays short."""
    return path.encode("latin-1", "replace").decode("utf-8", "replace")[:LOGGED_CHARACTERS]


def write_problem(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:
    """Answers a request that is not even HTTP with a problem document, where gunicorn would send HTML."""
    if status_int == HTTPStatus.NOT_IMPLEMENTED:  # an unknown transfer coding: theirs to mend, not ours
        status_int, reason = HTTPStatus.BAD_REQUEST.value, HTTPStatus.BAD_REQUEST.phrase
    kind = "malformed-request" if status_int < HTTPStatus.INTERNAL_SERVER_ERROR else "internal-error"
    document = {
        "type": f"/problems/{kind}",
        "title": reason,
        "status": status_int,
        "detail": shortened(mesg or reason, MAX_DETAIL),
    }
    body = json.dumps(document)
    lines = [
        f"HTTP/1.1 {status_int} {reason}",
        "Connection: close",
        f"Content-Type: {PROBLEM}",
        f"Content-Length: {len(body)}",
        "",
        body,
    ]
    util.write_nonblock(sock, "\r\n".join(lines).encode("ascii", "replace"))


# gunicorn has no setting for its error pages, and its workers look the function up in this module.
util.write_error = write_problem


def _hold_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)


def _release_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


# Between the fork and its own handlers a worker has those of its parent, and would lose a signal to stop.
os.register_at_fork(before=_hold_signals, after_in_parent=_release_signals)
