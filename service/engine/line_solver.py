"""The solver of line games: strategies of books and forced wins."""

from collections.abc import Iterator
from contextlib import suppress

from service.book.book import NOTHING, Knowledge
from service.engine.solver import Solver
from service.games.families.lines import LinePosition
from service.kernel.alpha_beta.search import Search
from service.kernel.stopping import Stopped

FIRST_FORCE_NODES = 2_000
"""The nodes of the first round of forced-win searches; each later round has eight times as many."""

MOST_ROUNDS = 14
"""The maximum number of rounds of forced-win searches. No search finishes that many rounds in time."""

MOST_HELD = 4.0
"""The potential from which on no search whether a player is held is worth its time: 3 on 8x8, 4.75 in Qubic.

It is the sum of all lines that this player can complete, halved for each missing cell (Erdős and Selfridge, 1973).
"""

WINNING, WINNING_BY_GRAVITY = -0.4, 0.3
"""The least expected result at which a proof first asks whether a move wins: without gravity, and with gravity.

Below it, the proof first asks whether a move does not lose. Under gravity that question takes a fraction of the nodes,
and a move that is proven to lose is not played when the time is over.
"""


class LineSolver(Solver[Search]):
    """A solver for games of lines, which also uses the strategies of books and searches for forced wins."""

    def __init__(self, search: Search, position: LinePosition, book: Knowledge = NOTHING) -> None:
        super().__init__(search, position, book)
        self._lines = position.game
        self.has_strategy = self._learn_strategy()
        self.can_force = not position.game.gravity and not position.game.misere
        """Whether forced wins are searched: only in games without gravity that are not misère."""

    def _learn_strategy(self) -> bool:
        """Narrow the bounds by the strategy of the book; return whether it proves the outcome."""
        most = self._book.at_most(*self._state)
        if most is not None:
            for move in self._children:
                self._lower(move, most)
        after = {move: self._book.at_most(*child) for move, child in self._children.items()}
        least = {move: -score for move, score in after.items() if score is not None}
        for move, score in least.items():
            self._raise(move, score)
        if least and max(least.values()) > 0:
            self._prefer(min(least, key=lambda move: (-least[move], move)))
        return self.knows_outcome and (most is not None or bool(least))

    def force(self, search: Search, budget: int) -> None:
        """Search for a forced win of either player, if the outcome is open, for at most ``budget`` nodes each.

        A further call with the same search continues it. Do nothing unless ``can_force``.
        """
        if not self.can_force:
            return
        with suppress(Stopped):
            if self._may_win():
                self._force_win(search, budget)
            # Strategy stealing: the first player never loses, because an extra mark never hurts.
            if self._may_lose() and self._state[1]:
                self._force_loss(search, budget)

    def block(self, search: Search, budget: int) -> None:
        """Search whether a player holds a draw by blocking alone, for at most ``budget`` nodes for each player.

        A further call with the same search continues it. The second player, who has a mark less, first asks whether it
        holds; the first player, whether it is held. Do nothing unless ``can_force``, or where the attacker has too many
        lines to be held. A move that holds may give chances away, so the one that looks best is asked about too.
        """
        if not self.can_force:
            return
        with suppress(Stopped):
            for ask in (self._hold, self._be_held) if self._turn else (self._be_held, self._hold):
                ask(search, budget)
            if self.may_hold_more:
                self._hold_by_favourite(search, budget)

    def _hold(self, search: Search, budget: int) -> None:
        mine, theirs = self._state
        if self._may_lose() and (self._turn or not self._may_win()) and self._can_be_held(theirs, mine):
            move = search.holding_move(mine, theirs, budget)
            if move is not None:
                self._raise(move, 0)

    def _hold_by_favourite(self, search: Search, budget: int) -> None:
        """Search whether the candidate that looks best draws too."""
        move = self._candidates()[0]
        if self._low[move] < 0 and search.is_blocked(*self._children[move], budget):
            self._raise(move, 0)

    def _be_held(self, search: Search, budget: int) -> None:
        if self._may_win() and self._can_be_held(*self._state) and search.is_blocked(*self._state, budget):
            self._high = {move: min(high, 0) for move, high in self._high.items()}

    def _can_be_held(self, own: int, other: int) -> bool:
        """Return whether the potential of the lines that the owner of ``own`` can complete is low enough."""
        lines = (line & ~own for line in self._lines.line_masks if not line & other)
        return sum(0.5 ** line.bit_count() for line in lines) < MOST_HELD

    def force_every_move(self, search: Search) -> None:
        """Search forced wins of both players after every move of unknown outcome, until the search is stopped."""
        with suppress(Stopped):
            for budget in self._force_budgets():
                unknown = [move for move in self._order if self._is_unknown(move)]
                if not unknown:
                    return
                for move in unknown:
                    self._force_after(search, move, budget)

    def _force_budgets(self) -> Iterator[int]:
        """Return the node budgets of the rounds, ascending: every move gets a small budget before any gets a large one.

        There are none unless ``can_force``.
        """
        rounds = range(MOST_ROUNDS if self.can_force else 0)
        return (FIRST_FORCE_NODES << 3 * number for number in rounds)

    def _force_win(self, search: Search, budget: int) -> None:
        won = search.forced_win(*self._state, budget, to_move=True)
        if won:
            plies, move = won
            self._raise(move, self._score_after(plies))
            self._prefer(move)

    def _force_loss(self, search: Search, budget: int) -> None:
        mine, theirs = self._state
        lost = search.forced_win(theirs, mine, budget, to_move=False)
        if lost:
            for move in self._children:
                self._lower(move, -self._score_after(lost[0]))

    def _force_after(self, search: Search, move: int, budget: int) -> None:
        theirs, mine = self._children[move]
        lost = search.forced_win(theirs, mine, budget, to_move=True)
        if lost:
            self._lower(move, -self._score_after(1 + lost[0]))
            return
        won = search.forced_win(mine, theirs, budget, to_move=False)
        if won:
            self._raise(move, self._score_after(1 + won[0]))

    def _narrow_to_outcome(self, search: Search) -> None:
        """Narrow the score to its outcome; first search whether any move wins, in games where relevance zones help.

        A relevance zone refutes many moves together.
        """
        has_zones = not self._lines.drop and not self._lines.misere
        if has_zones and self._may_win() and search.bound(*self._state, 0, 1) <= 0:
            self._high = {move: min(high, 0) for move, high in self._high.items()}
        super()._narrow_to_outcome(search)

    @property
    def may_hold_more(self) -> bool:
        """Whether a draw is certain, no move is proven to win, and ``block`` can prove of more moves that they draw."""
        return self.can_force and max(self._low.values()) == 0

    def _candidates(self) -> list[int]:
        """Return the safest moves, or if ``block`` can prove more of them, all that may be as safe."""
        if not self.may_hold_more:
            return super()._candidates()
        return [move for move in self._order if self._high[move] >= 0]

    def _may_win(self) -> bool:
        return max(self._high.values()) > 0 >= max(self._low.values())

    def _may_lose(self) -> bool:
        return max(self._high.values()) >= 0 > max(self._low.values())

    def _next_alpha(self, low: int, high: int) -> int:
        """Return the middle of the range; under gravity the end next to 0, because most games there last long."""
        if not self._lines.drop:
            return super()._next_alpha(low, high)
        return low if low >= 0 else high - 1

    def _outcome_windows(self) -> tuple[int, int]:
        winning = WINNING_BY_GRAVITY if self._lines.gravity else WINNING
        return (0, -1) if self._guesses.get(self._order[0], 0.0) >= winning else (-1, 0)
