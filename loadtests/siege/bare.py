"""A server that does nothing but answer: what it delays is the machine's delay."""

import asyncio
from multiprocessing.connection import Connection

import uvloop

from loadtests.servers.processes import LOOPBACK

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class _Bare(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note where to answer."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:  # noqa: ARG002, every request is the same
        """Answer."""
        self._transport.write(ANSWER)  # type: ignore[attr-defined]


def serve(started: Connection) -> None:
    """Serve on a free port, which is sent to the parent, until this process is ended."""
    uvloop.run(_serve(started))


async def _serve(started: Connection) -> None:
    server = await asyncio.get_running_loop().create_server(_Bare, LOOPBACK)
    started.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()
