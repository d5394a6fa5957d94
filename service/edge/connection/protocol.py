"""Uvicorn's HTTP protocol with limits of time and size for clients, and problem documents for invalid HTTP."""

import asyncio
import json
import resource
from collections.abc import Iterator
from functools import lru_cache
from http import HTTPStatus
from itertools import chain
from math import inf
from time import perf_counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from service.api.problems import Problem
from service.api.request_context import CONTEXT, RequestContext
from service.api.responses import PROBLEM
from service.edge.connection.flow import (
    MAX_WAITING_BYTES,
    PIECE_BYTES,
    REQUEST_BYTES,
    Flow,
    Held,
    abort_stalled,
    has_sent_more,
    sends_no_more,
)
from service.edge.message import SEND_WHOLE, STARTED, joined

CHECK_SECONDS = 1.0
"""The seconds between two checks of a connection's deadline."""

KEEP_ALIVE_SECONDS = 75.0
"""The seconds that a connection may stay open between two requests."""

LINGER_SECONDS = 2.0
"""The seconds that a refused client has to read the reason and close the connection."""

DRAIN_SECONDS = 2.0
"""The seconds that an ending worker keeps idle connections open: a request may be on its way."""

ENDING_SHARE = 0.7
"""The part of the graceful timeout after which searches are stopped, so that their proven results can be sent."""

MAX_HEAD_BYTES = 16384
"""The maximum bytes of a request line and headers: room for the cookies of other applications on the same host."""

TOO_LARGE_HEAD = f"The request line and the headers have more than {MAX_HEAD_BYTES} bytes."

RETRY_SECONDS = 1
"""The ``Retry-After`` of a connection that is refused because too many requests are in line."""

SPARE_FILES = 64
"""File descriptors reserved for uses other than connections."""


