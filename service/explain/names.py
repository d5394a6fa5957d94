"""What people call the cells, columns and lines of a board."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from service.games.game import Game, Line

CLASSIC_SHAPE = (3, 3, 1)
"""The rows, columns and layers of the board whose cells and lines have names."""

CLASSIC_LINES: Mapping[Line, str] = MappingProxyType(
    {
        (0, 1, 2): "the top row",
        (3, 4, 5): "the middle row",
        (6, 7, 8): "the bottom row",
        (0, 3, 6): "the left column",
        (1, 4, 7): "the middle column",
        (2, 5, 8): "the right column",
        (0, 4, 8): "the diagonal from the top left",
        (2, 4, 6): "the diagonal from the top right",
    }
)

CLASSIC_CELLS = (
    "the top left corner",
    "the top edge",
    "the top right corner",
    "the left edge",
    "the centre",
    "the right edge",
    "the bottom left corner",
    "the bottom edge",
    "the bottom right corner",
)

SUFFIXES: Mapping[int, str] = MappingProxyType({1: "st", 2: "nd", 3: "rd"})
TEENS = (11, 12, 13)


def cell_name(game: Game, cell: int) -> str:
    """Return what people call a cell: ``the centre`` of 3x3, else its number; under gravity its column.

    With several layers, that is the number that the column is played by, with its row and column on a layer.
    """
    if game.has_columns:
        return column_name(game, cell)
    if game.drop:
        return f"column {cell % game.drop} (row {game.row_of(cell)}, column {game.column_of(cell)})"
    if (game.rows, game.columns, game.layers) == CLASSIC_SHAPE:
        return CLASSIC_CELLS[cell]
    return f"cell {cell}"


def column_name(game: Game, cell: int) -> str:
    """Return the column of a cell: ``the 3rd column``, ``the middle column`` if there is one."""
    if game.columns == 1:
        return "the only column"
    column = game.column_of(cell)
    return "the middle column" if 2 * column + 1 == game.columns else f"the {ordinal(column + 1)} column"


def ordinal(number: int) -> str:
    """Return an ordinal: ``1st``, ``12th``, ``22nd``."""
    return f"{number}{'th' if number % 100 in TEENS else SUFFIXES.get(number % 10, 'th')}"


def line_name(game: Game, line: Line) -> str:
    """Return what people call a line: ``the middle row``, ``the diagonal from the top left``; else its kind and cells.

    If moves are columns, a line is named by the columns that it crosses: the move that completes it shows its height.
    """
    if game.has_columns:
        return _crossing(game, line)
    name = CLASSIC_LINES.get(line) if (game.rows, game.columns, game.layers) == CLASSIC_SHAPE else None
    return name or f"the {_kind(game, line)} {'-'.join(map(str, line))}"


def _crossing(game: Game, line: Line) -> str:
    columns = sorted({game.column_of(cell) for cell in line})
    kind = _kind(game, line)
    if len(columns) == 1:
        return f"the {'vertical line' if kind == 'column' else kind} in {column_name(game, line[0])}"
    if game.wrap:
        return f"the {kind} through {_and([f'the {ordinal(column + 1)}' for column in columns])} column"
    if kind == "diagonal":
        kind = f"{kind} {'falling' if game.column_of(line[0]) == columns[0] else 'rising'}"  # the first cell is on top
    return f"the {kind} from the {ordinal(columns[0] + 1)} to the {ordinal(columns[-1] + 1)} column"


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _kind(game: Game, line: Line) -> str:
    """Return ``row``, ``column`` or ``diagonal`` if that describes the line, else ``line``."""
    if game.in_a_row is None or game.layers > 1 or len(line) == 1:
        return "line"
    if len({game.row_of(cell) for cell in line}) == 1:
        return "row"
    return "column" if len({game.column_of(cell) for cell in line}) == 1 else "diagonal"
