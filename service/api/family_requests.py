"""The wire models of requests about games of families. ``openapi.yaml`` says the same; a test compares them.

A request is one of these if its ``game`` is a game of a family, by its id or by its rules.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Discriminator, Field, PlainValidator, Tag, WithJsonSchema
from pydantic_core import PydanticCustomError

from service.api.family_notation import MOST_MOVES
from service.api.family_rules import FamilyRules
from service.api.requests import MAX_NAME, MAX_SEED, Request, SearchLimit, Seed, Skill, TieBreak
from service.families.catalogue import FAMILY_GAMES

LONGEST_RECORD = 8 * MOST_MOVES
"""Characters of the longest string of moves."""


def names_family(named: object) -> bool:
    """Return whether the ``game`` of a request is a game of a family, rather than a line game or nothing."""
    return named in FAMILY_GAMES if isinstance(named, str) else isinstance(named, dict) and "family" in named


def _way_to_name(game: object) -> str:
    return "by_family" if isinstance(game, dict) else "by_id"


FamilyChoice = Annotated[
    Annotated[str, Tag("by_id")] | Annotated[FamilyRules, Tag("by_family")], Discriminator(_way_to_name)
]
"""A game of a family, as its id in the catalogue or as its rules."""


def _move(value: object) -> object:
    """Return the name of a move, a number or a text; read later, where the game is known."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int and not isinstance(value, str):
        raise PydanticCustomError("not-a-name", "not the name of a move")
    if isinstance(value, str) and len(value) > MAX_NAME:
        raise PydanticCustomError("string_too_long", "too long", {"max_length": MAX_NAME})
    if isinstance(value, int) and not 0 <= value <= MAX_SEED:
        raise PydanticCustomError("not-a-name", "not the name of a move")
    return value


FamilyMove = Annotated[
    int | str,
    PlainValidator(_move),
    WithJsonSchema(
        {"anyOf": [{"type": "integer", "minimum": 0, "maximum": MAX_SEED}, {"type": "string", "maxLength": MAX_NAME}]}
    ),
]


def _way_to_tell(moves: object) -> str:
    return "by_names" if isinstance(moves, str) else "by_list"


FamilyMoves = Annotated[
    Annotated[list[FamilyMove], Field(max_length=MOST_MOVES), Tag("by_list")]
    | Annotated[str, Field(max_length=LONGEST_RECORD), Tag("by_names")],
    Discriminator(_way_to_tell),
]
"""A game so far: the names of the moves in a list, or in a string with commas or spaces between them."""

FamilyPlayer = Annotated[str, Field(max_length=MAX_NAME)]
"""A player of the game, in either case."""


class FamilyPositionRequest(Request):
    """A position of a game of a family; without board and moves, the initial one."""

    game: FamilyChoice
    board: Any = None
    """Read by ``family_notation``, which knows how the family writes its positions."""
    moves: FamilyMoves | None = None
    player: FamilyPlayer | None = None


class FamilyBestMoveRequest(FamilyPositionRequest):
    """The body of ``POST /best-move`` and ``/analysis`` about a game of a family."""

    limit: SearchLimit | None = None
    tie_break: TieBreak | None = None
    seed: Seed | None = None
    skill: Skill | None = None


class FamilyBestMoveQuery(FamilyBestMoveRequest):
    """The query of ``GET /best-move`` and ``/analysis``, but for game and limit, which are flattened there."""


class FamilyReviewRequest(Request):
    """The body of ``POST /review`` about a game of a family, from its initial position."""

    game: FamilyChoice
    moves: FamilyMoves
    limit: SearchLimit | None = None


RULES = FamilyRules.__origin__.__args__  # type: ignore[attr-defined]  # Annotated has it
"""The models of the rules of all families."""

RULES_BY_FAMILY: Mapping[str, type[Request]] = MappingProxyType(
    {model.model_fields["family"].annotation.__args__[0]: model for model in RULES}
)
"""The model of the rules of each family by its name, which pydantic puts into the path of a fault."""

FAMILY_FORMS = frozenset({"by_id", "by_family", *RULES_BY_FAMILY})
"""All that pydantic puts after ``game`` into the path of a fault."""

RENAMED: Mapping[str, str] = MappingProxyType({"moves": "piece_moves"})
"""Parameters of rules whose names mean something else in a query, and what they are called there."""

PARAMETERS: Mapping[str, str] = MappingProxyType(
    {RENAMED.get(name, name): name for model in RULES for name in model.model_fields}
)
"""The parameters of all families by what they are called in a query."""
