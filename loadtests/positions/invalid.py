"""Requests that must be refused, each with the status and the problem type that are due."""

from dataclasses import dataclass
from random import Random

from loadtests.servers.processes import JSON

MAX_BODY_BYTES = 1 << 20
"""The service's default."""


@dataclass(frozen=True)
class Invalid:
    """A request and its refusal: ``kind`` ends the problem type, ``code`` is that of one of its errors."""

    status: int
    kind: str
    body: bytes = b""
    code: str | None = None
    method: str = "POST"
    path: str = "/best-move"
    content_type: str = JSON


def _malformed(body: bytes) -> Invalid:
    return Invalid(400, "malformed-request", body)


def _not_understood(code: str, body: bytes) -> Invalid:
    return Invalid(422, "invalid-request", body, code)


def _impossible(code: str, body: bytes) -> Invalid:
    return Invalid(422, "impossible-position", body, code)


def _bad_query(code: str, query: str) -> Invalid:
    return Invalid(422, "invalid-request", code=code, method="GET", path=f"/best-move?{query}")


LISTED = (
    _malformed(b""),
    _malformed(b'{"board": NaN}'),
    _malformed(b'{"board": "\xff"}'),
    _malformed(b"[" * 30_000),
    _not_understood("required", b'{"game": {"rows": 3}}'),
    _not_understood("ambiguous", b'{"board": [null, 1, null, null, null, null, null, null, null]}'),
    _not_understood("unknown-field", b'{"board": "X...O....", "time_ms": 500}'),
    _not_understood("wrong-type", b"[]"),
    _not_understood("no-column-string", b'{"moves": "40"}'),
    _not_understood("no-digit", b'{"game": "connect-four", "moves": "44x"}'),
    _not_understood("out-of-range", b'{"skill": -1}'),
    _impossible("no-such-cell", b'{"moves": [-1]}'),
    _not_understood("repeated-field", b'{"board": "X...O....", "board": "X........"}'),
    _not_understood("conflicting-field", b'{"board": "X...O....", "moves": [0, 4]}'),
    _not_understood("not-a-choice", b'{"board": "X...O....", "player": "Z"}'),
    _not_understood("board-size", b'{"board": "X...O..."}'),
    _not_understood("unknown-mark", b'{"board": "X...?...."}'),
    _not_understood("wrong-index", b'{"board": ["X", 2, "", "", "O", "", "", "", ""]}'),
    _impossible("mark-count", b'{"board": "XX......."}'),
    _impossible("two-winners", b'{"board": "XXXOOO..."}'),
    _impossible("player-not-to-move", b'{"board": "X........", "player": "X"}'),
    _impossible("occupied-cell", b'{"moves": [4, 4]}'),
    _impossible("played-after-the-end", b'{"moves": [0, 3, 1, 4, 2, 5]}'),
    Invalid(404, "unknown-game", b'{"board": ".........", "game": "chess"}', "unknown-game"),
    Invalid(404, "not-found", b'{"board": "........."}', path="/best-mov"),
    Invalid(405, "method-not-allowed", method="DELETE"),
    Invalid(413, "body-too-large", b'{"board": "' + b"." * MAX_BODY_BYTES + b'"}'),
    Invalid(415, "unsupported-media-type", b"<board/>", content_type="application/xml"),
    _bad_query("not-a-choice", "player=R"),
    _bad_query("unknown-field", "board=X...O....&bord=1"),
    _bad_query("repeated-field", "board=X...O....&board=X........"),
    _bad_query("wrong-type", "moves=4,;"),
)


def random_invalid(rng: Random) -> Invalid:
    """Draw a listed request or a truncated document."""
    if rng.random() < 0.7:
        return rng.choice(LISTED)
    whole = b'{"board": ["X", null, null, null, "O", null, null, null, null], "player": "X"}'
    return _malformed(whole[: rng.randrange(len(whole))])
