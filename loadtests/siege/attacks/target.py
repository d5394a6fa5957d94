"""The server under attack, as an attacker sees it: connections, requests and what came back."""

import asyncio
import json
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from loadtests.servers.processes import LOOPBACK

LONGEST_LINE = 1 << 20

REFUSED_SECONDS = 0.1
"""Before an attacker opens the next connection after one was refused or closed."""

NO_BODY = frozenset({204, 304})

Result = TypeVar("Result")


class Reply(NamedTuple):
    """A whole response; the names of its headers in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Target:
    """The server on a port, to be attacked until ``until`` on the monotonic clock.

    ``outcomes`` counts statuses, and requests that got none: ``closed`` or ``open`` at the end. ``wrong`` describes
    answers that nobody may get.
    """

    port: int
    until: float
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.until - time.monotonic())

    @asynccontextmanager
    async def connection(self, first: bytes = b"") -> AsyncIterator["Wire"]:
        """Open a connection, which is closed at the end, whatever is still under way on it.

        The ``first`` bytes are sent at once: a busy event loop would leave the connection silent for long.
        """
        at: dict[str, Any] = {"host": LOOPBACK, "port": self.port}
        if first:
            at = {"sock": await asyncio.to_thread(self._connect_and_send, first)}
        reader, writer = await asyncio.open_connection(**at, limit=LONGEST_LINE)
        try:
            yield Wire(self, reader, writer)
        finally:
            writer.transport.abort()

    async def ask(self, data: bytes, *, leave_after: float | None = None) -> Reply | None:
        """Send a request on a connection of its own and return the reply; None if none came.

        A client that leaves closes the connection after that many seconds, and counts as ``left``.
        """

        async def exchange(wire: Wire) -> Reply:
            await wire.send(data)
            return await wire.reply()

        if leave_after is None:
            return await self._connected(exchange, self.left, "open")
        return await self._connected(exchange, min(leave_after, self.left), "left")

    async def crowd(self, clients: int, act: Callable[[int], Awaitable[object]]) -> None:
        """Have so many clients act at once, each again and again with the next number, until the time is over."""
        numbers = iter(range(1 << 30))

        async def act_on() -> None:
            while self.left:
                await act(next(numbers))

        await asyncio.gather(*(act_on() for _ in range(clients)))

    async def together(self, clients: int, act: Callable[[int], Awaitable[object]]) -> None:
        """Have so many clients act at once and once."""
        await asyncio.gather(*map(act, range(clients)))

    async def stay(self, wires: int, act: Callable[["Wire"], Awaitable[None]]) -> None:
        """Keep that many connections open until the end, on each of which one client acts; open another if one ends."""

        async def hold(_: int) -> None:
            while self.left:
                await self._connected(act, self.left, "open")

        await self.together(wires, hold)

    def _connect_and_send(self, first: bytes) -> socket.socket:
        end = socket.create_connection((LOOPBACK, self.port), timeout=self.left)
        end.sendall(first)
        return end

    async def _connected(self, act: Callable[["Wire"], Awaitable[Result]], seconds: float, late: str) -> Result | None:
        """Act on a connection for some seconds, and count it as ``late`` after these, or as ``closed``."""
        try:
            async with asyncio.timeout(seconds), self.connection() as wire:
                return await act(wire)
        except TimeoutError:
            self.outcomes[late] += 1
        except (OSError, asyncio.IncompleteReadError):
            self.outcomes["closed"] += 1
            await asyncio.sleep(REFUSED_SECONDS)
        return None

    def note(self, reply: Reply) -> None:
        """Count a reply; a fault of the server is a wrong answer, unless it says that it is overloaded."""
        self.outcomes[str(reply.status)] += 1
        if reply.status >= 500 and reply.status != 503:
            self.wrong.append(f"status {reply.status}: {reply.body[:100]!r}")


class Wire:
    """One connection."""

    def __init__(self, target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._target = target
        self._reader = reader
        self._writer = writer

    async def send(self, data: bytes) -> None:
        """Send, as fast as the server takes it."""
        self._writer.write(data)
        await self._writer.drain()

    async def reply(self) -> Reply:
        """Return the next reply, and count it."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        line, *lines = head.decode("latin-1").split("\r\n")[:-2]
        headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
        status = int(line.split()[1])
        if not _ends(status, headers):
            self._target.wrong.append(f"an answer whose end cannot be seen, as {headers.get('content-type')}")
            raise ConnectionResetError
        reply = Reply(status, headers, b"" if status in NO_BODY else await self._body(headers))
        self._target.note(reply)
        return reply

    async def replies(self) -> None:
        """Read and count replies until the server closes the connection."""
        with suppress(asyncio.IncompleteReadError):
            while True:
                await self.reply()

    async def read_nothing(self) -> None:
        """Leave what comes unread until the end."""
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]
        await asyncio.sleep(self._target.left + 1)

    async def wait(self) -> None:
        """Wait until the server closes the connection."""
        while await self._reader.read(1 << 16):
            pass
        raise ConnectionResetError

    async def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return await self._reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return await self._reader.read()
        body = bytearray()
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            body += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readexactly(2)
        return bytes(body)


def _ends(status: int, headers: Mapping[str, str]) -> bool:
    """Return whether a client can see where a response ends."""
    told = "content-length" in headers or headers.get("transfer-encoding") == "chunked"
    return told or status in NO_BODY or headers.get("connection") == "close"


def get(target: str, *headers: str, host: str = "localhost") -> bytes:
    """Return a GET as bytes, with further lines of headers."""
    return _head(f"GET {target} HTTP/1.1", f"Host: {host}", *headers)


def post(path: str, document: Any, *headers: str) -> bytes:
    """Return a POST of a document, or of its bytes."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    fixed = ("Host: localhost", "Content-Type: application/json", f"Content-Length: {len(body)}")
    return _head(f"POST {path} HTTP/1.1", *fixed, *headers) + body


def call(method: str, number: int, **params: Any) -> bytes:
    """Return a message to ``/mcp`` as bytes."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return post("/mcp", message, "Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-11-25")


def _head(*lines: str) -> bytes:
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode("latin-1")
