"""The arguments of the tools, as JSON schemas for models.

They are looser and shorter than those of the contract, because each model has every list of tools in its context. The
routes validate the arguments, and return a sentence about each fault.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from service.api.wire.contract import choices
from service.api.wire.requests import Prove, TieBreak

Schema = dict[str, Any]


def _one_of(*types: str) -> list[Schema]:
    return [{"type": name} | ({"items": {}} if name == "array" else {}) for name in types]


_MOVE = _one_of("string", "integer")

ARGUMENTS: Mapping[str, Schema] = MappingProxyType(
    {
        "game": {
            "description": "Id or name of a game, such as connect-four; list_games lists them. Or rules, such as "
            '{"rows": 4, "columns": 4, "in_a_row": 3, "gravity": false}. By default tic-tac-toe.',
            "anyOf": _one_of("string", "object"),
        },
        "board": {
            "description": "The cells row by row from the top left: X, O, and . for empty, such as X...O...., or a "
            "list of them or of rows. Give board or moves; without both the board is empty.",
            "anyOf": _one_of("string", "array"),
        },
        "moves": {
            "description": 'The moves so far, X first: names such as "b2 a1" (column letter, row from the top), or a '
            'list of cells counted from 0. In Connect Four a string of columns counted from 1, such as "4453".',
            "anyOf": _one_of("string", "array"),
        },
        "player": {
            "description": "The player to move; needed only if the marks do not tell.",
            "type": "string",
        },
        "limit": {
            "description": "Limit of the search; by default 5 seconds.",
            "type": "object",
            "properties": {
                "time_ms": {"type": "integer"},
                "nodes": {"type": "integer"},
                "prove": {"type": "string", "enum": choices(Prove)},
            },
        },
        "skill": {
            "description": "Playing strength from 0 (random) to 100 (perfect, the default), for a weaker opponent.",
            "type": "integer",
        },
        "tie_break": {
            "description": "Choice among equally good moves: the first (default), at random, or hardest to answer.",
            "type": "string",
            "enum": choices(TieBreak),
        },
        "seed": {"description": "Makes a random choice repeatable.", "type": "integer"},
        "first_player": {"description": "The player who began; by default X.", "type": "string"},
        "goal": {
            "description": "win: exactly one move wins; hold: exactly one move holds the draw. By default win.",
            "type": "string",
            "enum": ["win", "hold"],
        },
        "plies": {
            "description": "Plies of the solution; a ply is one move by one player.",
            "type": "integer",
        },
        "plies_at_least": {"description": "The least number of plies of the solution.", "type": "integer"},
        "plies_at_most": {"description": "The greatest number of plies of the solution.", "type": "integer"},
        "count": {"description": "How many puzzles; at most 10.", "type": "integer"},
        "solution": {"description": "Whether to tell the solution.", "type": "boolean"},
        "solved": {"description": "Whether to list solved variants of all rules too.", "type": "boolean"},
    }
)
"""The arguments of routes."""

COMPARE: Schema = {
    "description": 'The moves to compare, as in moves: ["b2", "a1"]; in Connect Four ["column 4", "column 1"].',
    "type": "array",
    "items": {"anyOf": _MOVE},
    "minItems": 1,
}
"""The argument of ``compare_moves`` beyond those of routes."""

MOVE: Schema = {
    "description": 'The move to explain, such as "b2", in Connect Four "column 4"; by default the best one.',
    "anyOf": _MOVE,
}
"""The argument of ``explain_move`` beyond those of routes."""

POSITION = ("game", "board", "moves", "player")


def described(*names: str, required: tuple[str, ...] = (), **own: Schema) -> Schema:
    """Return the schema of the arguments of a tool: those of routes, and its own."""
    properties = own | {name: ARGUMENTS[name] for name in names}
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}
