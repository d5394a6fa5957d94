"""Six men's morris. A state is the word of the player to move and that of the other: pieces on the board, and placed.

The lower 16 bits are the points with pieces. The bits above them count the pieces that the player has placed so far, so
that both words are 0 at the start.

A move is the number of an action, and that of the point from which a piece is taken, counted from 1, times the number
of actions; 0 for none. Actions place a piece on the point of their number, or move one along a drawn line.
"""

from array import array
from collections.abc import Sequence

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family

PLACED = cython.declare(cython.const_int, 16)
ON_BOARD = cython.declare(cython.const_ulonglong, (1 << 16) - 1)

FEWEST = cython.declare(cython.const_int, 3)
"""A player with fewer pieces, on the board and to place, has lost."""


class Mills(CellFamily):
    """The lines of the cells are the mills. ``ways`` are both points of each move of a piece."""

    def __init__(self, cells: Cells, ways: Sequence[tuple[int, int]], *, marks: int) -> None:
        points = cells.cells
        actions = points + len(ways)
        super().__init__(cells, actions * (points + 1), cells.images)
        near = [0] * points
        for start, end in ways:
            near[start] |= 1 << end
        self._marks = marks
        self.group_size = actions
        self._near = array("Q", near)
        starts = [0] * points + [1 << start for start, _ in ways]
        ends = [1 << point for point in range(points)] + [1 << end for _, end in ways]
        self._starts = array("Q", starts * (points + 1))
        self._ends = array("Q", ends * (points + 1))
        self._taken = array("Q", [1 << point >> 1 for point in range(points + 1) for _ in range(actions)])

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Place or move a piece, and take one if that closes a mill."""
        own: cython.ulonglong = first & ON_BOARD
        other: cython.ulonglong = second & ON_BOARD
        start: cython.ulonglong = self._starts[move]
        end: cython.ulonglong = self._ends[move]
        placing: cython.bint = cython.cast(cython.int, first >> PLACED) < self._marks
        if start & ~own or end & (own | other) or placing != (start == 0):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        taken: cython.ulonglong = self._taken[move]
        takeable: cython.ulonglong = self._takeable(other) if self._closes(own ^ start | end, end) else 0
        if taken & ~takeable or (not taken and takeable):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        count: cython.ulonglong = (first >> PLACED) + placing
        return bits.Pair(first=second ^ taken, second=count << PLACED | own ^ start | end)

    def groups(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Return the moves that take nothing, and those that take a piece from each point with one."""
        return 1 | (second & ON_BOARD) << 1

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return whether the player to move has lost: too few pieces are left, or none of them can move."""
        point: cython.int
        own: cython.ulonglong = first & ON_BOARD
        left: cython.int = self._marks - cython.cast(cython.int, first >> PLACED)
        if bits.count(own) + left < FEWEST:
            return family.LOST
        if left:
            return family.ONGOING
        for point in range(self._cells.cells):
            if own >> point & 1 and self._near[point] & ~(own | second):
                return family.ONGOING
        return family.LOST

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the pieces on the board."""
        return bits.Pair(
            first=first & ~ON_BOARD | self._cells.image(first & ON_BOARD, symmetry),
            second=second & ~ON_BOARD | self._cells.image(second & ON_BOARD, symmetry),
        )

    def _closes(self, pieces: cython.ulonglong, end: cython.ulonglong) -> cython.bint:
        """Return whether a mill of these pieces has this point."""
        i: cython.int
        for i in range(self._cells.count):  # noqa: SIM110, a loop in C
            if self._cells.lines[i] & end and self._cells.lines[i] & ~pieces == 0:
                return True
        return False

    def _takeable(self, pieces: cython.ulonglong) -> cython.ulonglong:
        """Return those of a player's pieces that the other may take: those in no mill, or all if each is in one."""
        i: cython.int
        free: cython.ulonglong = pieces
        for i in range(self._cells.count):
            if self._cells.lines[i] & ~pieces == 0:
                free &= ~self._cells.lines[i]
        return free or pieces
