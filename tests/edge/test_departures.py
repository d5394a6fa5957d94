"""No search begins or goes on for clients that have gone, whatever they wait for at that moment."""

import asyncio
import json
import socket
from typing import Any

import pytest

from service.api.request_context import CONTEXT, RequestContext
from service.edge.connection.flow import sends_no_more
from tests.edge.connections import Gate, Worker, edge_before, respond, until
from tests.wire import JSON, request

pytestmark = pytest.mark.anyio

ASK = request("POST", "/best-move", JSON, b'{"game":"qubic","limit":{"time_ms":60000}}')
TOOL = {"name": "best_move", "arguments": {"game": "qubic"}}
CALL = request(
    "POST",
    "/mcp",
    {**JSON, "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"},
    json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": TOOL}).encode(),
)


class Slow(Gate):
    """An application whose searches go on until they are stopped."""

    def __init__(self, *, is_open: bool = False) -> None:
        super().__init__(is_open=is_open)
        self.ended = 0

    async def work(self, scope: Any) -> None:
        await until(scope.setdefault(CONTEXT, RequestContext()).must_stop)
        self.ended += 1


async def test_searches_that_run_or_wait_or_have_not_begun_are_stopped_when_their_client_sends_no_more() -> None:
    for is_open in (False, True):
        slow = Slow(is_open=is_open)
        protocol, _ = Worker(slow).connect()
        protocol.data_received(ASK * 3)
        await until(lambda slow=slow: len(slow.asked) == 1)  # type: ignore[misc]
        assert protocol.eof_received()
        slow.open.set()
        await until(lambda slow=slow: slow.ended == 3)  # type: ignore[misc]


async def test_a_tool_that_has_not_asked_yet_when_its_client_leaves_has_its_search_stopped() -> None:
    stopped = []

    def flask(environ: Any, start_response: Any) -> list[bytes]:
        stopped.append(environ[CONTEXT].stop)
        return respond(start_response)

    protocol, transport = Worker(edge_before(flask)).connect()
    protocol.data_received(CALL)
    assert protocol.eof_received()
    await until(lambda: bool(transport.written))
    assert stopped == [True]


async def test_a_client_that_leaves_while_nothing_is_read_from_it_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def look(transport: asyncio.Transport) -> bool:
        looks.append(sends_no_more(transport))
        return looks[-1]

    monkeypatch.setattr("service.edge.connection.protocol.CHECK_SECONDS", 0.001)
    monkeypatch.setattr("service.edge.connection.protocol.sends_no_more", look)
    slow = Slow(is_open=True)
    client, end = socket.socketpair()
    with end:
        protocol, transport = Worker(slow).connect(end)
        protocol.data_received(ASK * 2)
        await until(lambda: len(slow.asked) == 1)
        assert not transport.reading
        client.sendall(ASK)  # stays unread
        await until(lambda: len(looks) > 2)
        assert not any(looks)
        client.close()
        await until(lambda: slow.ended == 2)
        protocol.connection_lost(None)
