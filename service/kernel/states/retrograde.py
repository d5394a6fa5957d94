"""Retrograde analysis: the value of every position of a small game, loops included.

The values of the states of a ``Graph`` are found from the end of the game backwards (Thompson, 1986): a finished state
has distance 0. In sweep ``n`` a state is won in ``n`` plies if a move leads to one that is lost in ``n - 1``, and lost
in ``n`` if all moves lead to won ones, the longest in ``n - 1``. States that no sweep settles are draws.

Similar sweeps separate the draws that a player can bring to an end from the draws that neither player can. Both players
only make moves that hold the draw. The player to move can force an end if any of these moves leads to a state from
which this player can force an end. The other player can force an end if all of these moves lead to states from which
the other player can force an end.

Several threads may sweep over parts of the states at once. A sweep for values uses only those of the sweeps before. In
a sweep for ends a state may see what was found for others meanwhile, or not; since nothing is taken back and sweeps go
on until nothing changes, they lead to the same.
"""

from collections.abc import Callable, Iterable
from functools import partial

import cython

from service.kernel import bits, scheduling
from service.kernel.states import family
from service.kernel.states.columns import sort, zeros
from service.kernel.states.graph import Graph
from service.kernel.states.ranking import Ranking, pairs_of
from service.kernel.threads import in_order

HALF = cython.declare(cython.const_ulonglong, 0xFFFFFFFF)
DRAW_THAT_ENDS = cython.declare(cython.const_int, 1)  # a value: a draw that a player can bring to an end; others are 0
LOSS = cython.declare(cython.const_int, 2)  # plus twice the distance
WIN = cython.declare(cython.const_int, 3)  # plus twice the distance, too
MOST_PLIES = cython.declare(cython.const_int, 126)
LOSSES = cython.declare(cython.const_int, 1)  # what a sweep has found
WINS = cython.declare(cython.const_int, 2)
MOVER = cython.declare(cython.const_int, 1)  # the players who can force an end: the player to move,
OTHER = cython.declare(cython.const_int, 2)  # and the other player

SWEPT = cython.declare(cython.longlong, 1 << 16 if cython.compiled else 1 << 9)
"""States between two polls: about 10 ms."""

MANY = cython.declare(cython.const_int, (1 << 10) - 1)
"""How many states are valued before other threads may go first: a power of two, less one."""


class TooLongError(Exception):
    """A player can force a win, but in more plies than a value can hold."""

    def __init__(self) -> None:
        super().__init__(f"some wins take more than {MOST_PLIES} plies")


