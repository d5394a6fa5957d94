"""Every problem document (RFC 9457) that the service can answer, and every reason that one can name."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException

from service.api.responses import PROBLEM
from service.engine.slots import Overloaded

MAX_ERRORS = 64
"""No document names more errors than this, so that a small hostile body cannot ask for a huge answer."""


MAX_SHOWN = 24
"""Characters of a wrong name or value that an error repeats."""


@dataclass(frozen=True)
class Kind:
    """One type of problem: its HTTP status, its title and what a caller should know about it."""

    name: str
    status: int
    title: str
    explanation: str

    @property
    def type(self) -> str:
        """The link that identifies the problem; the service answers it with the explanation."""
        return f"/problems/{self.name}"


_KINDS = (
    Kind(
        "malformed-request",
        400,
        "The request could not be read",
        "The body is not a JSON document in UTF-8, was cut short, or the request breaks the rules of HTTP. "
        "Nothing in it was looked at.",
    ),
    Kind(
        "not-found",
        404,
        "There is nothing at this path",
        "The service has no such path. GET /openapi.yaml lists those it has, and /docs shows them.",
    ),
    Kind(
        "unknown-game",
        404,
        "No game has this id",
        "The game named in the request is not in the catalogue. GET /games lists it.",
    ),
    Kind(
        "method-not-allowed",
        405,
        "The path does not take this method",
        "The Allow header lists the methods that it takes.",
    ),
    Kind(
        "body-too-large",
        413,
        "The body is too large",
        "The limit is published by GET /version as max_body_bytes. No request that makes sense comes near it.",
    ),
    Kind(
        "unsupported-media-type",
        415,
        "The body is not announced as JSON",
        "Send Content-Type: application/json. A body without a content type, or with the form type "
        "that curl -d announces, is read as JSON too.",
    ),
    Kind(
        "invalid-request",
        422,
        "The request has fields that cannot be understood",
        "The body is JSON, but a field is missing, unknown, given twice, or not of the form that the "
        "contract asks for. Each fault is listed in errors with a JSON pointer to the field; in a GET "
        "request the pointers name the query parameters.",
    ),
    Kind(
        "impossible-position",
        422,
        "This board cannot arise in the game",
        "The request is well formed, but no sequence of legal moves leads to the board it shows, or a "
        "listed move is not legal. Every violated rule is listed in errors.",
    ),
    Kind(
        "too-many-requests",
        429,
        "The client has asked too much",
        "The service takes only so many requests from each client in a time. The Retry-After header says in how many "
        "seconds it takes the next. A batch to /best-moves counts as one.",
    ),
    Kind(
        "internal-error",
        500,
        "The service failed",
        "A fault of the service, not of the request. It was logged under the X-Request-ID of the answer.",
    ),
    Kind(
        "overloaded",
        503,
        "Too many searches at once",
        "The question takes a longer search, and as many as the machine can do run or wait already; GET /version "
        "publishes how many that are, as max_searches and max_queued. Send the same request again after the seconds "
        "of Retry-After. What needs no such search is answered meanwhile.",
    ),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _KINDS})

CODES: Mapping[str, str] = MappingProxyType(
    {
        "required": "A field that is needed is missing.",
        "unknown-field": "The request has no field of this name.",
        "repeated-field": "The field was given more than once.",
        "conflicting-field": "The field cannot go together with another that was given.",
        "wrong-type": "The value is not of the type that the field takes.",
        "out-of-range": "The number is smaller or larger than the field takes.",
        "not-a-choice": "The value is none of those that the field takes.",
        "unknown-game": "No game of the catalogue has this id.",
        "too-long": "The list or the string has more entries than the field takes.",
        "too-short": "The list is empty.",
        "too-many-cells": "The board has more cells than the service can take.",
        "no-line-fits": "The board is too small for a line of the length asked for.",
        "repeated-cell": "The line names a cell twice.",
        "board-size": "The board does not have as many cells, rows or columns as the game.",
        "unknown-mark": "The cell holds something that is neither a mark nor empty.",
        "wrong-index": "The cell holds a number that is not its own index.",
        "mark-count": "The numbers of marks differ by more than one.",
        "player-not-to-move": "The player named is not the one to move.",
        "two-winners": "Both players have completed a line.",
        "played-after-the-end": "A mark was made after a line had ended the game.",
        "no-last-move": "No single last move can have completed all the lines of a player.",
        "floating-mark": "A mark floats above an empty cell in a game with gravity.",
        "no-such-cell": "The move names a cell that the board does not have.",
        "occupied-cell": "The move names a cell that is marked already.",
        "no-such-column": "The move names a column that the board does not have.",
        "full-column": "The move names a column that is full.",
        "no-digit": "A character of the string of columns is no digit.",
        "no-column-string": "The moves of this game cannot be told by a string of columns.",
    }
)
"""Every ``code`` an error can carry, with its meaning."""


@dataclass(frozen=True)
class Error:
    """One fault: a JSON pointer to the field, a stable code of ``CODES``, and a sentence about this case."""

    pointer: str
    code: str
    detail: str


@dataclass
class Problem(Exception):
    """Raised where a request cannot be answered; carries all that its document says."""

    kind: str
    detail: str
    errors: Sequence[Error] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    def within(self, place: str) -> "Problem":
        """Return the same problem with all pointers below the JSON pointer ``place``: for a part of a batch."""
        return replace(self, errors=[replace(error, pointer=place + error.pointer) for error in self.errors])

    def document(self) -> dict[str, Any]:
        """Return the problem document as JSON-ready data."""
        kind = KINDS[self.kind]
        document: dict[str, Any] = {
            "type": kind.type,
            "title": kind.title,
            "status": kind.status,
            "detail": self.detail,
        }
        if self.errors:
            document["errors"] = [asdict(error) for error in self.errors[:MAX_ERRORS]]
        return document


INTERNAL = Problem("internal-error", "The service failed; the fault was logged.")
"""What there is to say of a fault of the service."""


def overloaded(refusal: Overloaded) -> Problem:
    """Return the problem of a request whose search found no room."""
    detail = f"As many searches as this machine can do run or wait already; try again in {refusal.seconds} s."
    return Problem("overloaded", detail, headers={"Retry-After": str(refusal.seconds)})


def faulty(kind: str, errors: Sequence[Error]) -> Problem:
    """Return the problem that lists these errors; its detail is the first error and the number of others."""
    more = len(errors) - 1
    detail = errors[0].detail if not more else f"{errors[0].detail} And {more} more, listed in errors."
    return Problem(kind, detail, errors)


def pointer(*path: str | int) -> str:
    """Return a JSON pointer (RFC 6901) to a field: ``pointer("board", 4)`` is ``/board/4``."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def shortened(text: str, most: int = MAX_SHOWN) -> str:
    """Return what a client sent, cut to fit into a sentence."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def problem_json(problem: Problem) -> bytes:
    """Return the problem document as JSON."""
    # ASCII, because a name sent by a client may hold half a surrogate pair, which UTF-8 cannot say.
    return json.dumps(problem.document(), ensure_ascii=True).encode()


def problem_response(problem: Problem) -> Response:
    """Return the response to a request with this problem, never cached."""
    response = Response(problem_json(problem), KINDS[problem.kind].status, mimetype=PROBLEM)
    response.headers.extend(problem.headers)
    response.headers["Cache-Control"] = "no-store"
    return response


def from_http_exception(error: HTTPException) -> Response:
    """Return the problem document in place of werkzeug's HTML page; keep headers such as ``Allow``."""
    status = error.code or 500
    kept = {name: value for name, value in error.get_headers() if name.lower() != "content-type"}
    match status:
        case 404:
            problem = Problem("not-found", f"There is nothing at {shortened(request.path)}.{_guess_path()}")
        case 405:
            taken = kept["Allow"] = ", ".join(sorted(kept["Allow"].split(", ")))
            problem = Problem(
                "method-not-allowed", f"{request.path} does not take {shortened(request.method)}, but {taken}."
            )
        case 413:
            limit = current_app.config["MAX_CONTENT_LENGTH"]
            problem = Problem("body-too-large", f"The body is larger than {limit} bytes.")
        case _:
            kind = "malformed-request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal-error"
            problem = Problem(kind, error.description or KINDS[kind].explanation)
    return problem_response(replace(problem, headers=kept))


def _guess_path() -> str:
    paths = [rule.rule for rule in current_app.url_map.iter_rules()]
    close = get_close_matches(request.path[:MAX_SHOWN], paths, n=1)
    return f" Did you mean {close[0]}?" if close else ""
