"""One position put to the kernel: the proof of its score, its best moves and its principal variation."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from service.book.book import NOTHING, Knowledge
from service.book.variation import principal_variation
from service.engine.estimate import expected_result
from service.engine.result import Bounds, Known, ProvenResult, make_proven_result, outcome_of
from service.games.lines import LinePosition
from service.kernel.search import WON, ContradictoryBoundsError, Search, Stopped

BEYOND = 2 * WON
"""More than any estimate."""

FIRST_FORCE_NODES = 2_000
"""The nodes for a first question about a forced win; each round takes eight times those of the one before."""

MOST_ROUNDS = 14
"""The rounds of such questions, more than any search has time for."""

WINNING, WINNING_BY_GRAVITY = -0.4, 0.3
"""The expected result from which a search asks for a win first; below, it asks first which move does not lose.

Under gravity a draw is refuted or held in a fraction of the nodes that a win takes, and a move known to lose is not
played when the time is over.
"""


class Solver:
    """Bounds on the value of every move of an unfinished position, and the questions that narrow them.

    A question is a null window: is the value of the move greater than ``alpha``, yes or no? Each method puts its
    questions to the search that it is given; whatever was answered when that is stopped remains known.
    What a ``book`` knows need not be asked. Scores are the kernel's, for the player to move.

    Every answer is held against what is known already: where they exclude each other, or where a principal variation
    does not end as its score says, the method raises ContradictoryBoundsError.
    """

    def __init__(self, search: Search, position: LinePosition, book: Knowledge = NOTHING) -> None:
        self._mine, self._theirs, self._cells = *position.words, position.game.cells
        mine, theirs = self._mine, self._theirs
        self._game = position.game
        self._masks = mine, theirs
        self._book = book
        self._marks = (mine | theirs).bit_count()
        self._order = search.promising_moves(mine, theirs)
        self._children = {move: (theirs, mine | 1 << move) for move in self._order}
        # A move that ends the game is known from the board; after any other the game lasts a ply more.
        nearest = self._score_after(2)
        self._low = dict.fromkeys(self._order, self._attainable(-nearest, 1))
        self._high = dict.fromkeys(self._order, self._attainable(nearest, -1))
        self._guesses: dict[int, float] = {}
        self._book_score = book.score(mine, theirs)
        if self._book_score is not None:
            self._high = {move: min(high, self._book_score) for move, high in self._high.items()}
        for move, child in self._children.items():
            known = search.ended(*child)
            if known is None:
                known = book.score(*child)
            if known is not None:
                self._low[move] = self._high[move] = -known
        self._prefer(max(self._order, key=self._low.__getitem__))
        self.has_strategy = self._learn_strategy()
        self.depth = 0
        self._looked = 0

    @property
    def moves(self) -> int:
        """The number of legal moves."""
        return len(self._children)

    def _learn_strategy(self) -> bool:
        """Take over which player wins by a strategy of the book; return whether it has one."""
        lost = self._book.lost_in(*self._masks)
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

    def learn(self, known: Known) -> None:
        """Take over what was found out before."""
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

    def look_near(self, search: Search) -> None:
        """Ask for wins and losses that are near, a ply further each time, until one is found or the search stopped.

        Windows at the far ends are cut off where the game would last longer, so they cost little; a
        window next to 0 can miss a near win for a long time.
        """
        if self._book_score is not None:
            return
        try:
            for plies in range(3, self._cells - self._marks + 1):
                score = self._score_after(plies)
                self.depth = plies
                found = self._exceeds(search, score - 1) if plies % 2 else not self._exceeds(search, -score)
                if found:
                    return
        except Stopped:
            return

    def prove(self, search: Search, *, every: bool) -> ProvenResult:
        """Return the entry of the position, with ``every`` best move or the lowest one. Raises Stopped."""
        score = self._score(search) if self._book_score is None else self._book_score
        best = (move for move in sorted(self._children) if self._is_above(search, move, score - 1))
        best_moves = tuple(best) if every else tuple(islice(best, 1))
        if not best_moves:
            raise ContradictoryBoundsError
        first = best_moves[0]
        pv = (first, *principal_variation(search, self._book, *self._children[first], -score))
        return make_proven_result(self._cells, score, best_moves, pv)

    def look_ahead(self, search: Search) -> None:
        """Put the most promising of the safest moves first, a ply deeper each time, until the search is stopped.

        A depth that a look-ahead before has reached only fills the table of this one. A proven outcome needs none.
        """
        if outcome_of(max(self._low.values())) == outcome_of(max(self._high.values())):
            return
        with suppress(Stopped):
            for depth in range(self._cells):
                self.depth = max(self.depth, depth)
                best = -BEYOND
                for move in self._safest():
                    value = self._look(search, move, depth, best)
                    if value > best:
                        best = value
                        if depth >= self._looked:
                            self._prefer(move)
                if abs(best) >= WON:
                    break
                if depth >= self._looked:
                    self._looked = depth
                    self._guesses[self._safest()[0]] = expected_result(best, self._game)

    def force(self, search: Search, budget: int) -> None:
        """Ask whether a player can force a win, if that is not known; continue where the last budget of nodes ended.

        Only games without gravity that are not misère have such proofs.
        """
        if self._game.gravity or self._game.misere:
            return
        with suppress(Stopped):
            if max(self._high.values()) > 0 >= max(self._low.values()):
                self._force_win(search, budget)
            # Who has no mark yet has lost nothing to whoever moves second: a mark more never hurts.
            if max(self._high.values()) >= 0 > max(self._low.values()) and self._theirs:
                self._force_loss(search, budget)

    def force_every_move(self, search: Search) -> None:
        """Ask of every move of unknown outcome which player can force a win after it, until the search is stopped."""
        with suppress(Stopped):
            for budget in self._force_budgets():
                unknown = [move for move in self._order if self._is_unknown(move)]
                if not unknown:
                    return
                for move in unknown:
                    self._force_after(search, move, budget)

    def known(self) -> Bounds:
        """Return what is known so far.

        What a book says of the position is no lower bound: no move is known that keeps it.
        """
        least, greatest = max(self._low.values()), max(self._high.values())
        order = dict.fromkeys((*self._safest(), *self._order))
        move = next(iter(order))
        scores = tuple((move, self._low[move], self._high[move]) for move in order)
        least, greatest = self._from_here(least), self._from_here(greatest)
        return Bounds(least, greatest, move, self._guesses.get(move, 0.0), scores)

    def look_near_every_move(self, search: Search) -> None:
        """Ask of every move whether it wins or loses soon, a ply further each time, until the search is stopped."""
        with suppress(Stopped):
            for plies in range(1, self._cells - self._marks + 1):
                score = self._score_after(plies)
                self.depth = max(self.depth, plies)
                for move in self._order:
                    for alpha in (score - 1, -score):
                        self._is_above(search, move, alpha)

    def settle(self, search: Search) -> None:
        """Narrow the scores of all moves, first to their outcomes, until they are exact or the search is stopped."""
        with suppress(Stopped):
            for alpha in (0, -1):
                for move in self._order:
                    self._is_above(search, move, alpha)
            for move in self._order:
                while self._low[move] < self._high[move]:
                    self._is_above(search, move, (self._low[move] + self._high[move]) // 2)

    def look_ahead_every_move(self, search: Search) -> None:
        """Guess the result of every move of unknown outcome, a ply deeper each time, until the search is stopped.

        The best move had a deeper look-ahead before. Other moves are compared with it at the depth that they reach,
        and are worth so much less.
        """
        best, *others = self._order
        unknown = [move for move in others if self._is_unknown(move)]
        most = self._guesses.get(best) if self._is_unknown(best) else None
        with suppress(Stopped):
            for depth in range(self._cells if unknown else 0):
                found = {move: self._expected(search, move, depth) for move in unknown}
                if most is not None:
                    level = self._expected(search, best, depth)
                    found = {move: most - max(0.0, level - guess) for move, guess in found.items()}
                self._guesses |= found

    def move_values(self, search: Search) -> dict[int, Known]:
        """Return what is known of every move, for the player who makes it; with best play if the search gets so far."""
        found: dict[int, Known] = {move: self._move_bounds(move) for move in sorted(self._children)}
        with suppress(Stopped):
            for move, low in self._low.items():
                if low == self._high[move]:
                    pv = (move, *principal_variation(search, self._book, *self._children[move], -low))
                    found[move] = make_proven_result(self._cells, low, (), pv)
        return found

    def settled(self) -> int:
        """Return the number of moves whose score is exact."""
        return sum(self._low[move] == self._high[move] for move in self._children)

    def _force_budgets(self) -> Iterator[int]:
        """Return the budgets of the rounds, so that easy questions are not kept waiting by hard ones; no end."""
        rounds = range(0 if self._game.gravity or self._game.misere else MOST_ROUNDS)
        return (FIRST_FORCE_NODES << 3 * number for number in rounds)

    def _force_win(self, search: Search, budget: int) -> None:
        won = search.forced_win(self._mine, self._theirs, budget, to_move=True)
        if won:
            plies, move = won
            self._raise(move, self._score_after(plies))
            self._prefer(move)

    def _force_loss(self, search: Search, budget: int) -> None:
        lost = search.forced_win(self._theirs, self._mine, budget, to_move=False)
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

    def _raise(self, move: int, score: int) -> None:
        """Take over that a move is worth at least so much. Raises ContradictoryBoundsError if it cannot be."""
        self._low[move] = max(self._low[move], self._attainable(score, 1))
        self._check(move)

    def _lower(self, move: int, score: int) -> None:
        """Take over that a move is worth at most so much. Raises ContradictoryBoundsError if it cannot be."""
        self._high[move] = min(self._high[move], self._attainable(score, -1))
        self._check(move)

    def _check(self, move: int) -> None:
        if self._low[move] > self._high[move]:
            raise ContradictoryBoundsError

    def _score_after(self, plies: int) -> int:
        """Return the score of a win so many plies from here."""
        return self._cells + 1 - self._marks - plies

    def _attainable(self, score: int, step: int) -> int:
        """Return the nearest score in the direction of a step, 1 or -1, that the right player can have.

        The player to move completes lines with every other mark from the next one on.
        """
        own = (self._cells + 1 - abs(score) - self._marks) % 2 == 1
        return score if score == 0 or own == ((score > 0) != self._game.misere) else score + step

    def _from_here(self, score: int) -> int:
        """Return the score that counts from here for the kernel's score, which counts from the empty board."""
        return score + self._marks if score > 0 else score - self._marks if score < 0 else 0

    def _from_the_start(self, score: int) -> int:
        """Return the kernel's score, which counts from the empty board, for one that counts from here."""
        return score - self._marks if score > 0 else score + self._marks if score < 0 else 0

    def _score(self, search: Search) -> int:
        # The outcome first: a window next to 0 cuts most, and what it leaves behind helps the rest.
        if not self._game.drop and not self._game.misere:
            self._ask_whole(search)
        winning = WINNING_BY_GRAVITY if self._game.gravity else WINNING
        for alpha in (0, -1) if self._guesses.get(self._order[0], 0.0) >= winning else (-1, 0):
            self._exceeds(search, alpha)
        while (low := max(self._low.values())) < (high := max(self._high.values())):
            self._exceeds(search, (low + high) // 2)
        return low

    def _ask_whole(self, search: Search) -> None:
        """Ask whether any move wins, all moves at once: a relevance zone refutes many of them together."""
        if max(self._high.values()) > 0 >= max(self._low.values()) and search.bound(*self._masks, 0, 1) <= 0:
            self._high = {move: min(high, 0) for move, high in self._high.items()}

    def _exceeds(self, search: Search, alpha: int) -> bool:
        """Return whether some move has a value above ``alpha``; that one will be tried first next time."""
        for move in self._order:
            if self._is_above(search, move, alpha):
                self._prefer(move)
                return True
        return False

    def _prefer(self, move: int) -> None:
        """Try the move first from now on. A new list, because a loop may be going through the old one."""
        self._order = [move, *(other for other in self._order if other != move)]

    def _is_above(self, search: Search, move: int, alpha: int) -> bool:
        if self._low[move] <= alpha < self._high[move]:
            value = -search.bound(*self._children[move], -alpha - 1, -alpha)
            if value > alpha:
                self._raise(move, value)
            else:
                self._lower(move, value)
        return self._low[move] > alpha

    def _move_bounds(self, move: int) -> Bounds:
        low, high = self._from_here(self._low[move]), self._from_here(self._high[move])
        return Bounds(low, high, move, self._guesses.get(move, 0.0))

    def _is_unknown(self, move: int) -> bool:
        return outcome_of(self._low[move]) != outcome_of(self._high[move])

    def _expected(self, search: Search, move: int, depth: int) -> float:
        return expected_result(self._look(search, move, depth), self._game)

    def _look(self, search: Search, move: int, depth: int, more_than: int = -BEYOND) -> int:
        """Return the raw value of a move so many plies deep; an upper bound if it is not ``more_than`` that.

        A move that is proven not to win is worth no more than a draw.
        """
        child = self._children[move]
        most = 0 if self._high[move] <= 0 else BEYOND
        if more_than > -BEYOND:
            bound = -search.estimate(*child, depth, -more_than - 1, -more_than)
            if bound <= more_than:
                return min(bound, most)
        return min(-search.estimate(*child, depth, -BEYOND, -more_than), most)

    def _safest(self) -> list[int]:
        """Return the moves of which the best is proven, the most promising first."""
        proven = {move: self._known(move) for move in self._order}
        best = max(proven.values())
        return [move for move in self._order if proven[move] == best]

    def _known(self, move: int) -> tuple[int, bool, int]:
        """Return a key that orders moves: by the least outcome, whether more is possible, the distance of a known one.

        How much more does not count: a move that may at most draw is often safer than one of which nothing is known.
        """
        low, high = self._low[move], self._high[move]
        least, most = (low > 0) - (low < 0), (high > 0) - (high < 0)
        return least, most > least, low if least == most else 0
