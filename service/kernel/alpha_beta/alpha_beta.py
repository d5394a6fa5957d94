"""Alpha-beta over the slots of a search: seven steps for each node.

Every function that takes a window keeps the invariant of ``Search.bound``. A result has no meaning after a stop.
"""

from array import array

import cython

from service.kernel import bits, bounds, ordering
from service.kernel.alpha_beta.history import History
from service.kernel.alpha_beta.nodes import Nodes
from service.kernel.board import Board
from service.kernel.estimate.evaluation import Evaluation
from service.kernel.limits import Limits
from service.kernel.proofs.threat_search import ThreatSearch
from service.kernel.table import Table

QUICK_THREAT_NODES = cython.declare(cython.const_int, 100)  # the maximum positions of a search for threats at a node
THREAT_MIN_EMPTY = cython.declare(cython.const_int, 13)  # with fewer empty cells such a search costs more than it saves

ETC_MIN_EMPTY = cython.declare(cython.const_int, 10)  # with fewer empty cells probing all children does not pay

EVALUATE_MIN_EMPTY = cython.declare(cython.const_int, 26)  # with fewer empty cells an evaluation does not pay
EVALUATION_SHARE = cython.declare(cython.const_int, 5)  # sixteenths of an evaluation in a move's priority


class AlphaBeta(Nodes):
    """Alpha-beta with a transposition table, for positions of one game.

    ``threats``, if it is set, searches wins by threats at the nodes: for games without gravity that are not misère.
    """

    def __init__(self, board: Board, table: Table, limits: Limits, slots: cython.int) -> None:
        super().__init__(board, table, limits, slots)
        self._queue = array("i", bytes(4 * slots))
        self._history = History(board)
        self._evaluation = Evaluation(board)
        self.threats: ThreatSearch | None = None

    def value(self, mine: bits.Mask, theirs: bits.Mask, alpha: cython.int, beta: cython.int) -> cython.int:
        """Return a bound on the score of an unfinished position; the result has no meaning after a stop."""
        empty: bits.Mask = self._board.full ^ (mine | theirs)
        own_wins: bits.Mask = self._board.threats(mine, empty)
        opponent_wins: bits.Mask = self._board.threats(theirs, empty)
        self._enter(0, mine, theirs, own_wins, opponent_wins, bits.count(mine | theirs))
        return self._value_before_forced(0, 1, alpha, beta)

    def _value_before_forced(
        self, slot: cython.int, start: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """Return a bound for the player who was to move in a slot before its forced moves were played."""
        if self._side[slot] > 0:
            return self._value(slot, start, alpha, beta)
        return -self._value(slot, start, -beta, -alpha)

    def _value(self, slot: cython.int, start: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """Return a bound for the side to move in a slot; search only if its bounds do not suffice."""
        if not self._keys[slot] and self._lower[slot] < self._upper[slot]:
            self._apply_static_bounds(slot, alpha, beta)
        if self._lower[slot] >= beta or self._lower[slot] >= self._upper[slot]:
            return self._lower[slot]
        if self._upper[slot] <= alpha:
            return self._upper[slot]
        return self._node(slot, start, alpha, beta)

    def _node(self, slot: cython.int, start: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """Return a bound for a slot that has its static bounds and its key; the slots from ``start`` on are free.

        Negamax (Knuth and Moore, 1975), fail-soft (Fishburn, 1983), with a lower and an upper bound of each position in
        the table. The side to move cannot win at once (unless misère) and has moves that do not lose at once. The
        result satisfies the invariant of ``bound``; it has no meaning after a stop.
        """
        # Step 1. Count the node, and stop if the search must end.
        if self._limits.count_node():
            return 0
        # Step 2. Probe the transposition table: its bounds may suffice, its best move is tried early.
        tt_cell: cython.int = self._apply_tt_bounds(slot)
        lower: cython.int = self._lower[slot]
        upper: cython.int = self._upper[slot]
        if lower >= beta or lower >= upper:
            return lower
        if upper <= alpha:
            return upper
        low: cython.int = max(alpha, lower)
        high: cython.int = min(beta, upper)
        # Step 3. Without gravity, look for wins by threats: they may cut off, or leave only the moves that stop them.
        floor: cython.int = -bounds.INFINITY
        if self.threats is not None and self._board.cells - self._marks[slot] > THREAT_MIN_EMPTY:
            floor = self._apply_threats(self.threats, slot, low)
            if self._limits.stopped:
                return 0
            lower = max(lower, self._lower[slot])
            if lower >= high:
                self._store(slot, lower, upper)
                return lower
            low = max(low, lower)
        return self._after_threats(slot, start, tt_cell, floor, alpha, low, high, lower, upper)

    def _after_threats(
        self,
        slot: cython.int,
        start: cython.int,
        tt_cell: cython.int,
        floor: cython.int,
        alpha: cython.int,
        low: cython.int,
        high: cython.int,
        lower: cython.int,
        upper: cython.int,
    ) -> cython.int:
        """Return a bound for a slot by the steps 4 to 7 of ``_node``.

        ``lower`` and ``upper`` are the proven bounds of the slot; ``low`` and ``high`` are the window narrowed by them.
        Moves that step 3 has left out have a value of at most ``floor``.
        """
        # Step 4. Make all children and settle those whose bounds suffice; one of them may cut off.
        end: cython.int = self._expand(slot, start, tt_cell, low, high)
        if self._limits.stopped:
            return 0
        best: cython.int = max(floor, self._best[slot])
        self._best[slot] = best
        if best >= high:
            self._store(slot, best, upper)
            return best
        # Step 5. A move that leaves the opponent only losing replies does not win at once, so a win takes longer.
        upper = min(upper, bounds.win_score(self._board, self._marks[slot] + (4 if self._board.misere else 5)))
        if upper <= alpha:
            return upper
        high = min(high, upper)
        # Step 6. Search the open children, the most promising first, until one reaches ``high``.
        best = self._best_of(slot, start, end, low, high)
        if self._limits.stopped:
            return 0
        # Step 7. Store what is proven: a cut-off raises the lower bound, a fail-low lowers the upper one.
        if best > low:
            lower = best
        if best < high:
            upper = best
        self._store(slot, lower, upper)
        return best

    def _apply_threats(self, threats: ThreatSearch, slot: cython.int, low: cython.int) -> cython.int:
        """Raise the lower bound of a slot by a win by threats, or keep only the moves that may stop such a win.

        Return an upper bound on the value of the moves left out, which is at most ``low``; minus infinity if no move is
        left out.
        """
        plies: cython.int = threats.plies(self._mine[slot], self._theirs[slot], QUICK_THREAT_NODES)
        if plies:
            self._lower[slot] = max(self._lower[slot], bounds.win_score(self._board, self._marks[slot] + plies))
            self._best_cell[slot] = bits.cell(threats.move)
            return -bounds.INFINITY
        plies = threats.plies(self._theirs[slot], self._mine[slot], QUICK_THREAT_NODES)
        score: cython.int = -bounds.win_score(self._board, self._marks[slot] + 1 + plies)
        if not plies or score > low:
            return -bounds.INFINITY
        self._moves[slot] &= threats.zone
        return score

    def _expand(
        self, slot: cython.int, start: cython.int, tt_cell: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Write the children of a slot into the slots from ``start`` on and queue the open ones; return their end.

        Settled children keep no slot. ``_best`` of the slot becomes the best value of the settled children; a value of
        ``high`` or more is a cut-off.
        """
        mine: bits.Mask = self._mine[slot]
        theirs: bits.Mask = self._theirs[slot]
        empty: bits.Mask = self._board.full ^ (mine | theirs)
        moves: bits.Mask = self._moves[slot]
        move: bits.Mask
        threats: bits.Mask
        replies: bits.Mask
        evaluates: cython.bint = self._evaluates(slot, low, high)
        end: cython.int = start
        self._best[slot] = -bounds.INFINITY
        self._best_cell[slot] = -1
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            threats = self._board.threats(mine | move, empty ^ move)
            self._enter(
                end, theirs, mine | move, self._opponent_wins[slot] & (empty ^ move), threats, self._marks[slot] + 1
            )
            self._move_cell[end] = bits.cell(move)
            if self._board.drop and self._lower[end] < self._upper[end]:
                if self._side[end] > 0:
                    self._apply_static_bounds(end, -high, -low)
                else:
                    self._apply_static_bounds(end, low, high)
            if self._is_open(slot, end, low, high):
                replies = self._moves[end] if self._side[end] > 0 else 0
                self._priority[end] = ordering.child_priority(
                    self._board, mine | theirs, self._opponent_wins[slot], move, threats, replies, tt_cell
                )
                self._priority[end] += self._history.bonus(
                    self._marks[slot], self._move_cell[slot], self._move_cell[end]
                )
                if evaluates:
                    self._priority[end] += self._evaluation_bonus(end)
                end += 1
            elif self._best[slot] >= high:
                return end
        return self._order_children(slot, start, end, low, high)

    def _evaluates(self, slot: cython.int, low: cython.int, high: cython.int) -> cython.bint:
        """Return whether the children of a slot are ordered by their evaluation, too.

        This pays under gravity, outside of misère, if the window asks for the outcome: an evaluation says little about
        the distance to the end. And it pays only far from the end, where a wrong order costs thousands of nodes.
        """
        asks_outcome: cython.bint = low <= 0 and high >= 0
        far: cython.bint = self._board.cells - self._marks[slot] >= EVALUATE_MIN_EMPTY
        return asks_outcome and far and self._board.drop != 0 and not self._board.misere

    def _evaluation_bonus(self, child: cython.int) -> cython.int:
        """Return what the move to a child gains in priority by the evaluation of the position after it."""
        value: cython.longlong = self._evaluation.value(
            self._mine[child], self._theirs[child], self._own_wins[child], self._opponent_wins[child]
        )
        return cython.cast(cython.int, -self._side[child] * value * EVALUATION_SHARE >> 4)

    def _order_children(
        self, slot: cython.int, start: cython.int, end: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Sort the children that the table leaves open into the queue; return ``end``.

        Enhanced transposition cut-offs (Schaeffer and Plaat, 1996): all children are probed before one is searched,
        since one of them may cut off. Without gravity, or near the end, the probes cost more time than they save.
        """
        probes: cython.bint = self._board.drop != 0 and self._board.cells - self._marks[slot] > ETC_MIN_EMPTY
        queued: cython.int = start
        child: cython.int
        place: cython.int
        for child in range(start, end):
            if probes:
                self._apply_tt_bounds(child)
                if not self._is_open(slot, child, low, high):
                    if self._best[slot] >= high:
                        return end
                    continue
            place = queued
            while place > start and self._priority[self._queue[place - 1]] < self._priority[child]:
                self._queue[place] = self._queue[place - 1]
                place -= 1
            self._queue[place] = child
            queued += 1
        while queued < end:
            self._queue[queued] = -1
            queued += 1
        return end

    def _is_open(self, slot: cython.int, child: cython.int, low: cython.int, high: cython.int) -> cython.bint:
        """Return whether the move to a child may be worth more than ``low`` and may be worth less than ``high``.

        If not, the child is settled: raise the best value of the slot to the bound on the move, if that is greater.
        """
        least: cython.int = -self._upper[child] if self._side[child] > 0 else self._lower[child]
        most: cython.int = -self._lower[child] if self._side[child] > 0 else self._upper[child]
        if low < most and least < high:
            return True
        if least >= high:
            most = least
        if most > self._best[slot]:
            self._best[slot] = most
            self._best_cell[slot] = self._move_cell[child]
        return False

    def _best_of(
        self, slot: cython.int, start: cython.int, end: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Search the children in the queue; return a bound on the best value of the slot's children."""
        best: cython.int = self._best[slot]
        raised: cython.int = low
        value: cython.int
        child: cython.int
        place: cython.int
        for place in range(start, end):
            child = self._queue[place]
            if child < 0:
                break
            value = -self._value_before_forced(child, end, -high, -raised)
            if self._limits.stopped:
                return 0
            if value > best:
                best = value
                self._best_cell[slot] = self._move_cell[child]
                if value >= high:
                    self._count_cut_off(slot, start, place)
                    return best
                raised = max(raised, value)
        return best

    def _count_cut_off(self, slot: cython.int, start: cython.int, place: cython.int) -> None:
        """Count that the child at a place of the queue has cut off, and those before it have not."""
        tried: cython.int
        for tried in range(start, place + 1):
            self._history.count(
                self._marks[slot], self._move_cell[slot], self._move_cell[self._queue[tried]], tried == place
            )

    def _store(self, slot: cython.int, lower: cython.int, upper: cython.int) -> None:
        self._table.store(self._keys[slot], self._checks[slot], self._marks[slot], lower, upper, self._best_cell[slot])
