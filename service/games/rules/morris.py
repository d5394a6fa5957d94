"""Three men's morris. A state is the mask of the player to move and that of the other.

A move places a mark on the point of its number, or, if it is greater, moves one: the number of points, and that number
times the point it leaves, and the point it reaches.
"""

from array import array
from collections.abc import Iterable, Sequence

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family

CENTRES = ("open", "not-first", "closed")
"""The rule about placing a mark on the centre: allowed, not as the first mark of the game, or never."""

CENTRE = 4


class Morris(CellFamily):
    """``neighbours`` are the points that a mark on each point may move to.

    ``stuck`` is the result for a player who cannot move, ``centre`` an index of ``CENTRES``.
    """

    def __init__(self, cells: Cells, neighbours: Sequence[Iterable[int]], marks: int, stuck: int, centre: int) -> None:
        points = cells.cells
        super().__init__(cells, points * (points + 1), cells.images)
        self._points = points
        self._marks = marks
        self._stuck = stuck
        self._neighbours = array("Q", [sum(1 << point for point in near) for near in neighbours])
        self._closed_first = 1 << CENTRE if centre else 0
        self._closed = 1 << CENTRE if CENTRES[centre] == "closed" else 0

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Place a mark on an empty point, or move one once all are placed."""
        empty: cython.ulonglong = self._cells.full & ~(first | second)
        one: cython.ulonglong = 1
        placing: cython.bint = bits.count(first) < self._marks
        if move < self._points:
            if not placing or not self._open(first | second) & one << move:
                return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
            return bits.Pair(first=second, second=first | one << move)
        start: cython.int = move // self._points - 1
        target: cython.ulonglong = one << move % self._points
        if placing or not first >> start & 1 or not empty & self._neighbours[start] & target:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return bits.Pair(first=second, second=first ^ one << start | target)

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
