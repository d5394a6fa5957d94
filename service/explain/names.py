"""Names of cells, moves and lines for people; programs use indices."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from service.games.boards.grid import Line
from service.games.game import Game
from service.games.notation.moves import joined

CLASSIC_SHAPE = (3, 3, 1)
"""The rows, columns and layers of the board on which lines have names."""

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

MOST_NAMED = 4
"""The maximum number of lines or cells in a sentence; a game given as lines can have a thousand through one cell."""


def cell_name(game: Game, cell: int) -> str:
    """Return the name of a cell: ``b3``, on the second of several layers or boards ``2:b3``.

    Where moves are columns, return the number of the column: ``4``. Cells without rows and columns, as in games given
    by their lines or on the points of picaria, have their index as name.
    """
    return game.cell_name(cell)


def move_words(game: Game, move: int) -> str:
    """Return a move as a verb phrase: ``marks b3``, ``writes O into b3``, ``drops into column 4``."""
    fields, cell = game.move_fields(move), game.cell_of(move)
    if game.upright:
        column = f"column {game.column_of(cell) + 1}"
        return f"pops a disc out of {column}" if fields.get("pop") else f"drops into {column}"
    name = cell_name(game, cell)
    if "mark" in fields:
        return f"writes {fields['mark']} into {name}"
    if "from" in fields:
        start, taken = fields["from"], fields.get("takes")
        act = (
            f"places a piece on {name}"
            if start is None
            else f"moves the piece on {cell_name(game, int(start))} to {name}"
        )
        return act if taken is None else f"{act} and takes the one on {cell_name(game, int(taken))}"
    return f"marks {name}"


def is_composite(game: Game, move: int) -> bool:
    """Return whether a move has more parts than its cell: it has a mark, moves a piece or drops a disc."""
    return game.upright or not {"mark", "from"}.isdisjoint(game.move_fields(move))


def line_name(game: Game, line: Line) -> str:
    """Return the name of a line: ``the middle row`` on 3x3, else its kind and its ends: ``the row a2-d2``.

    A line that wraps, or is given by its cells, is named by all of them. Where moves are columns, a line is named by
    the columns that it crosses: the move that completes it shows its height.
    """
    if game.has_columns:
        return _crossing(game, line)
    name = CLASSIC_LINES.get(line) if (game.rows, game.columns, game.layers) == CLASSIC_SHAPE else None
    kind = _kind(game, line)
    cells = line if game.wrap or game.numbered or kind == "group" else sorted({line[0], line[-1]})
    return name or f"the {kind} {'-'.join(cell_name(game, cell) for cell in cells)}"


def _crossing(game: Game, line: Line) -> str:
    columns = sorted({game.column_of(cell) for cell in line})
    kind = _kind(game, line)
    if len(columns) == 1:
        return f"the {'vertical line' if kind == 'column' else kind} in column {columns[0] + 1}"
    if game.wrap:
        return f"the {kind} through columns {joined([str(column + 1) for column in columns])}"
    if kind == "diagonal":
        kind = f"{kind} {'falling' if game.column_of(line[0]) == columns[0] else 'rising'}"  # its first cell is on top
    return f"the {kind} from column {columns[0] + 1} to column {columns[-1] + 1}"


def move_names(game: Game, moves: Iterable[int], conjunction: str = "and") -> str:
    """Return the names of moves joined for a sentence."""
    return _first([game.names[move] for move in moves], conjunction)


def line_names(game: Game, lines: Sequence[Line]) -> str:
    """Return the names of lines joined for a sentence."""
    return _first([line_name(game, line) for line in lines])


def _first(names: Sequence[str], conjunction: str = "and") -> str:
    """Return names joined for a sentence, with the number of those left out."""
    more = len(names) - MOST_NAMED
    return joined([*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])], conjunction)


def _kind(game: Game, line: Line) -> str:
    """Return ``row``, ``column`` or ``diagonal`` for a straight line, ``group`` for any other."""
    if game.numbered or game.layers > 1 or len(line) == 1:
        return "line"
    if len({game.row_of(cell) for cell in line}) == 1:
        return "row"
    if len({game.column_of(cell) for cell in line}) == 1:
        return "column"
    return "diagonal" if game.wrap or len({game.row_of(cell) for cell in line}) == len(line) else "group"
