"""The notations of a position that the users of the load test write."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from loadtests.positions.tic_tac_toe import Position

Fields = dict[str, object]
Writer = Callable[[Position], Fields]


def _as_list(position: Position) -> Fields:
    return {"board": [mark.strip(".") for mark in position.board]}


def _as_rows(position: Position) -> Fields:
    cells = [None if mark == "." else mark.lower() for mark in position.board]
    return {"board": [cells[:3], cells[3:6], cells[6:]]}


def _as_text(position: Position) -> Fields:
    return {"board": position.board}


def _as_split_text(position: Position) -> Fields:
    board = position.board.replace(".", "_")
    return {"board": "/".join((board[:3], board[3:6], board[6:]))}


def _as_moves(position: Position) -> Fields:
    return {"moves": list(position.moves)}


def _as_row_strings(position: Position) -> Fields:
    return {"board": [position.board[start : start + 3] for start in (0, 3, 6)]}


def _as_numbers(position: Position) -> Fields:
    return {"board": [{"X": 1, "O": -1, ".": 0}[mark] for mark in position.board]}


def _as_emoji(position: Position) -> Fields:
    return {"board": position.board.translate(str.maketrans("XO.", "❌⭕⬜"))}


def _as_names(position: Position) -> Fields:
    return {"moves": [f"{'abc'[move % 3]}{move // 3 + 1}" for move in position.moves]}


IN_A_QUERY: Mapping[str, Writer] = {
    "text": _as_text,
    "split text": _as_split_text,
    "moves": _as_moves,
    "names": _as_names,
}
"""The forms of a position that fit into a query, by name."""

IN_A_BODY: Mapping[str, Writer] = {
    **IN_A_QUERY,
    "list": _as_list,
    "rows": _as_rows,
    "row strings": _as_row_strings,
    "numbers": _as_numbers,
    "emoji": _as_emoji,
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
