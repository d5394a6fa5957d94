"""Connections of the server in this process, without sockets: a test plays the client and the event loop."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

from uvicorn import Config
from uvicorn.server import ServerState

from service.app import create_service
from service.edge.app import create_edge
from service.edge.connection.protocol import ClientProtocol
from service.settings import Settings
from tests.support import HUNG_SECONDS
from tests.wire import Reply, read_reply

App = Callable[[Any, Any, Any], Awaitable[None]]


class Transport(asyncio.Transport):
    """Notes what a protocol does with its connection. ``unsent`` bytes wait for the client."""

    def __init__(self, end: socket.socket | None = None) -> None:
        super().__init__({"socket": end})
        self.written = b""
        self.unsent = 0
        self.reading = True
        self.closed = self.aborted = False
        self.ended = False
        """Whether nothing more will be written."""

    def replies(self) -> list[Reply]:
        """Return the replies that were written, to the last byte; without interim ones."""
        stream, replies = BytesIO(self.written), list[Reply]()
        while stream.tell() < len(self.written):
            replies.append(read_reply(stream))
        return [reply for reply in replies if reply.status >= 200]

    def write(self, data: Any) -> None:
        self.written += data

    def write_eof(self) -> None:
        self.ended = True

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = self.ended = True

    def abort(self) -> None:
        self.closed = self.aborted = self.ended = True


class Worker:
    """What the connections of one worker share; ``app`` answers. To be made within an event loop."""

    def __init__(self, app: App, client_timeout: float = HUNG_SECONDS) -> None:
        self.protocol = ClientProtocol.with_timeouts(client_timeout=client_timeout, graceful_timeout=HUNG_SECONDS)
        self._config = Config(app, http=self.protocol, ws="none", lifespan="off", log_config=None)
        self._config.load()
        self.state = ServerState()

    def connect(self, end: socket.socket | None = None) -> tuple[ClientProtocol, Transport]:
        """Return both ends of a new connection, which says that it is over the socket ``end``."""
        protocol, transport = self.protocol(self._config, self.state, {}), Transport(end)
        protocol.connection_made(transport)
        return protocol, transport


class Gate:
    """An application that answers when the test allows it. ``asked`` tells which requests have reached it."""

    def __init__(self, *, is_open: bool = False) -> None:
        self.open = asyncio.Event()
        if is_open:
            self.open.set()
        self.asked: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        self.asked.append(scope)
        watching = asyncio.ensure_future(receive())  # for which uvicorn reads on
        await self.open.wait()
        await self.work(scope)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        watching.cancel()

    async def work(self, scope: Any) -> None:
        """What it does before it answers."""


def edge_before(flask: Callable[[Any, Any], list[bytes]]) -> App:
    """Return an edge of one thread that asks this in place of Flask."""
    settings = Settings(threads=1, log_level="error")
    return create_edge(create_service(settings)._replace(flask=flask), settings)  # type: ignore[arg-type]


def respond(start_response: Any) -> list[bytes]:
    """What such a Flask answers."""
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", "2")])
    return [b"{}"]


async def settle() -> None:
    """Let everything happen that can without a client."""
    for _ in range(10):
        await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, or fail."""
    async with asyncio.timeout(HUNG_SECONDS):
        while not condition():  # noqa: ASYNC110, what happens in other threads sets no event of this loop
            await asyncio.sleep(0.001)
