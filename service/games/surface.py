"""The look of a board as data, for pictures and terminals."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.games.boards.grid import Line

LETTERS = "abcdefghijklmnopqrstuvwxyz"

Point = tuple[int, int]
"""The row and the column of a point, in quarters of the side of a square."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A board: ``rows`` by ``columns`` cells on each of its ``sheets``, which are layers or boards with these names.

    Columns and rows have no names if cells have names of their own. ``points``: the places of marks that stand on lines
    instead of in cells; ``point_lines`` are these lines.
    """

    rows: int
    columns: int
    sheets: Sequence[str] = ("",)
    column_names: Sequence[str] = ()
    row_names: Sequence[str] = ()
    points: Sequence[Point] = ()
    point_lines: Sequence[Line] = ()

    @property
    def blocks(self) -> list[list[list[int | None]]]:
        """The cells of each row of each sheet; None where there is no cell."""
        if self.points:
            cells = {place: cell for cell, place in enumerate(self.points)}
            rows, columns = ({place[axis] for place in self.points} for axis in (0, 1))
            return [[[cells.get((row, column)) for column in sorted(columns)] for row in sorted(rows)]]
        size = self.rows * self.columns
        return [
            [[*range(first, first + self.columns)] for first in range(sheet * size, (sheet + 1) * size, self.columns)]
            for sheet in range(len(self.sheets))
        ]


def letters(column: int) -> str:
    """Return the letter of a column; ``aa`` follows ``z``."""
    return LETTERS[column % len(LETTERS)] * (1 + column // len(LETTERS))
