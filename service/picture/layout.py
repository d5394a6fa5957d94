"""The places of a board's cells in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isqrt

from service.games.boards.grid import Line
from service.games.game import Game
from service.games.surface import Surface

CELL = 100
"""The side of a cell; all lengths are in this unit."""

NAMES = 56
"""The space for the names of rows and columns."""

HEADING = 60
"""The space for the name of a layer."""

GAP = 56
"""The gap between two layers."""

WIDEST_ROW = 8
"""The maximum cells in the single row of a game given by its lines; larger ones get a nearly square board."""

BEST_RATIO = 1.2
"""The preferred ratio of width to height for several layers: slightly wider than high."""

UNNAMED = 3
"""The maximum rows and columns of boards whose cells need no names."""

QUARTER = 80
"""A quarter of the side of a board with points: marks on neighbouring points do not touch."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A layer, or one of several boards: its left and top, and its name if it has one."""

    x: int
    y: int
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a board: ``rows`` by ``columns`` cells on each of its ``sheets``, at these ``corners``.

    Columns and rows have no names if cells need none. ``numbered``: cells show their numbers. ``upright``: marks are
    discs behind a board with holes. ``joined``: opposite edges are joined. ``point_lines``: the lines between points,
    on boards with points in place of cells.
    """

    rows: int
    columns: int
    sheets: Sequence[Sheet]
    corners: Sequence[tuple[int, int]]
    width: int
    height: int
    column_names: Sequence[str] = ()
    row_names: Sequence[str] = ()
    numbered: bool = False
    upright: bool = False
    joined: bool = False
    point_lines: Sequence[Line] = ()

    def corner(self, cell: int) -> tuple[int, int]:
        """Return the left and the top of a cell."""
        return self.corners[cell]

    def centre(self, cell: int) -> tuple[int, int]:
        """Return the centre of a cell."""
        x, y = self.corners[cell]
        return x + CELL // 2, y + CELL // 2


def lay_out(game: Game) -> Layout:
    """Return the layout of a game; cells without rows and columns form a block of numbered cells."""
    surface = game.surface
    if surface.points:
        return _on_points(surface)
    if game.numbered:
        columns = game.cells if game.cells <= WIDEST_ROW else isqrt(game.cells - 1) + 1
        return _arranged(ceil(game.cells / columns), columns, [""], numbered=True, cells=game.cells)
    has_names = bool(surface.sheets[0]) or max(surface.rows, surface.columns) > UNNAMED
    names = (surface.column_names, surface.row_names) if has_names else ((), ())
    upright, joined = game.upright, bool(game.wrap)
    return _arranged(surface.rows, surface.columns, surface.sheets, *names, upright=upright, joined=joined)


def _on_points(surface: Surface) -> Layout:
    """Return the layout of a board with points; its lines are four quarters long."""
    corners = [(column * QUARTER, row * QUARTER) for row, column in surface.points]
    side = 4 * QUARTER + CELL
    return Layout(
        surface.rows, surface.columns, [Sheet(0, 0, "")], corners, side, side, point_lines=surface.point_lines
    )


def _arranged(  # noqa: PLR0913, the properties of a board
    rows: int,
    columns: int,
    sheet_names: Sequence[str],
    column_names: Sequence[str] = (),
    row_names: Sequence[str] = (),
    *,
    cells: int | None = None,
    numbered: bool = False,
    upright: bool = False,
    joined: bool = False,
) -> Layout:
    """Return the layers side by side and in rows, so that the picture is neither too wide nor too high."""
    left = NAMES if row_names else 0
    top = HEADING if sheet_names[0] else 0
    width = left + columns * CELL
    height = top + rows * CELL + (NAMES if column_names else 0)
    count = len(sheet_names)

    def size(across: int) -> tuple[int, int]:
        down = ceil(count / across)
        return across * width + (across - 1) * GAP, down * height + (down - 1) * GAP

    def distortion(across: int) -> float:
        ratio = size(across)[0] / size(across)[1]
        left_over = across * ceil(count / across) / count
        return max(ratio / BEST_RATIO, BEST_RATIO / ratio) * left_over**2

    across = min(range(1, count + 1), key=distortion)
    places = (divmod(sheet, across) for sheet in range(count))
    sheets = [
        Sheet(column * (width + GAP) + left, row * (height + GAP) + top, name)
        for name, (row, column) in zip(sheet_names, places, strict=True)
    ]
    corners = [
        (sheet.x + column * CELL, sheet.y + row * CELL)
        for sheet in sheets
        for row in range(rows)
        for column in range(columns)
    ]
    return Layout(
        rows, columns, sheets, corners[:cells], *size(across), column_names, row_names, numbered, upright, joined
    )
