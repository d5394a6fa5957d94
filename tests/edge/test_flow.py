"""What a worker holds for its clients is bounded: requests that wait for their turn, and answers that nobody takes."""

import asyncio
from collections.abc import Callable
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from service.edge import flow
from tests.edge.connections import Transport, Worker
from tests.support import Server, wait_until
from tests.wire import Connection, post, request

SHORTEST = b"GET / HTTP/1.1\r\nHost:\r\n\r\n"
MANY = 10_000
MOST_WAITING = 32


class Gate:
    """An application that answers when the test allows it, and notes which requests have reached it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.asked: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        self.asked.append(scope["path"])
        watching = asyncio.ensure_future(receive())  # for which uvicorn reads on
        await self.open.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        watching.cancel()


async def settle() -> None:
    """Let everything happen that can without a client."""
    for _ in range(10):
        await asyncio.sleep(0)


async def settle_until(condition: Callable[[], bool]) -> None:
    """Let things happen until the condition holds; fail if it does not after very many rounds of the loop."""
    for _ in range(100_000):
        if condition():
            return
        await asyncio.sleep(0)
    pytest.fail("the condition does not hold")


def test_of_thousands_of_requests_in_one_packet_few_wait_and_nothing_more_is_read() -> None:
    async def flood() -> None:
        worker = Worker(Gate())
        protocol, transport = worker.connect()
        protocol.data_received(SHORTEST * MANY)
        await settle()
        assert 0 < len(protocol.pipeline) <= MOST_WAITING
        assert not transport.reading
        assert worker.protocol.held.bytes > len(SHORTEST) * (MANY - MOST_WAITING - 1)
        protocol.connection_lost(None)
        assert worker.protocol.held.bytes == 0

    asyncio.run(flood())


@pytest.mark.parametrize("size", [1, 100, 512, 513, 5000, 1 << 18])
def test_requests_that_come_together_are_all_answered_in_order(size: int) -> None:
    async def flood() -> None:
        gate = Gate()
        worker = Worker(gate)
        protocol, transport = worker.connect()
        paths = [f"/{number}" for number in range(300)]
        data = b"".join(request("GET", path) for path in paths)
        gate.open.set()
        most = 0
        for start in range(0, len(data), size):
            await settle_until(lambda: transport.reading)
            protocol.data_received(data[start : start + size])
            most = max(most, len(protocol.pipeline))
        await settle_until(lambda: len(gate.asked) == len(paths) and transport.reading)
        await settle()
        assert gate.asked == paths
        assert transport.written.count(b"204 No Content") == len(paths)
        assert most <= MOST_WAITING
        assert worker.protocol.held.bytes == 0

    asyncio.run(flood())


def test_nothing_is_parsed_behind_a_request_that_ends_the_connection() -> None:
    async def flood() -> None:
        protocol, _ = Worker(Gate()).connect()
        protocol.data_received(request("GET", "/", {"Connection": "close"}) + SHORTEST * MANY)
        await settle()
        assert len(protocol.pipeline) == 0

    asyncio.run(flood())


def test_requests_that_wait_on_all_connections_are_limited_together(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 4 * len(SHORTEST) * MANY
    monkeypatch.setattr("service.edge.protocol.MAX_WAITING_BYTES", limit)

    async def flood() -> list[bytes]:
        gate = Gate()
        worker = Worker(gate)
        connections = [worker.connect() for _ in range(4)]
        for protocol, _ in connections:
            protocol.data_received(SHORTEST * MANY)
        await settle()
        assert worker.protocol.held.bytes <= limit
        gate.open.set()
        last, transport = connections[-1]
        await settle_until(lambda: transport.written.endswith(b"}"))
        assert not last.pipeline
        for protocol, _ in connections:
            protocol.connection_lost(None)
        return [transport.written for _, transport in connections]

    *others, refused = asyncio.run(flood())
    assert b"503 Service Unavailable" in refused
    assert b"retry-after: 1\r\n" in refused
    assert b"/problems/overloaded" in refused
    assert not any(b"503" in other for other in others)


@pytest.mark.verify
def test_ten_thousand_requests_on_a_connection_cost_a_worker_less_than_ten_megabytes() -> None:
    with Server(workers=1) as server:
        (worker,) = wait_until(psutil.Process(server.process.pid).children)
        with Connection(server.port) as first:
            assert first.ask(request("GET", "/x")).status == 404
            before = worker.memory_info().rss
            first._send(request("GET", "/x") * MANY, finish=True)  # noqa: SLF001
            largest = 0
            for _ in range(100):
                assert first.reply().status == 404
                largest = max(largest, worker.memory_info().rss)
            assert largest - before < 10 << 20


# Answers that are not taken.


def late(worker: Worker, unsent: int, stalled_at: float) -> Transport:
    """A connection whose client has left so many bytes of an answer."""
    protocol, transport = worker.connect()
    transport.unsent, protocol.stalled_at = unsent, stalled_at
    protocol.flow.pause_writing()
    return transport


def test_answers_that_are_not_taken_are_limited_together_and_the_longest_stalled_go_first() -> None:
    async def pile_up() -> list[bool]:
        worker = Worker(Gate())
        share = flow.MAX_UNSENT_BYTES // 4
        connections = [late(worker, share, stalled_at) for stalled_at in (30.0, 10.0, 20.0, 40.0)]
        protocol, transport = worker.connect()
        transport.unsent = share
        protocol.pause_writing()
        return [each.aborted for each in (*connections, transport)]

    assert asyncio.run(pile_up()) == [False, True, False, False, False]


def test_of_clients_that_have_stalled_as_long_the_one_with_the_largest_answer_goes_first() -> None:
    async def pile_up() -> list[bool]:
        worker = Worker(Gate())
        connections = [late(worker, flow.MAX_UNSENT_BYTES * part // 8, 10.0) for part in (1, 5, 2)]
        protocol, transport = worker.connect()
        transport.unsent = flow.MAX_UNSENT_BYTES // 2
        protocol.pause_writing()
        return [each.aborted for each in (*connections, transport)]

    assert asyncio.run(pile_up()) == [False, True, False, False]


def test_answers_within_the_limit_wait_for_their_clients() -> None:
    async def pile_up() -> bool:
        worker = Worker(Gate())
        first = late(worker, flow.MAX_UNSENT_BYTES // 2, 10.0)
        protocol, transport = worker.connect()
        transport.unsent = flow.MAX_UNSENT_BYTES // 2
        protocol.pause_writing()
        return first.aborted or transport.aborted

    assert not asyncio.run(pile_up())


# Which connection makes room for a new one.


def test_a_connection_that_never_asked_makes_room_first_then_an_idle_one_and_one_that_is_asking_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fill() -> list[str]:
        gate = Gate()
        gate.open.set()
        worker = Worker(gate)
        named = {name: worker.connect() for name in ("running", "asking", "idle", "silent", "newer")}
        for name in ("running", "idle"):
            named[name][0].data_received(request("GET", "/"))
        await settle()
        gate.open.clear()
        named["running"][0].data_received(request("GET", "/"))
        named["asking"][0].data_received(post(b"{}")[:-1])
        await settle()
        closed: list[str] = []
        monkeypatch.setattr("service.edge.protocol._max_connections", lambda: 0)
        for _ in range(4):
            worker.connect()[0].connection_lost(None)
            for name, (protocol, transport) in named.items():
                if transport.aborted and name not in closed:
                    closed.append(name)
                    protocol.connection_lost(None)
        return closed

    assert asyncio.run(fill()) == ["silent", "newer", "idle", "asking"]