class ClientProtocol(HttpToolsProtocol):
    """One connection. It is closed at the ``deadline`` unless its client has acted by then.

    Uvicorn limits neither the time in which a request arrives or an answer is read, nor the size of a head.
    ``client_timeout`` and ``graceful_timeout`` are in seconds.
    """

    client_timeout: float
    graceful_timeout: float
    held: Held
    """The bytes of the requests in line on the worker's connections."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.deadline = inf
        self.arriving = False
        """Whether a request has arrived in part."""
        self._whole: RequestResponseCycle | None = None
        """The last request that has arrived completely."""
        self._running: RequestResponseCycle | None = None
        """The request in progress; those after it on the connection wait in line."""
        self._in_head = False
        self._head_bytes = 0
        self._unparsed = memoryview(b"")
        """Bytes that were read, but wait for the answers to earlier requests."""
        self._held = 0
        self._unsent = 0
        self.stalled_at = inf
        """The time at which the client will have read nothing of an answer for too long."""
        self._draining = False
        self._stops = False
        """Whether searches stop at once: the client has closed its sending side, or the worker ends."""
        self._reads = True
        """Whether requests are read: not after a refusal, or after a request that ends the connection."""
        self._refusal: tuple[str, HTTPStatus] | None = None
        """A refusal that waits for the answers to earlier requests."""

    @classmethod
    def with_timeouts(cls, *, client_timeout: float, graceful_timeout: float) -> type["ClientProtocol"]:
        """Return the protocol with these timeouts."""
        configured = {"client_timeout": client_timeout, "graceful_timeout": graceful_timeout, "held": Held()}
        return type("ConfiguredClientProtocol", (cls,), configured)

    # Called by the event loop.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline of the first request; make room if there are too many connections."""
        if len(self.connections) >= _max_connections():
            self._close_longest_idle()
        super().connection_made(transport)
        self.flow = Flow(transport, self.pipeline)
        self._wait(self.client_timeout)
        self._timer = self.loop.call_later(CHECK_SECONDS, self._check)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop checking the deadline, and notify the request in progress; uvicorn notifies only the last one."""
        self._timer.cancel()
        self._disconnect()
        self._drop_unparsed()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the received bytes, until a request has to wait in line."""
        if len(data) <= PIECE_BYTES and not self.pipeline:
            self._parse(data)
            if not self.pipeline:
                return
        else:
            self._unparsed = memoryview(b"".join((self._unparsed, data)) if self._unparsed else data)
        self._parse_on()

    def pause_writing(self) -> None:
        """Note that the client does not read its answer; abort connections whose unsent answers exceed the limit."""
        super().pause_writing()
        abort_stalled(each for each in self._all() if each.flow.write_paused)

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Handle half-close: stop the search, send what is proven. The client may have gone, or may still read."""
        if self.arriving:
            self._refuse("The request ended before it was complete.")
        cycle = self._being_answered()
        if cycle is None:
            return None
        if self._refusal is None:
            cycle.keep_alive = False
        self._stop_search()
        return True

    # Called by the parser.

    def on_message_begin(self) -> None:
        """Record the time at which the request began."""
        super().on_message_begin()
        self.arriving = self._in_head = True
        if self._has_answered():
            self._wait(self.client_timeout)
        self.scope[STARTED] = perf_counter()  # type: ignore[literal-required]

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header, as uvicorn does, without the spaces after the value, which the parser keeps."""
        name, value = name.lower(), value.rstrip(b" \t")
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Refuse a protocol change before a body: the parser would take the body for data of the other protocol."""
        self._in_head = False
        if (
            self._head_bytes > MAX_HEAD_BYTES - PIECE_BYTES
            and len(self.url) + sum(map(len, chain(*self.headers))) > MAX_HEAD_BYTES
        ):
            self._refuse(TOO_LARGE_HEAD, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        version = self.parser.get_http_version()
        if version != "1.1" or self.parser.should_upgrade():
            self._check_unusual(version)
        if not self._reads:
            raise ConnectionAbortedError
        super().on_headers_complete()
        if self._draining or self.parser.should_upgrade():  # the parser drops the bytes after an upgrade offer
            self.cycle.keep_alive = False
        self.headers = []  # headers from now on are trailers, which do not belong to the request's head
        # No partial of the cycle, whose scope this is: only the garbage collector would free the two.
        self.scope[SEND_WHOLE] = self._send_whole  # type: ignore[literal-required]

    def _check_unusual(self, version: str) -> None:
        """Refuse requests that two readers of HTTP could read differently."""
        names = {name for name, _ in self.headers}
        if version not in ("1.0", "1.1"):
            self._refuse(f"HTTP/{version} is not supported; send HTTP/1.1.")
        elif version == "1.0" and b"transfer-encoding" in names:
            self._refuse("HTTP/1.0 does not support Transfer-Encoding; send HTTP/1.1.")
        elif self.parser.should_upgrade() and names & {b"content-length", b"transfer-encoding"}:
            self._refuse("A request with a body must not have an Upgrade header.")

    def on_message_complete(self) -> None:
        """Clear the deadline of the request's arrival."""
        self.arriving, self._head_bytes = False, 0
        self._whole = self.cycle
        if not self.parser.should_keep_alive():  # also if only a trailer says so, the parser takes no further request
            self.cycle.keep_alive = False
        self._reads = self._reads and self.cycle.keep_alive
        if not self._has_answered():
            self.deadline = inf
        super().on_message_complete()

    # Called by uvicorn.

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        if self._stops:
            self._stop_search()
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Wait for the next request, or start it if it has arrived.

        Uvicorn would also start a timer for each response, a tenth of the cost of one from the cache.
        """
        self.server_state.total_requests += 1
        if not self.transport.is_closing():
            if self.pipeline:
                self._start_asgi_task(*self.pipeline.pop())
            if self._held:
                self._parse_on()
        if self.flow.read_paused:
            self.flow.resume_reading()
        if self._refusal is not None and self._has_answered():
            self._send_refusal(*self._refusal)
        elif self.arriving:  # the next request, or the rest of a refused body
            self._wait(self.client_timeout)
        elif self._has_answered():
            self._wait(DRAIN_SECONDS if self._draining else KEEP_ALIVE_SECONDS)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002, always the same
        """Answer invalid HTTP with a problem document."""
        self._refuse(
            "The request breaks the rules of HTTP/1.1. Encode other characters than ASCII in the URL: é is %C3%A9."
        )

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore offers of other protocols."""

    def shutdown(self) -> None:
        """Answer requests in progress, and those about to arrive; stop long searches in time."""
        self._draining = True
        if self._has_answered() and not self.arriving:
            self._wait(DRAIN_SECONDS)
        elif self.cycle is not None:
            self.cycle.keep_alive = False
            self.loop.call_later(ENDING_SHARE * self.graceful_timeout, self._stop_search)

    # Parsing.

    def _parse(self, piece: bytes | memoryview) -> None:
        """Feed the parser, up to the largest head; drop bytes that are not to be read."""
        if not self._reads:
            return
        self._head_bytes = len(piece) + (self._head_bytes if self._in_head else 0)
        super().data_received(piece)  # type: ignore[arg-type]  # the parser takes any buffer
        if self._in_head and self._head_bytes > MAX_HEAD_BYTES:
            self._refuse(TOO_LARGE_HEAD, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def _parse_on(self) -> None:
        """Parse in pieces until a request has to wait in line. Refuse it if those in line take too much memory."""
        while self._unparsed and self._reads and not self.pipeline:
            piece, self._unparsed = self._unparsed[:PIECE_BYTES], self._unparsed[PIECE_BYTES:]
            self._parse(piece)
        if not self._reads:
            self._drop_unparsed()
            return
        self._hold(len(self._unparsed) + REQUEST_BYTES * len(self.pipeline))
        if self.held.bytes > MAX_WAITING_BYTES and self._held:
            self._drop_unparsed()
            self._refuse("Too many requests wait behind others; send fewer at once.", HTTPStatus.SERVICE_UNAVAILABLE)

    def _drop_unparsed(self) -> None:
        self._unparsed = memoryview(b"")
        self._hold(0)

    def _hold(self, size: int) -> None:
        self.held.bytes += size - self._held
        self._held = size

    # Limits.

    @property
    def has_asked(self) -> bool:
        """Whether a complete request has ever arrived."""
        return self._whole is not None

    def _being_answered(self) -> RequestResponseCycle | None:
        """Return the last request that has arrived completely, unless it is answered."""
        return None if self._whole is None or self._whole.response_complete else self._whole

    def _has_answered(self) -> bool:
        return self._being_answered() is None

    def _wait(self, seconds: float) -> None:
        self.deadline = self.loop.time() + seconds

    def _check(self) -> None:
        """Close the connection if its deadline is over, or if its client has read nothing of an answer for as long.

        While nothing is read, the event loop does not notice that the client has gone.
        """
        now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
        if unsent != self._unsent:
            self._unsent, self.stalled_at = unsent, now + self.client_timeout if unsent else inf
        if now >= self.stalled_at:
            self.transport.abort()
        elif not unsent and now >= self.deadline:
            if self.arriving and (self._in_head or not self.cycle.response_complete):
                self._refuse("The request did not arrive in time.", HTTPStatus.REQUEST_TIMEOUT)
            else:
                self.transport.close()
        if self.flow.read_paused and sends_no_more(self.transport):
            self._stop_search()
        self._timer = self.loop.call_later(CHECK_SECONDS, self._check)

    def _stop_search(self) -> None:
        """Stop the search of the request in progress, even before it begins, and of those in line behind it."""
        self._stops = True
        if self._running is not None:
            scope: Any = self._running.scope
            scope.setdefault(CONTEXT, RequestContext()).stop = True

    def _all(self) -> Iterator["ClientProtocol"]:
        """Yield the connections of the worker."""
        return (each for each in self.connections if isinstance(each, ClientProtocol))

    def _close_longest_idle(self) -> None:
        """Close a connection: one that never sent a request, else an idle one, else one whose request is arriving.

        Many connections are made before the first of them is read: a client whose bytes wait has not been idle.
        """
        waiting = [each for each in self._all() if each.deadline < inf]
        waiting.sort(key=lambda each: (each.arriving, each.has_asked, each.deadline))
        if waiting:
            closed = next((each for each in waiting if not has_sent_more(each.transport)), waiting[0])
            closed.transport.abort()
            closed.deadline = inf  # it makes no room for a second one

    def _refuse(self, detail: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        """Stop reading, and send a problem document after the answers to earlier requests."""
        if self._reads:
            self._reads = False
            self._refusal = detail, status
            if self._has_answered():
                self._send_refusal(detail, status)

    def _send_refusal(self, detail: str, status: HTTPStatus) -> None:
        if self.transport.is_closing():
            return
        is_overload = status == HTTPStatus.SERVICE_UNAVAILABLE
        problem = Problem("overloaded" if is_overload else "malformed-request", detail).document()
        body = json.dumps({**problem, "title": status.phrase, "status": status.value}).encode()
        lines = (
            STATUS_LINE[status],
            f"retry-after: {RETRY_SECONDS}\r\n".encode() if is_overload else b"",
            f"content-type: {PROBLEM}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n".encode(),
        )
        self.transport.write(b"".join([*lines, body]))
        # Closing with unread input would reset the connection, and the client could lose the answer.
        self.transport.write_eof()
        self.arriving, self._refusal = False, None
        self._wait(LINGER_SECONDS)
        self._disconnect()

    def _send_whole(self, status: int, headers: bytes, body: bytes) -> bool:
        """Send a whole response to the request in progress; return False if the client must first read earlier bytes.

        Uvicorn checks each header and sends head and body apart, a fifth of the cost of a response from the cache.
        """
        cycle = self._running
        if cycle is None or cycle.disconnected or self.flow.write_paused:
            return False
        end = b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n"
        self.transport.write(b"".join([STATUS_LINE[status], _encoded(*cycle.default_headers), headers, end, body]))
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        if not cycle.keep_alive:
            self.transport.close()
        cycle.on_response()
        return True

    def _disconnect(self) -> None:
        """Notify the request in progress that its client has gone."""
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.waiting_for_100_continue = False
            self._running.message_event.set()


@lru_cache(maxsize=1)
def _encoded(*headers: tuple[bytes, bytes]) -> bytes:
    """Return headers encoded for sending; uvicorn's own change once a second."""
    return joined(headers)


def _max_connections() -> int:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return files - SPARE_FILES
