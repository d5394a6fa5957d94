"""The search: alpha-beta with memory over masks, for every game of cells and lines.

The modules of this package are Python that Cython compiles: the ``.pxd`` file beside each gives the C types, and the
search runs without the interpreter's lock. Interpreted, it visits the same nodes, hundreds of times slower.

A position is two masks: ``mine``, the cells of the player to move, and ``theirs``. Scores count from the far end of the
game, so that a position has one score however it was reached: a game that ends with ``n`` marks on the board is worth
``cells + 1 - n`` to its winner, the negative of that to its loser, and 0 if it is drawn. A faster win and a slower loss
score more.
"""

import cython

from service.kernel import bits
from service.kernel.alpha_beta.alpha_beta import AlphaBeta
from service.kernel.board import Board
from service.kernel.bounds import WIN_ESTIMATE
from service.kernel.estimate.estimator import Estimator
from service.kernel.estimate.look_ahead import PROVEN, LookAhead
from service.kernel.limits import POLL_NODES, Limits
from service.kernel.ordering import MoveList
from service.kernel.proofs import zone_table
from service.kernel.proofs.canonical import Canonical
from service.kernel.proofs.maker_breaker import MakerBreaker
from service.kernel.proofs.proof_number import ProofNumbers
from service.kernel.proofs.threat_search import ThreatSearch
from service.kernel.rules import Rules
from service.kernel.stopping import ContradictoryBoundsError, Poll, Stopped
from service.kernel.table import Table

__all__ = ["KERNEL", "POLL_NODES", "PROVEN", "WIN_ESTIMATE", "ContradictoryBoundsError", "Search", "Stopped"]

KERNEL = "compiled" if cython.compiled else "interpreted"

FIRST_NODES = 4096
"""Nodes of alpha-beta before the first turn of the maker-breaker search."""

MORE_NODES = cython.declare(cython.const_int, 4)  # the growth factor of each turn

NODES_PER_LONG_NODE = 16
"""The cost of a maker-breaker node, in nodes of alpha-beta."""


