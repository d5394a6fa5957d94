"""Bytes that two readers could read differently, as when a proxy stands in front: nobody gets an answer to another's.

Each probe is followed on its connection by a request that somebody else might have sent, and most
hide a whole request inside. Either the probe has one answer and what follows it has its own, or the
probe is refused by one problem document and nothing that follows is read. What is hidden is never
answered.
"""

import asyncio
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import pytest

from service.edge.connection.protocol import MAX_HEAD_BYTES
from tests.edge.connections import Worker, settle, until
from tests.edge_client import EdgeClient
from tests.hostile import ANSWERED, BODY, BY_CHUNKS, FOLLOWING, LENGTH, REFUSED, TOO_LARGE, ask, assert_refused, outer
from tests.wire import Reply, chunked

BOTH = [(200, "outer"), (200, "following")]


def converse(client: EdgeClient, *conversations: Iterable[bytes]) -> list[list[Reply]]:
    """What each connection is answered that receives these parts and then the end, interim replies left out."""

    async def answer_all() -> list[list[Reply]]:
        worker = Worker(client.edge)
        return await asyncio.gather(*(_answers(worker, parts) for parts in conversations))

    return asyncio.run(answer_all())


async def _answers(worker: Worker, parts: Iterable[bytes]) -> list[Reply]:
    protocol, transport = worker.connect()
    for part in parts:
        await until(lambda: transport.reading or transport.ended)
        if not transport.closed:
            protocol.data_received(part)
        await settle()
    if not transport.closed and not protocol.eof_received():
        transport.close()
    await until(lambda: transport.ended)
    protocol.connection_lost(None)
    return transport.replies()


def told(replies: list[Reply]) -> list[tuple[int, str]]:
    """The status of each reply, and to which request it is."""
    return [(reply.status, reply.headers.get("x-request-id", "")) for reply in replies]


def assert_one_refusal(replies: list[Reply], status: int = 400, *, probe: str = "") -> None:
    """Fails unless this is one problem document, and the end."""
    assert len(replies) == 1, (probe, told(replies))
    assert_refused(replies[0], status)
    assert replies[0].headers["connection"] == "close"


def test_what_can_be_read_in_two_ways_is_refused_once_and_ends_the_connection(client: EdgeClient) -> None:
    probes = {**REFUSED, **TOO_LARGE}
    assert not [name for name, data in probes.items() if b"following" in data]
    for name, replies in zip(probes, converse(client, *([data + FOLLOWING] for data in probes.values())), strict=True):
        assert_one_refusal(replies, 431 if name in TOO_LARGE else 400, probe=name)


def test_what_has_one_meaning_has_one_answer_and_nothing_hidden_in_it_has_any(client: EdgeClient) -> None:
    """What follows has its own answer if the connection lasts."""
    asked = converse(client, *([data + FOLLOWING] for _, data in ANSWERED.values()))
    for (name, (status, _)), replies in zip(ANSWERED.items(), asked, strict=True):
        is_last = replies[0].headers.get("connection") == "close"
        assert told(replies) == [(status, "outer"), (200, "following")][: 1 if is_last else 2], name
        if status >= 400:
            assert_refused(replies[0], status)


def splits(data: bytes) -> list[list[bytes]]:
    """A request in two parts, wherever it can be split, and what follows it."""
    return [[data[:at], data[at:] + FOLLOWING] for at in range(1, len(data))]


SPLIT: Mapping[str, bytes] = MappingProxyType(
    {
        "a question in chunks": outer(BY_CHUNKS, body=chunked([BODY[:9], BODY[9:]])),
        "two questions": outer(LENGTH, body=BODY) * 2,
    }
)


@pytest.mark.parametrize("name", SPLIT)
def test_a_request_may_arrive_in_two_parts_wherever_it_is_split_and_byte_by_byte(client: EdgeClient, name: str) -> None:
    data = SPLIT[name]
    bytes_alone = [*(bytes([byte]) for byte in data), FOLLOWING]
    for replies in converse(client, *splits(data), bytes_alone):
        assert told(replies) == [*BOTH[:1] * data.count(b"outer"), *BOTH[1:]]


def sized(length: int) -> bytes:
    """Return a question with so many bytes of target and headers."""
    fixed = len("/gamesHostlocalhostX-Request-IDouterX-Odd")
    return ask("GET /games HTTP/1.1", f"X-Odd: {'a' * (length - fixed)}")


def test_the_largest_head_is_read_and_one_byte_more_or_one_without_end_refused(client: EdgeClient) -> None:
    endless = [b"GET / HTTP/1.1\r\nX-Odd: ", b"a" * (2 * MAX_HEAD_BYTES)]
    sent = ([sized(MAX_HEAD_BYTES) + FOLLOWING], [sized(MAX_HEAD_BYTES + 1) + FOLLOWING], endless)
    kept, *refused = converse(client, *sent)
    assert told(kept) == BOTH
    for replies in refused:
        assert_one_refusal(replies, 431)
