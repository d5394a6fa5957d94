"""Quixo. A state is the mask of the player to move and that of the other.

A move takes a cube and puts it back at the other end of its row or column, or at either end if it lay between them; the
cubes from there move up. Its number is that of the cell that it leaves times the number of cells, plus that of the cell
that it reaches.
"""

from array import array
from collections.abc import Iterator

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family


class Quixo(CellFamily):
    """``_paths`` has for each move the mask of the cells whose cubes move, ``_steps`` the cells by which they do."""

    def __init__(self, cells: Cells, side: int) -> None:
        super().__init__(cells, cells.cells * cells.cells, cells.images)
        self.group_size = cells.cells
        self._paths = array("Q", [0] * self.moves)
        self._steps = array("i", [0] * self.moves)
        for start, end, step in pushes(side):
            move = start * cells.cells + end
            self._paths[move] = sum(1 << cell for cell in range(start, end, step)) ^ 1 << start ^ 1 << end
            self._steps[move] = step

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Take a blank cube or an own one from the edge, and push it in at an end of its row or column."""
        one: cython.ulonglong = 1
        start: cython.ulonglong = one << move // self._cells.cells
        if self._steps[move] == 0 or second & start:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        mine: cython.ulonglong = self._pushed(first & ~start, move) | one << move % self._cells.cells
        return bits.Pair(first=self._pushed(second, move), second=mine)

    def groups(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Return the moves of each cube that is not the opponent's."""
        return self._cells.full & ~second

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Judge the lines. If a move has completed lines of both players, the player who did not make it wins."""
        if self._cells.has_line(first):
            return family.WON
        return family.LOST if self._cells.has_line(second) else family.ONGOING

    def _pushed(self, mask: cython.ulonglong, move: cython.int) -> cython.ulonglong:
        """Return a mask after the cubes of a path have moved."""
        path: cython.ulonglong = self._paths[move]
        step: cython.int = self._steps[move]
        moved: cython.ulonglong = (mask & path) >> step if step > 0 else (mask & path) << -step
        return mask & ~path | moved


def pushes(side: int) -> Iterator[tuple[int, int, int]]:
    """Yield the cell that a cube leaves, the one that it reaches, and the step from one to the next on its path."""
    last = side - 1
    for start in range(side * side):
        row, column = divmod(start, side)
        if not {row, column} & {0, last}:
            continue
        for place, first, step in ((column, row * side, 1), (row, column, side)):
            for end in (0, last):
                if place != end:
                    yield start, first + end * step, step if end else -step