class Search:
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
        limits = Limits(poll, limit, (rules.drop or rules.cells) * rules.steps)
        # Space for the root and, at every ply of a line of play, all its children.
        slots = 1 + (rules.cells * rules.drop if rules.drop else rules.cells * (rules.cells + 1) // 2)
        self._board = board
        self._limits = limits
        self._table = Table(board, table, rules.key_seeds)
        self._alpha_beta = AlphaBeta(board, self._table, limits, slots)
        self._list = MoveList(board)
        self._look_ahead = LookAhead(board, self._list, limits)
        self._estimator: Estimator | None = None
        self._maker_breaker: MakerBreaker | None = None
        self._words, self._key_seeds = table, rules.key_seeds
        self._automorphisms = rules.automorphisms
        self._proof_numbers: ProofNumbers | None = None

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._limits.nodes

    def score(self, mine: bits.Mask, theirs: bits.Mask) -> int:
        """Return the exact score for the player to move. Raises Stopped.

        Search the outcome first: a window next to 0 cuts most, and its entries in the table help the following
        searches. Null windows then close in on the score, as in MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, 1996).
        Each window halves the range. Under gravity it is at the end next to 0, because most games there last long.
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
        return low if low >= 0 else high - 1

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
        if self._alpha_beta.threats is None and not self._board.drop and not self._board.misere:
            self._alpha_beta.threats = ThreatSearch(self._board, self._limits)
        if self._board.misere or self._board.drop or beta - alpha != 1 or not -1 <= alpha <= 0:
            with cython.nogil:
                found = self._alpha_beta.value(mine, theirs, alpha, beta)
        else:
            maker_breaker: MakerBreaker = self._make_maker_breaker()
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
        """Return ``bound`` for the window of one point above ``alpha``.

        An ``alpha`` of 0 asks whether the player to move can win, one of -1 whether that player can avoid a loss.

        Alpha-beta and the maker-breaker search take turns, each time with more nodes. Only the latter finds most draws
        of large boards; only the former counts the chances of both players.
        """
        found: cython.int
        holds: cython.bint
        while True:
            self._limits.allow(allowed)
            found = self._alpha_beta.value(mine, theirs, alpha, alpha + 1)
            if not self._limits.resume():
                return found
            self._limits.allow(allowed // ratio)
            if alpha == 0:
                holds = maker_breaker.holds(mine, theirs, zone_table.MAKER_FIRST)
            else:
                holds = maker_breaker.holds(theirs, mine, zone_table.BREAKER_FIRST)
            if not self._limits.resume():
                break
            allowed *= MORE_NODES
        if self._limits.stopped or holds:
            return 0
        return self._alpha_beta.value(mine, theirs, alpha, alpha + 1)

    def look_ahead(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> int:
        """Return the value of a look-ahead of ``depth`` plies, for the player to move; outside of the window, a bound.

        This is the search of weaker players, see ``LookAhead``. Values only compare positions of the same game. A win
        within the depth is worth more than ``PROVEN``, a loss less than ``-PROVEN``, a drawn position 0. Raises
        Stopped.
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
        """Return an estimate by a search of ``depth`` plies, for the player to move; outside of the window, a bound.

        This is the search of ``Estimator``. A win within the depth is worth more than ``WIN_ESTIMATE``, a loss less
        than ``-WIN_ESTIMATE``, a drawn position 0. Raises Stopped.
        """
        known = self.decided(mine, theirs)
        if known is not None:
            return known + WIN_ESTIMATE * ((known > 0) - (known < 0))
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
        """Return the maximum plies of a forced win by the owner of ``mine``, and its first cell; None without a proof.

        The position is unfinished, of a game without gravity and not misère. With ``to_move`` the owner of ``mine`` is
        to move; else the opponent is to move and the cell is -1. The search visits at most ``budget`` nodes; a further
        call continues it. Raises Stopped.
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

    def holding_move(self, mine: bits.Mask, theirs: bits.Mask, budget: cython.longlong) -> int | None:
        """Return a move after which the opponent can never complete a line; None if none is found.

        The position is unfinished, of a game without gravity and not misère. The search visits at most ``budget`` nodes
        of the maker-breaker search; a further call continues it. Raises Stopped.
        """
        maker_breaker: MakerBreaker = self._make_maker_breaker()
        move: bits.Mask
        with cython.nogil:
            self._limits.allow(budget)
            move = maker_breaker.reply(theirs, mine)
            self._limits.resume()
        self._limits.raise_if_stopped()
        return bits.cell(move) if move else None

    def is_blocked(self, mine: bits.Mask, theirs: bits.Mask, budget: cython.longlong) -> bool | None:
        """Return whether the opponent can keep the player to move from ever completing a line; None if it stays open.

        As ``holding_move`` for the other player.
        """
        maker_breaker: MakerBreaker = self._make_maker_breaker()
        holds: cython.bint
        paused: cython.bint
        with cython.nogil:
            self._limits.allow(budget)
            holds = maker_breaker.holds(mine, theirs, zone_table.MAKER_FIRST)
            paused = self._limits.resume()
        self._limits.raise_if_stopped()
        return None if paused else bool(holds)

    def _make_maker_breaker(self) -> MakerBreaker:
        made: MakerBreaker = self._maker_breaker or MakerBreaker(
            self._board, self._words, self._key_seeds, self._limits
        )
        self._maker_breaker = made
        return made

    def winning_threats(self, mine: bits.Mask, theirs: bits.Mask, budget: cython.int) -> list[int]:
        """Return the moves of a win by threats and the only replies to them, alternating; empty if none is found.

        The last move completes a line, or threatens to complete one in two cells. The position is unfinished, of a game
        without gravity and not misère. For each move, at most ``budget`` positions are searched. Raises Stopped.
        """
        threats: ThreatSearch = self._alpha_beta.threats or ThreatSearch(self._board, self._limits)
        self._alpha_beta.threats = threats
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
        """Return the playable cells, sorted by their threats and the lines through them; losing moves come last."""
        sensible: bits.Mask = self._board.non_losing_moves(mine, theirs)
        rest: bits.Mask = self._board.playable(mine | theirs) ^ sensible
        found = []
        for moves in (sensible, rest):
            end: cython.int = self._list.sort(mine, theirs, moves, 0)
            found += [bits.cell(self._list.moves[place]) for place in range(end)]
        return found
