"""Vanishing tic-tac-toe. A state is the marks of the player to move, then those of the other.

Their cells are counted from 1 in five bits each, the newest lowest, so that the oldest is found at the top. A move is a
cell.
"""

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family

WIDTH = cython.declare(cython.const_int, 5)
CELL = cython.declare(cython.const_ulonglong, 31)

REMOVALS = ("before", "before-closed", "after")
"""When the oldest mark disappears.

``before`` the new one is written, whose cell may be that of the oldest; ``before-closed``, whose cell may not; or
``after`` the new one is written and its lines are judged.
"""

BEFORE = cython.declare(cython.const_int, 0)
AFTER = cython.declare(cython.const_int, 2)


class Vanishing(CellFamily):
    """``removal`` is an index of ``REMOVALS``."""

    def __init__(self, cells: Cells, marks: int, removal: int, misere: bool) -> None:
        super().__init__(cells, cells.cells, cells.images)
        self._marks = marks
        self._removal = removal
        self._line = family.WON if misere else family.LOST
        self._kept = (1 << WIDTH * (marks - 1)) - 1

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Write a mark into an empty cell; the oldest of too many disappears."""
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << move
        kept: cython.ulonglong = first & self._kept
        standing: cython.ulonglong = kept if self._removal == BEFORE else first
        if (self._mask(standing) | self._mask(second)) & bit:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        if self._removal == AFTER and self._cells.has_line(self._mask(first) | bit):
            kept = first
        return bits.Pair(first=second, second=kept << WIDTH | (move + 1))

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Judge the lines of the player who moved last; without one, a full board is drawn unless a mark vanishes."""
        theirs: cython.ulonglong = self._mask(second)
        if self._cells.has_line(theirs):
            return self._line
        frees: cython.bint = self._removal == BEFORE and first > self._kept
        return family.DRAWN if self._mask(first) | theirs == self._cells.full and not frees else family.ONGOING

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the cells, in the same order."""
        return bits.Pair(first=self._moved(first, symmetry), second=self._moved(second, symmetry))

    def _mask(self, marks: cython.ulonglong) -> cython.ulonglong:
        """Return the mask of a player's marks."""
        found: cython.ulonglong = 0
        while marks:
            found |= cython.cast(cython.ulonglong, 1) << ((marks & CELL) - 1)
            marks >>= WIDTH
        return found

    def _moved(self, marks: cython.ulonglong, symmetry: cython.int) -> cython.ulonglong:
        place: cython.int = 0
        found: cython.ulonglong = 0
        while marks:
            bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << ((marks & CELL) - 1)
            cell: cython.ulonglong = bits.cell(self._cells.image(bit, symmetry)) + 1
            found |= cell << place
            place += WIDTH
            marks >>= WIDTH
        return found
