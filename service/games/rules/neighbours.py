"""Col and Snort. A state is the mask of the player to move and that of the other; a move is a cell."""

from array import array
from collections.abc import Sequence

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family


class Neighbours(CellFamily):
    """``near`` are the neighbours of each cell.

    ``own``: marks of the same player may not be neighbours, as in Col; without it, marks of different players.
    """

    def __init__(self, cells: Cells, near: Sequence[int], own: bool, misere: bool) -> None:
        super().__init__(cells, cells.cells, cells.images)
        self._near = array("Q", near)
        self._own = own
        self._misere = misere

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Mark an open cell."""
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << move
        if not self._open(first, second) & bit:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return bits.Pair(first=second, second=first | bit)

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by whether the player can move."""
        if self._open(first, second):
            return family.ONGOING
        return family.WON if self._misere else family.LOST

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the number of empty cells."""
        return self._cells.cells - bits.count(first | second)

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Count the plies until one of the players, after a move of the other, cannot move."""
        return self.remaining(first, second) - (to_move == self._misere)

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Compare the numbers of cells open to the players."""
        mine: cython.int = bits.count(self._open(first, second))
        theirs: cython.int = bits.count(self._open(second, first))
        return theirs - mine if self._misere else mine - theirs

    def _open(self, own: cython.ulonglong, others: cython.ulonglong) -> cython.ulonglong:
        """Return the cells that a player may mark."""
        marks: cython.ulonglong = own if self._own else others
        closed: cython.ulonglong = own | others
        while marks:
            closed |= self._near[bits.cell(marks & (0 - marks))]
            marks &= marks - 1
        return self._cells.full & ~closed
