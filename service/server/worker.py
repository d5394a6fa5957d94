"""The worker: one loop that reads and writes all connections, and threads that only compute."""

import errno
import os
import resource
import select
import selectors
import signal
import socket
from collections.abc import Callable, Iterable, MutableMapping
from concurrent.futures import Future
from contextlib import suppress
from io import BytesIO
from time import monotonic, sleep
from typing import Any

from gunicorn.errors import HaltServer
from gunicorn.http.body import ChunkedReader
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser
from gunicorn.workers.gthread import ThreadWorker

from service.api.quick import AT_ONCE, TakesLonger
from service.api.request_context import ENDING
from service.server.connection import Connection, Received
from service.server.heads import Heads
from service.server.log import RequestLogger
from service.server.refusals import write_problem
from service.server.reply import Reply

STOPS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGQUIT})

LINGER_SECONDS = 2.0
"""How long an ended connection waits for its client to have read the answer and to close its side."""

STOP_SECONDS = 2.0
"""How long a worker that is to end keeps connections on which nothing is asked: a request may be under way."""

ENDING_SHARE = 0.7
"""The part of the graceful time after which a search is cut off, so that what it knows can still be sent."""

SWEEP_SECONDS = 1.0
"""Between two looks at what each connection holds, and for how long."""

LOG_SECONDS = 0.02
"""Between two looks at whether the reader of the log has caught up, if it has fallen behind."""

MOST_HELD = 64 << 20
"""Bytes that all connections together may have unread and unsent."""

EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""What the system says when it has no place for another connection."""

REST_SECONDS = 0.05
"""How long the loop rests if it can take no connection and has none that it could end."""

PIECE = 8192
"""Bytes in which the parser gets a request: for every chunk of a body it copies all that it was given at once."""

SPARE_FILES = 64
"""File descriptors that are kept for other things than connections."""


class Worker(ThreadWorker):
    """A worker whose clients can be as slow as they like, and that answers all whom it accepted before it ends.

    Where gunicorn's own gives a thread to a client, this one gives it to a request that has arrived whole. What
    the application can answer at once, it answers in the loop, without a thread: most requests, at a third of
    the cost, and no search in the threads can hold them up. Once it is to stop it empties the queue of
    the listening socket and closes it, so that new connections are refused and can be tried elsewhere.
    """

    log: RequestLogger
    wsgi: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections: set[Connection] = set()
        self._heads = Heads(self.cfg)
        self._now = monotonic()
        self._next_sweep = 0.0
        self._is_logged = True
        self._ends_at: float | None = None
        self._longest_body = 0
        self._patience = 0.0

    # Its life.

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Called by gunicorn before it starts. Raises HaltServer for settings that this worker cannot fulfil."""
        super().check_config(cfg, log)
        if cfg.is_ssl:
            raise HaltServer("the service speaks no TLS; put a proxy in front of it that does")

    def load_wsgi(self) -> None:
        """Loads the application, and lets it know for every request whether this worker has to end."""
        super().load_wsgi()
        app = self.wsgi
        self._longest_body = app.config["MAX_CONTENT_LENGTH"]
        self._patience = app.config["CLIENT_TIMEOUT"]

        def with_ending(environ: MutableMapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            environ[ENDING] = self._must_end
            response: Iterable[bytes] = app(environ, start_response)
            return response

        self.wsgi = with_ending

    def init_signals(self) -> None:
        """Takes over the signals, those included that came since the fork: see ``_hold_signals``."""
        super().init_signals()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def run(self) -> None:
        """Serves until it is told to stop, then until all whom it accepted are answered."""
        queue: Any = self.method_queue  # whose stubs do not know that it is open
        self.poller.register(queue.fileno(), selectors.EVENT_READ, queue.run_callbacks)
        while self.alive and self.is_parent_alive():
            self.set_accept_enabled(len(self._connections) < self._most_connections() or self._make_room())
            self._turn()
        self.alive = False
        self.set_accept_enabled(enabled=False)
        end = monotonic() + self.cfg.graceful_timeout
        for connection in self._connections:
            if not connection.unsent:
                connection.deadline = min(connection.deadline, monotonic() + STOP_SECONDS)
        while self._connections and monotonic() < end:
            self._turn()
        self.tpool.shutdown(wait=False)
        end = monotonic() + STOP_SECONDS
        while not self.log.flush() and monotonic() < end:
            sleep(LOG_SECONDS)

    def set_accept_enabled(self, enabled: bool | None) -> None:  # noqa: FBT001, the signature is gunicorn's
        """Starts or stops to accept; stops for good once the worker is to end."""
        super().set_accept_enabled(enabled and self.alive)
        if not self.alive:
            for listener in self.sockets:
                while select.select([listener], [], [], 0)[0] and self._accept(listener):
                    pass
                listener.close()
            self.sockets = []

    def _must_end(self) -> bool:
        """Whether so much of the time to end is over that whatever goes on should come to its end now."""
        if self.alive:
            return False
        self._ends_at = self._ends_at or monotonic() + ENDING_SHARE * self.cfg.graceful_timeout
        return monotonic() >= self._ends_at

    # The loop.

    def _turn(self) -> None:
        """Waits for something to happen, and does what there is to do."""
        self.notify()
        events = self.poller.select(SWEEP_SECONDS if self._is_logged else LOG_SECONDS)
        self._now = monotonic()
        for key, mask in events:
            if isinstance(key.data, Connection):
                self._see_to(key.data, self._serve, mask)
            else:
                key.data(key.fileobj)
        if self._now >= self._next_sweep:
            self._next_sweep = self._now + SWEEP_SECONDS
            self._sweep()
        self._is_logged = self.log.flush()

    def _see_to(self, connection: Connection, act: Callable[..., None], *arguments: Any) -> None:
        """Acts on a connection. What fails there ends this connection, and not the worker with all the others."""
        try:
            act(connection, *arguments)
        except Exception:
            self.log.exception("Unhandled error")
            self._drop(connection)

    def accept(self, listener: socket.socket) -> None:
        """Takes a new connection from the queue."""
        if not self._accept(listener):
            sleep(REST_SECONDS)  # the queue stays readable, and the loop would spin

    def _accept(self, listener: socket.socket) -> bool:
        """Takes a new connection from the queue, if there is one; whether there is room for another."""
        try:
            raw, client = listener.accept()
        except OSError as error:  # another worker was faster, the client has gone, or there is no room
            return error.errno not in EXHAUSTED or self._make_room()
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(raw, client, listener.getsockname(), self._to_be_sent)
        self._give_time(connection)
        self._connections.add(connection)
        self._watch(connection, selectors.EVENT_READ)
        return True

    def _serve(self, connection: Connection, mask: int) -> None:
        """Reads from a connection, or writes to it, what can be."""
        if mask & selectors.EVENT_WRITE:
            if connection.flush():
                self._give_time(connection)
            self._go_on(connection)
        elif connection.lingering:
            if not connection.discard():
                self._drop(connection)
        elif connection.receive():
            self._go_on(connection)
        else:
            self._hear_the_end(connection)

    def _go_on(self, connection: Connection) -> None:
        """Does what is next with a connection."""
        while not (connection.broken or connection.unsent or connection.busy or connection.last):
            if not self._answer_next(connection):
                break
        if connection.busy:
            self._watch(connection, selectors.EVENT_WRITE if connection.unsent and not connection.broken else 0)
        elif connection.broken:
            self._drop(connection)
        elif connection.unsent:
            self._watch(connection, selectors.EVENT_WRITE)
        elif connection.last:
            self._linger(connection)
        else:
            self._watch(connection, selectors.EVENT_READ)

    def _answer_next(self, connection: Connection) -> bool:
        """Answers the next request, or has it answered; whether there may be another after it."""
        try:
            received = connection.next_request(self._heads, self._longest_body)
        except ParseException as error:
            self._refuse(connection, error)
            return False
        if received is None:
            if connection.received and not connection.arriving:
                connection.arriving = True
                connection.deadline = self._now + self._patience
            return False
        connection.arriving = False
        if received.head.plain and self.alive and not connection.last and self._answer_at_once(connection, received):
            self._give_time(connection)
            return True
        self._have_answered(connection, received)
        return False

    def _answer_at_once(self, connection: Connection, received: Received) -> bool:
        """Answers a request here and now, if the application can."""
        client = connection.client
        environ = {
            **received.head.environ,
            "wsgi.input": BytesIO(received.body),
            "REMOTE_ADDR": client[0],
            "REMOTE_PORT": str(client[1]),
            AT_ONCE: True,
        }
        reply = Reply()
        try:
            body = b"".join(self.wsgi(environ, reply.start))
        except TakesLonger:
            return False
        except Exception:
            self.log.exception("Unhandled error")
            return False
        with suppress(BrokenPipeError):
            connection.sendall(reply.data(body))
        self.log.collect(environ, reply.status, len(body))
        return True

    def _have_answered(self, connection: Any, received: Received) -> None:
        """Has a request answered by a thread."""
        connection.busy = True
        data = received.data
        pieces = [data[start : start + PIECE] for start in range(0, len(data), PIECE)]
        connection.parser = RequestParser(self.cfg, pieces, connection.client)
        self.enqueue_req(connection)

    def handle_request(self, req: Any, conn: Any) -> bool:
        """Answers a request in a thread; whether the connection can go on."""
        req._expected_100_continue = False  # noqa: SLF001, the loop has asked for the body
        req.version = min(req.version, (1, 1))  # or HTTP/1.9 would be answered as if it were spoken here
        if not conn.last and isinstance(req.body.reader, ChunkedReader):
            req.body = BytesIO(req.body.read())  # raises what is wrong with it before the application sees any of it
            conn.last = bool(conn.parser.unreader.take_buffered())  # what nobody knows the beginning of
        if conn.last:
            req.force_close()
        keep: bool = super().handle_request(req, conn)
        return keep

    def _keepalive_after(self, conn: Any, keepalive: bool) -> bool:  # noqa: ARG002, FBT001
        """Whether the connection can go on. What the application has not read of a body is gone already."""
        return keepalive

    def finish_request(self, conn: Any, fs: "Future[Any]") -> None:
        """Goes on with a connection whose request a thread has answered."""
        conn.busy = False
        self._see_to(conn, self._go_on_after, fs)

    def _go_on_after(self, conn: Any, fs: "Future[Any]") -> None:
        if fs.cancelled() or fs.exception() or not fs.result():
            conn.last = True
        self._give_time(conn)
        self._go_on(conn)

    # The ends of connections.

    def _give_time(self, connection: Connection) -> None:
        """Starts the time in which a client must take some of what waits for it, or else ask for something."""
        idle = self.cfg.keepalive if self.alive else STOP_SECONDS
        connection.deadline = self._now + (self._patience if connection.unsent else idle)

    def _hear_the_end(self, connection: Connection) -> None:
        """A client has closed its side, perhaps in the middle of a request."""
        received = connection.rest()
        if received is None:
            self._drop(connection)
        else:
            self._have_answered(connection, received)
            self._watch(connection, 0)

    def _refuse(self, connection: Any, error: ParseException) -> None:
        """Answers what is no request with a problem document."""
        connection.last = True
        self.handle_error(None, connection, connection.client, error)

    def _give_up(self, connection: Any) -> None:
        """Waits no longer for the rest of a request."""
        connection.arriving, connection.last = False, True
        with suppress(BrokenPipeError):
            write_problem(connection, 408, "Request Timeout", "The request did not arrive in time.")
        self._go_on(connection)

    def _linger(self, connection: Connection) -> None:
        """Lets a client read to the end before its connection is closed: a reset could overtake the answer."""
        try:
            connection.raw.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(connection)
            return
        connection.lingering = True
        connection.deadline = self._now + LINGER_SECONDS
        self._watch(connection, selectors.EVENT_READ)

    def _drop(self, connection: Connection) -> None:
        self._watch(connection, 0)
        self._connections.discard(connection)
        connection.end()

    def _watch(self, connection: Connection, events: int) -> None:
        """Waits for these events of a connection, and no others."""
        if events == connection.watched:
            return
        if not connection.watched:
            self.poller.register(connection.raw, events, connection)
        elif events:
            self.poller.modify(connection.raw, events, connection)
        else:
            self.poller.unregister(connection.raw)
        connection.watched = events

    def _to_be_sent(self, connection: Connection) -> None:
        """Called from any thread when a client has not taken everything at once."""
        self.method_queue.defer(self._see_to, connection, self._go_on)

    # Limits.

    def _sweep(self) -> None:
        """Ends connections whose time is up, and those that hold most if all together hold too much."""
        for connection in [each for each in self._connections if each.deadline < self._now and not each.busy]:
            if connection.arriving and not connection.last:
                self._see_to(connection, self._give_up)
            else:
                self._drop(connection)
        held = {each: len(each.received) + len(each.unsent) for each in self._connections}
        excess = sum(held.values()) - MOST_HELD
        while excess > 0:
            largest = max(held, key=held.__getitem__)
            excess -= held.pop(largest)
            self._drop(largest)

    def _most_connections(self) -> int:
        """How many connections there may be at once."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        most: int = min(self.cfg.worker_connections, files - SPARE_FILES)
        return most

    def _make_room(self) -> bool:
        """Ends the connection on which nothing has been asked for longest; whether there was one."""
        waiting = [each for each in self._connections if not (each.busy or each.unsent)]
        if waiting:
            self._drop(min(waiting, key=lambda each: each.deadline))
        return bool(waiting)


def _hold_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)


def _release_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


# Between the fork and its own handlers a worker has those of its parent, and would lose a signal to stop.
os.register_at_fork(before=_hold_signals, after_in_parent=_release_signals)
