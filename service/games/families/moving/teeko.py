"""Teeko: four pieces each are placed, then moved like kings; four in a row or a square win (John Scarne, 1955)."""

from itertools import product
from typing import Unpack

from service.games.boards.geometry import Geometry, in_turn
from service.games.boards.grid import Line
from service.games.families.moving.placing import PLACED, PLACED_ON_CENTRE, STUCK, PlaceThenMove
from service.games.parameters import Parameter
from service.games.states import Named

MARKS = 4
"""The number of pieces of each player, and of the cells that win."""


class TeekoGame(PlaceThenMove):
    """Teeko, in which 44 rows and squares win; Advanced Teeko, with ``squares`` of all sizes, has 58.

    ``centre``: whether pieces may be placed in the middle, which boards with an even ``side`` do not have.
    """

    family = "teeko"
    title = "Teeko"
    about = "Four pieces each are placed, then moved; four in a row or a square win."
    move_form = "the cell of a piece that is placed, or both cells of a move, such as `0>1`, `0-1`, `a1-b1` or `a1b1`"
    PARAMETERS = (
        Parameter(name="side", values=range(3, 6), default=5, about="The number of rows, and of columns."),
        Parameter(
            name="squares",
            values=("small", "all"),
            default="small",
            about="Which squares win.",
            details="Those of four neighbours (`small`), or of any size up to the corners of the board (`all`).",
            example="all",
            choices="WinningSquares",
        ),
        PLACED_ON_CENTRE,
    )
    compared = tuple(
        {"side": side, "squares": squares, "centre": centre}
        for side, squares, centre in product((3, 4, 5), ("small", "all"), ("open", "not-first"))
        if side % 2 or centre == "open"
    )

    def __init__(self, *, side: int = 5, squares: str = "small", centre: str = "open", **named: Unpack[Named]) -> None:
        geometry = Geometry(side, side, MARKS)
        wins = "a square of neighbours wins" if squares == "small" else "the corners of a square of any size win"
        rule = centre if side % 2 else "open"
        super().__init__(
            rules=f"Players place {MARKS} pieces each{PLACED[rule]}; then they move one of them to an empty cell "
            f"beside it, diagonally too. At any time four in a row or {wins}; a player who cannot move loses.",
            rows=side,
            columns=side,
            parameters={"side": side, "squares": squares, "centre": centre},
            lines=(*geometry.lines, *_squares(side, 1 if squares == "small" else side - 1)),
            symmetries=geometry.symmetries,
            neighbours=[_neighbours(side, cell) for cell in range(side * side)],
            marks=MARKS,
            stuck=STUCK["loss"],
            centre=side * side // 2,
            rule=rule,
            states=in_turn(side * side, 2 * MARKS) // (geometry.images - 1),  # images coincide for some boards
            **named,
        )


def _squares(side: int, most: int) -> list[Line]:
    """Return the corners of all squares whose sides are at most this number of steps."""
    return [
        tuple(side * (row + down) + column + right for down, right in product((0, step), repeat=2))
        for step in range(1, most + 1)
        for row, column in product(range(side - step), repeat=2)
    ]


def _neighbours(side: int, cell: int) -> list[int]:
    """Return the cells around a cell."""
    row, column = divmod(cell, side)
    places = ((row + down, column + right) for down, right in product((-1, 0, 1), repeat=2) if down or right)
    return [side * y + x for y, x in places if 0 <= y < side and 0 <= x < side]
