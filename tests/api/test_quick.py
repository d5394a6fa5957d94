"""Answers at once: the same that Flask gives, and nothing for which somebody would have to wait."""

import json
from io import BytesIO
from typing import Any

import pytest
from flask import Flask

from service.api.media import JSON
from service.api.quick import AT_ONCE, TakesLonger
from service.app import create_app
from service.metrics import Metrics
from service.settings import Settings

FINISHED, DRAWN = "XXXOO....", "XOXXOOOXX"


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings())


def environ(body: bytes, **changes: Any) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/best-move",
        "SCRIPT_NAME": "",
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "CONTENT_TYPE": JSON,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        **changes,
    }


def ask(app: Any, body: bytes, **changes: Any) -> tuple[str, dict[str, str], bytes]:
    started: list[Any] = []
    response = app(environ(body, **changes), lambda *args: started.append(args))
    headers = dict(started[-1][1])
    assert len(headers) == len(started[-1][1])
    return started[-1][0], headers, b"".join(response)


BY_FLASK = {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}
"""Where nobody says how long a body is, neither memory nor table is looked into before Flask."""


QUESTIONS: list[Any] = [
    {"board": "X...O...."},
    {"board": FINISHED},
    {"board": DRAWN},
    {"board": ["O", 1, "X", "X", 4, "X", 6, "O", "O"]},
    {"moves": [4, 0, 8]},
    {"board": ".........", "player": "O"},
    {"board": "X...O....", "game": "misere-tic-tac-toe"},
    {"board": "X...O....", "limit": {"nodes": 10}},
    {"board": "X...O....", "tie_break": "random", "seed": 7},
    {"board": "X...O....", "skill": 100},
]


@pytest.mark.parametrize("question", QUESTIONS, ids=json.dumps)
def test_an_answer_at_once_is_the_one_that_flask_gives(app: Flask, question: dict[str, Any]) -> None:
    body = json.dumps(question).encode()
    status, headers, answer = ask(app, body, **{AT_ONCE: True})
    assert (status, json.loads(answer)["proven"]) == ("200 OK", True)
    other_status, other_headers, other_answer = ask(app, body, **BY_FLASK)
    assert (status, answer) == (other_status, other_answer)
    own = {"X-Request-ID": "", "Server-Timing": ""}
    assert {**headers, **own} == {**other_headers, **own}


SLOW: dict[str, dict[str, Any]] = {
    "another game": {"wsgi.input": b'{"board":"................","game":"tic-tac-toe-4x4"}'},
    "a string of columns": {"wsgi.input": b'{"game":"connect-four","moves":"444","limit":{"nodes":99}}'},
    "a string of columns where there are none": {"wsgi.input": b'{"moves":"444"}'},
    "a weaker player": {"wsgi.input": b'{"board":"X...O....","skill":50}'},
    "an impossible board": {"wsgi.input": b'{"board":"XXXOOO..."}'},
    "no JSON": {"wsgi.input": b"board"},
    "an unknown field": {"wsgi.input": b'{"board":"X...O....","bord":1}'},
    "another type": {"CONTENT_TYPE": "text/plain"},
    "another method": {"REQUEST_METHOD": "PUT"},
    "another path": {"PATH_INFO": "/analysis"},
    "a body that is not whole": {"CONTENT_LENGTH": "100"},
    "a health check": {"REQUEST_METHOD": "GET", "PATH_INFO": "/healthz", "wsgi.input": b""},
}


@pytest.mark.parametrize("name", SLOW)
def test_all_else_takes_longer_and_leaves_no_trace(name: str) -> None:
    metrics, app = Metrics(), create_app(Settings())
    changes = dict(SLOW[name])
    body = changes.pop("wsgi.input", b'{"board":"X...O...."}')
    with pytest.raises(TakesLonger):
        ask(app, body, **{AT_ONCE: True}, **changes)
    assert metrics.exposition().count(b'route="/best-move"') == 0
    status, _, _ = ask(app, body, **changes)
    assert status.startswith(("200", "4"))


def test_an_answer_that_is_remembered_comes_at_once_whatever_it_took(app: Flask) -> None:
    body = b'{"board":"XO..............","game":"tic-tac-toe-4x4"}'
    with pytest.raises(TakesLonger):
        ask(app, body, **{AT_ONCE: True})
    answer = ask(app, body)[2]
    assert ask(app, body, **{AT_ONCE: True})[2] == answer


def test_where_requests_are_counted_nothing_is_answered_at_once() -> None:
    app = create_app(Settings(rate_limit="100 per minute"))
    for _ in range(2):
        with pytest.raises(TakesLonger):
            ask(app, b'{"board":"X...O...."}', **{AT_ONCE: True})
        assert ask(app, b'{"board":"X...O...."}')[0] == "200 OK"
