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
from service.kernel.bounds import WIN_ESTIMATE
from service.kernel.limits import Limits
from service.kernel.states import family
from service.kernel.states.children import Children
from service.kernel.states.family import Family
from service.kernel.stopping import Poll

WORDS_PER_ENTRY = cython.declare(cython.const_int, 2)
ZERO = cython.declare(cython.const_int, 128)  # added to the bounds in an entry, which must not be negative
FARTHEST = cython.declare(cython.const_int, 126)  # above all plies; a win in n plies is FARTHEST + 1 - n in an entry

WON_VALUE = cython.declare(cython.int, WIN_ESTIMATE)
LOOK_SEED = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # keeps entries of look-aheads apart
GUIDE_SEED = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)  # keeps entries of guided searches apart
LOOK_CHECK = cython.declare(cython.ulonglong, 0xFFFFFF0000000000)
MOVE_BITS = cython.declare(cython.const_int, 127)
LOOK_BIAS = cython.declare(cython.const_int, 1 << 23)
CUT_BY = cython.declare(cython.const_int, 2)  # how many plies less a look-ahead has that may cut off another
DEEP = cython.declare(cython.const_int, 6)  # the plies from which it has ``DEEP_BY`` less
LOOK_WORDS = cython.declare(cython.const_longlong, 1 << 18)  # of the table for one position's look-aheads: 2 MB
DEEP_BY = cython.declare(cython.const_int, 4)
UNDECIDED = cython.declare(cython.int, 4 * WIN_ESTIMATE)  # no value

STEPS_PER_MOVE = 50
"""The estimated work of one move, in the unit of ``Limits``: cells of lines visited."""


