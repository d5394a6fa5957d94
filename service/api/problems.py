"""Every problem document (RFC 9457) that the service can answer, and every reason that one can name."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from service.api.wire.contract import about
from service.engine.work.slots import Overloaded

MAX_ERRORS = 64
"""The maximum number of errors in a document: a small hostile body cannot ask for a huge answer."""


MAX_SHOWN = 24
"""The maximum number of characters of a wrong name or value that an error repeats."""

GAMES_LISTED = "GET /games lists the games."
"""Where to find the ids. The command line and the tools of MCP have their own ways, and say so in place of this."""


@dataclass(frozen=True)
class Kind:
    """One type of problem: its HTTP status, its title, and the explanation for callers."""

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
        "The body is not one complete JSON document in UTF-8, or the request breaks the rules of HTTP.",
    ),
    Kind(
        "forbidden",
        403,
        "The host or the origin is not allowed",
        "The path answers only under the names that the operator lists in MCP_HOSTS, under addresses and as localhost, "
        "and only pages of those hosts may call it from a browser. Programs send no Origin header.",
    ),
    Kind(
        "not-found",
        404,
        "There is nothing at this path",
        "The service has no such path. GET /openapi.yaml lists the paths, and /docs shows them.",
    ),
    Kind(
        "unknown-game",
        404,
        "No game has this id",
        "The catalogue has no game with the id in the request. GET /games lists the catalogue.",
    ),
    Kind(
        "method-not-allowed",
        405,
        "The path does not support this method",
        "The Allow header lists the methods that the path supports.",
    ),
    Kind(
        "body-too-large",
        413,
        "The body is too large",
        "GET /version states the limit as max_body_bytes. Split a large batch into several requests.",
    ),
    Kind(
        "unsupported-media-type",
        415,
        "The content type is not JSON",
        "Send Content-Type: application/json. A body without a content type, with the form type that curl -d sends, or "
        "with text/plain is read as JSON too. A form with several parts is not.",
    ),
    Kind(
        "invalid-request",
        422,
        "The request has invalid fields",
        "The body is JSON, but a field is missing, unknown, repeated or has an invalid value. Each entry of errors has "
        "a JSON pointer to the field; in a GET request the pointers name the query parameters.",
    ),
    Kind(
        "impossible-position",
        422,
        "This board cannot arise in the game",
        "The fields are valid, but no sequence of legal moves leads to the board, or a move in the request is not "
        "legal. Every broken rule has an entry in errors.",
    ),
    Kind(
        "unproven",
        422,
        "The outcome is not proven",
        "There is no certificate, because the search did not prove the outcome of the position within its limit. The "
        "detail says what is known. Give a higher limit, or ask for a position later in the game.",
    ),
    Kind(
        "certificate-too-large",
        422,
        "The certificate is too large",
        "The outcome is proven, but its certificate has too many entries, or the limit was reached before it had all. "
        "The detail says how far it has grown. Give a higher limit, or ask for a position later in the game.",
    ),
    Kind(
        "left-out",
        422,
        "The position was left out of the batch",
        "The position may be right, but the batch has asked for too much before it: its limit was over before the "
        "rules of another game were read, it has too many games by their rules, or its answer has grown too large. Ask "
        "about the position in another batch, or give a higher limit.",
    ),
    Kind(
        "too-many-requests",
        429,
        "Too many requests",
        "The client has reached its limit of requests. Wait for the number of seconds in the Retry-After header. "
        "A batch to /best-moves counts as one request.",
    ),
    Kind(
        "internal-error",
        500,
        "The service failed",
        "The fault is in the service, not in the request. The log has it under the X-Request-ID of the response.",
    ),
    Kind(
        "overloaded",
        503,
        "Too many searches at once",
        "The request needs a long search or other long work, such as an image, and all search slots and places in the "
        "queue are taken; GET /version states their numbers as max_searches and max_queued. Send the same request "
        "again after the number of seconds in the Retry-After header. What needs no long work is still answered, "
        "unless hundreds of requests wait for that.",
    ),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _KINDS})

CODES: Mapping[str, str] = MappingProxyType(
    {
        "required": "A required field is missing.",
        "unknown-field": "The request has no field of this name.",
        "repeated-field": "The field was given more than once.",
        "conflicting-field": "The field conflicts with another field of the request.",
        "wrong-type": "The value does not have the type of the field.",
        "out-of-range": "The number is below the minimum or above the maximum of the field.",
        "not-a-choice": "The value is not one of the choices of the field.",
        "unknown-game": "The catalogue has no game with this id.",
        "too-long": "The list or the string is longer than the field allows.",
        "too-short": "The list is empty.",
        "too-many-cells": "The board has more cells than the service supports.",
        "no-line-fits": "No line of this length fits on the board.",
        "repeated-cell": "The line or the position contains a cell twice.",
        "board-size": "The number of cells, rows or layers differs from that of the game.",
        "unknown-mark": "The value of the cell means neither a mark nor an empty cell.",
        "wrong-index": "The cell contains a number that is neither its own index nor a mark.",
        "ambiguous": "The board can be read in two ways; the detail names both.",
        "mark-count": "Players who take turns cannot have these numbers of marks.",
        "player-not-to-move": "The player in the request is not the one to move.",
        "two-winners": "Both players have completed a line.",
        "played-after-the-end": "A move was made after the game had ended.",
        "no-last-move": "No single last move can complete all the lines of a player.",
        "floating-mark": "A mark floats above an empty cell in a game with gravity.",
        "no-such-cell": "The board has no cell with this index.",
        "occupied-cell": "The cell of the move is already marked.",
        "no-such-column": "The board has no such column.",
        "full-column": "The column of the move is full.",
        "repeated-digit": "A digit is used more than once.",
        "wrong-digit": "The digit belongs to the other player.",
        "none-found": "Nothing that fits the request was found; the detail says what to change.",
        "unproven": "The outcome of the position is not proven within the limit.",
        "unfinished": "The limit was reached before the certificate was complete or the game of the batch was read.",
        "too-large": "The certificate has more entries, or the batch a longer answer, than the service allows.",
        "too-many-games": "The batch has more games by their rules than the service allows.",
        "no-such-move": "The game has no move of this name.",
        "illegal-move": "The game has this move, but it is not legal in the position.",
        "unreadable-position": "The text is no position of the game; the detail says why.",
        "unreachable-position": "No play leads to the position.",
        "too-many-positions": "The game has more positions than the service solves.",
        "too-many-plies": "A win of the game takes more plies than the service counts.",
        "no-digit": "A character of the string of columns is not a digit.",
        "no-column-string": "The moves of this game cannot be given as a string of columns.",
    }
)
"""Every ``code`` that an error can have, with its meaning."""


@dataclass(frozen=True)
class Error:
    """One fault: a JSON pointer to the field, a stable code of ``CODES``, and a sentence about this case."""

    pointer: str
    code: str
    detail: str


class ProblemError(TypedDict):
    """One fault of a request."""

    pointer: Annotated[
        str,
        about(
            "A JSON pointer (RFC 6901) to the field of the body. For a query parameter, it points to the field of the "
            "same name.",
            example="/board",
        ),
    ]
    code: Annotated[str, about("The stable code of the fault; `GET /problems` lists all codes.", example="mark-count")]
    detail: Annotated[
        str,
        about(
            "The fault in words.",
            example="X has 4 marks and O has 1; players take turns, so the numbers differ by at most one.",
        ),
    ]


class ProblemDocument(TypedDict):
    """A problem document (RFC 9457)."""

    type: Annotated[
        str,
        Field(json_schema_extra={"format": "uri-reference"}),
        about(
            "A URI reference that identifies the kind of problem. `GET` on it returns an explanation.",
            example="/problems/impossible-position",
        ),
    ]
    title: Annotated[str, about("The kind of problem in words.", example="This board cannot arise in the game")]
    status: Annotated[int, about("The HTTP status.", example=422)]
    detail: Annotated[
        str,
        about(
            "The fault of this request in words.",
            example="X has 4 marks and O has 1; players take turns, so the numbers differ by at most one.",
        ),
    ]
    errors: NotRequired[
        Annotated[
            list[ProblemError],
            Field(min_length=1, max_length=MAX_ERRORS),
            about("All faults of the request, if its fields are at fault; at most 64, in a batch at most 4."),
        ]
    ]


class ProblemItem(TypedDict):
    """The problem of one position, or the problem that ended a stream."""

    problem: ProblemDocument


@dataclass
class Problem(Exception):
    """Raised where a request cannot be answered; holds everything that the problem document says."""

    kind: str
    detail: str
    errors: Sequence[Error] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.detail

    def within(self, place: str, most: int) -> "Problem":
        """Return the problem of a part of a batch: prefix every pointer with ``place``; keep up to ``most`` errors."""
        errors = [replace(error, pointer=place + error.pointer) for error in self.errors]
        return faulty(self.kind, errors, most) if errors else self

    def document(self) -> ProblemDocument:
        """Return the problem document as JSON-ready data."""
        kind = KINDS[self.kind]
        document = ProblemDocument(type=kind.type, title=kind.title, status=kind.status, detail=self.detail)
        if self.errors:
            document["errors"] = [
                ProblemError(pointer=error.pointer, code=error.code, detail=error.detail) for error in self.errors
            ]
        return document


INTERNAL = Problem("internal-error", "The service failed and logged the error under the X-Request-ID of this response.")
"""The problem of a request for which the service has failed."""


def overloaded(refusal: Overloaded) -> Problem:
    """Return the problem of a request that got no search slot."""
    detail = f"All search slots and places in the queue are taken; try again in {refusal.seconds} s."
    return Problem("overloaded", detail, headers={"Retry-After": str(refusal.seconds)})


def faulty(kind: str, errors: Sequence[Error], most: int = MAX_ERRORS) -> Problem:
    """Return the problem that lists up to ``most`` of the errors; its detail is the first, and counts the others."""
    detail, more = errors[0].detail, len(errors) - 1
    if more:
        listed = "listed in errors" if len(errors) <= most else f"of which errors lists {most - 1}"
        detail = f"{detail} And {more} more, {listed}."
    return Problem(kind, detail, errors[:most])


def pointer(*path: str | int) -> str:
    """Return a JSON pointer (RFC 6901) to a field: ``pointer("board", 4)`` is ``/board/4``."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def shortened(text: str, most: int = MAX_SHOWN) -> str:
    """Return a value that a client sent, cut to fit into a sentence."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def problem_json(problem: Problem) -> bytes:
    """Return the problem document as JSON."""
    # ASCII: a name sent by a client can hold half a surrogate pair, which UTF-8 cannot encode.
    return json.dumps(problem.document(), ensure_ascii=True).encode()
