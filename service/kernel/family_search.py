"""Alpha-beta with memory for games of families that are too large for a table, as long as they have no loops.

Scores count from the far end of the game, as in ``search``: a game that could last ``n`` plies more when it ends is
worth ``n + 1`` to its winner. So a state has one score however it was reached, and a faster win scores more.
"""

from array import array

import cython

from service.kernel import bits, family
from service.kernel.family import Family, Words
from service.kernel.limits import Limits
from service.kernel.stopping import Poll

WORDS_PER_ENTRY = cython.declare(cython.int, 4)
ZERO = cython.declare(cython.int, 128)  # what a bound of 0 is in an entry, where none may be negative
INFINITY = cython.declare(cython.int, 100)
CANONICAL_MIN_PLIES = cython.declare(cython.int, 7)  # plies left below which looking for symmetries costs more
OVER = cython.declare(cython.int, 1 << 24)  # the promise of a state that is won; more than any other

STEPS_PER_MOVE = 50
"""The work of a move, in cells of lines that are looked at."""


class FamilySearch:
    """Searches of one game's states, each of which lasts at most so many ``plies``.

    ``table`` is a flat array of 64-bit words, a power of two of them, which nobody else uses meanwhile. An entry is the
    two words of a state, its bounds, and an empty word. ``poll`` is asked now and then whether to stop; ``limit`` is
    the most nodes, None for any number.
    """

    def __init__(
        self, rules: Family, plies: int, table: bits.Words, *, poll: Poll | None = None, limit: int | None = None
    ) -> None:
        self.limits = Limits(poll, limit, STEPS_PER_MOVE * rules.moves)
        self._family = rules
        self._table = table
        self._index_mask = len(table) // WORDS_PER_ENTRY - 1
        slots = (plies + 1) * rules.moves  # room for all children along a line of play
        self._firsts, self._seconds = array("Q", bytes(8 * slots)), array("Q", bytes(8 * slots))
        self._promises = array("i", bytes(4 * slots))

    @property
    def nodes(self) -> int:
        """States searched so far."""
        return self.limits.nodes

    def bound(self, words: Words, alpha: cython.int, beta: cython.int) -> int:
        """Return a bound on the score of a state, with the invariant of ``Search.bound``. Raises Stopped."""
        self.limits.count_call()
        first: cython.ulonglong = words[0]
        second: cython.ulonglong = words[1]
        score: cython.int
        with cython.nogil:
            score = self._alpha_beta(first, second, alpha, beta, 0)
        self.limits.raise_if_stopped()
        found: int = score
        return found

    def _alpha_beta(
        self, first: cython.ulonglong, second: cython.ulonglong, alpha: cython.int, beta: cython.int, slot: cython.int
    ) -> cython.int:
        """Return a bound on the score of a state; nothing of use once the search is stopped."""
        remaining: cython.int = self._family.remaining(first, second)
        result: cython.int = self._family.result(first, second)
        if result != family.ONGOING:
            return (result - family.DRAWN) * (remaining + 1)
        low: cython.int = -self._family.hope(first, second, family.OTHER)
        high: cython.int = self._family.hope(first, second, family.TO_MOVE)
        if low >= beta or high <= alpha or low == high:
            return low if low >= beta else high
        if self.limits.count_node():
            return 0
        if remaining >= CANONICAL_MIN_PLIES:
            state: bits.Pair = self._family.canonical(first, second)
            first = state.first
            second = state.second
        place: cython.ulonglong = self._place(first, second)
        known_low, known_high = self._probe(place, first, second)
        low = max(low, known_low)
        high = min(high, known_high)
        if low >= beta or high <= alpha or low == high:
            return low if low >= beta else high
        end: cython.int = self._put_children(first, second, slot)
        best: cython.int = min(high, self._best_child(slot, end, low, alpha, beta))
        if not self.limits.stopped:
            self._store(place, first, second, best if best > alpha else low, best if best < beta else high)
        return best

    def _best_child(
        self, slot: cython.int, end: cython.int, low: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """Return a bound on the score by the states after all moves, at least the lower bound that is known."""
        best: cython.int = low
        while slot < end and best < beta:
            self._swap_most_promising(slot, end)
            value: cython.int = -self._alpha_beta(
                self._firsts[slot], self._seconds[slot], -beta, -max(alpha, best), end
            )
            if self.limits.stopped:
                return 0
            best = max(best, value)
            slot += 1
        return best

    def _put_children(self, first: cython.ulonglong, second: cython.ulonglong, slot: cython.int) -> cython.int:
        """Put the states after all moves into slots from this one on; return the slot behind them."""
        move: cython.int
        for move in range(self._family.moves):
            state: bits.Pair = self._family.play(first, second, move)
            if state.first == family.ILLEGAL:
                continue
            self._firsts[slot] = state.first
            self._seconds[slot] = state.second
            result: cython.int = self._family.result(state.first, state.second)
            if result != family.ONGOING:
                self._promises[slot] = (family.DRAWN - result) * OVER
            else:
                self._promises[slot] = -self._family.promise(state.first, state.second)
            slot += 1
        return slot

    def _swap_most_promising(self, slot: cython.int, end: cython.int) -> None:
        """Exchange a slot with the most promising one from there on."""
        i: cython.int
        best: cython.int = slot
        for i in range(slot + 1, end):
            if self._promises[i] > self._promises[best]:
                best = i
        first: cython.ulonglong = self._firsts[best]
        second: cython.ulonglong = self._seconds[best]
        self._firsts[best] = self._firsts[slot]
        self._seconds[best] = self._seconds[slot]
        self._promises[best] = self._promises[slot]
        self._firsts[slot] = first
        self._seconds[slot] = second

    def _place(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Return where the entry of a state stands."""
        return WORDS_PER_ENTRY * (bits.mix(first ^ bits.mix_otherwise(second)) & self._index_mask)

    def _probe(
        self, place: cython.ulonglong, first: cython.ulonglong, second: cython.ulonglong
    ) -> tuple[cython.int, cython.int]:
        """Return a lower and an upper bound; infinite ones for a state that is not there."""
        found: cython.ulonglong = self._table[place + 2]
        if not found or self._table[place] != first or self._table[place + 1] != second:
            return -INFINITY, INFINITY
        return cython.cast(cython.int, found & 255) - ZERO, cython.cast(cython.int, found >> 8) - ZERO

    def _store(
        self,
        place: cython.ulonglong,
        first: cython.ulonglong,
        second: cython.ulonglong,
        low: cython.int,
        high: cython.int,
    ) -> None:
        """Write an entry over the one that was there."""
        self._table[place] = first
        self._table[place + 1] = second
        self._table[place + 2] = cython.cast(cython.ulonglong, (low + ZERO) | (high + ZERO) << 8)
