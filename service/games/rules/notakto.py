"""Notakto. A state is the mask of all marks, the boards one after another, 32 bits of it in each word.

A move is a cell.
"""

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family

WIDTH = cython.declare(cython.const_int, 32)
HALF = cython.declare(cython.const_ulonglong, 0xFFFFFFFF)


class Notakto(CellFamily):
    """Boards with the same ``cells``. A dead one takes no more marks."""

    def __init__(self, cells: Cells, boards: int, misere: bool) -> None:
        super().__init__(cells, cells.cells * boards, 1)
        self._end = family.WON if misere else family.LOST
        self._boards = boards

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Write X into an empty cell of a board that is not dead."""
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << move
        marks: cython.ulonglong = first | second << WIDTH
        if marks & bit or self._cells.has_line(self._marks(marks, move // self._cells.cells)):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        marks |= bit
        return bits.Pair(first=marks & HALF, second=marks >> WIDTH)

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return a win when every board is dead: the other player has killed the last one."""
        board: cython.int
        for board in range(self._boards):
            if not self._cells.has_line(self._marks(first | second << WIDTH, board)):
                return family.ONGOING
        return self._end

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the number of empty cells of all boards, the dead ones included."""
        return self._boards * self._cells.cells - bits.count(first | second << WIDTH)

    def canonical(self, first: cython.ulonglong, second: cython.ulonglong) -> bits.Pair:
        """Return the boards in their least images, in ascending order."""
        board: cython.int
        place: cython.int
        found: cython.ulonglong = 0
        for board in range(self._boards):
            marks: cython.ulonglong = self._least(self._marks(first | second << WIDTH, board))
            # Insert it into the sorted boards.
            place = board
            while place and self._marks(found, place - 1) > marks:
                place -= 1
            below: cython.ulonglong = found & ((cython.cast(cython.ulonglong, 1) << place * self._cells.cells) - 1)
            above: cython.ulonglong = (found ^ below) << self._cells.cells
            found = below | marks << place * self._cells.cells | above
        return bits.Pair(first=found & HALF, second=found >> WIDTH)

    def orbit(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Count the images of every board, and the orders of different boards; the state must be a least image."""
        board: cython.int
        equal: cython.ulonglong = 0
        found: cython.ulonglong = 1
        for board in range(self._boards):
            marks: cython.ulonglong = self._marks(first | second << WIDTH, board)
            before: cython.ulonglong = self._marks(first | second << WIDTH, board - 1) if board else 0
            # Multiplied by the number of boards so far, and divided by that of equal ones, which are adjacent.
            equal = equal + 1 if board and marks == before else 1
            found = found * self._turned(marks) * (board + 1) // equal
        return found

    def _turned(self, marks: cython.ulonglong) -> cython.ulonglong:
        """Return the number of images of one board."""
        symmetry: cython.int
        same: cython.int = 1
        for symmetry in range(1, self._cells.images):
            image: cython.ulonglong = self._cells.image(marks, symmetry)
            same += image == marks
        return self._cells.images // same

    def _marks(self, marks: cython.ulonglong, board: cython.int) -> cython.ulonglong:
        return marks >> board * self._cells.cells & self._cells.full

    def _least(self, marks: cython.ulonglong) -> cython.ulonglong:
        symmetry: cython.int
        least: cython.ulonglong = marks
        for symmetry in range(1, self._cells.images):
            image: cython.ulonglong = self._cells.image(marks, symmetry)
            least = min(least, image)
        return least
