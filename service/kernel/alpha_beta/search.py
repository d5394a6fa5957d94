"""The search: alpha-beta with memory over masks, for every game of cells and lines.

The modules of this package are Python that Cython compiles: the ``.pxd`` file beside each gives the C types, and the
search runs without the interpreter's lock. Interpreted, it visits the same nodes, hundreds of times slower.

A position is two masks: ``mine``, the cells of the player to move, and ``theirs``. Scores count from the far end of the
game, so that a position has one score however it was reached: a game that ends with ``n`` marks on the board is worth
``cells + 1 - n`` to its winner, the negative of that to its loser, and 0 if it is drawn. A faster win and a slower loss
score more.
"""

from array import array

import cython

from service.kernel import bits, bounds, ordering
from service.kernel.alpha_beta.nodes import Nodes
from service.kernel.board import Board
from service.kernel.canonical import Canonical
from service.kernel.estimate.estimator import WON, Estimator
from service.kernel.estimate.look_ahead import PROVEN, LookAhead
from service.kernel.limits import POLL_NODES, Limits
from service.kernel.ordering import MoveList
from service.kernel.proofs.maker_breaker import MakerBreaker
from service.kernel.proofs.proof_number import ProofNumbers
from service.kernel.proofs.threat_search import ThreatSearch
from service.kernel.rules import Rules
from service.kernel.stopping import ContradictoryBoundsError, Poll, Stopped
from service.kernel.table import Table

__all__ = ["KERNEL", "POLL_NODES", "PROVEN", "WON", "ContradictoryBoundsError", "Search", "Stopped"]

KERNEL = "compiled" if cython.compiled else "interpreted"

FIRST_NODES = 4096
"""Nodes of alpha-beta before the first turn of the maker-breaker search."""

MORE_NODES = cython.declare(cython.int, 4)  # the growth factor of each turn
MAKER_FIRST = cython.declare(cython.bint, 1)
BREAKER_FIRST = cython.declare(cython.bint, 0)

NODES_PER_LONG_NODE = 16
"""The cost of a maker-breaker node, in nodes of alpha-beta."""

THREAT_NODES = cython.declare(cython.int, 100)  # the maximum positions of a search for threats at a node
THREAT_MIN_EMPTY = cython.declare(cython.int, 13)  # with fewer empty cells such a search costs more than it saves

ETC_MIN_EMPTY = cython.declare(cython.int, 10)  # with fewer empty cells probing all children costs more than it saves


