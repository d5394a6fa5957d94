"""Wild tic-tac-toe, and Order and Chaos. A state is the mask of X and that of O.

A move is twice its cell, and one more if it writes O.
"""

from array import array
from collections.abc import Sequence

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family
from service.kernel.states.family import State

PAIRED = cython.declare(cython.const_int, 1 << 20)
"""A value above that of all open lines together."""


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
    """The number of marks determines whose turn it is.

    ``pairs`` are for each line the mask of two cells: once both have marks as Chaos wants them, the line cannot be
    completed. Pairs of different masks share no cell; each symmetry has its own, because a search goes on from images.
    ``to_the_end``: only a full board is judged.
    """

    def __init__(self, cells: Cells, pairs: Sequence[int], chaos_first: bool, to_the_end: bool) -> None:
        super().__init__(cells, misere=False)
        images: list[int] = []
        self._paired = cells.images if any(pairs) else 0
        for symmetry in range(self._paired):
            pair_of = {cells.image(line, symmetry): pair for line, pair in zip(cells.lines, pairs, strict=True)}
            images += [cells.image(pair_of[line], symmetry) for line in cells.lines]
        self._pairs = array("Q", images)
        self._chaos_first = chaos_first
        self._to_the_end = to_the_end

    def pairs(self, state: State) -> list[int]:
        """Return the pairs, as masks, by which Chaos breaks every open line; none if there are no such pairs."""
        first: cython.ulonglong = state[0]
        second: cython.ulonglong = state[1]
        if not self._order_moves(first, second) or not self._is_paired(first, second):
            return []
        found: set[int] = set()
        symmetry: cython.int = 0
        while not self._breaks_all(first, second, symmetry * self._cells.count):
            symmetry += 1
        i: cython.int
        for i in range(self._cells.count):
            if self._cells.is_open(i, first, second) or self._cells.is_open(i, second, first):
                found.add(self._pairs[symmetry * self._cells.count + i])
        return sorted(found)

    def _order_moves(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.bint:
        return bits.count(first | second) % 2 == self._chaos_first

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by a line, then by a full board, for Order or for Chaos."""
        full: cython.bint = first | second == self._cells.full
        if self._to_the_end and not full:
            return family.ONGOING
        if self._cells.has_line(first) or self._cells.has_line(second):
            return family.WON if self._order_moves(first, second) else family.LOST
        if not full:
            return family.ONGOING
        return family.LOST if self._order_moves(first, second) else family.WON

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Count the plies to a line for Order; Chaos wins on a full board, and at once if no line is left."""
        order_moves: cython.bint = self._order_moves(first, second)
        if order_moves != to_move:
            return 1
        plies: cython.int = self.missing(first, second)
        if order_moves and self._is_paired(first, second):
            return -1
        remaining: cython.int = self.remaining(first, second)
        if self._to_the_end and plies <= remaining:
            plies = remaining
        return max(-1, remaining + 1 - plies)

    def _is_paired(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.bint:
        """Return whether Chaos breaks every line: the cells of its pair are empty, or it cannot be completed any more.

        Chaos answers a mark in a pair in the other cell of it, and any other mark in any other cell outside of these
        pairs. There is one if the number of empty cells is even (Hales and Jewett, 1963).
        """
        symmetry: cython.int
        if bits.count((first | second) ^ self._cells.full) % 2:
            return False
        for symmetry in range(self._paired):  # noqa: SIM110, a loop in C
            if self._breaks_all(first, second, symmetry * self._cells.count):
                return True
        return False

    def _breaks_all(self, first: cython.ulonglong, second: cython.ulonglong, start: cython.int) -> cython.bint:
        """Return whether the pairs of a symmetry, from ``start`` on, have empty cells or belong to broken lines."""
        i: cython.int
        for i in range(self._cells.count):
            pair: cython.ulonglong = self._pairs[start + i]
            if (not pair or pair & (first | second)) and (
                self._cells.is_open(i, first, second) or self._cells.is_open(i, second, first)
            ):
                return False
        return True

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the value of the open lines for Order, who has lost if Chaos breaks them by pairs."""
        if self._order_moves(first, second) and self._is_paired(first, second):
            return -PAIRED
        value: cython.int = self._cells.value(first, second) + self._cells.value(second, first)
        return value if self._order_moves(first, second) else -value
