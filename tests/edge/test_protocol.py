"""Limits of time for clients: each has to send, and to take, what is due."""

import asyncio
import gc
from math import inf
from weakref import ref

import pytest

from tests.edge.connections import Gate, Worker, edge_before, until
from tests.hostile import BODY, assert_refused
from tests.support import HUNG_SECONDS
from tests.wire import post, post_chunked, request

pytestmark = pytest.mark.anyio

HEALTHZ = request("GET", "/healthz")

MOMENT = 0.02
"""Seconds for a client, where the test waits until they are over."""

UNFINISHED = {
    "headers": (HEALTHZ[:-2], b"a"),
    "a body": (post(BODY.ljust(2000))[:-1000], b" "),
    "a chunk": (post_chunked([BODY.ljust(2000)])[:-1000], b" "),
    "a second request": (HEALTHZ + post(BODY.ljust(2000))[:-1000], b" "),
}
"""What has come of a request, and a byte that may come next."""

each_unfinished = pytest.mark.parametrize("name", UNFINISHED)


@pytest.fixture(autouse=True)
def _frequent_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.edge.connection.protocol.CHECK_SECONDS", 0.001)


@each_unfinished
async def test_a_request_that_does_not_arrive_in_time_is_refused(name: str) -> None:
    protocol, transport = Worker(Gate(is_open=True), MOMENT).connect()
    protocol.data_received(UNFINISHED[name][0])
    await until(lambda: transport.ended)
    *answered, refusal = transport.replies()
    assert_refused(refusal, 408)
    assert len(answered) == (name == "a second request")


@each_unfinished
async def test_a_byte_now_and_then_does_not_buy_time(name: str) -> None:
    protocol, transport = Worker(Gate(is_open=True)).connect()
    protocol.data_received(UNFINISHED[name][0])
    await until(lambda: len(transport.replies()) == (name == "a second request"))
    deadline = protocol.deadline
    for _ in range(100):
        protocol.data_received(UNFINISHED[name][1])
    assert protocol.deadline == deadline < inf


@each_unfinished
async def test_a_request_whose_client_sends_no_more_is_refused_at_once(name: str) -> None:
    protocol, transport = Worker(Gate(is_open=True)).connect()
    protocol.data_received(UNFINISHED[name][0])
    protocol.eof_received()
    await until(lambda: transport.ended)
    assert_refused(transport.replies()[-1], 400)


async def test_nothing_keeps_a_connection_that_was_lost_after_its_answer() -> None:
    protocol, transport = Worker(Gate(is_open=True)).connect()
    protocol.data_received(HEALTHZ)
    await until(lambda: bool(transport.written))
    protocol.connection_lost(ConnectionResetError())
    kept = ref(protocol)
    del protocol
    gc.collect()
    assert kept() is None


async def test_answers_from_the_cache_leave_nothing_to_the_garbage_collector() -> None:
    protocol, transport = Worker(edge_before(lambda *_: [])).connect()

    async def ask(times: int) -> None:
        for _ in range(times):
            transport.written = b""
            protocol.data_received(post(BODY))
            await until(lambda: bool(transport.written))

    await ask(times=10)
    gc.collect()
    gc.disable()
    try:
        await ask(times=50)
        left = gc.collect()
    finally:
        gc.enable()
    assert left < 50
    assert transport.replies()[-1].status == 200


async def test_a_client_that_never_reads_is_cut_off() -> None:
    protocol, transport = Worker(Gate(is_open=True), MOMENT).connect()
    transport.unsent = 1
    protocol.data_received(HEALTHZ)
    await until(lambda: transport.aborted)


@pytest.mark.parametrize("sent", [b"", b"\r\n" * 3])
async def test_a_connection_that_never_asks_is_closed_as_soon_as_a_request_would_be_refused(sent: bytes) -> None:
    protocol, transport = Worker(Gate(), MOMENT).connect()
    protocol.data_received(sent)
    await until(lambda: transport.closed)
    assert transport.written == b""


async def test_a_request_that_arrives_while_another_is_answered_has_its_time() -> None:
    gate = Gate()
    protocol, transport = Worker(gate).connect()
    protocol.data_received(post(BODY) + post(BODY)[:-5])
    assert protocol.deadline == inf
    gate.open.set()
    await until(lambda: len(transport.replies()) == 1)
    assert inf > protocol.deadline > asyncio.get_running_loop().time() + HUNG_SECONDS / 2
    protocol.data_received(post(BODY)[-5:])
    await until(lambda: len(transport.replies()) == 2)


async def test_what_breaks_the_rules_behind_a_request_is_refused_after_its_answer() -> None:
    gate = Gate()
    protocol, transport = Worker(gate).connect()
    protocol.data_received(post(BODY) + b"NONSENSE\r\n\r\n" + HEALTHZ)
    await until(lambda: len(gate.asked) == 1)
    assert transport.written == b""
    gate.open.set()
    await until(lambda: transport.ended)
    answer, refusal = transport.replies()
    assert answer.status == 204
    assert_refused(refusal, 400)


async def test_a_client_is_told_to_go_on_with_its_body() -> None:
    protocol, transport = Worker(Gate(is_open=True)).connect()
    start, body = post(BODY, {"Expect": "100-continue"}).split(b"\r\n\r\n")
    protocol.data_received(start + b"\r\n\r\n")
    await until(lambda: transport.written.startswith(b"HTTP/1.1 100 Continue"))
    protocol.data_received(body)
    await until(lambda: [reply.status for reply in transport.replies()] == [204])


async def test_spaces_after_the_value_of_a_header_do_not_belong_to_it() -> None:
    gate = Gate(is_open=True)
    protocol, _ = Worker(gate).connect()
    protocol.data_received(request("GET", "/healthz", {"X-Request-ID": "one two \t "}))
    await until(lambda: bool(gate.asked))
    assert (b"x-request-id", b"one two") in gate.asked[0]["headers"]
