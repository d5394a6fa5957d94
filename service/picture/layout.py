"""Where the cells of a board are in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isqrt

from service.games.game import Game

CELL = 100
"""The side of a cell. Everything else is measured in the same unit."""

NAMES = 56
"""The room for the names of rows and columns."""

HEADING = 60
"""The room for the name of a layer."""

GAP = 56
"""Between two layers."""

WIDEST_ROW = 8
"""Cells in a row of a game that is given by its lines, if it has no more; else the rows are about as many as long."""

BEST_RATIO = 1.2
"""Width to height of layers beside and below each other: a bit wider than high."""

UNNAMED = 3
"""Rows and columns of the largest boards whose cells need no names."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One layer: its left and top, and its number, counted from 0."""

    x: int
    y: int
    layer: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A board as it is drawn: ``rows`` by ``columns`` cells on each of its ``sheets``."""

    game: Game
    rows: int
    columns: int
    sheets: Sequence[Sheet]
    width: int
    height: int
    named: bool
    numbered: bool

    def corner(self, cell: int) -> tuple[int, int]:
        """Return the left and the top of a cell."""
        layer, place = divmod(cell, self.rows * self.columns)
        sheet = self.sheets[layer]
        row, column = divmod(place, self.columns)
        return sheet.x + column * CELL, sheet.y + row * CELL

    def centre(self, cell: int) -> tuple[int, int]:
        """Return the centre of a cell."""
        x, y = self.corner(cell)
        return x + CELL // 2, y + CELL // 2


def lay_out(game: Game) -> Layout:
    """Return where the cells of a game are drawn; those of a game given by its lines as a block of numbered cells."""
    if game.in_a_row is None:
        columns = game.cells if game.cells <= WIDEST_ROW else isqrt(game.cells - 1) + 1
        return _arranged(game, ceil(game.cells / columns), columns, named=False)
    named = game.layers > 1 or max(game.rows, game.columns) > UNNAMED
    return _arranged(game, game.rows, game.columns, named=named)


def _arranged(game: Game, rows: int, columns: int, *, named: bool) -> Layout:
    """Return the layers beside and below each other, so that the picture is neither long nor high."""
    left = NAMES if named and not game.has_columns else 0
    top = HEADING if game.layers > 1 else 0
    width = left + columns * CELL
    height = top + rows * CELL + (NAMES if named else 0)

    def size(across: int) -> tuple[int, int]:
        down = ceil(game.layers / across)
        return across * width + (across - 1) * GAP, down * height + (down - 1) * GAP

    def distortion(across: int) -> float:
        ratio = size(across)[0] / size(across)[1]
        left_over = across * ceil(game.layers / across) / game.layers
        return max(ratio / BEST_RATIO, BEST_RATIO / ratio) * left_over**2

    across = min(range(1, game.layers + 1), key=distortion)
    places = (divmod(layer, across) for layer in range(game.layers))
    sheets = [
        Sheet(column * (width + GAP) + left, row * (height + GAP) + top, layer)
        for layer, (row, column) in enumerate(places)
    ]
    return Layout(game, rows, columns, sheets, *size(across), named, game.in_a_row is None)
