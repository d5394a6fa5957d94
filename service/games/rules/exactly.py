"""Exactly in a row. A state is the mask of the player to move and that of the other; a move is a cell."""

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family


class Exactly(CellFamily):
    """The lines of ``cells`` have ends: a mark of the same player there makes a line longer, and it does not count."""

    def __init__(self, cells: Cells, misere: bool) -> None:
        super().__init__(cells, cells.cells, cells.images)
        self._in_a_row = bits.count(cells.lines[0])
        self._line = family.WON if misere else family.LOST

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Mark an empty cell."""
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << move
        if (first | second) & bit:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return bits.Pair(first=second, second=first | bit)

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by the lines of the player who moved last, then by a full board."""
        if self._cells.has_line(second):
            return self._line
        return family.DRAWN if first | second == self._cells.full else family.ONGOING

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the number of empty cells."""
        return self._cells.cells - bits.count(first | second)

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Count the plies until the player can complete a line, or in misère games the other player must."""
        completes: cython.bint = to_move == (self._line == family.LOST)
        own: cython.ulonglong = first if completes else second
        remaining: cython.int = self.remaining(first, second)
        plies: cython.int = 2 * self._missing(own, (first | second) ^ own, to_move) - completes
        return max(0, remaining + 1 - plies)

    def _missing(self, own: cython.ulonglong, others: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Return the smallest number of marks missing from a player's line; lines that have become longer do not count.

        Return ``NEVER`` if the other player can block every line in time. This is proven if the weights of all open
        lines sum to less than 1, where a line has the weight 1, halved for each missing mark, and all weights are
        doubled if the owner is to move (Erdos and Selfridge, 1973).
        """
        i: cython.int
        most: cython.int = -1
        value: cython.int = 0
        for i in range(self._cells.count):
            if self._cells.is_open(i, own, others):
                marks: cython.int = bits.count(self._cells.lines[i] & own)
                value += 1 << marks
                most = max(most, marks)
        if self._line == family.LOST and value << to_move < 1 << self._in_a_row:
            return family.NEVER
        return self._in_a_row - most

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Compare the values of the open lines."""
        mine_less_theirs: cython.int = self._cells.value(first, second) - self._cells.value(second, first)
        return mine_less_theirs if self._line == family.LOST else -mine_less_theirs
