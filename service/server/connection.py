"""A client's connection: what it has sent and was not answered yet, and what waits to be sent to it."""

import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import NamedTuple

from gunicorn.http.parser import RequestParser

from service.server.chunks import Chunks
from service.server.heads import END, Head, Heads

RECEIVED_AT_ONCE = 16384


class Received(NamedTuple):
    """A request that has arrived whole: its head and all its bytes; those from ``body_at`` on are the body."""

    head: Head
    data: bytes
    body_at: int

    @property
    def body(self) -> bytes:
        """The body as it was sent."""
        return self.data[self.body_at :]


class Connection:
    """A connection of the loop. Nothing that is done with it ever waits for the client.

    To gunicorn, which answers in a thread, it is a connection and its socket in one: what it sends is kept
    here as far as the client does not take it at once, and ``wake`` is called to see to the rest.
    """

    initialized = data_ready = True
    is_http2 = False

    def __init__(
        self, raw: socket.socket, client: tuple[str, int], server: tuple[str, int], wake: Callable[["Connection"], None]
    ) -> None:
        raw.setblocking(False)  # noqa: FBT003
        self.raw = raw
        self.client = client
        self.server = server
        self.parser: RequestParser | None = None
        self.received = bytearray()
        self.unsent = bytearray()
        self.busy = False
        """Whether a thread answers a request."""
        self.last = False
        """Whether the connection ends with the request in hand."""
        self.arriving = False
        """Whether a part of a request is here."""
        self.lingering = False
        """Whether all is sent, and only the client's side is still open."""
        self.broken = False
        self.deadline = 0.0
        self.watched = 0
        self._wake = wake
        self._sending = Lock()
        self._head: Head | None = None
        self._chunks = Chunks(0)
        self._body_at = 0
        self._invited = False

    # What the loop does with it.

    def receive(self) -> bool:
        """Takes what the client has sent; whether it may send more."""
        try:
            data = self.raw.recv(RECEIVED_AT_ONCE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.received += data
        return bool(data)

    def next_request(self, heads: Heads, longest_body: int) -> Received | None:
        """The next request once it has arrived whole, None before. A body longer than allowed is not waited for.

        Raises gunicorn's ParseException for what is no request.
        """
        head = self._head or self._read_head(heads)
        if head is None:
            return None
        end = self._end(head, longest_body)
        if end is None:
            self._invite(head)
            return None
        return self._take(head, end)

    def rest(self) -> Received | None:
        """The request that was cut short; None if not even its head is there."""
        self.last = True
        return None if self._head is None else self._take(self._head, len(self.received))

    def flush(self) -> bool:
        """Sends what waits, as far as the client takes it; whether it took anything."""
        with self._sending:
            return self._send()

    def discard(self) -> bool:
        """Throws away what the client still sends; whether it may send more."""
        may_send = self.receive()
        self.received.clear()
        return may_send

    def end(self) -> None:
        """Closes the socket, but not while a thread sends: its number may be another connection's a moment later."""
        with self._sending, suppress(OSError):
            self.broken = True
            self.raw.close()

    def _read_head(self, heads: Heads) -> Head | None:
        at = self.received.find(END)
        if at >= 0:
            self._body_at = at + len(END)
            self._chunks, self._invited = Chunks(self._body_at), False
            self._head = heads.read(bytes(self.received[: self._body_at]), self.server)
        elif heads.is_doubtful(self.received):
            heads.check_beginning(bytes(self.received))
        return self._head

    def _end(self, head: Head, longest_body: int) -> int | None:
        """Where the request ends in what was received; None if more must come."""
        length = len(self.received) - self._body_at if head.length is None else head.length
        if length > longest_body:
            self.last = True
            return len(self.received)
        if head.length is None:
            chunks_end = self._chunks.end(self.received, longest_body)
            self.last = self._chunks.lost
            return chunks_end
        end = self._body_at + length
        return end if end <= len(self.received) else None

    def _take(self, head: Head, end: int) -> Received:
        data = bytes(self.received[:end])
        del self.received[:end]
        self._head = None
        return Received(head, data, self._body_at)

    def _invite(self, head: Head) -> None:
        """Asks for the body, once, if the client wants to be asked."""
        if head.expects and not self._invited:
            self._invited = True
            with suppress(BrokenPipeError):  # the loop sees that the client has gone
                self.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _send(self) -> bool:
        try:
            sent = self.raw.send(self.unsent)
        except BlockingIOError:
            return False
        except OSError:
            self.broken = True
            self.unsent.clear()
            return False
        del self.unsent[:sent]
        return True

    # What gunicorn does with it, from a thread.

    @property
    def sock(self) -> "Connection":
        """The connection as gunicorn's socket."""
        return self

    def init(self) -> None:
        """The connection needs no preparation."""

    def sendall(self, data: bytes) -> None:
        """Sends the data, now or later. Raises BrokenPipeError once the client has gone."""
        with self._sending:
            waiting = bool(self.unsent)
            self.unsent += data
            if not waiting:
                self._send()
        if self.broken:
            raise BrokenPipeError(errno.EPIPE, "the client has gone")  # without its number gunicorn would log an error
        if self.unsent and not waiting:
            self._wake(self)

    def recv(self, size: int, flags: int = 0) -> bytes:
        """What the client has sent since its request."""
        return self.raw.recv(size, flags)

    def setblocking(self, _blocking: bool) -> None:  # noqa: FBT001, the signature is that of a socket
        """Nothing here ever blocks."""

    def settimeout(self, _seconds: float) -> None:
        """Nothing here ever blocks."""

    def gettimeout(self) -> float:
        """Nothing here ever blocks."""
        return 0.0

    def shutdown(self, _how: int) -> None:
        """What gunicorn does to a connection on which it failed: it ends, once all is sent."""
        self.last = True

    def close(self) -> None:
        """The loop closes connections."""
