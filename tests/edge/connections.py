"""Connections of the server in this process, without sockets: a test plays the client and the event loop."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from uvicorn import Config
from uvicorn.server import ServerState

from service.edge.protocol import ClientProtocol
from tests.support import HUNG_SECONDS

App = Callable[[Any, Any, Any], Awaitable[None]]


class Transport(asyncio.Transport):
    """Notes what a protocol does with its connection. ``unsent`` bytes wait for the client."""

    def __init__(self, end: socket.socket | None = None) -> None:
        super().__init__({"socket": end})
        self.written = b""
        self.unsent = 0
        self.reading = True
        self.closed = self.aborted = False

    def write(self, data: Any) -> None:
        self.written += data

    def write_eof(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True


class Worker:
    """What the connections of one worker share; ``app`` answers. To be made within an event loop."""

    def __init__(self, app: App) -> None:
        self.protocol = ClientProtocol.with_timeouts(client_timeout=HUNG_SECONDS, graceful_timeout=HUNG_SECONDS)
        self._config = Config(app, http=self.protocol, ws="none", lifespan="off", log_config=None)
        self._config.load()
        self.state = ServerState()

    def connect(self, end: socket.socket | None = None) -> tuple[ClientProtocol, Transport]:
        """Return both ends of a new connection, which says that it is over the socket ``end``."""
        protocol, transport = self.protocol(self._config, self.state, {}), Transport(end)
        protocol.connection_made(transport)
        return protocol, transport
