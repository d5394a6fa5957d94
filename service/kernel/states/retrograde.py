"""Retrograde analysis: the value of every position of a small game, loops included.

``Graph`` finds all reachable states, up to symmetry, with the moves between them. Their values are found from the end
of the game backwards (Thompson, 1986): a finished state has distance 0. In sweep ``n`` a state is won in ``n`` plies if
a move leads to one that is lost in ``n - 1``, and lost in ``n`` if all moves lead to won ones, the longest in ``n -
1``. States that no sweep settles are draws.

Similar sweeps separate the draws that a player can bring to an end from the draws that neither player can. Both players
only make moves that hold the draw. The player to move can force an end if any of these moves leads to a state from
which this player can force an end. The other player can force an end if all of these moves lead to states from which
the other player can force an end.
"""

import mmap
from array import array
from typing import Any

import cython

from service.kernel import bits, scheduling
from service.kernel.states import family
from service.kernel.states.family import Family
from service.kernel.states.ranking import Ranking, pairs_of
from service.kernel.stopping import Poll, Stopped

FIRST_ROOM = 1 << 12
"""The initial capacity for states and edges; a power of two."""

HALF = cython.declare(cython.const_ulonglong, 0xFFFFFFFF)
NO_ROOM = cython.declare(cython.const_bint, 1)
DRAW_THAT_ENDS = cython.declare(cython.const_int, 1)  # a value: a draw that a player can bring to an end; others are 0
LOSS = cython.declare(cython.const_int, 2)  # plus twice the distance
WIN = cython.declare(cython.const_int, 3)  # plus twice the distance, too
MOST_PLIES = cython.declare(cython.const_int, 126)
EITHER = cython.declare(cython.const_int, 3)
MOVER = cython.declare(cython.const_int, 1)  # the players who can force an end: the player to move,
OTHER = cython.declare(cython.const_int, 2)  # and the other player

EXPANDED = cython.declare(cython.longlong, 1 << 12 if cython.compiled else 1 << 5)
SWEPT = cython.declare(cython.longlong, 1 << 16 if cython.compiled else 1 << 9)
"""States between two polls, while states are found and while they are valued: about 10 ms."""

FEW = cython.declare(cython.const_int, (1 << 5) - 1)
MANY = cython.declare(cython.const_int, (1 << 10) - 1)
"""How many states are found, and how many valued, before other threads may go first: powers of two, less one."""