class FamilySearch:
    """Searches of one game's states, each at most ``plies`` plies from its end.

    ``table`` is a flat array of 64-bit words, a power of two of them. Other threads, processes and games can share it,
    also with searches of lines. An entry is two words, ``key ^ data`` and ``data``, as in the transposition table of
    lines: a half-written entry matches no state. ``seeds`` are two words that separate the states of different games.
    Look-aheads keep to one part of the table, by the number ``root`` of their position: it stays in the caches of the
    processor, and in a large table they would wait for memory half of the time.
    ``poll`` is called regularly and returns whether to stop; ``limit`` is the maximum number of nodes, None for no
    limit.
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
        words = min(len(table), LOOK_WORDS)
        begin = root * words % len(table)
        self._look_table = table[begin : begin + words]
        self._look_mask = words // WORDS_PER_ENTRY - 1
        slots = (plies + 1) * rules.moves  # room for all children along a line of play
        self._children = Children(slots, rules.moves)

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
            value = self._look(first_word, second_word, depth, alpha, beta, 0, remaining)
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
        spare: cython.int = remaining - self._family.remaining(first, second)
        low: cython.int = -_further(self._family.score_limit(first, second, family.OTHER), spare)
        high: cython.int = _further(self._family.score_limit(first, second, family.TO_MOVE), spare)
        if low >= beta or high <= alpha or low == high:
            return low if low >= beta else high
        if self.limits.count_node():
            return 0
        if remaining >= self._family.symmetric_from:
            state: bits.Pair = self._family.canonical(first, second)
            first = state.first
            second = state.second
        mixed: cython.ulonglong = bits.mix(first ^ self._first_seed)
        key: cython.ulonglong = mixed ^ bits.mix_otherwise(second ^ self._second_seed)
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

    def _look(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        slot: cython.int,
        remaining: cython.int,
    ) -> cython.int:
        """Return a bound on the estimate of a state by ``depth`` plies; the result has no meaning after a stop."""
        result: cython.int = self._family.result(first, second)
        if result != family.ONGOING:
            return (result - family.DRAWN) * (WON_VALUE + remaining + 1)
        if depth <= 0:
            return self._family.order_key(first, second)
        if self.limits.count_node():
            return 0
        if depth == 1:
            return self._best_estimate(first, second, slot, remaining)
        return self._look_further(first, second, depth, alpha, beta, slot, remaining)

    def _look_further(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        slot: cython.int,
        remaining: cython.int,
    ) -> cython.int:
        """Return what ``_look`` does, by at least two plies, with memory.

        The value of an entry is only valid for its own depth. The best child found at any depth is searched first. An
        entry has, lowest bits first::

            2 bits   whether the value is exact, a lower or an upper bound
            7 bits   of the best move
            7 bits   depth
            24 bits  value, plus 2^23
            24 bits  of the key, mixed otherwise
        """
        mixed: cython.ulonglong = bits.mix(first ^ self._first_seed ^ LOOK_SEED)
        key: cython.ulonglong = mixed ^ bits.mix_otherwise(second ^ self._second_seed)
        check: cython.ulonglong = mixed & LOOK_CHECK
        data: cython.ulonglong = self._look_entry(key, check)
        if cython.cast(cython.int, data >> 9 & 127) == depth:
            value: cython.int = cython.cast(cython.int, data >> 16 & (2 * LOOK_BIAS - 1)) - LOOK_BIAS
            if bounds.decides(data & 3, value, alpha, beta):
                return value
        if self._family.margin:
            value = self._probable_bound(first, second, depth, alpha, beta, slot, remaining)
            if value != UNDECIDED:
                return value
            data = self._look_entry(key, check)
        end: cython.int = self._put_children(first, second, slot)
        self._children.weigh(slot, end, remaining & 1)
        if data:
            self._children.prefer(slot, end, data >> 2 & MOVE_BITS)
        found: cython.int = self._best_child_by_look(first, second, slot, end, depth - 1, alpha, beta, remaining - 1)
        best: cython.int = self._children.order_keys[found]
        if best >= beta and not self.limits.stopped:
            self._children.count(slot, found, remaining & 1)
        if not self.limits.stopped and abs(best) < WON_VALUE:  # a win counts the plies that are left in this game
            data = check | cython.cast(cython.ulonglong, best + LOOK_BIAS) << 16
            data |= depth << 9 | (self._children.moves[found] & MOVE_BITS) << 2 | bounds.kind_of(best, alpha, beta)
            place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._look_mask)
            self._look_table[place] = key ^ data
            self._look_table[place + 1] = data
        return best

    def _look_entry(self, key: cython.ulonglong, check: cython.ulonglong) -> cython.ulonglong:
        """Return the data of a state's entry by a look-ahead; 0 without one."""
        place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._look_mask)
        data: cython.ulonglong = self._look_table[place + 1]
        return data if self._look_table[place] ^ data == key and data & LOOK_CHECK == check else 0

    def _probable_bound(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        slot: cython.int,
        remaining: cython.int,
    ) -> cython.int:
        """Return ``alpha`` or ``beta`` if the value is probably not between them, else ``UNDECIDED``.

        A look-ahead of two plies less decides if its value is outside of the window by the margin of the family
        (ProbCut, Buro 1995). Six plies or more are decided by four less, and the margin is a fifth wider. A win or loss
        that the shorter look-ahead finds is the value.
        """
        deep: cython.bint = depth >= DEEP
        margin: cython.int = self._family.margin + (self._family.margin // 5 if deep else 0)
        low: cython.int = alpha - margin
        high: cython.int = beta + margin
        value: cython.int = self._look(first, second, depth - (DEEP_BY if deep else CUT_BY), low, high, slot, remaining)
        if abs(value) >= WON_VALUE:
            return value
        return beta if value >= high else alpha if value <= low else UNDECIDED

    def _best_child_by_look(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        slot: cython.int,
        end: cython.int,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        remaining: cython.int,
    ) -> cython.int:
        """Return the slot of the best child found by looking ahead ``depth`` plies from each up to ``end``.

        Its order key is then the bound on its estimate, for the player who moves to it.
        """
        best: cython.int = slot
        most: cython.int = -2 * WON_VALUE
        while slot < end and most < beta and not self.limits.stopped:
            self._children.bring_most_promising(slot, end)
            state: bits.Pair = self._family.play(first, second, self._children.moves[slot])
            value: cython.int = -self._look(state.first, state.second, depth, -beta, -max(alpha, most), end, remaining)
            if value > most:
                most = value
                best = slot
            slot += 1
        self._children.order_keys[best] = most
        return best

    def _best_estimate(
        self, first: cython.ulonglong, second: cython.ulonglong, slot: cython.int, remaining: cython.int
    ) -> cython.int:
        """Return the estimate of a state by a search of one ply: the greatest order key of its children."""
        self._children.bring_most_promising(slot, self._put_children(first, second, slot))
        best: cython.int = self._children.order_keys[slot]
        return best if abs(best) < family.OVER else best // family.OVER * (WON_VALUE + remaining)

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
