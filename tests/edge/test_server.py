"""Which connections a worker's server accepts: those that ask, and at its end those that nobody has accepted yet."""

import asyncio
import socket
from contextlib import ExitStack
from typing import Any

import pytest
from uvicorn import Config

from service.edge.connection.protocol import ClientProtocol
from service.edge.connection.server import DrainingServer
from tests.support import HUNG_SECONDS
from tests.wire import Connection, request

WAITING = 20
"""Clients whose connections wait to be accepted."""


async def no_content(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001, the signature is that of ASGI
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


def made_server() -> DrainingServer:
    protocol = ClientProtocol.with_timeouts(client_timeout=HUNG_SECONDS, graceful_timeout=HUNG_SECONDS)
    config = Config(no_content, http=protocol, ws="none", lifespan="off", log_config=None)
    config.load()
    server = DrainingServer(config)
    server.lifespan = config.lifespan_class(config)
    return server


async def stop_before_anything_is_accepted(listener: socket.socket, stack: ExitStack) -> list[Connection]:
    """Return the clients that came while the event loop had no chance to look at the socket."""
    server = made_server()
    await server.startup(sockets=[listener])
    clients = [stack.enter_context(Connection(listener.getsockname()[1])) for _ in range(WAITING)]
    for client in clients:
        client.send(request("GET", "/", {"Connection": "close"}))
    await server.shutdown(sockets=[listener])
    return clients


def test_connections_that_wait_to_be_accepted_are_answered_at_the_end() -> None:
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        clients = asyncio.run(stop_before_anything_is_accepted(listener, stack))
        assert [client.reply().status for client in clients] == [204] * WAITING


async def answer_after_silence(listener: socket.socket, stack: ExitStack) -> tuple[int, list[int]]:
    """Return how many silent clients the server has accepted, and the answers when they ask in the end."""
    server = made_server()
    await server.startup(sockets=[listener])
    port = listener.getsockname()[1]
    silent = [stack.enter_context(Connection(port)) for _ in range(WAITING)]
    asking = stack.enter_context(Connection(port))
    await asyncio.to_thread(asking.ask, request("GET", "/"))
    accepted = len(server.server_state.connections) - 1
    found = [(await asyncio.to_thread(client.ask, request("GET", "/"))).status for client in silent]
    await server.shutdown(sockets=[listener])
    return accepted, found


@pytest.mark.skipif(not hasattr(socket, "TCP_DEFER_ACCEPT"), reason="only Linux keeps silent clients to itself")
def test_silent_clients_are_accepted_when_they_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.edge.connection.server.SILENT_SECONDS", 3600)
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        assert asyncio.run(answer_after_silence(listener, stack)) == (0, [204] * WAITING)
