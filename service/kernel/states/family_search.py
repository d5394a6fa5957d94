"""Alpha-beta with memory for games of families that are too large for a table, as long as they have no loops.

Scores count from the far end of the game, as in ``search``: a game that could last ``n`` plies more when it ends is
worth ``n + 1`` to its winner, so a faster win scores more. A search counts these plies itself, one less after each
move. In some games a move can shorten the game by more than one ply, for example by finishing a board with empty cells,
so the same state can occur with different counts. Table entries hold distances to the end, so one entry serves all
counts.
"""

from collections.abc import Sequence

import cython

from service.kernel import bits, bounds
from service.kernel.limits import Limits
from service.kernel.states import family
from service.kernel.states.children import Children
from service.kernel.states.family import Family
from service.kernel.states.family_look_ahead import FamilyLookAhead
from service.kernel.stopping import Poll

WORDS_PER_ENTRY = cython.declare(cython.const_int, 2)
ZERO = cython.declare(cython.const_int, 128)  # added to the bounds in an entry, which must not be negative
FARTHEST = cython.declare(cython.const_int, 126)  # above all plies; a win in n plies is FARTHEST + 1 - n in an entry

GUIDE_SEED = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)  # keeps entries of guided searches apart

STEPS_PER_MOVE = 50
"""The estimated work of one move, in the unit of ``Limits``: cells of lines visited."""


