"""As many requests as there are places are worked on at once, some more wait, and the next is refused at once."""

import asyncio
from contextlib import suppress
from threading import Event
from typing import Any

import pytest

from service.app import create_service
from service.edge.admission.gate import Gate
from service.edge.app import CALLS_WAITING, create_edge
from service.edge.flask_threads import WAITING
from service.mcp.endpoint import Endpoint
from service.settings import Settings
from tests.edge.connections import Worker, edge_before, respond, until
from tests.edge.test_departures import CALL
from tests.support import HUNG_SECONDS
from tests.wire import request

pytestmark = pytest.mark.anyio


def test_places_go_to_those_who_came_first_and_come_back_whatever_happens() -> None:
    async def enter() -> list[tuple[int, bool]]:
        gate, seen, go_on = Gate(2, 3), list[tuple[int, bool]](), asyncio.Event()

        async def come(number: int) -> None:
            async with gate.place() as place:
                seen.append((number, place.granted))
                if place.granted:
                    await go_on.wait()
                    raise RuntimeError

        crowd = [asyncio.create_task(come(number)) for number in range(7)]
        await asyncio.sleep(0)
        assert seen == [(0, True), (1, True), (5, False), (6, False)]
        crowd[3].cancel()  # it left while it waited
        go_on.set()
        async with asyncio.timeout(HUNG_SECONDS):
            for each in crowd:
                with suppress(RuntimeError, asyncio.CancelledError):
                    await each
        async with gate.place() as place, gate.place():
            place.leave()
            place.leave()
            async with gate.place() as next_place:
                assert next_place.granted
        return seen[4:]

    assert asyncio.run(enter()) == [(2, True), (4, True)]


async def test_a_request_beyond_those_that_wait_for_a_thread_is_refused_at_once() -> None:
    go_on, asked = Event(), []

    def flask(environ: Any, start_response: Any) -> list[bytes]:
        asked.append(environ["PATH_INFO"])
        go_on.wait(HUNG_SECONDS)
        return respond(start_response)

    await _crowd(edge_before(flask), request("GET", "/games"), 1 + WAITING, go_on)
    assert len(asked) == 1 + WAITING


async def test_a_call_of_a_tool_beyond_those_that_wait_for_others_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on, under_way = Event(), list[int]()

    async def answer(_: Endpoint, scope: Any, body: bytes, ask: Any, send: Any) -> None:  # noqa: ARG001
        under_way.append(len(under_way))
        assert len(under_way) == 1
        await until(go_on.is_set)
        under_way.clear()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    monkeypatch.setattr(Endpoint, "answer", answer)
    settings = Settings(threads=1, log_level="error")
    edge = create_edge(create_service(settings), settings)
    await _crowd(edge, CALL, 1 + CALLS_WAITING, go_on)


async def _crowd(edge: Any, asked: bytes, room: int, go_on: Event) -> None:
    """Send a request more than there is room for; it alone is answered before the others go on, by a refusal."""
    worker = Worker(edge)
    connections = [worker.connect() for _ in range(room + 1)]
    for protocol, _ in connections:
        protocol.data_received(asked)
    *others, (_, last) = connections
    await until(lambda: bool(last.written))
    assert last.written.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1\r\n" in last.written
    assert not any(transport.written for _, transport in others)
    go_on.set()
    await until(lambda: all(transport.written.startswith(b"HTTP/1.1 200 ") for _, transport in others))
