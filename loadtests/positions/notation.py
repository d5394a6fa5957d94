"""The notations of a position that the users of the load test write."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from loadtests.positions.tic_tac_toe import Position

Fields = dict[str, object]
Writer = Callable[[Position], Fields]

IN_A_QUERY: Mapping[str, Writer] = {
    "text": lambda position: {"board": position.board},
    "split text": lambda position: {"board": "/".join(_rows(position)).replace(".", "_")},
    "moves": lambda position: {"moves": [*position.moves]},
    "names": lambda position: {"moves": [f"{'abc'[move % 3]}{move // 3 + 1}" for move in position.moves]},
}
"""The forms of a position that fit into a query, by name."""

IN_A_BODY: Mapping[str, Writer] = {
    **IN_A_QUERY,
    "list": lambda position: {"board": [mark.strip(".") for mark in position.board]},
    "rows": lambda position: {"board": [[mark.lower().strip(".") for mark in row] for row in _rows(position)]},
    "row strings": lambda position: {"board": _rows(position)},
    "numbers": lambda position: {"board": [{"X": 1, "O": -1, ".": 0}[mark] for mark in position.board]},
    "emoji": lambda position: {"board": position.board.translate(str.maketrans("XO.", "❌⭕⬜"))},
}
"""The forms of a position in a JSON body."""


def write(position: Position, game: str, form: Writer) -> Fields:
    """Return the fields of a request about ``position``."""
    return {**form(position), "game": game, "player": position.player}


def as_body(fields: Fields) -> bytes:
    """Return the fields as a JSON document."""
    return json.dumps(fields).encode()


def as_path(fields: Fields) -> str:
    """Return the path and query of a GET request."""
    query = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in fields.items()}
    return f"/best-move?{urlencode(query)}"


def _rows(position: Position) -> list[str]:
    return [position.board[start : start + 3] for start in (0, 3, 6)]
