"""Wild tic-tac-toe, and Order and Chaos. A state is the mask of X and that of O.

A move is twice its cell, and one more if it writes O.
"""

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family


class Wild(CellFamily):
    """The player who completes a line wins, or loses in the misère form. Exchanging X and O is a symmetry."""

    def __init__(self, cells: Cells, misere: bool) -> None:
        super().__init__(cells, 2 * cells.cells, 2 * cells.images)
        self._line = family.WON if misere else family.LOST

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Write a mark into an empty cell."""
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << (move >> 1)
        if (first | second) & bit:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        if move & 1:
            return bits.Pair(first=first, second=second | bit)
        return bits.Pair(first=first | bit, second=second)

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by a line, then by a full board."""
        if self._cells.has_line(first) or self._cells.has_line(second):
            return self._line
        return family.DRAWN if first | second == self._cells.full else family.ONGOING

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the number of empty cells."""
        return self._cells.cells - bits.count(first | second)

    def missing(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the smallest number of marks missing from any line; either player may write them."""
        return min(self._cells.missing(first, second), self._cells.missing(second, first))

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Count the plies until the player can complete a line, or force the other player to."""
        remaining: cython.int = self.remaining(first, second)
        plies: cython.int = self.missing(first, second)
        completes: cython.bint = to_move == (self._line == family.LOST)
        if plies % 2 != completes:
            plies += 1
        return max(0, remaining + 1 - plies)

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the cells, and exchange the marks for every second symmetry."""
        x: cython.ulonglong = self._cells.image(first, symmetry >> 1)
        o: cython.ulonglong = self._cells.image(second, symmetry >> 1)
        if symmetry & 1:
            return bits.Pair(first=o, second=x)
        return bits.Pair(first=x, second=o)


class OrderAndChaos(Wild):
    """The number of marks determines whose turn it is."""

    def __init__(self, cells: Cells, chaos_first: bool) -> None:
        super().__init__(cells, misere=False)
        self._chaos_first = chaos_first

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by a line, then by a full board, for Order or for Chaos."""
        order_to_move: cython.bint = bits.count(first | second) % 2 == self._chaos_first
        if self._cells.has_line(first) or self._cells.has_line(second):
            return family.WON if order_to_move else family.LOST
        if first | second != self._cells.full:
            return family.ONGOING
        return family.LOST if order_to_move else family.WON

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Count the plies to a line for Order; Chaos wins on a full board, and at once if no line is left."""
        order_to_move: cython.bint = bits.count(first | second) % 2 == self._chaos_first
        if order_to_move != to_move:
            return 1
        plies: cython.int = self.missing(first, second)
        return max(-1, self.remaining(first, second) + 1 - plies)

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the value of the open lines for Order."""
        value: cython.int = self._cells.value(first, second) + self._cells.value(second, first)
        return value if bits.count(first | second) % 2 == self._chaos_first else -value
