"""The solver of a position: the proof of its score, its best moves and its principal variation."""

from collections.abc import Container, Iterable
from contextlib import suppress
from itertools import islice
from typing import Generic, TypeVar

from service.book.book import NOTHING, Knowledge
from service.book.variation import ScoreSearch, principal_variation
from service.engine.result import Bounds, Known, ProvenResult, expected_result, make_proven_result, outcome_of
from service.games.position import Position
from service.kernel.bounds import WIN_ESTIMATE
from service.kernel.states.family_search import FamilySearch
from service.kernel.stopping import ContradictoryBoundsError, Stopped

ABOVE_ESTIMATES = 2 * WIN_ESTIMATE
"""A bound above every estimate."""

SomeSearch = TypeVar("SomeSearch", bound=ScoreSearch)


class Solver(Generic[SomeSearch]):
    """Bounds on the value of every move of an unfinished position, and the null-window searches that narrow them.

    A question is a null window: is the value of the move greater than ``alpha``? Each method asks a given search; the
    answers remain when the search is stopped. Results of a ``book`` need no search. Scores are those of the search, for
    the player to move.

    Every answer is compared with the bounds. If they exclude each other, or if a principal variation does not end with
    its score, the method raises ContradictoryBoundsError.
    """

    def __init__(self, search: SomeSearch, position: Position, book: Knowledge = NOTHING) -> None:
        self._game = position.game
        self._state = position.state
        self._turn = position.turn
        self._book = book
        self._remaining = position.remaining
        self._order = list(search.promising_moves(*self._state))
        self._children = {move: search.after(*self._state, move) for move in self._order}
        # The rules decide a move that ends the game; after any other move the game lasts one more ply.
        nearest = self._score_after(2)
        self._low = dict.fromkeys(self._order, self._attainable(-nearest, 1))
        self._high = dict.fromkeys(self._order, self._attainable(nearest, -1))
        self._guesses: dict[int, float] = {}
        self._looked = 0
        self._book_score = book.score(*self._state)
        if self._book_score is not None:
            self._high = {move: min(high, self._book_score) for move, high in self._high.items()}
        for move, child in self._children.items():
            known = search.ended(*child)
            if known is None:
                known = book.score(*child)
            if known is not None:
                self._low[move] = self._high[move] = -known
        self._prefer(max(self._order, key=self._low.__getitem__))
        self.depth = 0

    @property
    def moves(self) -> int:
        """The number of legal moves."""
        return len(self._children)

    def settled(self) -> int:
        """Return the number of moves whose score is exact."""
        return sum(self._low[move] == self._high[move] for move in self._children)

    @property
    def knows_outcome(self) -> bool:
        """Whether the outcome of the position is proven."""
        return outcome_of(max(self._low.values())) == outcome_of(max(self._high.values()))

    @property
    def wants_look_ahead(self) -> bool:
        """Whether a look-ahead can choose between several moves, or the only one has no guess yet.

        A proven win or loss needs none.
        """
        candidates = self._candidates()
        return not self._is_decided and (len(candidates) > 1 or candidates[0] not in self._guesses)

    def learn(self, known: Known) -> None:
        """Take over the bounds and the preferred move of an earlier result of the position."""
        if isinstance(known, Bounds):
            for move, low, high in known.scores:
                self._low[move], self._high[move] = max(self._low[move], low), min(self._high[move], high)
            self._prefer(known.move)
            self._guesses[known.move] = known.guess
            return
        score = self._from_the_start(known.score)
        self._high = {move: min(high, score) for move, high in self._high.items()}
        self._low[known.pv[0]] = score
        self._prefer(known.pv[0])

    def find_near_ends(self, search: SomeSearch) -> None:
        """Search near wins and losses, a ply further each time, until one is found or the search is stopped.

        Windows at the far ends cut off games that last longer, so they are cheap; a window next to 0 can miss a near
        win for a long time.
        """
        if self._book_score is not None:
            return
        with suppress(Stopped):
            for plies in range(3, self._remaining + 1):
                score = self._score_after(plies)
                self.depth = plies
                found = self._exceeds(search, score - 1) if plies % 2 else not self._exceeds(search, -score)
                if found:
                    return

    def find_near_ends_of_moves(self, search: SomeSearch, most: int | None = None) -> None:
        """Search whether each move wins or loses soon, a ply further each time, until the search is stopped.

        Search ends within ``most`` plies; without limit if it is None.
        """
        last = self._remaining if most is None else min(most, self._remaining)
        with suppress(Stopped):
            for plies in range(1, last + 1):
                score = self._score_after(plies)
                self.depth = max(self.depth, plies)
                for move in self._order:
                    for alpha in (score - 1, -score):
                        self._is_above(search, move, alpha)

    def follow_guide(self: "Solver[FamilySearch]", search: FamilySearch, most: int) -> None:
        """Search whether the first player wins by guided moves within ``most`` plies, a move further each time.

        Only wins of the first player are kept, because a guided search leaves out other moves of this player.
        """
        moves = search.guided_moves(*self._state)
        with suppress(Stopped):
            for plies in range(1 + self._turn, most + 1, 2):
                score = self._score_after(plies)
                self.depth = plies
                if self._loses_by_guide(search, score) if self._turn else self._wins_by_guide(search, moves, score):
                    return

    def _wins_by_guide(self, search: SomeSearch, moves: Iterable[int], score: int) -> bool:
        """Return whether the first player, who is to move, scores at least ``score`` with a guided move."""
        for move in moves:
            found = -search.bound(*self._children[move], -score, 1 - score)
            if found >= score:
                self._raise(move, found)
                self._prefer(move)
                return True
        return False

    def _loses_by_guide(self, search: SomeSearch, score: int) -> bool:
        """Return whether the first player scores at least ``score`` after every move of the second, who is to move."""
        for move in self._order:
            found = search.bound(*self._children[move], score - 1, score)
            if found < score:
                return False
            self._lower(move, -found)
        return True

    def look_ahead(self, search: SomeSearch) -> None:
        """Move the best-looking of the candidates to the front, a ply deeper each time, until the search is stopped.

        Depths of an earlier look-ahead are repeated only to fill the table. A proven win or loss needs no look-ahead.
        """
        if self._is_decided:
            return
        with suppress(Stopped):
            for depth in range(self._game.cells):
                self.depth = max(self.depth, depth)
                best = -ABOVE_ESTIMATES
                for move in self._candidates():
                    value = self._look(search, move, depth, best)
                    if value > best:
                        best = value
                        if depth >= self._looked:
                            self._prefer(move)
                if depth >= self._looked:
                    self._looked = depth
                    self._guesses[self._order[0]] = expected_result(best, self._game)
                if abs(best) >= WIN_ESTIMATE:
                    break

    def best_looking(self, search: SomeSearch, moves: Container[int]) -> int:
        """Return the one of ``moves`` that looks best when the search is stopped, or sees the end."""
        self._order = [move for move in self._order if move in moves]
        self.look_ahead(search)
        return self._order[0]

    def look_ahead_every_move(self, search: SomeSearch) -> None:
        """Guess the result of every move of unknown outcome, a ply deeper each time, until the search is stopped.

        The best move was searched deeper before. Each other move is compared with it at the same depth, and its guess
        is that of the best move minus the difference.
        """
        best, *others = self._order
        unknown = [move for move in others if self._is_unknown(move)]
        most = self._guesses.get(best) if self._is_unknown(best) else None
        with suppress(Stopped):
            for depth in range(self._game.cells if unknown else 0):
                found = {move: self.expected(search, move, depth) for move in unknown}
                if most is not None:
                    level = self.expected(search, best, depth)
                    found = {move: most - max(0.0, level - guess) for move, guess in found.items()}
                self._guesses |= found

    def prove(self, search: SomeSearch, *, all_best: bool, lines: bool = True) -> ProvenResult:
        """Return the proven result, with ``all_best`` moves or only the lowest one. Raises Stopped.

        Without ``lines`` the line of best play is left out; the plies of a draw are then the maximum plies left.
        """
        score = self._score(search) if self._book_score is None else self._book_score
        best = (move for move in sorted(self._children) if self._is_above(search, move, score - 1))
        best_moves = tuple(best if all_best else islice(best, 1))
        if not best_moves:
            raise ContradictoryBoundsError
        if not lines:
            plies = self._remaining + 1 - abs(score) if score else self._remaining
            return ProvenResult(outcome_of(score), plies, self._from_here(score), best_moves, ())
        return self._proven(search, best_moves[0], score, best_moves)

    def prove_outcome(self, search: SomeSearch) -> Bounds:
        """Return the bounds once the outcome is proven, with a move that keeps it. Raises Stopped."""
        self._narrow_to_outcome(search)
        return self.known()

    def settle(self, search: SomeSearch, *, outcome: bool = False) -> None:
        """Narrow the scores of all moves, their outcomes first, until they are exact or the search is stopped.

        If a proven ``outcome`` suffices, leave the distances open.
        """
        with suppress(Stopped):
            for alpha in (0, -1):
                for move in self._order:
                    self._is_above(search, move, alpha)
            for move in () if outcome else self._order:
                while self._low[move] < self._high[move]:
                    self._is_above(search, move, (self._low[move] + self._high[move]) // 2)

    def known(self) -> Bounds:
        """Return the result so far.

        A book's score of the position is no lower bound here, because no move is known to attain it.
        """
        least, greatest = max(self._low.values()), max(self._high.values())
        order = dict.fromkeys((*self._safest(), *self._order))
        move = next(iter(order))
        scores = tuple((move, self._low[move], self._high[move]) for move in order)
        least, greatest = self._from_here(least), self._from_here(greatest)
        guess = self._guesses.get(move, self._guesses.get(self._order[0], 0.0))
        return Bounds(least, greatest, move, guess, scores)

    def move_bounds(self) -> dict[int, Known]:
        """Return the bounds of every move that are proven so far, for the player who makes it."""
        return {
            move: Bounds(
                self._from_here(self._low[move]), self._from_here(self._high[move]), move, self._guesses.get(move, 0.0)
            )
            for move in sorted(self._children)
        }

    def move_values(self, search: SomeSearch) -> dict[int, Known]:
        """Return the results of every move so far, with the lines of best play that the search finds in time."""
        found = self.move_bounds()
        with suppress(Stopped):
            for move, low in self._low.items():
                if low == self._high[move]:
                    found[move] = self._proven(search, move, low, ())
        return found

    def _proven(self, search: SomeSearch, move: int, score: int, best_moves: tuple[int, ...]) -> ProvenResult:
        """Return the result of a move with this exact score, with the line of best play. Raises Stopped."""
        pv = (move, *principal_variation(search, self._book, *self._children[move], -score))
        return make_proven_result(self._game.most_plies, score, best_moves, pv)

    def _narrow_to_outcome(self, search: SomeSearch) -> None:
        """Narrow the score to its outcome. Windows next to 0 cut most, and their entries help later searches."""
        for alpha in self._outcome_windows():
            self._exceeds(search, alpha)

    def _score(self, search: SomeSearch) -> int:
        self._narrow_to_outcome(search)
        while (low := max(self._low.values())) < (high := max(self._high.values())):
            self._exceeds(search, self._next_alpha(low, high))
        return low

    def _next_alpha(self, low: int, high: int) -> int:
        """Return the window that narrows the range of the score next."""
        return (low + high) // 2

    def _outcome_windows(self) -> tuple[int, int]:
        """Return the windows that decide the outcome, in order: ``alpha`` 0 asks for a win, -1 for a draw or better."""
        return 0, -1

    def _exceeds(self, search: SomeSearch, alpha: int) -> bool:
        """Return whether some move has a value above ``alpha``; that move is tried first next time.

        Whether a move wins that is proven to draw is asked last: it is played anyway, unless another one wins.
        """
        if max(self._low.values()) > alpha:
            return True
        for move in sorted(self._order, key=lambda move: alpha == 0 == self._low[move]):
            if self._is_above(search, move, alpha):
                self._prefer(move)
                return True
        return False

    def _is_above(self, search: SomeSearch, move: int, alpha: int) -> bool:
        if self._low[move] <= alpha < self._high[move]:
            value = -search.bound(*self._children[move], -alpha - 1, -alpha)
            if value > alpha:
                self._raise(move, value)
            else:
                self._lower(move, value)
        return self._low[move] > alpha

    def _raise(self, move: int, score: int) -> None:
        """Raise the lower bound of a move. Raises ContradictoryBoundsError if the bounds exclude each other."""
        self._low[move] = max(self._low[move], self._attainable(score, 1))
        self._check(move)

    def _lower(self, move: int, score: int) -> None:
        """Lower the upper bound of a move. Raises ContradictoryBoundsError if the bounds exclude each other."""
        self._high[move] = min(self._high[move], self._attainable(score, -1))
        self._check(move)

    def _check(self, move: int) -> None:
        if self._low[move] > self._high[move]:
            raise ContradictoryBoundsError

    def _prefer(self, move: int) -> None:
        """Try the move first from now on. Makes a new list, because a caller may be iterating over the old one."""
        self._order = [move, *(other for other in self._order if other != move)]

    def _score_after(self, plies: int) -> int:
        """Return the score of a win after ``plies`` plies."""
        return self._remaining + 1 - plies

    def _attainable(self, score: int, step: int) -> int:
        """Return the nearest attainable score in the direction of ``step``, 1 or -1.

        If the last move of a game that is not drawn always wins, or always loses, the parity of the plies determines
        the winner.
        """
        last = self._game.last_move
        if score == 0 or last is None:
            return score
        own = (self._remaining + 1 - abs(score)) % 2 == 1
        return score if own == ((score > 0) == (last == "wins")) else score + step

    def _from_here(self, score: int) -> int:
        """Convert a score of the search to a score of answers, which count as if the game began in this position."""
        played = self._game.most_plies - self._remaining
        return score + played if score > 0 else score - played if score < 0 else 0

    def _from_the_start(self, score: int) -> int:
        """Convert a score of answers to one of the search."""
        played = self._game.most_plies - self._remaining
        return score - played if score > 0 else score + played if score < 0 else 0

    def _safest(self) -> list[int]:
        """Return the moves with the best proven result so far, by ``_known``, the most promising first."""
        proven = {move: self._known(move) for move in self._order}
        best = max(proven.values())
        return [move for move in self._order if proven[move] == best]

    def _known(self, move: int) -> tuple[int, bool, int]:
        """Return a sort key of moves: the least outcome, whether more is possible, the proven distance.

        How much more is possible does not count: a move that at most draws is often safer than an unknown one.
        """
        low, high = self._low[move], self._high[move]
        least, most = (low > 0) - (low < 0), (high > 0) - (high < 0)
        return least, most > least, low if least == most else 0

    @property
    def _is_decided(self) -> bool:
        """Whether a win or a loss of the position is proven."""
        return max(self._low.values()) > 0 or max(self._high.values()) < 0

    def _candidates(self) -> list[int]:
        """Return the moves that a look-ahead compares."""
        return self._safest()

    def _is_unknown(self, move: int) -> bool:
        return outcome_of(self._low[move]) != outcome_of(self._high[move])

    def expected(self, search: SomeSearch, move: int, depth: int) -> float:
        """Return the expected result of a move, from -1 to 1, by a look-ahead ``depth`` plies deep. Raises Stopped."""
        return expected_result(self._look(search, move, depth), self._game)

    def _look(self, search: SomeSearch, move: int, depth: int, more_than: int = -ABOVE_ESTIMATES) -> int:
        """Return the estimate of a move by a search of ``depth`` plies, or an upper bound of at most ``more_than``.

        A move that is proven not to win is not valued above a draw, as long as another one may win.
        """
        child = self._children[move]
        most = 0 if self._high[move] <= 0 < max(self._high.values()) else ABOVE_ESTIMATES
        if more_than > -ABOVE_ESTIMATES:
            bound = -search.estimate(*child, depth, -more_than - 1, -more_than)
            if bound <= more_than:
                return min(bound, most)
        return min(-search.estimate(*child, depth, -ABOVE_ESTIMATES, -more_than), most)
