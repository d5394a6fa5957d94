"""Bodies: read once, and limited in size, alone and together."""

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from service.api import reading
from service.api.requests import BestMoveRequest
from service.edge.app import Edge
from service.settings import Settings
from tests.edge_client import EdgeClient
from tests.support import HUNG_SECONDS
from tests.worlds import WIDE

LIMIT = 1000
BODY = b'{"board":"X...O...."}'


class Upload:
    """A body that arrives at an edge part by part; ``None`` ends the connection."""

    def __init__(self, edge: Edge) -> None:
        self.status = 0
        self.body = b""
        self._edge = edge
        self._parts: asyncio.Queue[tuple[bytes | None, bool]] = asyncio.Queue()

    def put(self, part: bytes | None, *, more: bool) -> None:
        self._parts.put_nowait((part, more))

    async def run(self) -> None:
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope = {"type": "http", "http_version": "1.1", "method": "POST", "path": "/best-move", "query_string": b""}
        await self._edge({**scope, "headers": headers, "client": ("192.0.2.1", 1)}, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        part, more = await self._parts.get()
        return (
            {"type": "http.disconnect"} if part is None else {"type": "http.request", "body": part, "more_body": more}
        )

    async def _send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")


def uploaded(edge: Edge, *parts: bytes | None, is_endless: bool = False) -> Upload:
    """Return what became of a body that arrived in these parts, of which the last is the end unless it is endless."""

    async def upload() -> Upload:
        sent = Upload(edge)
        for number, part in enumerate(parts, 1):
            sent.put(part, more=is_endless or number < len(parts))
        await asyncio.wait_for(sent.run(), HUNG_SECONDS)
        return sent

    return asyncio.run(upload())


@pytest.fixture(scope="module")
def edge() -> Edge:
    return EdgeClient(Settings(max_body_bytes=LIMIT)).edge


def test_a_body_in_parts_is_answered_like_one_in_a_piece(edge: Edge) -> None:
    whole = uploaded(edge, BODY)
    assert whole.status == 200
    for size in (1, 7, 20):
        parts = [BODY[start : start + size] for start in range(0, len(BODY), size)]
        assert uploaded(edge, *parts).body == whole.body
        assert uploaded(edge, *parts, b"").body == whole.body


@pytest.mark.parametrize("size", [LIMIT, 1, 300])
def test_a_body_of_the_limit_is_read_and_one_byte_more_refused(edge: Edge, size: int) -> None:
    for length, status in ((LIMIT, 200), (LIMIT + 1, 413)):
        body = BODY.ljust(length)
        parts = [body[start : start + size] for start in range(0, length, size)]
        assert uploaded(edge, *parts).status == status
    assert uploaded(edge, b" " * LIMIT, b" ", is_endless=True).status == 413


def test_a_client_that_leaves_within_its_body_gets_nothing_counted_as_an_answer(edge: Edge) -> None:
    assert uploaded(edge, BODY[:5], None).status == 0
    assert uploaded(edge, None).status == 0


def test_bodies_that_arrive_together_are_limited_together(edge: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.edge.bodies.MAX_HELD_BYTES", 1500)

    async def upload() -> list[int]:
        first, second, third = (Upload(edge) for _ in range(3))
        running = [asyncio.ensure_future(each.run()) for each in (first, second)]
        for each in (first, second):
            each.put(b" " * 400, more=True)
            each.put(b" " * 300, more=True)
        await asyncio.sleep(0)
        second.put(b" " * 200, more=True)
        await running[1]
        first.put(BODY, more=False)  # there is room again
        await running[0]
        third.put(b" " * 900, more=True)
        third.put(BODY, more=False)
        await third.run()
        return [first.status, second.status, third.status]

    assert asyncio.run(upload()) == [200, 503, 200]


@pytest.mark.parametrize(
    "body",
    [
        {"board": "X...O...."},
        {"game": "connect-four-5x4", "moves": [0], "limit": {"nodes": 50}},
        {"game": WIDE, "moves": [3, 3], "limit": {"nodes": 100}},
        {"board": "XXXX....."},
        {"board": 5},
    ],
    ids=["a tabled position", "a search", "a long search", "an impossible board", "a wrong type"],
)
def test_a_request_is_read_once(body: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    client = EdgeClient(Settings())
    load, validate = Mock(wraps=reading._load), Mock(wraps=BestMoveRequest.model_validate)  # noqa: SLF001
    monkeypatch.setattr(reading, "_load", load)
    monkeypatch.setattr(BestMoveRequest, "model_validate", validate)
    assert client.post("/best-move", json=body).status_code in (200, 422)
    assert (load.call_count, validate.call_count) == (1, 1)
