"""Boards in requests: texts, flat lists, and nested rows and layers."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypeAliasType

from service.api.wire.contract import about
from service.api.wire.rules import written_forms
from service.games.game import MAX_CELLS, MOST_CELLS, Game

LONGEST_BOARD = 256
"""The maximum characters of a position that is not written cell by cell."""

LONGEST_DRAWING = 1280
"""The maximum characters of a drawn board: 8 rows of 8 cells take 560, nine boards with their titles 1,192."""

MARKS = r"^([XxOoRrYy×✕○ .\-_+·0-9]|(❌|✖|⭕|🔴|🟡|🔵|🟥|🟨|🟦|⬜|⬛|⚪|⚫)\uFE0F?)?$"  # noqa: RUF001
"""Marks and empty cells in the contract; only ``signs`` reads them."""

Mark = TypeAliasType(
    "Mark",
    Annotated[
        Annotated[str, Field(json_schema_extra={"pattern": MARKS})]
        | Annotated[int, Field(ge=-1, le=MOST_CELLS - 1)]
        | None,
        about(
            """A mark or an empty cell.

            - A mark of X is `X`, `\N{MULTIPLICATION SIGN}`, `✕`, `R` (red), `❌`, `✖`, `🔴` or `🟥`.
            - A mark of O is `O`, `○`, `Y` (yellow), `⭕`, `🟡`, `🟨`, `🔵` or `🟦`.
            - An empty cell is `null`, `""`, a space, `.`, `-`, `_`, `+`, `·`, `⬜`, `⬛`, `⚪` or `⚫`.
            - A number is the index of the cell if that is empty; or 1 for X, -1 or 2 for O, and 0 for an empty cell.

            Letters can be in either case. A digit in a string is a number. All numbers of a board are read in one way:
            as indices, or as marks. A player has one sign on a board. The service refuses a board with two readings and
            names both.
            """,
            example="X",
        ),
    ],
)

BoardText = TypeAliasType(
    "BoardText",
    Annotated[
        str,
        Field(max_length=LONGEST_DRAWING),
        about(
            "A board, a layer or a row as a string. In a string, rows can be separated by `/` or a newline. A board "
            "can also be drawn: with spaces or bars between cells, lines between rows, the names of rows and columns, "
            "or in a code fence.",
            example="X../.O./...",
        ),
    ],
)

BoardRow = TypeAliasType(
    "BoardRow",
    Annotated[
        BoardText | Annotated[list[Mark], Field(min_length=1, max_length=MOST_CELLS)],
        about("A row, as a list of cells or as a string.", example=["X", None, None]),
    ],
)

BoardLayer = TypeAliasType(
    "BoardLayer",
    Annotated[
        BoardText | Annotated[list[BoardRow], Field(min_length=1, max_length=MAX_CELLS)],
        about("A layer, as a list of rows or as a string.", example=["X..", ".O.", "..."]),
    ],
)

Board = TypeAliasType(
    "Board",
    Annotated[
        BoardText
        | Annotated[list[Mark], Field(min_length=1, max_length=MOST_CELLS + 1)]
        | Annotated[list[BoardRow], Field(min_length=1, max_length=MAX_CELLS)]
        | Annotated[list[BoardLayer], Field(min_length=1, max_length=MAX_CELLS)],
        about(
            "The board as a flat list of cells, as a list of rows (layers of rows in three dimensions), or as a "
            "string. A row is a list or a string. In a string, rows can be separated by `/` or a newline, and the "
            "layers follow one another. Rows and layers are listed from the top. With gravity, marks fall to the last "
            "row; on boards of several layers they fall to the last layer. Some families have a text of their own:\n\n"
            + written_forms(f"most families: {Game.board_form}", lambda game: game.board_form),
            example=["O", 1, "X", "X", 4, "X", 6, "O", "O"],
        ),
    ],
)
"""Read later, when the game is known, so that each wrong cell can be named."""
