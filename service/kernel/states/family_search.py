"""Alpha-beta with memory for games of families that are too large for a table, as long as they have no loops.

Scores count from the far end of the game, as in ``search``: a game that could last ``n`` plies more when it ends is
worth ``n + 1`` to its winner. So a state has one score however it was reached, and a faster win scores more.
"""

from array import array
from collections.abc import Sequence

import cython

from service.kernel import bits
from service.kernel.limits import Limits
from service.kernel.states import family
from service.kernel.states.family import Family
from service.kernel.stopping import Poll

WORDS_PER_ENTRY = cython.declare(cython.int, 2)
ZERO = cython.declare(cython.int, 128)  # what a bound of 0 is in an entry, where none may be negative
INFINITY = cython.declare(cython.int, 100)
CANONICAL_MIN_PLIES = cython.declare(cython.int, 7)  # plies left below which looking for symmetries costs more
CHECK_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFF00000000)
OVER = cython.declare(cython.int, 1 << 24)  # the promise of a state that is won; more than any other

STEPS_PER_MOVE = 50
"""The work of a move, in cells of lines that are looked at."""


class FamilySearch:
    """Searches of one game's states, each at most ``plies`` plies from its end.

    ``table`` is a flat array of 64-bit words, a power of two of them; other threads, processes and games can share it,
    those of ``search`` too. An entry is two words, ``key ^ data`` and ``data``, as in ``table``: a torn one matches no
    state. ``seeds`` are two words that separate the states of different games. ``poll`` is called regularly and returns
    whether to stop; ``limit`` is the maximum of nodes, None for no limit.
    """

    def __init__(
        self,
        rules: Family,
        plies: int,
        table: bits.Words,
        *,
        seeds: tuple[int, int] = (0, 0),
        poll: Poll | None = None,
        limit: int | None = None,
    ) -> None:
        self.limits = Limits(poll, limit, STEPS_PER_MOVE * rules.moves)
        self._family = rules
        self._table = table
        self._first_seed, self._second_seed = seeds
        self._index_mask = len(table) // WORDS_PER_ENTRY - 1
        slots = (plies + 1) * rules.moves  # room for all children along a line of play
        self._firsts, self._seconds = array("Q", bytes(8 * slots)), array("Q", bytes(8 * slots))
        self._promises = array("i", bytes(4 * slots))

    @property
    def nodes(self) -> int:
        """States searched so far."""
        return self.limits.nodes

    def bound(self, first: cython.ulonglong, second: cython.ulonglong, alpha: cython.int, beta: cython.int) -> int:
        """Return a bound on the score of a state, with the invariant of ``Search.bound``. Raises Stopped."""
        self.limits.count_call()
        score: cython.int
        with cython.nogil:
            score = self._alpha_beta(first, second, alpha, beta, 0)
        self.limits.raise_if_stopped()
        found: int = score
        return found

    def ended(self, first: cython.ulonglong, second: cython.ulonglong) -> int | None:
        """Return the score of a finished game for the player who would move; None while it goes on."""
        result: cython.int = self._family.result(first, second)
        if result == family.ONGOING:
            return None
        found: int = (result - family.DRAWN) * (self._family.remaining(first, second) + 1)
        return found

    def moves(self, first: int, second: int) -> Sequence[int]:
        """Return the legal moves, ascending; none when the game is over."""
        return self._family.legal_moves((first, second))

    def after(self, first: int, second: int, move: int) -> tuple[int, int]:
        """Return the state after a move."""
        return self._family.after((first, second), move)

    def promising_moves(self, first: int, second: int) -> list[int]:
        """Return the legal moves, those first after which the state looks worst for the player who moves next."""
        moves = self.moves(first, second)
        return sorted(moves, key=lambda move: self._family.promise_of(self.after(first, second, move)))

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
        mixed: cython.ulonglong = bits.mix(first ^ self._first_seed)
        key: cython.ulonglong = mixed ^ bits.mix_otherwise(second ^ self._second_seed)
        known_low, known_high = self._probe(key, mixed & CHECK_BITS)
        low = max(low, known_low)
        high = min(high, known_high)
        if low >= beta or high <= alpha or low == high:
            return low if low >= beta else high
        end: cython.int = self._put_children(first, second, slot)
        best: cython.int = min(high, self._best_child(slot, end, low, alpha, beta))
        if not self.limits.stopped:
            self._store(key, mixed & CHECK_BITS, best if best > alpha else low, best if best < beta else high)
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

    def _probe(self, key: cython.ulonglong, check: cython.ulonglong) -> tuple[cython.int, cython.int]:
        """Return a lower and an upper bound of a state; infinite ones if it is not there."""
        place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._index_mask)
        data: cython.ulonglong = self._table[place + 1]
        if not data or self._table[place] ^ data != key or data & CHECK_BITS != check:
            return -INFINITY, INFINITY
        return cython.cast(cython.int, data & 255) - ZERO, cython.cast(cython.int, data >> 8 & 255) - ZERO

    def _store(self, key: cython.ulonglong, check: cython.ulonglong, low: cython.int, high: cython.int) -> None:
        """Write an entry over the one that was there."""
        place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._index_mask)
        data: cython.ulonglong = check | cython.cast(cython.ulonglong, (low + ZERO) | (high + ZERO) << 8)
        self._table[place] = key ^ data
        self._table[place + 1] = data
