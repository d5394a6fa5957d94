"""Three men's morris. A state is the mask of the player to move and that of the other.

A move places a mark on the point of its number, or, if it is greater, moves one: the number of points, and that number
times the point it leaves, and the point it reaches.
"""

from array import array
from collections.abc import Iterable, Sequence
from itertools import product

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family

CENTRES = ("open", "not-first", "closed")
"""The rule about placing a mark on the centre: allowed, not as the first mark of the game, or never."""


class Morris(CellFamily):
    """``neighbours`` are the points that a mark on each point may move to.

    ``stuck`` is the result for a player who cannot move. ``rule`` is one of ``CENTRES``, about the point ``centre``.
    """

    def __init__(  # noqa: PLR0913, the rules have that many
        self, cells: Cells, neighbours: Sequence[Iterable[int]], *, marks: int, stuck: int, centre: int, rule: str
    ) -> None:
        points = cells.cells
        super().__init__(cells, points * (points + 1), cells.images)
        self.group_size = points
        self._points = points
        self._marks = marks
        self._stuck = stuck
        self._neighbours = array("Q", [sum(1 << point for point in near) for near in neighbours])
        moves = [*product(range(points), repeat=2)]
        placed = [1 << point for point in range(points)]
        self._starts = array("Q", [0] * points + [1 << start for start, _ in moves])
        self._targets = array("Q", placed + [1 << end if end in neighbours[start] else 0 for start, end in moves])
        self._closed_first = 0 if rule == "open" else 1 << centre
        self._closed = 1 << centre if rule == "closed" else 0

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Place a mark on an empty point, or move one once all are placed."""
        start: cython.ulonglong = self._starts[move]
        target: cython.ulonglong = self._targets[move] & ~(first | second)
        if start & ~first or not target or (bits.count(first) < self._marks) != (start == 0):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        if not start and not target & self._open(first | second):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return bits.Pair(first=second, second=first ^ start | target)

    def groups(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Return the moves that place a mark, or those from each point with an own mark."""
        return 1 if bits.count(first) < self._marks else first << 1

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by the line of the player who moved last, then by whether the other player can move."""
        point: cython.int
        if self._cells.has_line(second):
            return family.LOST
        if bits.count(first) < self._marks:
            return family.ONGOING if self._open(first | second) else self._stuck
        for point in range(self._points):
            if first >> point & 1 and self._neighbours[point] & ~(first | second):
                return family.ONGOING
        return self._stuck

    def _open(self, occupied: cython.ulonglong) -> cython.ulonglong:
        """Return the points on which a mark may be placed."""
        closed: cython.ulonglong = self._closed if occupied else self._closed_first
        return self._cells.full & ~(occupied | closed)