class Retrograde:
    """The values of the states of a ``graph``, found by the threads of its pool, if any.

    Raises TooLongError if a win takes more than ``MOST_PLIES`` plies, and Stopped by the graph's poll.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._family = graph.rules
        self._states = graph.states
        self._keys = graph.keys[: graph.states]
        self._ends = graph.ends
        self._targets = graph.targets
        self._values = zeros("B", graph.states)
        self._forced = zeros("B", graph.states)
        with cython.nogil:
            self._settle_ends()
        plies, found, begins = 1, LOSSES | WINS, range(0, self._states, SWEPT)
        while found := self._sweep(partial(self._settle_part, plies, found & LOSSES), begins):
            if plies > MOST_PLIES:
                raise TooLongError
            plies += 1
        self._find_ends()

    def tabulate(self) -> tuple[bits.Words, memoryview, memoryview]:
        """Return the pairs of bits of all states, for a ``Ranking``, their ranks, ascending, and the value of each.

        Afterwards neither this object nor its graph knows a state any more: their memory is used, or given up.
        """
        ranks, values = memoryview(self._keys), memoryview(self._values)
        self._keys, self._ends, self._targets = zeros("Q", 1), zeros("Q", 1), zeros("I", 1)
        self._values, self._forced = zeros("B", 1), zeros("B", 1)
        self.graph.forget()
        pairs = pairs_of(ranks)
        Ranking(pairs).rank_all(ranks)
        return pairs, *sort(ranks, values)

    def _sweep(self, part: Callable[[int], int], begins: Iterable[int]) -> int:
        """Do a sweep over all states, in parts from these numbers on; return what all of them have found."""
        found = 0
        for found_here in in_order(part, begins, self.graph.pool):
            self.graph.look()
            found |= found_here
        return found

    def _settle_ends(self) -> None:
        """Enter the values of finished states."""
        number: cython.longlong
        for number in range(self._states):
            key: cython.ulonglong = self._keys[number]
            result: cython.int = self._family.result(key & HALF, key >> 32)
            self._values[number] = LOSS if result == family.LOST else WIN if result == family.WON else 0

    def _settle_part(self, plies: cython.int, losses: cython.bint, begin: cython.longlong) -> int:
        found: cython.int = 0
        with cython.nogil:
            found |= self._settle(plies, losses, begin, min(begin + SWEPT, self._states))
        return int(found)

    def _settle(
        self, plies: cython.int, losses: cython.bint, begin: cython.longlong, end_of_part: cython.longlong
    ) -> cython.int:
        """Settle the states of a range that are decided in ``plies`` plies; return ``LOSSES``, ``WINS``, both or 0.

        ``losses`` says whether the sweep before has found any. If not, no state is won now, and one undecided move
        suffices to leave a state undecided. Only values of fewer plies count: ``decided`` is less than any that this
        sweep finds. Beyond ``MOST_PLIES`` nothing is entered.
        """
        number: cython.longlong
        found: cython.int = 0
        gave_way: cython.double = 0
        edge: cython.ulonglong = self._ends[begin - 1] if begin else 0
        decided: cython.int = 2 * plies + LOSS
        for number in range(begin, end_of_part):
            if not number & MANY:
                gave_way = scheduling.give_way(gave_way)
            end: cython.ulonglong = self._ends[number]
            if self._values[number] or edge == end:
                edge = end
                continue
            value: cython.int = 2 * plies + LOSS
            while edge < end:
                child: cython.int = self._values[self._targets[edge]]
                edge += 1
                if not child or child >= decided:
                    value = 0
                    if not losses:
                        break
                elif not child & 1:
                    value = 2 * plies + WIN
                    break
            edge = end
            if value:
                if plies <= MOST_PLIES:
                    self._values[number] = cython.cast(cython.uchar, value)
                found |= WINS if value & 1 else LOSSES
        return found

    def _find_ends(self) -> None:
        """Enter the draws that a player can bring to an end."""
        number: cython.longlong
        with cython.nogil:
            for number in range(self._states):
                is_end: cython.bint = self._ends[number] == (self._ends[number - 1] if number else 0)
                self._forced[number] = MOVER | OTHER if is_end else 0
        # Begin with the last states: in games without loops one sweep suffices.
        begins = range(0, self._states, SWEPT)[::-1]
        while self._sweep(self._spread_part, begins):
            pass
        with cython.nogil:
            for number in range(self._states):
                if not self._values[number] and self._forced[number]:
                    self._values[number] = DRAW_THAT_ENDS

    def _spread_part(self, begin: cython.longlong) -> int:
        found: cython.bint = False
        with cython.nogil:
            found |= self._spread_ends(begin, min(begin + SWEPT, self._states))
        return int(found)

    def _spread_ends(self, begin: cython.longlong, end: cython.longlong) -> cython.bint:
        """Record for a range of states who can force an end by one more move; return whether anything changed."""
        number: cython.longlong
        found: cython.bint = False
        gave_way: cython.double = 0
        for number in range(end - 1, begin - 1, -1):
            if not number & MANY:
                gave_way = scheduling.give_way(gave_way)
            if self._values[number] or self._forced[number] == MOVER | OTHER:
                continue
            edge: cython.ulonglong = self._ends[number - 1] if number else 0
            mover: cython.int = 0
            other: cython.int = OTHER
            while edge < self._ends[number]:
                child: cython.uint = self._targets[edge]
                edge += 1
                if self._values[child]:  # the move loses
                    continue
                if self._forced[child] & OTHER:
                    mover = MOVER
                if not self._forced[child] & MOVER:
                    other = 0
            if (mover | other) & ~self._forced[number]:
                self._forced[number] = cython.cast(cython.uchar, self._forced[number] | mover | other)
                found = True
        return found
