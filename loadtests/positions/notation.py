"""Every notation of a position that the service reads."""

import json
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from urllib.parse import urlencode

from loadtests.positions.tic_tac_toe import Position

MARKS = {"X": "Xx", "O": "Oo"}
EMPTY_CHARACTERS = " .-_+"
EMPTY_CELLS = (None, "", *EMPTY_CHARACTERS)

Fields = dict[str, object]
Writer = Callable[[Position, Random], Fields]


def _cell(mark: str, index: int, rng: Random) -> object:
    """Write a cell of a list; empty ones may hold their own index."""
    return rng.choice(MARKS[mark]) if mark in MARKS else rng.choice((*EMPTY_CELLS, index))


def _flat(position: Position, rng: Random) -> list[object]:
    return [_cell(mark, index, rng) for index, mark in enumerate(position.board)]


def _text(position: Position, rng: Random) -> str:
    return "".join(rng.choice(MARKS.get(mark, EMPTY_CHARACTERS)) for mark in position.board)


def _as_list(position: Position, rng: Random) -> Fields:
    return {"board": _flat(position, rng)}


def _as_rows(position: Position, rng: Random) -> Fields:
    cells = _flat(position, rng)
    return {"board": [cells[:3], cells[3:6], cells[6:]]}


def _as_text(position: Position, rng: Random) -> Fields:
    return {"board": _text(position, rng)}


def _as_split_text(position: Position, rng: Random) -> Fields:
    text = _text(position, rng)
    return {"board": rng.choice("/\n").join((text[:3], text[3:6], text[6:]))}


def _as_moves(position: Position, _rng: Random) -> Fields:
    return {"moves": list(position.moves)}


IN_A_BODY: Mapping[str, Writer] = MappingProxyType(
    {"list": _as_list, "rows": _as_rows, "text": _as_text, "split text": _as_split_text, "moves": _as_moves}
)
"""The forms of a position in a JSON body, by name."""

IN_A_QUERY: Mapping[str, Writer] = MappingProxyType(
    {"text": _as_text, "split text": _as_split_text, "moves": _as_moves}
)
"""Those that fit into a query."""


def write(position: Position, game: str, form: Writer, rng: Random) -> Fields:
    """Return the fields of a request about ``position``; optional fields are sometimes left out."""
    fields = form(position, rng)
    if game != "tic-tac-toe" or rng.random() < 0.5:
        fields["game"] = game
    if position.player != _player_if_left_out(position, fields) or rng.random() < 0.5:
        fields["player"] = position.player
    return fields


def _player_if_left_out(position: Position, fields: Fields) -> str:
    """Return the player to move that the service infers if the request does not say."""
    plies = len(position.moves)
    if "moves" in fields:
        return "X" if plies % 2 == 0 else "O"
    alone = plies % 2 == 1 or position.status == "won"
    return position.player if alone else "X"


def as_body(fields: Fields) -> bytes:
    """Return the fields as a JSON document."""
    return json.dumps(fields).encode()


def as_path(fields: Fields) -> str:
    """Return the path and query of a GET request."""
    query = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in fields.items()}
    return f"/best-move?{urlencode(query)}"
