"""Dao. A state is the mask of the player to move and that of the other, each exclusive-or its pieces at the start.

A move is 16 times the cell that it leaves, and the cell that it reaches.
"""

from array import array
from itertools import product

import cython

from service.games.boards.cells import CellFamily, Cells
from service.games.boards.grid import Line
from service.kernel import bits
from service.kernel.states import family

SIDE = 4
CELLS = cython.declare(cython.const_int, 16)

PIECES = 0b1000010000100001, 0b0001001001001000
"""The pieces of both players in the initial position: the diagonals."""

CORNERS: Line = (0, 3, 12, 15)
AROUND: tuple[Line, ...] = ((1, 4, 5), (2, 6, 7), (8, 9, 13), (10, 11, 14))
"""The cells around each corner."""


class Dao(CellFamily):
    """``trapped_wins``: a piece in a corner enclosed by three of the other player wins for its owner."""

    def __init__(self, cells: Cells, trapped_wins: bool) -> None:
        super().__init__(cells, CELLS * CELLS, cells.images)
        self.group_size = CELLS
        self._trapped_wins = trapped_wins
        self._first, self._second = PIECES
        self._corners = array("Q", [1 << corner for corner in CORNERS])
        self._around = array("Q", [sum(1 << cell for cell in around) for around in AROUND])
        self._paths = array("Q", [0] * CELLS * CELLS)
        self._stops = array("Q", [0] * CELLS * CELLS)
        for start, down, right in product(range(CELLS), (-1, 0, 1), (-1, 0, 1)):
            path = slide(start, down, right)
            for place, end in enumerate(path):
                self._paths[start * CELLS + end] = sum(1 << cell for cell in path[: place + 1])
                self._stops[start * CELLS + end] = sum(1 << cell for cell in path[place + 1 : place + 2])

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Slide a piece along an empty path, to the edge or to another piece."""
        one: cython.ulonglong = 1
        mine: cython.ulonglong = first ^ self._first
        theirs: cython.ulonglong = second ^ self._second
        start: cython.ulonglong = one << move // CELLS
        path: cython.ulonglong = self._paths[move]
        stop: cython.ulonglong = self._stops[move]
        if not mine & start or not path or path & (mine | theirs) or stop & ~(mine | theirs):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return bits.Pair(first=theirs ^ self._first, second=mine ^ start ^ one << move % CELLS ^ self._second)

    def groups(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Return the moves of each piece."""
        return first ^ self._first

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by the pieces of the player who moved last. No player is ever without a move."""
        corner: cython.int
        theirs: cython.ulonglong = second ^ self._second
        if self._cells.has_line(theirs):
            return family.LOST
        if self._trapped_wins:
            for corner in range(4):
                trapped: cython.bint = (first ^ self._first) & self._corners[corner] != 0
                if trapped and self._around[corner] & ~theirs == 0:
                    return family.WON
        return family.ONGOING

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the cells."""
        mine: cython.ulonglong = self._cells.image(first ^ self._first, symmetry)
        theirs: cython.ulonglong = self._cells.image(second ^ self._second, symmetry)
        return bits.Pair(first=mine ^ self._first, second=theirs ^ self._second)


def slide(start: int, down: int, right: int) -> Line:
    """Return the cells from a cell to the edge in a direction, without that cell."""
    row, column = divmod(start, SIDE)
    steps = range(1, SIDE if down or right else 1)
    points = ((row + step * down, column + step * right) for step in steps)
    return tuple(y * SIDE + x for y, x in points if 0 <= y < SIDE and 0 <= x < SIDE)
