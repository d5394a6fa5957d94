"""What must be true of a reply. Each function returns a check: a reply in, everything wrong with it out."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from invalid import JSON, Invalid
from judge import analysis_faults, faults, problem_faults, review_faults
from locust.contrib.fasthttp import ResponseContextManager
from positions import Position

PROBLEM = "application/problem+json"

Reply = ResponseContextManager
Check = Callable[[Reply], list[str]]


def answers(position: Position, game: str) -> Check:
    """The right answer to a position."""

    def check(reply: Reply) -> list[str]:
        return _wrong_head(reply, 200, JSON) or faults(position, game, _document(reply))

    return check


def analyses(position: Position, game: str) -> Check:
    """The right analysis of a position."""

    def check(reply: Reply) -> list[str]:
        return _wrong_head(reply, 200, JSON) or analysis_faults(position, game, _document(reply))

    return check


def answers_all(positions: Sequence[Position], game: str) -> Check:
    """The right answers to positions in one request, in their order."""

    def check(reply: Reply) -> list[str]:
        results = _document(reply).get("results", [])
        wrong = [
            fault for asked, answer in zip(positions, results, strict=True) for fault in faults(asked, game, answer)
        ]
        return _wrong_head(reply, 200, JSON) or wrong

    return check


def reviews(game: Position) -> Check:
    """The right review of a game."""

    def check(reply: Reply) -> list[str]:
        return _wrong_head(reply, 200, JSON) or review_faults(game, _document(reply))

    return check


def answers_for_good(position: Position, game: str) -> Check:
    """The right answer, with headers that let caches keep it."""
    answer = answers(position, game)

    def check(reply: Reply) -> list[str]:
        kept = "immutable" in _header(reply, "Cache-Control") and _header(reply, "ETag").startswith('"')
        return [*answer(reply), *([] if kept else ["headers do not let caches keep it"])]

    return check


def still_holds(etag: str) -> Check:
    """A 304 without a body for somebody who has the answer already."""

    def check(reply: Reply) -> list[str]:
        wrong = _wrong_head(reply, 304, "")
        if reply.content:
            wrong.append("a 304 with a body")
        if _header(reply, "ETag") != etag:
            wrong.append(f"ETag is {_header(reply, 'ETag')!r}, not {etag!r}")
        return wrong

    return check


def refuses(invalid: Invalid) -> Check:
    """The problem document that an invalid request is due."""

    def check(reply: Reply) -> list[str]:
        due = problem_faults(_document(reply), status=invalid.status, kind=invalid.kind, code=invalid.code)
        return [*_wrong_head(reply, invalid.status, PROBLEM), *due]

    return check


def _wrong_head(reply: Reply, status: int, media_type: str) -> list[str]:
    wrong = [] if reply.status_code == status else [f"status is {reply.status_code}, not {status}"]
    if _header(reply, "Content-Type") != media_type:
        wrong.append(f"content type is {_header(reply, 'Content-Type')!r}, not {media_type!r}")
    return wrong


def _header(reply: Reply, name: str) -> str:
    return str(reply.headers.get(name, "")) if reply.headers else ""


def _document(reply: Reply) -> dict[str, Any]:
    """The JSON object of the body; an empty one, which no check accepts, if there is none."""
    try:
        document = json.loads(reply.content or b"")
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
