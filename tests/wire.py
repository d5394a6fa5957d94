"""HTTP over a bare socket: it sends what no client library would, and tells exactly what came back."""

import http.client
import json
import socket
from array import array
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fcntl import ioctl
from io import BufferedIOBase
from termios import FIONREAD
from threading import Thread
from types import TracebackType
from typing import Any, Self

from tests.support import wait_until

SILENCE = 60.0
"""Seconds without a byte after which a server counts as hung, however slow and busy the machine is."""

NO_BODY = frozenset({204, 304})
JSON = {"Content-Type": "application/json"}


class NoReply(Exception):
    """The connection ended before a whole reply had come."""


@dataclass(frozen=True)
class Reply:
    """A response; the names of its headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One connection to the server on ``port``; replies are read in the order in which they come."""

    def __init__(self, port: int, *, host: str = "127.0.0.1", silence: float = SILENCE) -> None:
        self._socket = socket.create_connection((host, port), silence)
        self._stream = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def reply(self, *, to: str = "GET") -> Reply:
        """The next response, to a request with the method ``to``. Raises NoReply if there is none, or not all of it."""
        return read_reply(self._stream, to=to)

    def ask(self, data: bytes, *, to: str = "GET", finish: bool = False) -> Reply:
        """The reply to a request, read even while the server refuses to read on; ``finish`` ends our side after it."""
        sender = Thread(target=self._send, args=(data,), kwargs={"finish": finish})
        sender.start()
        reply = self.reply(to=to)
        sender.join()
        return reply

    def interim(self) -> int:
        """The status of an interim response (1xx), which has neither headers nor body."""
        return _read_head(self._stream)[0]

    def waiting_bytes(self) -> int:
        """How many bytes have come that were not read yet; of those that were read ahead it knows nothing."""
        size = array("i", [0])
        ioctl(self._socket, FIONREAD, size)
        return size[0]

    def read_to_end(self) -> bytes:
        """Everything until the server ends the connection."""
        return self._stream.read()

    def is_closed(self) -> bool:
        """Whether the server has ended the connection; waits for it, or for a byte."""
        return self._stream.read(1) == b""

    def finish(self) -> None:
        """End our side, as a client does that sends no more."""
        self._socket.shutdown(socket.SHUT_WR)

    def reset(self) -> None:
        """Have the connection reset when it is closed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    def close(self) -> None:
        self._stream.close()
        self._socket.close()

    def _send(self, data: bytes, *, finish: bool) -> None:
        with suppress(OSError):  # whatever went wrong, reading will tell
            self._socket.sendall(data)
            if finish:
                self.finish()


def read_reply(stream: BufferedIOBase, *, to: str = "GET") -> Reply:
    """The next response that was received, to a request with the method ``to``. Raises NoReply as above."""
    status, headers = _read_head(stream)
    length = 0 if to == "HEAD" or status < 200 or status in NO_BODY else int(headers["content-length"])
    body = stream.read(length)
    if len(body) < length:
        raise NoReply(f"the body ends after {len(body)} bytes of {length}")
    return Reply(status, headers, body)


def _read_head(stream: BufferedIOBase) -> tuple[int, dict[str, str]]:
    line = stream.readline()
    if not line.startswith(b"HTTP/1."):
        raise NoReply(f"instead of a status line came {line!r}")
    headers = http.client.parse_headers(stream)
    return int(line.split()[1]), {name.lower(): value for name, value in headers.items()}


def exchange(port: int, data: bytes, *, to: str = "GET", finish: bool = False) -> Reply:
    """The reply to one request on a connection of its own, with ``ask``'s other parameters."""
    with Connection(port) as connection:
        return connection.ask(data, to=to, finish=finish)


def wait_until_read(port: int) -> None:
    """Wait until a server of one worker has read what was sent so far.

    The worker takes what arrives in order: a connection, and in the next round of its loop what was sent on it.
    """
    for _ in range(2):
        assert exchange(port, TABLED).status == 200  # without a thread


def wait_until_full(late: Connection) -> None:
    """Wait until a connection that is not read has taken what it can: until no more comes for a while."""
    seen = [0]

    def is_full() -> bool:
        seen.append(late.waiting_bytes())
        return seen[-1] == seen[-2] > 0

    wait_until(is_full, every=0.2)


def request(method: str, target: str, headers: Mapping[str, str] | None = None, body: bytes | None = None) -> bytes:
    """A request as bytes, with ``Host``, and with ``Content-Length`` if it has a body. Nothing is checked."""
    length = {} if body is None else {"Content-Length": str(len(body))}
    return head(method, target, {"Host": "localhost", **length, **(headers or {})}) + (body or b"")


def head(method: str, target: str, headers: Mapping[str, str]) -> bytes:
    """The request line and the headers, exactly those given."""
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1")


def chunked(parts: Iterable[bytes]) -> bytes:
    """A chunked body of these parts, none of which may be empty."""
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in [*parts, b""])


def post(body: bytes, headers: Mapping[str, str] | None = None) -> bytes:
    """``POST /best-move`` with a JSON body."""
    return request("POST", "/best-move", {**JSON, **(headers or {})}, body)


def post_chunked(parts: Iterable[bytes]) -> bytes:
    """``POST /best-move`` with a JSON body in these chunks."""
    return request("POST", "/best-move", {**JSON, "Transfer-Encoding": "chunked"}) + chunked(parts)


TABLED = post(b'{"board":"X...O...."}')
"""A question that is answered on the event loop of a worker, which needs no thread for it."""
