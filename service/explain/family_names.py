"""The words for cells, lines and moves of games of families: marks, pieces, discs and digits."""

from collections.abc import Sequence

from service.explain.names import CLASSIC_LINES, letters
from service.games.game import Game
from service.games.grid import Line

CLASSIC_SHAPE = (3, 3)


def cell_words(game: Game, cell: int) -> str:
    """Return the name of a cell: ``b3``; its number where points are in no rows. The rows of all boards count on."""
    if has_numbered_points(game):
        return str(cell)
    return f"{letters(game.column_of(cell))}{game.row_of(cell) + 1}"


def has_numbered_points(game: Game) -> bool:
    """Return whether pieces stand on points that are in no rows and columns, as in picaria."""
    return game.rows == 1 and "points" in game.parameters


def line_words(game: Game, line: Line) -> str:
    """Return the name of a line: ``the middle row`` on 3x3, else its kind and its cells: ``the row a2-b2-c2``."""
    name = CLASSIC_LINES.get(line) if (game.rows, game.columns) == CLASSIC_SHAPE else None
    return name or f"the {_kind(game, line)} {'-'.join(cell_words(game, cell) for cell in line)}"


def _kind(game: Game, line: Sequence[int]) -> str:
    if game.rows == 1:
        return "line"
    if len({game.row_of(cell) for cell in line}) == 1:
        return "row"
    return "column" if len({game.column_of(cell) for cell in line}) == 1 else "diagonal"


def move_words(game: Game, move: int) -> str:
    """Return what a player does with a move: ``writes O into b3``, ``moves the piece on a1 to b1``.

    Columns are counted from 1, as in Connect Four.
    """
    fields, cell = game.move_fields(move), cell_words(game, game.cell_of(move))
    if "mark" in fields:
        return f"writes {fields['mark']} into {cell}"
    if "pop" in fields:
        column = game.column_of(game.cell_of(move)) + 1
        return f"pops a disc out of column {column}" if fields["pop"] else f"drops a disc into column {column}"
    if "from" in fields:
        start = fields["from"]
        return f"places a piece on {cell}" if start is None else f"moves the piece on {_start(game, start)} to {cell}"
    return f"marks {cell}"


def _start(game: Game, cell: object) -> str:
    return cell_words(game, int(str(cell)))


def tells_more_than_its_cell(game: Game, move: int) -> bool:
    """Return whether the cell of a move does not say all about it."""
    return not {"mark", "pop", "from"}.isdisjoint(game.move_fields(move))
