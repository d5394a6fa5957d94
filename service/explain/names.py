"""The names that people read for cells, moves and lines; programs read indices."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from service.games.grid import Line
from service.games.lines import LineGame

CLASSIC_SHAPE = (3, 3, 1)
"""The rows, columns and layers of the board whose lines have names."""

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

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def cell_name(game: LineGame, cell: int) -> str:
    """Return the name of a cell: ``b3``, on the second of several layers ``2:b3``.

    Where a move is a column, return the number of the column: ``4``. A game given by its lines has no rows and
    columns; its cells are called by their indices.
    """
    if game.in_a_row is None:
        return str(cell)
    column = column_name(game, game.column_of(cell))
    if game.has_columns:
        return column
    return f"{f'{game.layer_of(cell) + 1}:' if game.layers > 1 else ''}{column}{game.row_of(cell) + 1}"


def column_name(game: LineGame, column: int) -> str:
    """Return the name of a column: a letter, ``aa`` after ``z``; where a move is a column, its number from 1."""
    return str(column + 1) if game.has_columns else letters(column)


def letters(column: int) -> str:
    """Return the letter of a column; ``aa`` follows ``z``."""
    return LETTERS[column % len(LETTERS)] * (1 + column // len(LETTERS))


def moves_by_name(game: LineGame) -> dict[str, int]:
    """Map the names of all moves to their indices: of cells, under gravity of columns.

    The names are ``b3`` and ``2:b3``; ``d`` and ``column 4`` where a move is a column; ``b3`` for a column of several
    layers; ``cell 7`` in a game given by its lines.
    """
    if game.has_columns:
        columns = range(game.columns)
        return {letters(column): column for column in columns} | {f"column {column + 1}": column for column in columns}
    if game.drop:
        return {cell_name(game, column).removeprefix("1:"): column for column in range(game.drop)}
    return {move_name(game, cell): cell for cell in range(game.cells)}


def move_name(game: LineGame, cell: int) -> str:
    """Return the name of a move within a sentence: ``b3``, ``column 4``, ``cell 7`` of a game given by its lines."""
    unit = "column " if game.has_columns else "cell " if game.in_a_row is None else ""
    return unit + cell_name(game, cell)


def line_name(game: LineGame, line: Line) -> str:
    """Return the name of a line: ``the middle row`` on 3x3, else its kind and where it is: ``the row a2-d2``.

    The two ends place a line on a grid; a line that wraps, or is given by its cells, is named by all of them. Where
    moves are columns, a line is named by the columns that it crosses: the move that completes it shows its height.
    """
    if game.has_columns:
        return _crossing(game, line)
    name = CLASSIC_LINES.get(line) if (game.rows, game.columns, game.layers) == CLASSIC_SHAPE else None
    cells = line if game.wrap or game.in_a_row is None else sorted({line[0], line[-1]})
    return name or f"the {_kind(game, line)} {'-'.join(cell_name(game, cell) for cell in cells)}"


def _crossing(game: LineGame, line: Line) -> str:
    columns = sorted({game.column_of(cell) for cell in line})
    kind = _kind(game, line)
    if len(columns) == 1:
        return f"the {'vertical line' if kind == 'column' else kind} in column {columns[0] + 1}"
    if game.wrap:
        return f"the {kind} through columns {joined([str(column + 1) for column in columns])}"
    if kind == "diagonal":
        kind = f"{kind} {'falling' if game.column_of(line[0]) == columns[0] else 'rising'}"  # the first cell is on top
    return f"the {kind} from column {columns[0] + 1} to column {columns[-1] + 1}"


def joined(names: Sequence[str], conjunction: str = "and") -> str:
    """Return names as a list within a sentence: ``b1, c2 and a3``."""
    *first, last = names
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def _kind(game: LineGame, line: Line) -> str:
    """Return ``row``, ``column`` or ``diagonal`` if that describes the line, else ``line``."""
    if game.in_a_row is None or game.layers > 1 or len(line) == 1:
        return "line"
    if len({game.row_of(cell) for cell in line}) == 1:
        return "row"
    return "column" if len({game.column_of(cell) for cell in line}) == 1 else "diagonal"
