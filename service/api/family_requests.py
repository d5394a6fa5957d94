"""The requests about games of other families than lines: their ``game`` is one, by its id or by its rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Discriminator, Field, PlainValidator, Tag, WrapValidator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from service.api.contract import Request, about, documented, example, unread
from service.api.family_notation import LONGEST_BOARD, MOST_MOVES
from service.api.requests import MAX_NAME, MAX_SEED, BestMoveRequest, ReviewRequest, SearchLimit, SearchOptions
from service.api.rules import IN_QUERY, RULES_BY_FAMILY, FamilyRules
from service.games.catalogue import STATE_GAMES
from service.games.lines import LineGame

LONGEST_RECORD = 8 * MOST_MOVES
"""Characters of the longest string of moves."""


def names_family(named: object) -> bool:
    """Return whether the ``game`` of a request is a game of a family, rather than a line game or nothing."""
    if isinstance(named, str):
        return named in STATE_GAMES
    return isinstance(named, dict) and named.get("family") not in (None, LineGame.family)


def _way_to_name(game: object) -> str:
    return "by_family" if isinstance(game, dict) else "by_id"


FamilyChoice = TypeAliasType(
    "FamilyChoice",
    Annotated[
        Annotated[str, Tag("by_id")] | Annotated[FamilyRules, Tag("by_family")],
        Discriminator(_way_to_name),
        about(
            "A game of a family, given as the id of a game of the catalogue, or by its rules.",
            example="wild-tic-tac-toe",
        ),
    ],
)


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


FamilyMove = TypeAliasType(
    "FamilyMove",
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
            """A move by its name, in either case, or by its cell where that says all. Cells and columns are
            counted from zero.
            The name is that of answers, or, except in `pop-out`, one with the names of cells that reasons use.

            - `wild` and `order-and-chaos`: the mark and the cell, such as `X4` or `Xb2`;
            - `numerical`: the digit and the cell, such as `5@4`, `5@b2` or `5b2`;
            - `notakto`: the cell, such as 4 or `b2`; on several boards the board and the cell, such as `1.4`, or the
              `move` of answers, such as 13;
            - `vanishing` and `exactly`: the cell, such as 4 or `b2`;
            - `morris`: the point of a piece that is placed, or both points of a move, such as `0>1`, `0-1`, `a1-b1` or
              `a1b1`; the 13 points of picaria have numbers only;
            - `pop-out`: `d3` drops a disc into column 3, `p3` takes one out of it.
            """,
        ),
    ],
)


def _way_to_tell(moves: object) -> str:
    return "by_names" if isinstance(moves, str) else "by_list"


FamilyMoves = TypeAliasType(
    "FamilyMoves",
    Annotated[
        Annotated[list[FamilyMove], Field(max_length=MOST_MOVES), Tag("by_list")]
        | Annotated[str, Field(max_length=LONGEST_RECORD), Tag("by_names")],
        Discriminator(_way_to_tell),
        about(
            "The moves from the initial position, in a list, or in a string with commas or spaces between them.",
            example=["X4", "O0"],
        ),
    ],
)

FamilyPlayer = Annotated[str, Field(max_length=MAX_NAME)]
"""A player of the game, in either case."""

Part = str | int | None

FamilyBoard = TypeAliasType(
    "FamilyBoard",
    Annotated[
        Annotated[str, Field(max_length=LONGEST_BOARD)] | list[Part | list[Part]],
        about(
            """A position as the family writes it, or its cells or rows in a list. null is an empty cell. Boards of `X`
            and `O` are read with the signs of line games too, such as `R` and `Y`, or 1, -1 and 0; in `numerical`, 0 is
            an empty cell.

            - `wild` and `order-and-chaos`: `X`, `O` or `.` for each cell, row by row;
            - `notakto`: `X` or `.` for each cell, with a slash between boards;
            - `numerical`: a digit or `.` for each cell;
            - `vanishing`: the cells of each player from the oldest mark to the newest, such as `X0-4-7/O8-1`;
            - `morris` and `exactly`: `X`, `O` or `.` for each point or cell;
            - `pop-out`: `X`, `O` or `.` for each cell, from the top row to the bottom row.
            """,
            example="X...O....",
        ),
    ],
)
"""Read by ``family_notation``, which knows how the family writes its positions."""


class FamilyPositionRequest(Request):
    """A position of a game of a family; without board and moves, the initial one."""

    game: FamilyChoice
    board: Annotated[
        FamilyBoard | None,
        WrapValidator(unread),
        about(
            "The position. Send either `board` or `moves`, or neither for the initial position.", example="X0-4/O8-2"
        ),
    ] = None
    moves: Annotated[
        FamilyMoves | None,
        about("The moves from the initial position, instead of `board`.", example=["X4", "O0"]),
    ] = None
    player: Annotated[
        FamilyPlayer | None,
        about(
            "The player to move, in either case. Needed only where the board does not tell it: once all pieces are "
            "placed or all marks are written.",
            example="X",
        ),
    ] = None


class FamilyBestMoveRequest(SearchOptions, FamilyPositionRequest):
    """A position of a game of a family, given as ``board`` or as ``moves``, and how to choose its best move.

    Without both it is the initial position. A null field counts as missing. The service refuses unknown fields.
    """

    model_config = example({"game": "wild-tic-tac-toe", "moves": ["X4", "O0"]})


class FamilyBestMoveQuery(FamilyBestMoveRequest):
    """The query of ``GET /best-move`` and ``/analysis``, but for game and limit, which are flattened there."""


class FamilyReviewRequest(Request):
    """A game of a family from its initial position, finished or not."""

    model_config = example({"game": "wild-tic-tac-toe", "moves": ["X4", "O0"]})

    game: FamilyChoice
    moves: FamilyMoves
    limit: Annotated[
        SearchLimit | None,
        about("The limits of the searches for all moves together.", example={"time_ms": 1000}),
    ] = None


AnyBestMoveRequest = TypeAliasType(
    "AnyBestMoveRequest",
    Annotated[
        BestMoveRequest | FamilyBestMoveRequest,
        about(
            "A position of a line game, or of a game of a family. It is one of a family if its `game` is an id of "
            "such a game or has the field `family`.",
            example={"board": ["O", 1, "X", "X", 4, "X", 6, "O", "O"]},
        ),
    ],
)

AnyReviewRequest = TypeAliasType(
    "AnyReviewRequest",
    Annotated[
        ReviewRequest | FamilyReviewRequest,
        about("A line game, or a game of a family, to review.", example={"moves": [0, 4, 8, 2, 6, 3, 7]}),
    ],
)


FAMILY_FORMS = frozenset({"by_id", "by_family", *RULES_BY_FAMILY})
"""All that pydantic puts after ``game`` into the path of a fault."""

PARAMETERS: Mapping[str, str] = MappingProxyType(
    {IN_QUERY.get(name, name): name for model in RULES_BY_FAMILY.values() for name in model.model_fields}
)
"""The parameters of all families by what they are called in a query."""
