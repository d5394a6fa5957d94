"""The access log: one line of JSON for each request, short, whatever its path and its id hold."""

import asyncio
import json
import select
from typing import Any

import pytest

from service.api.request_context import AnswerNote, make_note
from service.edge.message import EdgeRequest
from service.edge.records import AccessLog
from service.games.catalogue import CATALOGUE
from tests.contract import CONTRACT
from tests.support import HUNG_SECONDS


class Lines:
    """A writer that keeps what it is given."""

    def __init__(self) -> None:
        self.written = list[bytes]()
        self.has_some = asyncio.Event()

    def put(self, lines: list[bytes]) -> None:
        self.written += lines
        self.has_some.set()


def request(path: str = "/", request_id: str = "one", method: str = "GET", client: str = "192.0.2.1") -> EdgeRequest:
    headers = [(b"x-request-id", request_id.encode())]
    return EdgeRequest(
        {"method": method, "path": path, "query_string": b"", "headers": headers, "client": (client, 1)}, 0.0, 0
    )


def logged(
    *requests: EdgeRequest, route: str | None = None, seconds: float = 0.25, notes: dict[AnswerNote, int] | None = None
) -> list[bytes]:
    writer = Lines()

    async def add_all() -> None:
        log = AccessLog(writer)  # type: ignore[arg-type]
        for each in requests:
            log.add(each, route, 404, 17, seconds, notes=notes)
        log.flush()

    asyncio.run(add_all())
    return writer.written


def read(line: bytes) -> dict[str, Any]:
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_tells_all_that_distinguishes_a_request() -> None:
    (line,) = logged(request("/games/go", method="PUT"), route="/games/{id}")
    found = read(line)
    assert found.pop("time").endswith("+00:00")
    assert found == {
        "level": "info",
        "logger": "service.request",
        "message": "PUT /games/go 404",
        "method": "PUT",
        "path": "/games/go",
        "route": "/games/{id}",
        "status": 404,
        "client": "192.0.2.1",
        "request_id": "one",
        "duration_ms": 250.0,
        "bytes": 17,
    }


TABLE, SEARCH = (
    make_note("tic-tac-toe", source, "draw", reproducible=True, nodes=nodes)
    for source, nodes in (("table", 0), ("search", 70))
)
OTHER = make_note("custom", "search", "win", reproducible=True, nodes=5)


@pytest.mark.parametrize(
    ("notes", "told"),
    [
        ({SEARCH: 1}, {"game": "tic-tac-toe", "source": "search", "nodes": 70}),
        ({TABLE: 3, SEARCH: 2}, {"game": "tic-tac-toe", "source": None, "nodes": 140}),
        ({OTHER: 1, SEARCH: 2}, {"game": None, "source": "search", "nodes": 145}),
        ({}, {}),
    ],
)
def test_a_line_tells_what_the_answers_share_and_all_nodes(
    notes: dict[AnswerNote, int], told: dict[str, object]
) -> None:
    (line,) = logged(request(), notes=notes)
    found = read(line)
    assert {name: found[name] for name in ("game", "source", "nodes") if name in found} == told


TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def traced(*values: str) -> EdgeRequest:
    headers = [(b"traceparent", value.encode()) for value in values]
    return EdgeRequest(
        {"method": "GET", "path": "/", "query_string": b"", "headers": headers, "client": ("192.0.2.1", 1)}, 0.0, 0
    )


def test_a_line_has_the_traceparent_of_the_request() -> None:
    (line,) = logged(traced(TRACEPARENT))
    assert read(line)["traceparent"] == TRACEPARENT


@pytest.mark.parametrize(
    "values",
    [("",), (TRACEPARENT[:-1],), (TRACEPARENT + "0",), (TRACEPARENT.upper(),), ('"',), (TRACEPARENT, TRACEPARENT)],
)
def test_a_traceparent_that_is_malformed_or_given_twice_is_not_logged(values: tuple[str, ...]) -> None:
    (line,) = logged(traced(*values))
    assert "traceparent" not in read(line)


ODD = (
    *('/a\n{"level": "error"}', "/a\r\n\r\n", '/"quoted"\\', '"}\n{"client": "'),
    *("/\x00\x1b[31m\x7f", "/\u2028\x85", "/café", "/\ufffd"),
)
"""What could end a string or a line, or change what a terminal shows."""


def test_no_path_no_address_and_no_id_can_forge_a_line() -> None:
    for odd in ODD:
        (line,) = logged(request(odd, '"\\,"status":200', client=odd))
        found = read(line)
        told = (found["path"], found["client"], found["request_id"], found["status"], found["level"])
        assert told == (odd, odd, '"\\,"status":200', 404, "info")


@pytest.mark.parametrize("path", ["/" + "\U0001f600" * 5000, "/" + "\x00" * 15_000, "/" + '"' * 15_000])
def test_the_longest_line_is_written_in_one_piece(path: str) -> None:
    for client in ("f" * 45, "\x00" * 15_000, '"' * 15_000):
        route = max(CONTRACT["paths"], key=len)
        answer = make_note(max(CATALOGUE, key=len), "search", "win", reproducible=True, nodes=10**12)
        (line,) = logged(request(path, '"' * 128, "OPTIONS", client), route=route, seconds=1e6, notes={answer: 1})
        assert len(line) < select.PIPE_BUF
        found = read(line)
        assert path.startswith(found["path"])
        assert client.startswith(found["client"])
        assert len(found["client"]) >= 45


def test_lines_of_requests_are_handed_over_in_their_order_soon_after_the_first() -> None:
    writer, asked = Lines(), [request(f"/{number % 3}", f"id-{number}") for number in range(9)]

    async def add_all() -> None:
        log = AccessLog(writer)  # type: ignore[arg-type]
        for each in asked:
            log.add(each, None, 200, 0, 0.1)
        assert writer.written == []
        await asyncio.wait_for(writer.has_some.wait(), HUNG_SECONDS)

    asyncio.run(add_all())
    told = [(line["path"], line["request_id"]) for line in map(read, writer.written)]
    assert told == [(each.path, each.id.decode()) for each in asked]
