"""The wire models of requests. ``openapi.yaml`` says the same; a test compares them."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema
from pydantic_core import PydanticCustomError

from service.games.game import MAX_CELLS, Wrap
from service.games.position import Player

MAX_SEED = 2**53 - 1
"""The largest whole number that every JSON implementation reads exactly."""


def whole(value: object) -> object:
    """Return a whole number, however JSON writes it: 4.0 is 4; true and "4" are not numbers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if type(value) is not int:
        raise PydanticCustomError("not-whole", "not a whole number")
    return value


CELL: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": MAX_CELLS - 1}
"""The schema of an index. The range of the game asked about is narrower, and an error names that one."""

Cell = Annotated[int, Field(ge=0, le=MAX_CELLS - 1), BeforeValidator(whole)]

MAX_NAME = 16
"""Characters of the longest name of a move."""

LETTER = "[A-Za-z]"
"""Every name of a move has a letter; a text of digits may count from 0 or from 1."""

NAME = r"([A-Za-z]+\s+[0-9]+|([0-9]+:)?[A-Za-z]+[0-9]*)"
"""What can be a name, in the contract; only ``record`` knows the names of a game."""


def _move(value: object) -> object:
    """Return an index, or the name of a move; read by ``record``, which knows the moves of the game."""
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str) or not re.search(LETTER, value):
        raise PydanticCustomError("not-a-move", "not a move")
    if len(value) > MAX_NAME:
        raise PydanticCustomError("string_too_long", "too long", {"max_length": MAX_NAME})
    return value


Move = Annotated[
    int | str,
    PlainValidator(_move),
    WithJsonSchema({"anyOf": [CELL, {"type": "string", "maxLength": MAX_NAME, "pattern": rf"^\s*{NAME}\s*$"}]}),
]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED), BeforeValidator(whole)]

Skill = Annotated[int, Field(ge=0, le=100), BeforeValidator(whole)]

Size = Annotated[int, Field(ge=1, le=MAX_CELLS), BeforeValidator(whole)]
Many = Annotated[int, Field(ge=1, le=MAX_SEED), BeforeValidator(whole)]

MAX_LINES = 1024
"""The most lines that can be written by hand."""


def _whole_cells(line: object) -> object:
    """Apply ``whole`` to all cells of a line at once: a request may hold 65,536 cells."""
    if isinstance(line, list) and float in map(type, line):
        return [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in line]
    return line


WrittenLine = Annotated[
    list[Annotated[int, WithJsonSchema(CELL)]],
    Field(min_length=1, max_length=MAX_CELLS),
    BeforeValidator(_whole_cells),
]

TieBreak = Literal["first", "random"]


class Request(BaseModel):
    """What every request body has in common: unknown fields are refused, null means left out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


JOINED = ("cylinder", "moebius")
"""The ways to join edges that have a name; true joins all of them."""


def _wrap(value: object) -> object:
    if not isinstance(value, bool) and value not in JOINED:
        raise PydanticCustomError("not-a-wrap", "not a way to join edges")
    return value


WrittenWrap = Annotated[
    Wrap,
    PlainValidator(_wrap),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "string", "enum": [*JOINED]}]}),
]
"""How the edges of a board are joined. Not a union, in which each of the forms would have a fault of its own."""


class GridRules(Request):
    """A game as the rules of its grid."""

    rows: Size
    columns: Size
    in_a_row: Size
    layers: Size | None = None
    gravity: bool | None = None
    misere: bool | None = None
    wrap: WrittenWrap | None = None


class LineRules(Request):
    """A game as its lines, written by hand."""

    cells: Size
    lines: Annotated[list[WrittenLine], Field(min_length=1, max_length=MAX_LINES)]
    misere: bool | None = None


def _way_to_name(game: object) -> str:
    """Return the tag of the form in which a game is given."""
    if not isinstance(game, dict):
        return "by_id"
    return "by_lines" if "lines" in game or "cells" in game else "by_grid"


GAME_FORMS: dict[str, type[Request] | None] = {"by_id": None, "by_grid": GridRules, "by_lines": LineRules}
"""The forms by their tags, which pydantic puts into the path of a fault."""

NamedGame = Annotated[
    Annotated[str, Tag("by_id")] | Annotated[GridRules, Tag("by_grid")] | Annotated[LineRules, Tag("by_lines")],
    Discriminator(_way_to_name),
]


def _way_to_tell(moves: object) -> str:
    """Return the tag of the form in which moves are given."""
    if not isinstance(moves, str):
        return "by_list"
    return "by_names" if re.search(LETTER, moves) else "by_string"


ColumnString = Annotated[str, Field(max_length=MAX_CELLS, json_schema_extra={"pattern": "^[1-9]*$"})]
"""Columns counted from 1. Read by ``record``, which knows the columns of the game and can name each wrong digit."""

NAMES = rf"^[\s,]*{NAME}([\s,]+{NAME})*[\s,]*$"
NameString = Annotated[str, Field(max_length=MAX_CELLS * 8, json_schema_extra={"pattern": NAMES})]
"""Names with commas or spaces between them. Read by ``record``, too."""

Moves = Annotated[
    Annotated[list[Move], Field(max_length=MAX_CELLS), Tag("by_list")]
    | Annotated[ColumnString, Tag("by_string")]
    | Annotated[NameString, Tag("by_names")],
    Discriminator(_way_to_tell),
]
"""A game so far: cells or columns counted from 0, their names, or a string of either."""

MOVES_FORMS = ("by_list", "by_string", "by_names")


WrittenPlayer = Annotated[
    Literal["X", "O", "x", "o"],
    WithJsonSchema({"anyOf": [{"type": "string", "enum": ["X", "O"]}, {"type": "string", "enum": ["x", "o"]}]}),
]
"""A player in either case. Not a validator of our own, which would cost each position a call."""

PLAYERS: Mapping[str | None, Player | None] = MappingProxyType({None: None, "X": "X", "x": "X", "O": "O", "o": "O"})
"""The player that is written so."""


class SearchLimit(Request):
    """How long a search may go on; whichever comes first."""

    time_ms: Many | None = None
    nodes: Many | None = None


class PositionRequest(Request):
    """A position, as a board or as the moves that led to it; without either, the empty board."""

    board: Any = None
    """Read by ``notation``, which knows the shape of the game and can name each wrong cell."""
    moves: Moves | None = None
    player: WrittenPlayer | None = None
    game: NamedGame | None = None


class ProofRequest(PositionRequest):
    """The body of ``POST /proof``."""

    limit: SearchLimit | None = None


class BestMoveRequest(PositionRequest):
    """The body of ``POST /best-move`` and ``/analysis``."""

    limit: SearchLimit | None = None
    tie_break: TieBreak | None = None
    seed: Seed | None = None
    skill: Skill | None = None


class BestMoveQuery(BestMoveRequest):
    """The query of ``GET /best-move`` and ``/analysis``, but for game and limit, which are flattened there.

    A text cannot be told from a list of one there, so a string of columns has a parameter of its own, ``drops``.
    """

    drops: ColumnString | None = None


MAX_BATCH = 1000
"""The most positions that one request can ask about."""


class BestMovesRequest(Request):
    """The body of ``POST /best-moves``. Each position is read by itself, so that a bad one spoils no other."""

    positions: Annotated[list[Any], Field(min_length=1, max_length=MAX_BATCH)]
    limit: SearchLimit | None = None


class ReviewRequest(Request):
    """The body of ``POST /review``: a game from the empty board."""

    moves: Moves
    game: NamedGame | None = None
    first_player: WrittenPlayer | None = None
    limit: SearchLimit | None = None
