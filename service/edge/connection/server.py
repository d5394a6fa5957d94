"""Uvicorn's server, which accepts clients with a request, and at its end also those that still wait to be accepted."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from uvicorn import Server

SILENT_SECONDS = 1
"""How long the system keeps a connection without a byte to itself, where it can. Linux rounds this up."""


class DrainingServer(Server):
    """A server that accepts the queued connections before it closes its sockets; uvicorn would let them be reset.

    A client that has connected and not yet asked looks like one that stays silent. Among many of these, it would be
    closed for the next one before its request comes.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and leave silent clients to the system for a moment."""
        for listener in sockets or []:
            with suppress(AttributeError, OSError):  # only Linux has it, and only for TCP
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT_SECONDS)
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept the queued connections, stop listening, and answer all requests."""
        waiting = [connection for listener in sockets or [] for connection in _accepted(listener)]
        for server in self.servers:
            server.close()
        make: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        protocol = partial(make, self.config, self.server_state, self.lifespan.state)
        loop = asyncio.get_running_loop()
        for connection in waiting:
            await loop.connect_accepted_socket(protocol, connection)
        await super().shutdown(sockets)


def _accepted(listener: socket.socket) -> Iterator[socket.socket]:
    """Yield the queued connections of a non-blocking listening socket."""
    with suppress(BlockingIOError):
        while True:
            connection, _ = listener.accept()
            connection.setblocking(False)  # noqa: FBT003, the signature is that of a socket
            yield connection
