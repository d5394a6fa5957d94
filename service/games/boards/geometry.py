"""The lines and symmetries of a rectangular board, for families that play on one."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import comb

from service.games.boards.cells import Cells
from service.games.boards.grid import Line, Symmetry
from service.games.families.lines import grid


class Geometry:
    """A board of ``rows`` and ``columns`` with lines of ``in_a_row`` cells in any direction."""

    def __init__(self, rows: int, columns: int, in_a_row: int, *, gravity: bool = False) -> None:
        board = grid(id="", name="", rules="", rows=rows, columns=columns, in_a_row=in_a_row, gravity=gravity)
        self.rows, self.columns, self.cells = rows, columns, rows * columns
        self.lines: Sequence[Line] = board.lines
        self.symmetries: Sequence[Symmetry] = board.symmetries

    @property
    def images(self) -> int:
        """Number of symmetries, the identity included."""
        return len(self.symmetries)

    @cached_property
    def ends(self) -> tuple[Line, ...]:
        """For each line the cells that would extend it at either end, within the board."""
        return tuple(self._ends(line) for line in self.lines)

    def boards(self, contents: int) -> int:
        """Return the number of boards with ``contents`` possible contents of a cell, up to symmetry (Burnside)."""
        found: int = sum(contents ** len(cycles(symmetry)) for symmetry in self.symmetries)
        return found // self.images

    def boards_in_turn(self) -> int:
        """Return the estimated number of boards with as many X as O or one more, up to symmetry."""
        all_boards: int = 3**self.cells
        return self.boards(3) * in_turn(self.cells, self.cells) // all_boards + 1

    def compiled(self, place: Callable[[int], int] = lambda cell: cell, *, exactly: bool = False) -> Cells:
        """Return lines and symmetries as masks, with each cell at its place in the compiled rules.

        ``exactly``: a line that is longer does not count.
        """
        lines, ends = ([[place(cell) for cell in some] for some in group] for group in (self.lines, self.ends))
        symmetries = []
        for symmetry in self.symmetries:
            moved = {place(cell): place(target) for cell, target in enumerate(symmetry)}
            symmetries.append([moved[cell] for cell in range(self.cells)])
        return Cells(self.cells, lines, symmetries, ends if exactly else None)

    def from_edge_to_edge(self, line: Line) -> Line:
        """Return the cells of the row, column or diagonal of a line, in the direction of the line."""
        if len(line) == 1:
            return line
        points = [divmod(cell, self.columns) for cell in line]
        down, right = points[1][0] - points[0][0], points[1][1] - points[0][1]
        row, column = points[0]
        while 0 <= row - down < self.rows and 0 <= column - right < self.columns:
            row, column = row - down, column - right
        cells = []
        while 0 <= row < self.rows and 0 <= column < self.columns:
            cells.append(row * self.columns + column)
            row, column = row + down, column + right
        return tuple(cells)

    def is_diagonal(self, line: Line) -> bool:
        """Return whether a line goes through several rows and several columns."""
        return len({cell // self.columns for cell in line}) > 1 and len({cell % self.columns for cell in line}) > 1

    def _ends(self, line: Line) -> Line:
        cells = self.from_edge_to_edge(line)
        start = cells.index(line[0])
        end = start + len(line)
        return cells[start - 1 : start] + cells[end : end + 1]


def in_turn(cells: int, most: int) -> int:
    """Return the number of boards with up to ``most`` marks of two players who alternate."""
    return sum(comb(cells, marks) * comb(marks, marks // 2) for marks in range(most + 1))


def cycles(symmetry: Symmetry) -> list[int]:
    """Return the lengths of the cycles of a permutation."""
    found: list[int] = []
    seen: set[int] = set()
    for start in range(len(symmetry)):
        cell, length = start, 0
        while cell not in seen:
            seen.add(cell)
            cell, length = symmetry[cell], length + 1
        if length:
            found.append(length)
    return found
