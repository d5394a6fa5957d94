"""The access log: one line of JSON for each request, short, whatever its path and its id hold."""

import asyncio
import json
import select
from typing import Any

import pytest

from service.edge.access_log import AccessLog
from service.edge.message import Request
from tests.contract import CONTRACT


class Lines:
    """A writer that keeps what it is given."""

    def __init__(self) -> None:
        self.written = list[bytes]()
        self.has_some = asyncio.Event()

    def put(self, lines: list[bytes]) -> None:
        self.written += lines
        self.has_some.set()


def request(path: str = "/", request_id: str = "one", method: str = "GET", client: str = "192.0.2.1") -> Request:
    headers = [(b"x-request-id", request_id.encode())]
    return Request(
        {"method": method, "path": path, "query_string": b"", "headers": headers, "client": (client, 1)}, 0.0, 0
    )


def logged(*requests: Request, route: str | None = None, seconds: float = 0.25) -> list[bytes]:
    writer = Lines()

    async def add_all() -> None:
        log = AccessLog(writer)  # type: ignore[arg-type]
        for each in requests:
            log.add(each, route, 404, 17, seconds)
        log.flush()

    asyncio.run(add_all())
    return writer.written


def read(line: bytes) -> dict[str, Any]:
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_tells_all_that_distinguishes_a_request() -> None:
    (line,) = logged(request("/games/go", method="PUT"), route="/games/<id>")
    found = read(line)
    assert found.pop("time").endswith("+00:00")
    assert found == {
        "level": "info",
        "logger": "service.request",
        "message": "PUT /games/go 404",
        "method": "PUT",
        "path": "/games/go",
        "route": "/games/<id>",
        "status": 404,
        "client": "192.0.2.1",
        "request_id": "one",
        "duration_ms": 250.0,
        "bytes": 17,
    }


@pytest.mark.parametrize(
    "path",
    [
        '/a\n{"level": "error"}',
        "/a\r\n\r\n",
        '/"quoted"\\',
        "/\x00\x1b[31m\x7f",
        "/\u2028\x85",
        "/café",
        "/\ufffd",
        "",
    ],
)
def test_no_path_can_forge_a_line(path: str) -> None:
    (line,) = logged(request(path or "/"))
    found = read(line)
    assert (found["path"], found["status"], found["level"]) == (path or "/", 404, "info")


def test_no_id_and_no_address_can_forge_a_line() -> None:
    (line,) = logged(request(request_id='"\\,"status":200', client='"}\n{"client": "'))
    found = read(line)
    assert (found["request_id"], found["client"], found["status"]) == ('"\\,"status":200', '"}\n{"client": "', 404)


@pytest.mark.parametrize("client", ["f" * 45, "\x00" * 15_000, "\xff" * 15_000, '"' * 15_000])
@pytest.mark.parametrize("path", ["/" + "\U0001f600" * 5000, "/" + "\x00" * 15_000, "/" + '"' * 15_000])
def test_the_longest_line_is_written_in_one_piece(path: str, client: str) -> None:
    route = max(CONTRACT["paths"], key=len)
    (line,) = logged(request(path, '"' * 128, "OPTIONS", client), route=route, seconds=1e6)
    assert len(line) < select.PIPE_BUF
    found = read(line)
    assert path.startswith(found["path"])
    assert client.startswith(found["client"])
    assert len(found["client"]) >= 45


def test_lines_of_different_requests_are_not_mixed_up() -> None:
    asked = [request(f"/{number % 3}", f"id-{number}") for number in range(9)]
    assert [(read(line)["path"], read(line)["request_id"]) for line in logged(*asked)] == [
        (each.path, each.id.decode()) for each in asked
    ]


def test_lines_are_handed_over_together_soon_after_the_first() -> None:
    writer = Lines()

    async def add_some() -> int:
        log = AccessLog(writer)  # type: ignore[arg-type]
        for number in range(3):
            log.add(request(f"/{number}"), None, 200, 0, 0.1)
        at_first = len(writer.written)
        await asyncio.wait_for(writer.has_some.wait(), 10)
        return at_first

    assert asyncio.run(add_some()) == 0
    assert len(writer.written) == 3
