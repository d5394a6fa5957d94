"""Responses remembered: the same bytes as fresh ones, only of requests that always have the same answer."""

import json
from collections.abc import Iterable
from io import BytesIO
from typing import Any

import pytest

from service.api.door import ANSWER, ROUTE, AnswerNote, Environ, StartResponse
from service.api.memo import Memo

NOTE = AnswerNote("tic-tac-toe", "table", "win", reproducible=True, nodes=0)


class Counting:
    """An application that answers with how often it was asked, and leaves a note if it has one."""

    def __init__(self, note: AnswerNote | None = NOTE, status: str = "200 OK") -> None:
        self.asked = 0
        self._note = note
        self._status = status

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        self.asked += 1
        environ[ROUTE] = "/best-move"
        if self._note is not None:
            environ[ANSWER] = self._note
        start_response(self._status, [("Content-Type", "text/plain"), ("Server-Timing", "table;dur=1")])
        return [str(self.asked).encode()]


def ask(memo: Memo, body: bytes = b"a", **environ: Any) -> tuple[str, dict[str, str], bytes]:
    started: list[Any] = []
    request = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/best-move",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        **environ,
    }
    response = memo(request, lambda *args: started.append(args))  # type: ignore[arg-type]
    return started[-1][0], dict(started[-1][1]), b"".join(response)


@pytest.fixture
def app() -> Counting:
    return Counting()


def test_the_same_request_is_answered_from_memory(app: Counting) -> None:
    memo = Memo(app, entries=8, longest=64, largest=64)
    assert [ask(memo)[2] for _ in range(3)] == [b"1"] * 3
    assert len(memo) == 1


def test_an_answer_from_memory_says_so(app: Counting) -> None:
    memo = Memo(app, entries=8, longest=64, largest=64)
    assert ask(memo)[1]["Server-Timing"] == "table;dur=1"
    assert ask(memo)[1]["Server-Timing"].startswith("cache;dur=")


@pytest.mark.parametrize(
    "other",
    [
        {"body": b"b"},
        {"QUERY_STRING": "q"},
        {"PATH_INFO": "/other"},
        {"CONTENT_TYPE": "text/plain"},
        {"REQUEST_METHOD": "GET"},
    ],
    ids=str,
)
def test_a_request_that_differs_is_not_confused(app: Counting, other: dict[str, Any]) -> None:
    memo = Memo(app, entries=8, longest=64, largest=64)
    assert (ask(memo)[2], ask(memo, **other)[2]) == (b"1", b"2")


@pytest.mark.parametrize(
    "app",
    [
        Counting(note=None),
        Counting(note=AnswerNote("tic-tac-toe", "table", "win", reproducible=False, nodes=0)),
        Counting(status="304 NOT MODIFIED"),
    ],
    ids=["no note", "chance", "no body"],
)
def test_what_may_differ_next_time_is_not_remembered(app: Counting) -> None:
    memo = Memo(app, entries=8, longest=64, largest=64)
    assert [ask(memo)[2] for _ in range(2)] == [b"1", b"2"]


@pytest.mark.parametrize(
    "environ",
    [
        {"body": b"a" * 65},
        {"CONTENT_LENGTH": ""},
        {"CONTENT_LENGTH": "-1"},
        {"CONTENT_LENGTH": "\u00b2"},
        {"REQUEST_METHOD": "PUT"},
        {"REQUEST_METHOD": "GET", "QUERY_STRING": "q" * 65},
    ],
    ids=str,
)
def test_requests_not_worth_remembering_pass_through(app: Counting, environ: dict[str, Any]) -> None:
    memo = Memo(app, entries=8, longest=64, largest=64)
    assert [ask(memo, **environ)[2] for _ in range(2)] == [b"1", b"2"]
    assert len(memo) == 0


def test_the_oldest_makes_room(app: Counting) -> None:
    memo = Memo(app, entries=2, longest=64, largest=64)
    for body in (b"a", b"b", b"c"):
        ask(memo, body)
    assert len(memo) == 2
    assert ask(memo, b"c")[2] == b"3"
    assert ask(memo, b"a")[2] == b"4"


def test_the_application_can_still_read_a_body_that_was_looked_at() -> None:
    def echo(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return [environ["wsgi.input"].read()]

    assert ask(Memo(echo, entries=2, longest=64, largest=64), json.dumps([1]).encode())[2] == b"[1]"


def test_a_response_that_must_be_closed_is_closed() -> None:
    class Closing(list[bytes]):
        closed = False

        def close(self) -> None:
            self.closed = True

    response = Closing([b"x"])

    def app(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ.update({ANSWER: NOTE, ROUTE: "/best-move"})
        start_response("200 OK", [])
        return response

    assert ask(Memo(app, entries=2, longest=64, largest=64))[2] == b"x"
    assert response.closed


def test_large_responses_are_not_remembered() -> None:
    def app(environ: Environ, start_response: StartResponse) -> list[bytes]:
        environ.update({ANSWER: NOTE, ROUTE: "/analysis"})
        start_response("200 OK", [])
        return [b"x" * len(environ["wsgi.input"].getvalue())]

    memo = Memo(app, entries=8, longest=64, largest=20)
    for size in (20, 21):
        assert ask(memo, b"x" * size)[2] == b"x" * size
    assert len(memo) == 1
