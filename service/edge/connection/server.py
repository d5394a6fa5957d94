"""Uvicorn's server, which at its end also answers connections in the accept queue."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from uvicorn import Server


class DrainingServer(Server):
    """A server that accepts the queued connections before it closes its sockets; uvicorn would let them be reset."""

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
