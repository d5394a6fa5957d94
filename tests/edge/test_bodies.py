"""Bodies: read once, and limited in size, alone and together."""

from typing import Any
from unittest.mock import Mock

import pytest

from service.api.read import json_body, reading
from service.api.wire.requests import BestMoveRequest
from service.edge.app import Edge
from service.settings import Settings
from tests.edge.connections import Worker, settle, until
from tests.edge_client import EdgeClient
from tests.hostile import BODY, CHUNKED
from tests.wire import Reply, head
from tests.worlds import WIDE

pytestmark = pytest.mark.anyio

LIMIT = 1000
END = b"0\r\n\r\n"


class Upload:
    """A question on a connection of its own, whose body arrives chunk by chunk."""

    def __init__(self, worker: Worker) -> None:
        self.protocol, self.transport = worker.connect()
        self.protocol.data_received(head("POST", "/best-move", {**CHUNKED, "Connection": "close"}))

    async def put(self, *parts: bytes, ends: bool = False) -> None:
        """Let these parts arrive one by one, and then perhaps the end."""
        for part in parts:
            self.protocol.data_received(b"%x\r\n%b\r\n" % (len(part), part))
            await settle()
        if ends:
            self.protocol.data_received(END)

    async def answer(self) -> Reply:
        await until(lambda: self.transport.ended)
        return self.transport.replies()[0]


async def uploaded(edge: Edge, *parts: bytes, ends: bool = True) -> Reply:
    """Return the answer to a body that arrives in these parts."""
    upload = Upload(Worker(edge))
    await upload.put(*parts, ends=ends)
    return await upload.answer()


@pytest.fixture(scope="module")
def edge() -> Edge:
    return EdgeClient(Settings(max_body_bytes=LIMIT)).edge


async def test_a_body_in_parts_is_answered_like_one_in_a_piece(edge: Edge) -> None:
    whole = await uploaded(edge, BODY)
    assert whole.status == 200
    assert (await uploaded(edge, *(bytes([byte]) for byte in BODY))).body == whole.body


async def test_a_body_of_the_limit_is_read_and_one_byte_more_refused(edge: Edge) -> None:
    for size in (LIMIT, 300):
        for length, status in ((LIMIT, 200), (LIMIT + 1, 413)):
            body = BODY.ljust(length)
            parts = [body[start : start + size] for start in range(0, length, size)]
            assert (await uploaded(edge, *parts)).status == status
    assert (await uploaded(edge, b" " * LIMIT, b" ", ends=False)).status == 413


async def test_a_client_that_leaves_within_its_body_gets_no_answer(edge: Edge) -> None:
    upload = Upload(Worker(edge))
    await upload.put(BODY[:5])
    upload.protocol.connection_lost(None)
    await settle()
    assert upload.transport.written == b""


async def test_bodies_that_arrive_together_are_limited_together(edge: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.edge.admission.bodies.MAX_HELD_BYTES", 1500)
    worker = Worker(edge)
    first, second, third = (Upload(worker) for _ in range(3))
    for each in (first, second):
        await each.put(b" " * 400, b" " * 300)
    await second.put(b" " * 200)
    assert (await second.answer()).status == 503
    await first.put(BODY, ends=True)  # there is room again
    assert (await first.answer()).status == 200
    await third.put(b" " * 900, BODY, ends=True)
    assert (await third.answer()).status == 200


@pytest.mark.parametrize(
    "body",
    [{"board": "X...O...."}, {"game": WIDE, "moves": [3, 3], "limit": {"nodes": 100}}, {"board": "XXXX....."}],
    ids=["a tabled position", "a long search", "an impossible board"],
)
def test_a_request_is_read_once(body: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    client = EdgeClient(Settings())
    load, validate = Mock(wraps=json_body.load), Mock(wraps=BestMoveRequest.model_validate)
    monkeypatch.setattr(reading, "load", load)
    monkeypatch.setattr(BestMoveRequest, "model_validate", validate)
    assert client.post("/best-move", json=body).status_code in (200, 422)
    assert (load.call_count, validate.call_count) == (1, 1)
