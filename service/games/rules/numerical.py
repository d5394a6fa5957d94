"""Numerical tic-tac-toe. A state has the places of the digits: odd ones in the first word, even ones in the second.

Each digit has four bits: its cell counted from 1, or 0 if it is unused. A move is a cell plus nine times the digit,
counted from 0.
"""

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family

CELLS = cython.declare(cython.const_int, 9)


class Numerical(CellFamily):
    """The odd player begins. Replacing each digit by ten minus the digit is a symmetry."""

    def __init__(self, cells: Cells, target: int, misere: bool) -> None:
        super().__init__(cells, CELLS * CELLS, 2 * cells.images)
        self._target = target
        self._line = family.WON if misere else family.LOST

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Write an unused digit of the player into an empty cell."""
        digit: cython.int = move // CELLS
        cell: cython.ulonglong = move % CELLS + 1
        place: cython.int = 4 * (digit >> 1)
        word: cython.ulonglong = second if digit & 1 else first
        if digit & 1 != self._used(first, second) & 1 or word >> place & 15 or self._digit(first, second, cell):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        if digit & 1:
            return bits.Pair(first=first, second=second | cell << place)
        return bits.Pair(first=first | cell << place, second=second)

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by full lines with the sum, then by a full board."""
        i: cython.int
        cell: cython.int
        for i in range(self._cells.count):
            total: cython.int = 0
            for cell in range(CELLS):
                if self._cells.lines[i] >> cell & 1:
                    digit: cython.int = self._digit(first, second, cell + 1)
                    if not digit:
                        total = -1
                        break
                    total += digit
            if total == self._target:
                return self._line
        return family.DRAWN if self._used(first, second) == CELLS else family.ONGOING

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the number of empty cells."""
        return CELLS - self._used(first, second)

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the cells; the second half of the symmetries also replaces the digits."""
        digit: cython.int
        odd: cython.ulonglong = 0
        even: cython.ulonglong = 0
        for digit in range(5):
            place: cython.int = 4 * (4 - digit if symmetry & 1 else digit)
            odd |= self._moved(first >> 4 * digit & 15, symmetry >> 1) << place
        for digit in range(4):
            place = 4 * (3 - digit if symmetry & 1 else digit)
            even |= self._moved(second >> 4 * digit & 15, symmetry >> 1) << place
        return bits.Pair(first=odd, second=even)

    def _moved(self, cell: cython.ulonglong, symmetry: cython.int) -> cython.ulonglong:
        """Return the image of a cell counted from 1; 0 stays 0."""
        if not cell:
            return 0
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << (cell - 1)
        moved: cython.ulonglong = bits.cell(self._cells.image(bit, symmetry)) + 1
        return moved

    def _used(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the number of digits on the board."""
        digit: cython.int
        used: cython.int = 0
        for digit in range(5):
            used += (first >> 4 * digit & 15) != 0
            used += (second >> 4 * digit & 15) != 0
        return used

    def _digit(self, first: cython.ulonglong, second: cython.ulonglong, cell: cython.ulonglong) -> cython.int:
        """Return the digit in a cell counted from 1, or 0."""
        digit: cython.int
        for digit in range(5):
            if first >> 4 * digit & 15 == cell:
                return 2 * digit + 1
            if second >> 4 * digit & 15 == cell:
                return 2 * digit + 2
        return 0
