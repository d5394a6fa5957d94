"""The solver of line games: strategies of books, forced wins, and look-aheads beside proofs."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import tanh
from types import MappingProxyType

from service.book.book import NOTHING, Knowledge
from service.engine.result import outcome_of
from service.engine.solver import Solver
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.families.lines import LineGame, LinePosition
from service.kernel.alpha_beta.search import WIN_ESTIMATE, Search
from service.kernel.stopping import Stopped

ABOVE_ESTIMATES = 2 * WIN_ESTIMATE
"""Above every estimate."""

FIRST_FORCE_NODES = 2_000
"""The nodes of the first round of forced-win searches; each later round has eight times as many."""

MOST_ROUNDS = 14
"""The maximum number of rounds, which no search reaches in time."""

WINNING, WINNING_BY_GRAVITY = -0.4, 0.3
"""The expected result from which the search first asks for a win; below, which move does not lose.

Under gravity a draw is refuted or held in a fraction of the nodes of a win, and a move proven to lose is not played
when the time is over.
"""

SCALES: Mapping[bytes, float] = MappingProxyType({CONNECT_FOUR.digest: 100.0, QUBIC.digest: 150.0})
"""The scales of estimates in games that are too large for a quick proof, by the digests of their rules."""

OTHER_SCALE = 200.0
"""The scale of all other games."""


class LineSolver(Solver[Search]):
    """A solver that also searches forced wins, and estimates what is not proven; its searches are of lines."""

    def __init__(self, search: Search, position: LinePosition, book: Knowledge = NOTHING) -> None:
        super().__init__(search, position, book)
        self._lines = position.game
        self.has_strategy = self._learn_strategy()
        self._looked = 0

    def _learn_strategy(self) -> bool:
        """Take over the winner from the book's strategy; return whether there is one."""
        lost = self._book.lost_in(*self._words)
        if lost is not None:
            for move in self._children:
                self._lower(move, -self._score_after(lost))
        after = {move: self._book.lost_in(*child) for move, child in self._children.items()}
        won = {move: 1 + plies for move, plies in after.items() if plies is not None}
        for move, plies in won.items():
            self._raise(move, self._score_after(plies))
        if won:
            self._prefer(min(won, key=lambda move: (won[move], move)))
        return lost is not None or bool(won)

    def look_ahead(self, search: Search) -> None:
        """Move the best-looking of the safest moves to the front, a ply deeper each time, until the search is stopped.

        Depths of an earlier look-ahead are repeated only to fill the table. A proven outcome needs no look-ahead.
        """
        if outcome_of(max(self._low.values())) == outcome_of(max(self._high.values())):
            return
        with suppress(Stopped):
            for depth in range(self._lines.cells):
                self.depth = max(self.depth, depth)
                best = -ABOVE_ESTIMATES
                for move in self._safest():
                    value = self._look(search, move, depth, best)
                    if value > best:
                        best = value
                        if depth >= self._looked:
                            self._prefer(move)
                if abs(best) >= WIN_ESTIMATE:
                    break
                if depth >= self._looked:
                    self._looked = depth
                    self._guesses[self._safest()[0]] = expected_result(best, self._lines)

    def look_ahead_every_move(self, search: Search) -> None:
        """Guess the result of every move of unknown outcome, a ply deeper each time, until the search is stopped.

        The best move was searched deeper before. Each other move is compared with it at the same depth, and its guess
        is that of the best move minus the difference.
        """
        best, *others = self._order
        unknown = [move for move in others if self._is_unknown(move)]
        most = self._guesses.get(best) if self._is_unknown(best) else None
        with suppress(Stopped):
            for depth in range(self._lines.cells if unknown else 0):
                found = {move: self._expected(search, move, depth) for move in unknown}
                if most is not None:
                    level = self._expected(search, best, depth)
                    found = {move: most - max(0.0, level - guess) for move, guess in found.items()}
                self._guesses |= found

    def force(self, search: Search, budget: int) -> None:
        """Search a forced win of either player, if the outcome is open; continue after the nodes of the last call.

        Only for games without gravity that are not misère.
        """
        if self._lines.gravity or self._lines.misere:
            return
        with suppress(Stopped):
            if max(self._high.values()) > 0 >= max(self._low.values()):
                self._force_win(search, budget)
            # Strategy stealing: the first player never loses, because an extra mark never hurts.
            if max(self._high.values()) >= 0 > max(self._low.values()) and self._words[1]:
                self._force_loss(search, budget)

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
        """Return the budgets of the rounds, without end: every question gets a small one before any large one."""
        rounds = range(0 if self._lines.gravity or self._lines.misere else MOST_ROUNDS)
        return (FIRST_FORCE_NODES << 3 * number for number in rounds)

    def _force_win(self, search: Search, budget: int) -> None:
        won = search.forced_win(*self._words, budget, to_move=True)
        if won:
            plies, move = won
            self._raise(move, self._score_after(plies))
            self._prefer(move)

    def _force_loss(self, search: Search, budget: int) -> None:
        mine, theirs = self._words
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
        """Ask first whether any move wins, which a relevance zone answers for many moves together."""
        open_to_win = max(self._high.values()) > 0 >= max(self._low.values())
        has_zones = not self._lines.drop and not self._lines.misere
        if has_zones and open_to_win and search.bound(*self._words, 0, 1) <= 0:
            self._high = {move: min(high, 0) for move, high in self._high.items()}
        super()._narrow_to_outcome(search)

    def _outcome_windows(self) -> tuple[int, int]:
        winning = WINNING_BY_GRAVITY if self._lines.gravity else WINNING
        return (0, -1) if self._guesses.get(self._order[0], 0.0) >= winning else (-1, 0)

    def _is_unknown(self, move: int) -> bool:
        return outcome_of(self._low[move]) != outcome_of(self._high[move])

    def _expected(self, search: Search, move: int, depth: int) -> float:
        return expected_result(self._look(search, move, depth), self._lines)

    def _look(self, search: Search, move: int, depth: int, more_than: int = -ABOVE_ESTIMATES) -> int:
        """Return the raw value of a move ``plies`` deep, or an upper bound if it is not above ``more_than``.

        A move that is proven not to win is not valued above a draw.
        """
        child = self._children[move]
        most = 0 if self._high[move] <= 0 else ABOVE_ESTIMATES
        if more_than > -ABOVE_ESTIMATES:
            bound = -search.estimate(*child, depth, -more_than - 1, -more_than)
            if bound <= more_than:
                return min(bound, most)
        return min(-search.estimate(*child, depth, -ABOVE_ESTIMATES, -more_than), most)


def expected_result(value: int, game: LineGame) -> float:
    """Return the expected result, from -1 to 1, for the value of a look-ahead of the same player."""
    return tanh(value / scale_of(game))


def scale_of(game: LineGame) -> float:
    """Return the value of a look-ahead that means an expected result of tanh 1, which is 0.76.

    ``python -m loadtests strength estimates`` measures the error of the estimates.
    """
    return SCALES.get(game.digest, OTHER_SCALE)
