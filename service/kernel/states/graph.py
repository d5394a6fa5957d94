"""The graph of a small game: all states that play can reach, up to symmetry, and the moves between them."""

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial

import cython

from service.kernel import bits, scheduling
from service.kernel.states.columns import extended, grown, zeros
from service.kernel.states.family import Family
from service.kernel.states.successors import Successors
from service.kernel.stopping import Poll, Stopped
from service.kernel.threads import in_order

FIRST_ROOM = 1 << 12
"""The initial capacity for states and edges; a power of two."""

HALF = cython.declare(cython.const_ulonglong, 0xFFFFFFFF)
GROUP = cython.declare(cython.const_int, 64)
EITHER = cython.declare(cython.const_int, 3)

EXPANDED = 1 << 12 if cython.compiled else 1 << 5
"""States between two polls: about 10 ms."""


class TooLargeError(Exception):
    """The game has more than ``most`` states."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} states")
        self.most = most


class Graph:
    """The states of a game up to symmetry, each with the states after its moves.

    States are numbered in the order of discovery. The key of a state has the first word in its lower 32 bits and the
    second word in its upper 32 bits. ``poll`` is called every few milliseconds; when it returns True, the work raises
    Stopped. The threads of a ``pool``, if any, follow moves ahead of this one; the graph is the same. Raises
    TooLargeError beyond ``most`` states.
    """

    def __init__(self, rules: Family, most: int, poll: Poll | None = None, pool: Executor | None = None) -> None:
        self.rules = rules
        self._most = most
        self._poll = poll
        self.pool = pool
        self.states = 0
        self.edges = 0
        self._gave_way = 0.0
        self.keys = zeros("Q", FIRST_ROOM)
        self.ends = zeros("Q", FIRST_ROOM)  # for each state the end of its edges
        self._edge_column = zeros("I", FIRST_ROOM)
        self.targets = self._edge_column
        self._edge_room = FIRST_ROOM
        self._room_for_states(FIRST_ROOM)
        self._find_all()

    def look(self) -> None:
        """Raise Stopped if the poll asks for it."""
        if self._poll is not None and self._poll():
            raise Stopped

    def forget(self) -> None:
        """Give up the memory of all states and edges; only their numbers remain."""
        self.keys, self.ends, self.targets = zeros("Q", 1), zeros("Q", 1), zeros("I", 1)
        self._edge_column = zeros("I", 1)

    def positions(self) -> int:
        """Return the number of positions, counting symmetric ones and both turns separately."""
        # For each state 1 if the first player may be to move, plus 2 if the second may be.
        self._turns = zeros("B", self.states)
        self._turns[0] = 1
        total: cython.ulonglong = 0
        with cython.nogil:
            while self._spread():
                pass
            total = self._count()
        return int(total)

    def _spread(self) -> cython.bint:
        """Record for the states after each move which players may be to move there; return whether anything changed."""
        number: cython.longlong
        found: cython.bint = False
        edge: cython.ulonglong = 0
        for number in range(self.states):
            turns: cython.int = self._turns[number]
            after: cython.int = turns >> 1 | (turns & 1) << 1
            while edge < self.ends[number]:
                child: cython.uint = self.targets[edge]
                if after & ~self._turns[child]:
                    self._turns[child] = cython.cast(cython.uchar, self._turns[child] | after)
                    found = True
                edge += 1
        return found

    def _count(self) -> cython.ulonglong:
        number: cython.longlong
        total: cython.ulonglong = 0
        for number in range(self.states):
            key: cython.ulonglong = self.keys[number]
            both: cython.ulonglong = 2 if self._turns[number] == EITHER else 1
            total += both * self.rules.orbit(key & HALF, key >> 32)
        return total

    def _find_all(self) -> None:
        """Follow the moves of all states until no new state is found."""
        self._number(0)
        followed = 0
        while followed < self.states:
            for after in in_order(partial(Successors, self.rules), self._from(followed), self.pool):
                self.look()
                self._enter(after, followed)
                followed += after.states
        self._places = zeros("I", 1)  # the hash table is needed no more

    def _from(self, begin: int) -> Iterator[bits.Words]:
        """Yield the keys of the states from a number on, in parts, as long as there are any."""
        while begin < self.states:
            end = min(begin + EXPANDED, self.states)
            yield self.keys[begin:end]
            begin = end

    def _enter(self, after: Successors, begin: cython.longlong) -> None:
        """Add the edges of the states from number ``begin`` on, and the states that are new."""
        while self.states + after.edges > self._room:
            self._room_for_states(2 * self._room)
        while self.edges + after.edges > self._edge_room:
            self._room_for_edges(2 * self._edge_room)
        number: cython.longlong
        with cython.nogil:
            for number in range(after.states):
                self.ends[begin + number] = self.edges + after.ends[number]
            self._number_all(after)
        if self.states > self._most:
            raise TooLargeError(self._most)

    def _room_for_states(self, states: int) -> None:
        """Make room for this number of states; move the existing ones into a larger hash table."""
        self.keys = grown(self.keys, states)
        self.ends = grown(self.ends, states)
        self._places = zeros("I", 2 * states)
        self._mask = 2 * states - 1
        self._room = states
        with cython.nogil:
            self._enter_all()

    def _room_for_edges(self, edges: int) -> None:
        """Make room for this number of edges, which have most of the memory."""
        self.targets = zeros("I", 1)  # the only view of the column, or it could not be extended
        self._edge_column = extended(self._edge_column, edges)
        self.targets = self._edge_column
        self._edge_room = edges

    def _enter_all(self) -> None:
        number: cython.longlong
        for number in range(self.states):
            place: cython.ulonglong = bits.mix(self.keys[number]) & self._mask
            while self._places[place]:
                place = (place + 1) & self._mask
            self._places[place] = cython.cast(cython.uint, number + 1)

    def _number(self, key: cython.ulonglong) -> cython.uint:
        """Return the number of a state; add the state if it is new."""
        place: cython.ulonglong = bits.mix(key) & self._mask
        while self._places[place]:
            if self.keys[self._places[place] - 1] == key:
                return self._places[place] - 1
            place = (place + 1) & self._mask
        self.keys[self.states] = key
        self.states += 1
        self._places[place] = cython.cast(cython.uint, self.states)
        return self._places[place] - 1

    def _number_all(self, after: Successors) -> None:
        """Add the edges to these states.

        The first place of each key is looked up in groups, so that the processor waits for the memory of all of them at
        the same time. These are most of the time of a large game.
        """
        number: cython.int
        begin: cython.longlong = 0
        found = cython.declare(cython.uint[64])
        while begin < after.edges:
            size: cython.int = min(GROUP, after.edges - begin)
            for number in range(size):
                found[number] = self._places[bits.mix(after.found[begin + number]) & self._mask]
            for number in range(size):
                if found[number] and self.keys[found[number] - 1] != after.found[begin + number]:
                    found[number] = 0
            for number in range(size):
                key: cython.ulonglong = after.found[begin + number]
                self.targets[self.edges] = found[number] - 1 if found[number] else self._number(key)
                self.edges += 1
            begin += size
            self._gave_way = scheduling.give_way(self._gave_way)
