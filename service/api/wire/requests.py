"""The requests about positions and games, of any family.

A model is validated in the context of the family's name, so that faults can say what line games accept. ``make
contract`` makes schemas from the models, with the descriptions and examples here.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    ValidationInfo,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import PydanticCustomError, PydanticKnownError
from typing_extensions import TypeAliasType

from service.api.wire.boards import Board
from service.api.wire.contract import Request, WrittenAs, about, documented, example, unread, whole
from service.api.wire.rules import RULES_BY_FAMILY, FamilyRules, GameRules, GridRules, written_forms
from service.games.catalogue import game_called
from service.games.families.lines import LineGame, Player
from service.games.game import MAX_CELLS, MOST_MOVES, Game

MAX_SEED = 2**53 - 1
"""The largest whole number that every JSON implementation reads exactly."""

CELL: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": MAX_CELLS - 1}
"""The schema of an index. The range in the given game is narrower; an error names that one."""

Cell = Annotated[int, Field(ge=0, le=MAX_CELLS - 1), BeforeValidator(whole)]

MAX_NAME = 16
"""The maximum characters of the name of a move."""

LETTER = "[A-Za-z]"
"""Every name of a move has a letter."""

COUNTED = r"\s*(?:[0-9]{1,2}|\(\s*[0-9]{1,2}\s*,\s*[0-9]{1,2}\s*\))\s*"
"""A number, or a row and a column, in a text that may count from 0 or from 1."""


def is_about_lines(info: ValidationInfo) -> bool:
    """Return whether a request is about a line game: its context of validation is the family of its game, or None."""
    return info.context in (None, LineGame.family)


def _move(value: object, info: ValidationInfo) -> object:
    """Return a number or the name of a move, which is read later, when the game is known."""
    if type(value) is int and 0 <= value <= MAX_SEED:  # the most common case first
        return value
    about_lines = is_about_lines(info)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is int and (about_lines or 0 <= value <= MAX_SEED):
        return value
    if not isinstance(value, str) or (about_lines and not re.search(f"{LETTER}|^{COUNTED}$", value)):
        raise PydanticCustomError("not-a-move" if about_lines else "not-a-name", "not a move")
    if len(value) > MAX_NAME:
        raise PydanticCustomError("string_too_long", "too long", {"max_length": MAX_NAME})
    return value


Move = TypeAliasType(
    "Move",
    Annotated[
        int | str,
        PlainValidator(_move),
        documented(
            {
                "anyOf": [
                    {"type": "integer", "minimum": 0, "maximum": MAX_SEED},
                    {"type": "string", "maxLength": MAX_NAME},
                ]
            },
            "A move by its number or its name, in either case. Numbers count cells, or the columns of a line game with "
            "gravity, from 0. A text such as `4` or `(1,1)` in a line game is refused if it can be read in two ways. "
            "The name is that of answers, or, except in `pop-out`, one with the names of cells that reasons use.\n\n"
            + written_forms(
                f"in most games: {Game.move_form}; in line games with gravity the column", lambda game: game.move_form
            ),
        ),
    ],
)
Seed = Annotated[int, Field(ge=0, le=MAX_SEED), BeforeValidator(whole)]

Skill = Annotated[int, Field(ge=0, le=100), BeforeValidator(whole)]

Size = Annotated[int, Field(ge=1, le=MAX_CELLS), BeforeValidator(whole)]
Many = Annotated[int, Field(ge=1, le=MAX_SEED), BeforeValidator(whole)]

MAX_LINES = 1024
"""The maximum number of lines of a game given by its lines."""


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

TieBreak = TypeAliasType(
    "TieBreak",
    Annotated[
        Literal["first", "random", "hardest"],
        about(
            "How to choose among equally good moves. `first`, the default, chooses the move with the lowest index; "
            "`random` chooses any of them; `hardest` chooses the one that is hardest to answer.",
            example="first",
        ),
    ],
)


Prove = TypeAliasType(
    "Prove",
    Annotated[
        Literal["outcome", "distance"],
        about(
            "What to prove. `distance`, the default, is the outcome, its distance and the line of best play. With "
            "`outcome` the search ends as soon as the outcome is proven, with a move that keeps it.",
            example="outcome",
        ),
    ],
)


class LineRules(Request):
    """A game with a list of lines. No other lines count, and the board has one row."""

    model_config = example({"cells": 4, "lines": [[0, 1, 2], [0, 3]]})

    cells: Annotated[Size, about("The number of cells.", example=4)]
    lines: Annotated[
        list[WrittenLine],
        Field(min_length=1, max_length=MAX_LINES),
        about("The lines, each as the indices of its cells.", example=[[0, 1, 2], [0, 3]]),
    ]
    misere: Annotated[bool | None, about("Whether the player who completes a line loses.", example=False)] = None


def family_named(named: object) -> str:
    """Return the family of the ``game`` of a request, given by name or by rules; line games by default."""
    if isinstance(named, str):
        game = game_called(named)
        return LineGame.family if game is None else game.family
    return str(named.get("family") or LineGame.family) if isinstance(named, dict) else LineGame.family


def _way_to_name(game: object) -> str:
    """Return the tag of the form of a game."""
    if not isinstance(game, dict):
        return "by_id"
    if family_named(game) != LineGame.family:
        return "by_family"
    return "by_lines" if "lines" in game or "cells" in game else "by_grid"


GAME_FORMS: Mapping[str, type[Request] | None] = MappingProxyType(
    {"by_id": None, "by_grid": GridRules, "by_lines": LineRules, "by_family": None, **RULES_BY_FAMILY}
)
"""The forms of a game by their tags, which pydantic puts into the path of a fault; rules of a family have two."""

NamedGame = TypeAliasType(
    "NamedGame",
    Annotated[
        Annotated[str, Tag("by_id")]
        | Annotated[GameRules, WrittenAs(GridRules), Tag("by_grid")]
        | Annotated[LineRules, Tag("by_lines")]
        | Annotated[FamilyRules, Tag("by_family")],
        Discriminator(_way_to_name),
        about(
            "A game, given as the id or the name of a game of the catalogue however it is spelled, by the rules of its "
            "grid, by its lines, or by the rules of its family.",
            example="tic-tac-toe",
        ),
    ],
)


ColumnString = TypeAliasType(
    "ColumnString",
    Annotated[
        str,
        Field(max_length=MAX_CELLS, json_schema_extra={"pattern": "^[1-9]*$"}),
        about(
            "The columns in the order of the moves, one digit each, counted from 1 at the left. This is the usual "
            "notation of Connect Four. Only for games with gravity, one layer and at most 9 columns. For example "
            "`44455`.",
        ),
    ],
)
"""Read by ``record``, which knows the columns of the game and can name each wrong digit."""

LONGEST_RECORD, LONGEST_NAMES = 8 * MOST_MOVES, 8 * MAX_CELLS
"""The maximum characters of a string of moves, and of names in line games; their columns have a digit each."""


def _within(value: object, info: ValidationInfo) -> object:
    """Return moves if they are not more than a line game can have."""
    if isinstance(value, list | str) and len(value) > MAX_CELLS and is_about_lines(info):
        if isinstance(value, list):
            lengths = {"field_type": "List", "max_length": MAX_CELLS, "actual_length": len(value)}
            raise PydanticKnownError("too_long", lengths)
        most = LONGEST_NAMES if re.search(LETTER, value) else MAX_CELLS
        if len(value) > most:
            raise PydanticKnownError("string_too_long", {"max_length": most})
    return value


Moves = TypeAliasType(
    "Moves",
    Annotated[
        Annotated[list[Move], Field(max_length=MOST_MOVES), Tag("by_list")]
        | Annotated[str, Field(max_length=LONGEST_RECORD), Tag("by_text")],
        Discriminator(lambda moves: "by_text" if isinstance(moves, str) else "by_list"),
        BeforeValidator(_within),
        about(
            "The moves from the initial position, in a list, or in a string with commas or spaces between them. A "
            "list holds numbers, counted from 0, or names. In a line game with gravity it holds column indices, as in "
            "`column` of the answer; with gravity on several layers, a column index is `row` times the number of "
            "columns plus `column`. A string of digits holds columns counted from 1, as is usual for Connect Four, so "
            "`443` means `[3, 3, 2]`; only for games with gravity, one layer and at most 9 columns.",
            example=[4, 0, 8],
        ),
    ],
)
"""Read later, when the game is known, so that each wrong move can be named."""

MOVES_FORMS = ("by_list", "by_text")

PLAYERS: Mapping[str | None, Player | None] = MappingProxyType({None: None, "X": "X", "x": "X", "O": "O", "o": "O"})
"""The players of line games by their spellings."""


def _player(value: object, info: ValidationInfo) -> object:
    """Return a player; refuse one that line games do not have. Those of other games are read when the game is known."""
    if value not in ("X", "O", "x", "o") and is_about_lines(info):
        raise PydanticKnownError("literal_error", {"expected": "'X', 'O', 'x' or 'o'"})
    return value


def for_lines(value: object, info: ValidationInfo) -> object:
    """Return the value of a field for line games; refuse it for other games."""
    if value is not None and not is_about_lines(info):
        raise PydanticCustomError("for-lines", "for line games")
    return value


WrittenPlayer = Annotated[str, Field(max_length=MAX_NAME), BeforeValidator(_player)]
"""A player of the game, in either case."""

FirstPlayer = Annotated[WrittenPlayer | None, BeforeValidator(for_lines)]
"""The player of a line game who moves first; other families accept only None."""


class SearchLimit(Request):
    """The limits of a search. The search stops at the limit that it reaches first.

    ``GET /version`` returns the default and the largest limits.
    """

    model_config = example({"time_ms": 1000})

    time_ms: Annotated[Many | None, about("The time that the search can take, in milliseconds.", example=1000)] = None
    nodes: Annotated[
        Many | None,
        about(
            "The number of positions that the search can visit. A node-limited answer is reproducible and does not "
            "depend on earlier requests, unless it takes longer than the longest time limit of the service. Symmetric "
            "positions can differ in whether their answers are proven. So can services with different opening books "
            "(see `GET /version`).",
            example=100000,
        ),
    ] = None
    prove: Annotated[Prove | None, about("What to prove.", example="outcome")] = None


Limited = Annotated[SearchLimit | None, about("The limits of the search.", example={"time_ms": 1000})]


class SearchOptions(Request):
    """How to search a position, and how to choose among its moves."""

    limit: Limited = None
    tie_break: Annotated[TieBreak | None, about("How to choose among equally good moves.", example="first")] = None
    seed: Annotated[
        Seed | None,
        about(
            "The seed that makes a random choice repeatable. If a random choice needs a seed and none is given, the "
            "service chooses one and returns it.",
            example=7,
        ),
    ] = None
    skill: Annotated[
        Skill | None,
        about(
            "The playing strength. 100, the default, is perfect play; 0 is nearly random. A weaker player overlooks "
            "distant results sooner than near ones. The choice is random, so `seed` applies. Without a `limit`, "
            "`/best-move` spends only a short search on what the move leads to.",
            example=100,
        ),
    ] = None


class PositionRequest(Request):
    """A position, as a board or as the moves that led to it; without either, the empty board."""

    board: Annotated[
        Board | None,
        WrapValidator(unread),
        about(
            "The board. Send either `board` or `moves`, or neither for the empty board.",
            example=["O", 1, "X", "X", 4, "X", 6, "O", "O"],
        ),
    ] = None
    moves: Annotated[
        Moves | None,
        about(
            "The moves from the initial position, instead of `board`: a list of cells, a list of columns in a line "
            "game with gravity, a string of columns, or names. X moves first unless `player` says otherwise.",
            example=[4, 0, 8],
        ),
    ] = None
    player: Annotated[
        WrittenPlayer | None,
        about(
            "The player to move, in either case. By default it is the player with fewer marks, or X if the counts are "
            "equal. If the game is over, it is the player without a line. In games of other families it is needed only "
            "where the board does not tell it: once all pieces are placed or all marks are written.",
            example="X",
        ),
    ] = None
    game: Annotated[NamedGame | None, about("The game; `tic-tac-toe` by default.", example="tic-tac-toe")] = None


class ProofRequest(PositionRequest):
    """A position whose outcome is to be certified, as ``board`` or as ``moves``. Without both it is the empty board."""

    model_config = example({"board": "XO......."})

    limit: Limited = None


class BestMoveRequest(SearchOptions, PositionRequest):
    """A position, given as ``board`` or as ``moves``, and how to search it.

    Without both it is the initial position. A null field counts as missing. The service refuses unknown fields.
    """

    model_config = example({"board": ["O", 1, "X", "X", 4, "X", 6, "O", "O"]})


class BestMoveQuery(BestMoveRequest):
    """The query of ``GET /best-move`` and ``/analysis``, but for game and limit, which are flattened there.

    A query cannot distinguish a text from a list of one, so a string of columns has a parameter of its own, ``drops``.
    """

    drops: Annotated[ColumnString | None, BeforeValidator(for_lines)] = None


MAX_BATCH = 1000
"""The maximum number of positions in one request."""


class ReviewRequest(Request):
    """A game from its initial position, finished or not."""

    model_config = example({"moves": [0, 4, 8, 2, 6, 3, 7]})

    moves: Annotated[
        Moves, about("The moves, in the same form as for `POST /best-move`.", example=[0, 4, 8, 2, 6, 3, 7])
    ]
    game: Annotated[NamedGame | None, about("The game; `tic-tac-toe` by default.", example="tic-tac-toe")] = None
    first_player: Annotated[
        FirstPlayer, about("The player of a line game who made the first move; X by default.", example="X")
    ] = None
    limit: Annotated[
        SearchLimit | None,
        about("The limits of the searches for all moves together.", example={"time_ms": 1000}),
    ] = None