class FamilySearch:
    """Searches of one game's states, each at most ``plies`` plies from its end.

    ``table`` is a flat array of 64-bit words, a power of two of them. Other threads, processes and games can share it,
    also with searches of lines. An entry is two words, ``key ^ data`` and ``data``, as in the transposition table of
    lines: a half-written entry matches no state. ``seeds`` are two words that separate the states of different games,
    and ``root`` is a number of the position that look-aheads are for. ``poll`` is called regularly and returns whether
    to stop; ``limit`` is the maximum number of nodes, None for no limit.
    """

    def __init__(
        self,
        rules: Family,
        plies: int,
        table: bits.Words,
        *,
        seeds: tuple[int, int] = (0, 0),
        root: int = 0,
        poll: Poll | None = None,
        limit: int | None = None,
    ) -> None:
        self.limits = Limits(poll, limit, STEPS_PER_MOVE * rules.moves)
        self._family = rules
        self._table = table
        self._guided = False
        self._first_seed, self._second_seed = seeds
        self._index_mask = len(table) // WORDS_PER_ENTRY - 1
        self._children = Children((plies + 1) * rules.moves, rules.moves)
        self._look_ahead = FamilyLookAhead(rules, plies, table, self.limits, seeds=seeds, root=root)

    @property
    def nodes(self) -> int:
        """States searched so far."""
        return self.limits.nodes

    def bound(self, first: int, second: int, alpha: cython.int, beta: cython.int) -> int:
        """Return a bound on the score of a state, with the invariant of ``Search.bound``. Raises Stopped."""
        self.limits.count_call()
        remaining: cython.int = self._family.remaining_of((first, second))
        state = self._family.packed((first, second))
        first_word: cython.ulonglong = state[0]
        second_word: cython.ulonglong = state[1]
        score: cython.int
        with cython.nogil:
            score = self._alpha_beta(first_word, second_word, alpha, beta, 0, remaining)
        self.limits.raise_if_stopped()
        found: int = score
        return found

    def estimate(self, first: int, second: int, depth: cython.int, alpha: cython.int, beta: cython.int) -> int:
        """Return an estimate by a search of ``depth`` plies, for the player to move; outside of the window, a bound.

        A win within the depth is worth more than ``WIN_ESTIMATE``, a loss less than ``-WIN_ESTIMATE``, a drawn state 0.
        The order keys of the family are the values at the end of the search; they must be below 2^23. Raises Stopped.
        """
        self.limits.count_call()
        remaining: cython.int = self._family.remaining_of((first, second))
        state = self._family.packed((first, second))
        first_word: cython.ulonglong = state[0]
        second_word: cython.ulonglong = state[1]
        value: cython.int
        with cython.nogil:
            value = self._look_ahead.value(first_word, second_word, depth, alpha, beta, 0, remaining)
        self.limits.raise_if_stopped()
        found: int = value
        return found

    def ended(self, first: int, second: int) -> int | None:
        """Return the score of a finished game for the player who would move; None while it goes on."""
        result = self._family.result_of((first, second))
        if result == family.ONGOING:
            return None
        return (result - family.DRAWN) * (self._family.remaining_of((first, second)) + 1)

    def moves(self, first: int, second: int) -> Sequence[int]:
        """Return the legal moves, ascending; none when the game is over."""
        return self._family.legal_moves((first, second))

    def after(self, first: int, second: int, move: int) -> tuple[int, int]:
        """Return the state after a move."""
        return self._family.after((first, second), move)

    def promising_moves(self, first: int, second: int) -> list[int]:
        """Return the legal moves, sorted: the first one leads to the state that looks worst for the opponent."""
        moves = self.moves(first, second)
        return sorted(moves, key=lambda move: self._family.order_key_of(self.after(first, second, move)))

    def keep_to_guide(self) -> None:
        """Leave out the moves that the family's guide does not try, from now on.

        Afterwards only wins of the first player are proven for the game, because this player may have better moves than
        those of the guide.
        """
        self._guided = True
        self._first_seed ^= GUIDE_SEED

    def guided_moves(self, first: int, second: int) -> Sequence[int]:
        """Return the legal moves that a guided search tries."""
        return self._family.guided_moves((first, second))

    def _alpha_beta(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        alpha: cython.int,
        beta: cython.int,
        slot: cython.int,
        remaining: cython.int,
    ) -> cython.int:
        """Return a bound on the score of a state; the result has no meaning after a stop.

        ``remaining`` is the count of plies left that scores are based on; it may exceed that of the state itself.
        Slots from ``slot`` on are free.
        """
        result: cython.int = self._family.result(first, second)
        if result != family.ONGOING:
            return (result - family.DRAWN) * (remaining + 1)
        if remaining >= self._family.symmetric_from:
            state: bits.Pair = self._family.canonical(first, second)
            first = state.first
            second = state.second
        mixed: cython.ulonglong = bits.mix(first ^ self._first_seed)
        key: cython.ulonglong = mixed ^ bits.mix_otherwise(second ^ self._second_seed)
        if cython.compiled:  # the wait for memory and the bounds below overlap
            bits.prefetch(cython.address(self._table[WORDS_PER_ENTRY * (key & self._index_mask)]))
        spare: cython.int = remaining - self._family.remaining(first, second)
        low: cython.int = -_further(self._family.score_limit(first, second, family.OTHER), spare)
        high: cython.int = _further(self._family.score_limit(first, second, family.TO_MOVE), spare)
        if low >= beta or high <= alpha or low == high:
            return low if low >= beta else high
        if self.limits.count_node():
            return 0
        known_low, known_high = self._probe(key, mixed & bits.CHECK_BITS, FARTHEST - remaining)
        low = max(low, known_low)
        high = min(high, known_high)
        if low >= beta or high <= alpha or low == high:
            return low if low >= beta else high
        end: cython.int = self._put_children(first, second, slot)
        best: cython.int = min(high, self._best_child(first, second, slot, end, low, alpha, beta, remaining - 1))
        if not self.limits.stopped:
            least: cython.int = best if best > alpha else low
            most: cython.int = best if best < beta else high
            self._store(key, mixed & bits.CHECK_BITS, least, most, FARTHEST - remaining)
        return best

    def _best_child(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        slot: cython.int,
        end: cython.int,
        low: cython.int,
        alpha: cython.int,
        beta: cython.int,
        remaining: cython.int,
    ) -> cython.int:
        """Return a bound on the score from the children in slots up to ``end``; at least the proven bound ``low``."""
        best: cython.int = low
        while slot < end and best < beta:
            self._children.bring_most_promising(slot, end)
            state: bits.Pair = self._family.play(first, second, self._children.moves[slot])
            value: cython.int = -self._alpha_beta(state.first, state.second, -beta, -max(alpha, best), end, remaining)
            if self.limits.stopped:
                return 0
            best = max(best, value)
            slot += 1
        return best

    def _put_children(self, first: cython.ulonglong, second: cython.ulonglong, slot: cython.int) -> cython.int:
        """Write the states after all legal moves into the slots from ``slot`` on; return the slot after the last.

        A guided search keeps only the guided ones, unless no guided move is legal.
        """
        end: cython.int = self._family.put_children(first, second, self._children, slot)
        if not self._guided:
            return end
        place: cython.int
        guided: cython.int = slot
        for place in range(slot, end):
            move: cython.int = self._children.moves[place]
            if self._family.is_guided(first, second, move):
                self._children.put(guided, move, self._children.order_keys[place])
                guided += 1
        return guided if guided > slot else end

    def _probe(
        self, key: cython.ulonglong, check: cython.ulonglong, played: cython.int
    ) -> tuple[cython.int, cython.int]:
        """Return a lower and an upper bound on the score of a state; infinite bounds without an entry.

        ``played`` is the number of points that a win is worth more in an entry than in this search.
        """
        place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._index_mask)
        data: cython.ulonglong = self._table[place + 1]
        if not data or self._table[place] ^ data != key or data & bits.CHECK_BITS != check:
            return -bounds.INFINITY, bounds.INFINITY
        low: cython.int = cython.cast(cython.int, data & 255) - ZERO
        high: cython.int = cython.cast(cython.int, data >> 8 & 255) - ZERO
        return _further(low, -played), _further(high, -played)

    def _store(
        self, key: cython.ulonglong, check: cython.ulonglong, low: cython.int, high: cython.int, played: cython.int
    ) -> None:
        """Store the bounds of a state in place of any other entry; ``played`` is as in ``_probe``."""
        place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._index_mask)
        low = _further(low, played) + ZERO
        high = _further(high, played) + ZERO
        data: cython.ulonglong = check | cython.cast(cython.ulonglong, low | high << 8)
        self._table[place] = key ^ data
        self._table[place + 1] = data


def _further(score: cython.int, plies: cython.int) -> cython.int:
    """Return a score that is ``plies`` points further away from 0; 0 remains 0."""
    return score + plies if score > 0 else score - plies if score < 0 else 0
