"""What a worker holds for its clients is bounded: requests that wait for their turn, and answers that nobody takes."""

import socket

import psutil  # type: ignore[import-untyped]
import pytest

from service.edge.connection import flow
from tests.edge.connections import Gate, Transport, Worker, settle, until
from tests.support import Server, wait_until
from tests.wire import Connection, post, request

pytestmark = pytest.mark.anyio

SHORTEST = b"GET / HTTP/1.1\r\nHost:\r\n\r\n"
MANY = 10_000
MOST_WAITING = 32


async def test_of_thousands_of_requests_in_one_packet_few_wait_and_nothing_more_is_read() -> None:
    worker = Worker(Gate())
    protocol, transport = worker.connect()
    protocol.data_received(SHORTEST * MANY)
    await settle()
    assert 0 < len(protocol.pipeline) <= MOST_WAITING
    assert not transport.reading
    assert worker.protocol.held.bytes > len(SHORTEST) * (MANY - MOST_WAITING - 1)
    protocol.connection_lost(None)
    assert worker.protocol.held.bytes == 0


@pytest.mark.parametrize("size", [1, 512, 513, 1 << 18])
async def test_requests_that_come_together_are_all_answered_in_order(size: int) -> None:
    gate = Gate(is_open=True)
    worker = Worker(gate)
    protocol, transport = worker.connect()
    paths = [f"/{number}" for number in range(300)]
    data = b"".join(request("GET", path) for path in paths)
    most = 0
    for start in range(0, len(data), size):
        await until(lambda: transport.reading)
        protocol.data_received(data[start : start + size])
        most = max(most, len(protocol.pipeline))
    await until(lambda: len(gate.asked) == len(paths) and transport.reading)
    await settle()
    assert [scope["path"] for scope in gate.asked] == paths
    assert transport.written.count(b"204 No Content") == len(paths)
    assert most <= MOST_WAITING
    assert worker.protocol.held.bytes == 0


async def test_nothing_is_parsed_behind_a_request_that_ends_the_connection() -> None:
    protocol, _ = Worker(Gate()).connect()
    protocol.data_received(request("GET", "/", {"Connection": "close"}) + SHORTEST * MANY)
    await settle()
    assert len(protocol.pipeline) == 0


async def test_requests_that_wait_on_all_connections_are_limited_together(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 4 * len(SHORTEST) * MANY
    monkeypatch.setattr("service.edge.connection.protocol.MAX_WAITING_BYTES", limit)

    gate = Gate()
    worker = Worker(gate)
    connections = [worker.connect() for _ in range(4)]
    for protocol, _ in connections:
        protocol.data_received(SHORTEST * MANY)
    await settle()
    assert worker.protocol.held.bytes <= limit
    gate.open.set()
    last, transport = connections[-1]
    await until(lambda: transport.written.endswith(b"}"))
    assert not last.pipeline
    for protocol, _ in connections:
        protocol.connection_lost(None)
    *others, refused = (transport.written for _, transport in connections)
    assert b"503 Service Unavailable" in refused
    assert b"retry-after: 1\r\n" in refused
    assert b"/problems/overloaded" in refused
    assert not any(b"503" in other for other in others)


@pytest.mark.verify
def test_ten_thousand_requests_on_a_connection_cost_a_worker_less_than_ten_megabytes() -> None:
    with Server(workers=1) as server, Connection(server.port) as client:
        (worker,) = wait_until(psutil.Process(server.process.pid).children)
        assert client.ask(request("GET", "/x")).status == 404
        before = largest = worker.memory_info().rss
        client.send(request("GET", "/x") * MANY)
        for _ in range(100):
            assert client.reply().status == 404
            largest = max(largest, worker.memory_info().rss)
        assert largest - before < 10 << 20


# Answers that are not taken.


SHARE = flow.MAX_UNSENT_BYTES // 8


@pytest.mark.parametrize(
    ("waiting", "aborted"),
    [
        pytest.param([(2, 30.0), (2, 10.0), (2, 20.0), (2, 40.0)], 1, id="the longest stalled goes first"),
        pytest.param([(1, 10.0), (5, 10.0), (2, 10.0)], 1, id="of those that stalled as long the largest goes first"),
        pytest.param([(2, 10.0), (4, 10.0)], None, id="within the limit all may wait"),
    ],
)
async def test_answers_that_are_not_taken_are_limited_together(
    waiting: list[tuple[int, float]], aborted: int | None
) -> None:
    """Each connection has so many eighths of the limit unsent, and is stalled since then; one more has two."""

    worker, transports = Worker(Gate()), list[Transport]()
    for share, stalled_at in waiting:
        protocol, transport = worker.connect()
        transport.unsent, protocol.stalled_at = SHARE * share, stalled_at
        protocol.flow.pause_writing()
        transports.append(transport)
    last, transport = worker.connect()
    transport.unsent = 2 * SHARE
    last.pause_writing()
    assert [number for number, each in enumerate(transports) if each.aborted] == ([] if aborted is None else [aborted])
    assert not transport.aborted


# Which connection makes room for a new one.


async def test_room_is_made_by_connections_that_never_asked_then_idle_ones_then_those_that_are_asking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Gate(is_open=True)
    worker = Worker(gate)
    names = ("running", "asking", "idle", "silent", "unread", "newer")
    pairs = {name: socket.socketpair() for name in names}
    pairs["unread"][0].send(b"G")
    named = {name: worker.connect(pairs[name][1]) for name in names}
    for name in ("running", "idle"):
        named[name][0].data_received(request("GET", "/"))
    await settle()
    gate.open.clear()
    named["running"][0].data_received(request("GET", "/"))
    named["asking"][0].data_received(post(b"{}")[:-1])
    await settle()
    closed: list[str] = []
    monkeypatch.setattr("service.edge.connection.protocol._max_connections", lambda: 0)
    for _ in range(5):
        worker.connect()[0].connection_lost(None)
        closed += [name for name in names if named[name][1].aborted and name not in closed]
    for pair in pairs.values():
        for end in pair:
            end.close()
    assert closed == ["silent", "newer", "idle", "asking", "unread"]