class TooLargeError(Exception):
    """The game has more than ``most`` states."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} states")
        self.most = most


class TooLongError(Exception):
    """A player can force a win, but in more plies than a value can hold."""

    def __init__(self) -> None:
        super().__init__(f"some wins take more than {MOST_PLIES} plies")


class Graph:
    """The states of a game up to symmetry, each with the states after its moves.

    States are numbered in the order of discovery. The key of a state has the first word in its lower 32 bits and the
    second word in its upper 32 bits. ``poll`` is called every few milliseconds; when it returns True, the work raises
    Stopped. Raises TooLargeError beyond ``most`` states.
    """

    def __init__(self, rules: Family, most: int, poll: Poll | None = None) -> None:
        self._family = rules
        self._most = most
        self._poll = poll
        self.states = 0
        self.edges = 0
        self._expanded = 0
        self._gave_way = 0.0
        self._keys = array("Q")
        self._ends = array("Q")  # for each state the end of its edges
        self._values = array("B")
        self._targets = array("I")
        self._room_for_states(FIRST_ROOM)
        self._room_for_edges(FIRST_ROOM)
        self._find_all()

    def solve(self) -> None:
        """Find the values of all states. Raises TooLongError if a win takes more than ``MOST_PLIES`` plies."""
        plies: cython.int = 1
        with cython.nogil:
            self._settle_ends()
        while self._sweep_all(plies):
            if plies > MOST_PLIES:
                raise TooLongError
            plies += 1
        self._find_ends()

    def tabulate(self) -> tuple[bits.Words, memoryview, memoryview]:
        """Return the pairs of bits of all states, for a ``Ranking``, their ranks, ascending, and the value of each."""
        ranks, sorted_ranks = _grown(self._keys[: self.states], self.states), _zeros("Q", self.states)
        values, sorted_values = _grown(self._values[: self.states], self.states), _zeros("B", self.states)
        pairs = pairs_of(ranks)
        Ranking(pairs).rank_all(ranks)
        for shift in range(0, 64, 8):
            if _sort(ranks, values, sorted_ranks, sorted_values, shift):
                ranks, sorted_ranks, values, sorted_values = sorted_ranks, ranks, sorted_values, values
        return pairs, ranks, values

    def positions(self) -> int:
        """Return the number of positions, counting symmetric ones and both turns separately."""
        # For each state 1 if the first player may be to move, plus 2 if the second may be.
        self._turns = array("B", bytes(self.states))
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
            while edge < self._ends[number]:
                child: cython.uint = self._targets[edge]
                if after & ~self._turns[child]:
                    self._turns[child] = cython.cast(cython.uchar, self._turns[child] | after)
                    found = True
                edge += 1
        return found

    def _count(self) -> cython.ulonglong:
        number: cython.longlong
        total: cython.ulonglong = 0
        for number in range(self.states):
            key: cython.ulonglong = self._keys[number]
            both: cython.ulonglong = 2 if self._turns[number] == EITHER else 1
            total += both * self._family.orbit(key & HALF, key >> 32)
        return total

    def _find_all(self) -> None:
        """Follow the moves of all states until no new state is found."""
        room: cython.bint = True
        self._number(0)
        while self._expanded < self.states:
            self._look()
            with cython.nogil:
                room = self._expand(self._expanded + EXPANDED)
            if room == NO_ROOM:
                if self.states > self._most:
                    raise TooLargeError(self._most)
                if self.states + self._family.moves > self._room:
                    self._room_for_states(2 * self._room)
                if self.edges + self._family.moves > self._edge_room:
                    self._room_for_edges(2 * self._edge_room)

    def _look(self) -> None:
        """Raise Stopped if the poll asks for it."""
        if self._poll is not None and self._poll():
            raise Stopped

    def _room_for_states(self, states: int) -> None:
        """Make room for this number of states; move the existing ones into a larger hash table."""
        self._keys = _grown(self._keys, states)
        self._ends = _grown(self._ends, states)
        self._values = _grown(self._values, states)
        self._places = _zeros("I", 2 * states)
        self._mask = 2 * states - 1
        self._room = states
        with cython.nogil:
            self._enter_all()

    def _room_for_edges(self, edges: int) -> None:
        self._targets = _grown(self._targets, edges)
        self._edge_room = edges

    def _enter_all(self) -> None:
        number: cython.longlong
        for number in range(self.states):
            place: cython.ulonglong = bits.mix(self._keys[number]) & self._mask
            while self._places[place]:
                place = (place + 1) & self._mask
            self._places[place] = cython.cast(cython.uint, number + 1)

    def _number(self, key: cython.ulonglong) -> cython.uint:
        """Return the number of a state; add the state if it is new."""
        place: cython.ulonglong = bits.mix(key) & self._mask
        while self._places[place]:
            if self._keys[self._places[place] - 1] == key:
                return self._places[place] - 1
            place = (place + 1) & self._mask
        self._keys[self.states] = key
        self.states += 1
        self._places[place] = cython.cast(cython.uint, self.states)
        return self._places[place] - 1

    def _expand(self, end: cython.longlong) -> cython.bint:
        """Follow the moves of the states before number ``end``; return ``NO_ROOM`` if the arrays are full before."""
        move: cython.int
        moves: cython.int = self._family.moves
        while self._expanded < min(self.states, end):
            if self.states + moves > self._room or self.edges + moves > self._edge_room:
                return NO_ROOM
            first: cython.ulonglong = self._keys[self._expanded] & HALF
            second: cython.ulonglong = self._keys[self._expanded] >> 32
            if self._family.result(first, second) == family.ONGOING:
                for move in range(moves):
                    self._follow(first, second, move)
            self._ends[self._expanded] = self.edges
            self._expanded += 1
            if not self._expanded & FEW:
                self._gave_way = scheduling.give_way(self._gave_way)
        return False

    def _follow(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> None:
        """Add the edge of a move, if the move is legal."""
        state: bits.Pair = self._family.play(first, second, move)
        if state.first != family.ILLEGAL:
            state = self._family.canonical(state.first, state.second)
            self._targets[self.edges] = self._number(state.first | state.second << 32)
            self.edges += 1

    def _settle_ends(self) -> None:
        """Enter the values of finished states."""
        number: cython.longlong
        for number in range(self.states):
            key: cython.ulonglong = self._keys[number]
            result: cython.int = self._family.result(key & HALF, key >> 32)
            self._values[number] = LOSS if result == family.LOST else WIN if result == family.WON else 0

    def _sweep_all(self, plies: cython.int) -> cython.bint:
        """Settle the states that are decided in ``plies`` plies; return whether there are any."""
        found: cython.bint = False
        begin: cython.longlong = 0
        while begin < self.states:
            self._look()
            with cython.nogil:
                found |= self._sweep(plies, begin, min(begin + SWEPT, self.states))
            begin += SWEPT
        return found

    def _sweep(self, plies: cython.int, begin: cython.longlong, end_of_sweep: cython.longlong) -> cython.bint:
        """Settle the states of a range that are decided in ``plies`` plies; return whether there are any.

        Only values of fewer plies count: ``decided`` is less than any that this sweep finds. Beyond ``MOST_PLIES``
        nothing is entered.
        """
        number: cython.longlong
        found: cython.bint = False
        edge: cython.ulonglong = self._ends[begin - 1] if begin else 0
        decided: cython.int = 2 * plies + LOSS
        for number in range(begin, end_of_sweep):
            if not number & MANY:
                self._gave_way = scheduling.give_way(self._gave_way)
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
                elif not child & 1:
                    value = 2 * plies + WIN
                    break
            edge = end
            if value:
                if plies <= MOST_PLIES:
                    self._values[number] = cython.cast(cython.uchar, value)
                found = True
        return found

    def _find_ends(self) -> None:
        """Enter the draws that a player can bring to an end."""
        number: cython.longlong
        self._forced = _zeros("B", self.states)
        with cython.nogil:
            for number in range(self.states):
                is_end: cython.bint = self._ends[number] == (self._ends[number - 1] if number else 0)
                self._forced[number] = MOVER | OTHER if is_end else 0
        while self._spread_all_ends():
            pass
        with cython.nogil:
            for number in range(self.states):
                if not self._values[number] and self._forced[number]:
                    self._values[number] = DRAW_THAT_ENDS

    def _spread_all_ends(self) -> cython.bint:
        """Record for all states who can force an end by one more move; return whether anything changed.

        The sweep begins with the last states: in games without loops one sweep suffices.
        """
        found: cython.bint = False
        end: cython.longlong = self.states
        while end > 0:
            self._look()
            with cython.nogil:
                found |= self._spread_ends(max(0, end - SWEPT), end)
            end -= SWEPT
        return found

    def _spread_ends(self, begin: cython.longlong, end: cython.longlong) -> cython.bint:
        """Record for a range of states who can force an end by one more move; return whether anything changed."""
        number: cython.longlong
        found: cython.bint = False
        for number in range(end - 1, begin - 1, -1):
            if not number & MANY:
                self._gave_way = scheduling.give_way(self._gave_way)
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


def _sort(keys: Any, values: Any, sorted_keys: Any, sorted_values: Any, shift: cython.int) -> bool:
    """Sort keys and their values by one byte of the keys, stably; return False if all keys have the same one."""
    number: cython.ulonglong
    byte: cython.ulonglong
    count: cython.ulonglong = len(keys)
    begins = array("Q", [0]) * 257
    old_keys: cython.ulonglong[::1] = keys
    new_keys: cython.ulonglong[::1] = sorted_keys
    old_values: cython.uchar[::1] = values
    new_values: cython.uchar[::1] = sorted_values
    places: cython.ulonglong[::1] = begins
    with cython.nogil:
        for number in range(count):
            places[(old_keys[number] >> shift & 255) + 1] += 1
    if places[(old_keys[0] >> shift & 255) + 1] == count:
        return False
    with cython.nogil:
        for byte in range(256):
            places[byte + 1] += places[byte]
        for number in range(count):
            byte = old_keys[number] >> shift & 255
            new_keys[places[byte]] = old_keys[number]
            new_values[places[byte]] = old_values[number]
            places[byte] += 1
    return True


def _grown(items: Any, size: int) -> Any:
    """Return an array of ``size`` items that begins with these; the others are 0.

    Other threads go on meanwhile: hundreds of megabytes can take longer than they may wait.
    """
    old = memoryview(items)
    grown = _zeros(old.format, size)
    source: cython.uchar[::1] = old.cast("B")
    target: cython.uchar[::1] = grown.cast("B")[: old.nbytes]
    with cython.nogil:
        target[:] = source
    return grown


def _zeros(kind: Any, size: int) -> memoryview:
    """Return ``size`` zero items of an ``array`` type, in mapped memory: it is taken on use and returned when freed."""
    item = array(kind).itemsize
    return memoryview(mmap.mmap(-1, item * size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)).cast(kind)
