"""Checks of replies: a check takes a reply and lists everything wrong with it."""

import json
from collections.abc import Callable
from typing import Any

from locust.contrib.fasthttp import ResponseContextManager

from loadtests.positions.invalid import Invalid
from loadtests.positions.judge import errors_of_answer, errors_of_problem
from loadtests.positions.tic_tac_toe import Position
from loadtests.servers.processes import JSON

PROBLEM = "application/problem+json"

Reply = ResponseContextManager
Check = Callable[[Reply], list[str]]


def answers(position: Position, game: str) -> Check:
    """Return a check for the answer to a position."""
    return lambda reply: _errors_of_head(reply, 200, JSON) or errors_of_answer(position, game, _document(reply))


def answers_for_good(position: Position, game: str) -> Check:
    """Return a check for the answer with headers that let caches keep it."""
    answer = answers(position, game)

    def check(reply: Reply) -> list[str]:
        kept = "immutable" in _header(reply, "Cache-Control") and _header(reply, "ETag").startswith('"')
        return [*answer(reply), *([] if kept else ["the headers do not let caches keep it"])]

    return check


def still_holds(etag: str) -> Check:
    """Return a check for a 304 without a body."""

    def check(reply: Reply) -> list[str]:
        wrong = _errors_of_head(reply, 304, "")
        if reply.content:
            wrong.append("a 304 with a body")
        if _header(reply, "ETag") != etag:
            wrong.append(f"ETag is {_header(reply, 'ETag')!r}, not {etag!r}")
        return wrong

    return check


def refuses(invalid: Invalid) -> Check:
    """Return a check for the problem document that an invalid request is due."""

    def check(reply: Reply) -> list[str]:
        due = errors_of_problem(_document(reply), status=invalid.status, kind=invalid.kind, code=invalid.code)
        return [*_errors_of_head(reply, invalid.status, PROBLEM), *due]

    return check


def is_body(expected: bytes) -> Check:
    """Return a check for a known body."""

    def check(reply: Reply) -> list[str]:
        same = reply.content == expected
        return _errors_of_head(reply, 200, JSON) or ([] if same else [f"{reply.content!r} is not {expected!r}"])

    return check


def _errors_of_head(reply: Reply, status: int, media_type: str) -> list[str]:
    wrong = [] if reply.status_code == status else [f"status is {reply.status_code}, not {status}"]
    if _header(reply, "Content-Type") != media_type:
        wrong.append(f"content type is {_header(reply, 'Content-Type')!r}, not {media_type!r}")
    return wrong


def _header(reply: Reply, name: str) -> str:
    return str(reply.headers.get(name, "")) if reply.headers else ""


def _document(reply: Reply) -> dict[str, Any]:
    """Return the JSON object of the body, or an empty one, which no check accepts."""
    try:
        document = json.loads(reply.content or b"")
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