class Search(Nodes):
    """Searches of one game's positions, with ``table`` as transposition table.

    ``table`` is a flat array of 64-bit words, a power of two of them, at least four; other threads, processes and games
    can share it. ``poll`` is called regularly and returns whether to stop; ``limit`` is the maximum number of nodes,
    None for no limit. Only one thread at a time may use a Search.
    """

    def __init__(
        self,
        rules: Rules,
        table: bits.Words,
        *,
        poll: Poll | None = None,
        limit: int | None = None,
    ) -> None:
        board = Board(rules)
        limits = Limits(poll, limit, (rules.drop or rules.cells) * sum(rules.lengths))
        # Space for the root and, at every ply of a line of play, all its children.
        slots = 1 + (rules.cells * rules.drop if rules.drop else rules.cells * (rules.cells + 1) // 2)
        super().__init__(board, Table(board, table, rules.key_seeds), limits, slots)
        self._queue = array("i", bytes(4 * slots))
        self._list = MoveList(board)
        self._look_ahead = LookAhead(board, self._list, limits)
        self._estimator: Estimator | None = None
        self._maker_breaker: MakerBreaker | None = None
        self._words, self._key_seeds = table, rules.key_seeds
        self._automorphisms = rules.automorphisms
        self._proof_numbers: ProofNumbers | None = None
        self._threats: ThreatSearch | None = None

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._limits.nodes

    def score(self, mine: bits.Mask, theirs: bits.Mask) -> int:
        """Return the exact score for the player to move. Raises Stopped.

        The outcome comes first: a window next to 0 cuts most, and its entries in the table help the following searches.
        Their null windows close in on the score, as in MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, 1996). They halve
        the range; under gravity they begin a quarter from the draw, since most games there last long.
        """
        low, high = -self._board.cells - 1, self._board.cells + 1
        for alpha in (0, -1):
            if low <= alpha < high:
                found = self.bound(mine, theirs, alpha, alpha + 1)
                low, high = (low, min(high, found)) if found <= alpha else (max(low, found), high)
        while low < high:
            alpha = self._next_alpha(low, high)
            found = self.bound(mine, theirs, alpha, alpha + 1)
            low, high = (low, found) if found <= alpha else (found, high)
        return low

    def _next_alpha(self, low: cython.int, high: cython.int) -> cython.int:
        """Return the lower end of the next null window."""
        if not self._board.drop:
            return low + (high - low) // 2  # of positive numbers, which C and Python divide alike
        quarter: cython.int = (high - low) // 4
        return low + quarter if low >= 0 else high - 1 - quarter

    def bound(self, mine: bits.Mask, theirs: bits.Mask, alpha: cython.int, beta: cython.int) -> int:
        """Return a bound ``b`` on the true score ``s``, for ``alpha < beta``.

        This is the invariant of every function here that takes a window:

        * ``b <= alpha``: ``s <= b``. No move is worth more than ``b``.
        * ``alpha < b < beta``: ``s == b``.
        * ``b >= beta``: ``s >= b``. Some move is worth at least ``b``.

        Raises Stopped if it was stopped first; its proofs until then stay in the table. Raises ContradictoryBoundsError
        if the table contained a false entry, which it removes.
        """
        self._limits.count_call()
        known = self.decided(mine, theirs)
        if known is not None:
            return known
        found: cython.int
        first: cython.longlong = FIRST_NODES
        ratio: cython.longlong = NODES_PER_LONG_NODE
        if self._threats is None and not self._board.drop and not self._board.misere:
            self._threats = ThreatSearch(self._board, self._limits)
        if self._board.misere or self._board.drop or beta - alpha != 1 or not -1 <= alpha <= 0:
            with cython.nogil:
                found = self._alpha_beta(mine, theirs, alpha, beta)
        else:
            maker_breaker: MakerBreaker = self._maker_breaker or MakerBreaker(
                self._board, self._words, self._key_seeds, self._limits
            )
            self._maker_breaker = maker_breaker
            with cython.nogil:
                found = self._outcome(maker_breaker, mine, theirs, alpha, first, ratio)
        self._limits.raise_if_stopped()
        return found

    def _outcome(
        self,
        maker_breaker: MakerBreaker,
        mine: bits.Mask,
        theirs: bits.Mask,
        alpha: cython.int,
        allowed: cython.longlong,
        ratio: cython.longlong,
    ) -> cython.int:
        """Return ``bound`` for the window above ``alpha``, 0 or -1: can the player to move win, or the opponent?

        Alpha-beta and the maker-breaker search take turns, each time with more nodes. Only the latter finds most draws
        of large boards; only the former counts the chances of both players.
        """
        found: cython.int
        holds: cython.bint
        while True:
            self._limits.allow(allowed)
            found = self._alpha_beta(mine, theirs, alpha, alpha + 1)
            if not self._limits.resume():
                return found
            self._limits.allow(allowed // ratio)
            if alpha == 0:
                holds = maker_breaker.holds(mine, theirs, MAKER_FIRST)
            else:
                holds = maker_breaker.holds(theirs, mine, BREAKER_FIRST)
            if not self._limits.resume():
                break
            allowed *= MORE_NODES
        if self._limits.stopped or holds:
            return 0
        return self._alpha_beta(mine, theirs, alpha, alpha + 1)

    def _alpha_beta(self, mine: bits.Mask, theirs: bits.Mask, alpha: cython.int, beta: cython.int) -> cython.int:
        """Return ``bound`` by alpha-beta for an unfinished position; the result has no meaning after a stop."""
        empty: bits.Mask = self._board.full ^ (mine | theirs)
        own_wins: bits.Mask = self._board.threats(mine, empty)
        opponent_wins: bits.Mask = self._board.threats(theirs, empty)
        self._enter(0, mine, theirs, own_wins, opponent_wins, bits.count(mine | theirs))
        return self._value_before_forced(0, 1, alpha, beta)

    def look_ahead(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> int:
        """Return an estimate for the player to move, ``depth`` plies deep; a bound on it outside of the window.

        Estimates only compare positions of the same game. A win or loss within the depth is worth ``PROVEN`` and more,
        a drawn position 0. Raises Stopped.
        """
        known = self.decided(mine, theirs)
        if known is not None:
            return known + PROVEN * ((known > 0) - (known < 0))
        marks: cython.int = bits.count(mine | theirs)
        found: cython.longlong
        with cython.nogil:
            found = self._look_ahead.value(mine, theirs, marks, depth, alpha, beta)
        self._limits.raise_if_stopped()
        return found

    def estimate(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> int:
        """Return an estimate for the player to move, ``depth`` plies deep; a bound on it outside of the window.

        A win or loss within the depth is worth ``WON`` and more, a drawn position 0. Raises Stopped.
        """
        known = self.decided(mine, theirs)
        if known is not None:
            return known + WON * ((known > 0) - (known < 0))
        empty: bits.Mask = self._board.full ^ (mine | theirs)
        own_wins: bits.Mask = self._board.threats(mine, empty)
        opponent_wins: bits.Mask = self._board.threats(theirs, empty)
        marks: cython.int = bits.count(mine | theirs)
        estimator: Estimator = self._estimator or Estimator(self._board, self._table, self._limits)
        self._estimator = estimator
        found: cython.longlong
        with cython.nogil:
            found = estimator.value(mine, theirs, own_wins, opponent_wins, marks, depth, alpha, beta)
        self._limits.raise_if_stopped()
        return found

    def forced_win(
        self, mine: bits.Mask, theirs: bits.Mask, budget: cython.longlong, *, to_move: bool
    ) -> tuple[int, int] | None:
        """Return the most plies in which the owner of ``mine`` wins, and the first cell; None if no win is proven.

        The position is unfinished, of a game without gravity and not misère. With ``to_move`` the owner of ``mine`` is
        to move; without, the cell is -1. The search visits at most ``budget`` nodes, and continues when called again.
        Raises Stopped.
        """
        proof_numbers: ProofNumbers = self._proof_numbers or ProofNumbers(
            self._board, self._limits, Canonical(self._board.cells, self._automorphisms)
        )
        self._proof_numbers = proof_numbers
        turn: cython.bint = to_move
        plies: cython.int
        with cython.nogil:
            self._limits.allow(budget)
            plies = proof_numbers.plies(mine, theirs, turn)
            self._limits.resume()
        self._limits.raise_if_stopped()
        if not plies:
            return None
        return plies, bits.cell(proof_numbers.move) if to_move else -1

    def winning_threats(self, mine: bits.Mask, theirs: bits.Mask, budget: cython.int) -> list[int]:
        """Return the moves of a win by threats and the only replies to them, alternating; empty if none is found.

        After the last move the opponent cannot stop the line that the next one completes. The position is unfinished,
        of a game without gravity and not misère. For each move, at most ``budget`` positions are searched. Raises
        Stopped.
        """
        threats: ThreatSearch = self._threats or ThreatSearch(self._board, self._limits)
        self._threats = threats
        found: list[int] = []
        wins: bits.Mask
        while threats.plies(mine, theirs, budget):
            mine |= threats.move
            found.append(bits.cell(threats.move))
            wins = self._board.threats(mine, self._board.full ^ (mine | theirs))
            if wins & (wins - 1) or self._board.has_line(mine):
                return found
            theirs |= wins
            found.append(bits.cell(wins))
        self._limits.raise_if_stopped()
        return []

    def ended(self, mine: bits.Mask, theirs: bits.Mask) -> int | None:
        """Return the score of a finished game for the player who would move; None while it goes on.

        Only ``theirs``, which moved last, can have a line; a line on a full board is no draw.
        """
        marks: cython.int = bits.count(mine | theirs)
        if self._board.has_line(theirs):
            return self._board.cells + 1 - marks if self._board.misere else marks - self._board.cells - 1
        return 0 if marks == self._board.cells else None

    def decided(self, mine: bits.Mask, theirs: bits.Mask) -> int | None:
        """Return the score of a position that needs no search: finished, or won by the next move; else None."""
        ended = self.ended(mine, theirs)
        if ended is not None or self._board.misere:
            return ended
        occupied: bits.Mask = mine | theirs
        if self._board.threats(mine, self._board.full ^ occupied) & self._board.playable(occupied):
            return self._board.cells - bits.count(occupied)
        return None

    def moves(self, mine: bits.Mask, theirs: bits.Mask) -> list[int]:
        """Return the playable cells of an unfinished position, ascending."""
        playable = self._board.playable(mine | theirs)
        return [cell for cell in range(self._board.cells) if playable >> cell & 1]

    def after(self, mine: bits.Mask, theirs: bits.Mask, move: cython.int) -> tuple[bits.Mask, bits.Mask]:
        """Return the position after a move, for the other player to move."""
        return theirs, mine | cython.cast(cython.ulonglong, 1) << move

    def promising_moves(self, mine: bits.Mask, theirs: bits.Mask) -> list[int]:
        """Return the playable cells; first those that make threats or lie on many lines, last those that lose."""
        sensible: bits.Mask = self._board.non_losing_moves(mine, theirs)
        rest: bits.Mask = self._board.playable(mine | theirs) ^ sensible
        found = []
        for moves in (sensible, rest):
            end: cython.int = self._list.sort(mine, theirs, moves, 0)
            found += [bits.cell(self._list.moves[place]) for place in range(end)]
        return found

    def _value_before_forced(
        self, slot: cython.int, start: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """Return a bound for the side to move in a slot before its forced moves."""
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
        if self._threats is not None and self._board.cells - self._marks[slot] > THREAT_MIN_EMPTY:
            floor = self._apply_threats(self._threats, slot, low)
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
        """Return a bound for a slot with proven bounds; moves left out have a value of at most ``floor``."""
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
        """Raise the lower bound of a slot by a win by threats, or keep only the moves that may stop the opponent's.

        Return the greatest possible value of the moves left out, which is at most ``low``.
        """
        plies: cython.int = threats.plies(self._mine[slot], self._theirs[slot], THREAT_NODES)
        if plies:
            self._lower[slot] = max(self._lower[slot], bounds.win_score(self._board, self._marks[slot] + plies))
            self._best_cell[slot] = bits.cell(threats.move)
            return -bounds.INFINITY
        plies = threats.plies(self._theirs[slot], self._mine[slot], THREAT_NODES)
        worth: cython.int = -bounds.win_score(self._board, self._marks[slot] + 1 + plies)
        if not plies or worth > low:
            return -bounds.INFINITY
        self._moves[slot] &= threats.zone
        return worth

    def _expand(
        self, slot: cython.int, start: cython.int, tt_cell: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Make the children of a slot in those from ``start`` on, queue the open ones, and return their end.

        ``_best`` of the slot becomes the best value of the settled ones; a value of ``high`` or more is a cut-off.
        """
        mine: bits.Mask = self._mine[slot]
        theirs: bits.Mask = self._theirs[slot]
        empty: bits.Mask = self._board.full ^ (mine | theirs)
        moves: bits.Mask = self._moves[slot]
        move: bits.Mask
        threats: bits.Mask
        replies: bits.Mask
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
                end += 1
            elif self._best[slot] >= high:
                return end
        return self._order_children(slot, start, end, low, high)

    def _order_children(
        self, slot: cython.int, start: cython.int, end: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Sort the children that the table leaves open into the queue; return their end.

        Enhanced transposition cut-offs (Schaeffer and Plaat, 1996): all children are probed before one is searched,
        since one of them may cut off. Without gravity the probes cost more time than they save.
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
        """Return whether the value of a child's move may lie between ``low`` and ``high`` and is not exact.

        If not, raise the best value of the slot by it.
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
                    return best
                raised = max(raised, value)
        return best

    def _store(self, slot: cython.int, lower: cython.int, upper: cython.int) -> None:
        self._table.store(self._keys[slot], self._checks[slot], self._marks[slot], lower, upper, self._best_cell[slot])
