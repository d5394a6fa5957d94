"""Uvicorn's server, which at its end also answers connections that still wait to be accepted."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from uvicorn import Server


class DrainingServer(Server):
    """A server that accepts what waits at its sockets before it closes them; uvicorn lets it be reset."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept what waits, stop accepting, and answer all requests."""
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
    """Yield the connections that wait in the queue of a listening socket that does not block."""
    with suppress(BlockingIOError):
        while True:
            connection, _ = listener.accept()
            connection.setblocking(False)  # noqa: FBT003, the signature is that of a socket
            yield connection
