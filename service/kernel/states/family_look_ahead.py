"""Estimates of positions that cannot be proven yet: alpha-beta of limited depth, with memory.

At the end of the depth, a state has the value of the family's order key. Wins and losses within the depth are certain.
"""

import cython

from service.kernel import bits, bounds
from service.kernel.bounds import WIN_ESTIMATE
from service.kernel.limits import Limits
from service.kernel.states import family
from service.kernel.states.children import Children
from service.kernel.states.family import Family

WORDS_PER_ENTRY = cython.declare(cython.const_int, 2)
WON_VALUE = cython.declare(cython.int, WIN_ESTIMATE)
CHECK = cython.declare(cython.ulonglong, 0xFFFFFF0000000000)
MOVE_BITS = cython.declare(cython.const_int, 127)
BIAS = cython.declare(cython.const_int, 1 << 23)
CUT_BY = cython.declare(cython.const_int, 2)  # how many plies less a look-ahead has that may cut off another
DEEP = cython.declare(cython.const_int, 6)  # the plies from which it has ``DEEP_BY`` less
DEEP_BY = cython.declare(cython.const_int, 4)
UNDECIDED = cython.declare(cython.int, 4 * WIN_ESTIMATE)  # no value

SEED = 0x9E3779B97F4A7C15
"""Keeps entries apart from those of proofs."""

TABLE_WORDS = 1 << 18
"""The part of the table for one position's look-aheads: 2 MB."""


class FamilyLookAhead:
    """Look-aheads of one game's states, each at most ``plies`` plies from its end.

    ``table`` is shared with proofs, of this game and others. Look-aheads keep to one part of it, by the number ``root``
    of their position: it stays in the caches of the processor, and in a large table they would wait for memory half of
    the time. ``seeds`` are two words that separate the states of different games; ``limits`` counts the nodes.
    """

    def __init__(
        self, rules: Family, plies: int, table: bits.Words, limits: Limits, *, seeds: tuple[int, int], root: int
    ) -> None:
        self._family = rules
        self._limits = limits
        self._children = Children((plies + 1) * rules.moves, rules.moves)
        self._first_seed, self._second_seed = seeds[0] ^ SEED, seeds[1]
        words = min(len(table), TABLE_WORDS)
        begin = root * words % len(table)
        self._table = table[begin : begin + words]
        self._index_mask = words // WORDS_PER_ENTRY - 1

    def value(
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
        if self._limits.count_node():
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
        """Return what ``value`` does, by at least two plies, with memory.

        The value of an entry is only valid for its own depth. The best child found at any depth is searched first. An
        entry has, lowest bits first::

            2 bits   whether the value is exact, a lower or an upper bound
            7 bits   of the best move
            7 bits   depth
            24 bits  value, plus 2^23
            24 bits  of the key, mixed otherwise
        """
        mixed: cython.ulonglong = bits.mix(first ^ self._first_seed)
        key: cython.ulonglong = mixed ^ bits.mix_otherwise(second ^ self._second_seed)
        check: cython.ulonglong = mixed & CHECK
        data: cython.ulonglong = self._entry(key, check)
        if cython.cast(cython.int, data >> 9 & 127) == depth:
            value: cython.int = cython.cast(cython.int, data >> 16 & (2 * BIAS - 1)) - BIAS
            if bounds.decides(data & 3, value, alpha, beta):
                return value
        if self._family.margin:
            value = self._probable_bound(first, second, depth, alpha, beta, slot, remaining)
            if value != UNDECIDED:
                return value
            data = self._entry(key, check)
        end: cython.int = self._family.put_children(first, second, self._children, slot)
        self._children.weigh(slot, end, remaining & 1)
        if data:
            self._children.prefer(slot, end, data >> 2 & MOVE_BITS)
        found: cython.int = self._best_child(first, second, slot, end, depth - 1, alpha, beta, remaining - 1)
        best: cython.int = self._children.order_keys[found]
        if best >= beta and not self._limits.stopped:
            self._children.count(slot, found, remaining & 1)
        if not self._limits.stopped and abs(best) < WON_VALUE:  # a win counts the plies that are left in this game
            data = check | cython.cast(cython.ulonglong, best + BIAS) << 16
            data |= depth << 9 | (self._children.moves[found] & MOVE_BITS) << 2 | bounds.kind_of(best, alpha, beta)
            place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._index_mask)
            self._table[place] = key ^ data
            self._table[place + 1] = data
        return best

    def _entry(self, key: cython.ulonglong, check: cython.ulonglong) -> cython.ulonglong:
        """Return the data of a state's entry by a look-ahead; 0 without one."""
        place: cython.ulonglong = WORDS_PER_ENTRY * (key & self._index_mask)
        data: cython.ulonglong = self._table[place + 1]
        return data if self._table[place] ^ data == key and data & CHECK == check else 0

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
        value: cython.int = self.value(first, second, depth - (DEEP_BY if deep else CUT_BY), low, high, slot, remaining)
        if abs(value) >= WON_VALUE:
            return value
        return beta if value >= high else alpha if value <= low else UNDECIDED

    def _best_child(
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
        while slot < end and most < beta and not self._limits.stopped:
            self._children.bring_most_promising(slot, end)
            state: bits.Pair = self._family.play(first, second, self._children.moves[slot])
            value: cython.int = -self.value(state.first, state.second, depth, -beta, -max(alpha, most), end, remaining)
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
        self._children.bring_most_promising(slot, self._family.put_children(first, second, self._children, slot))
        best: cython.int = self._children.order_keys[slot]
        return best if abs(best) < family.OVER else best // family.OVER * (WON_VALUE + remaining)
