"""One position of a family without loops, put to the search: its score, its best moves and the line of best play."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from service.engine.result import Bounds, Known, MoveValues, ProvenResult, make_proven_result, outcome_of
from service.games.game import DRAWN
from service.games.position import Position
from service.kernel.family import Words
from service.kernel.family_search import FamilySearch
from service.kernel.stopping import ContradictoryBoundsError, Stopped


class FamilySolver:
    """Bounds on the value of every move of an unfinished position, and the questions that narrow them.

    Scores are those of the search, for the player to move. Whatever was answered when a search is stopped remains
    known. An answer that excludes what is known already raises ContradictoryBoundsError.
    """

    def __init__(self, position: Position) -> None:
        self._play, self._most_plies = position.game.play, position.game.most_plies
        self._remaining = self._play.remaining_of(position.words)
        self._children = {move: self._play.after(position.words, move) for move in position.legal_moves}
        # What looks bad for the player who moves next looks good here.
        self._order = sorted(self._children, key=lambda move: self._play.promise_of(self._children[move]))
        # A move that ends the game is known from the rules; after any other the game lasts a ply more.
        nearest = self._remaining - 1
        self._low = dict.fromkeys(self._order, -nearest)
        self._high = dict.fromkeys(self._order, nearest)
        for move in self._children:
            if result := position.play(move).result:
                self._low[move] = self._high[move] = (DRAWN - result) * self._remaining
        self._prefer(max(self._order, key=self._low.__getitem__))
        self.depth = 0

    @property
    def moves(self) -> int:
        """The number of legal moves."""
        return len(self._children)

    def settled(self) -> int:
        """Return the number of moves whose score is exact."""
        return sum(self._low[move] == self._high[move] for move in self._children)

    def learn(self, known: Known) -> None:
        """Take over what was proven before."""
        if isinstance(known, Bounds):
            for move, low, high in known.scores:
                self._low[move], self._high[move] = max(self._low[move], low), min(self._high[move], high)
            self._prefer(known.move)
        elif known.pv:
            score = self._from_the_start(known.score)
            self._high = {move: min(high, score) for move, high in self._high.items()}
            self._low[known.pv[0]] = score
            self._prefer(known.pv[0])

    def look_near(self, search: FamilySearch) -> None:
        """Ask for wins and losses that are near, a ply further each time, until one is found or the search stopped."""
        with suppress(Stopped):
            for plies in range(1, self._remaining + 1):
                self.depth, score = plies, self._remaining + 1 - plies
                if self._exceeds(search, score - 1) if plies % 2 else not self._exceeds(search, -score):
                    return

    def prove(self, search: FamilySearch, *, every: bool) -> ProvenResult:
        """Return the value of the position, with ``every`` best move or the lowest one. Raises Stopped."""
        score = self._score(search)
        best = (move for move in sorted(self._children) if self._is_above(search, move, score - 1))
        best_moves = tuple(best if every else islice(best, 1))
        if not best_moves:
            raise ContradictoryBoundsError
        pv = (best_moves[0], *self._line(search, self._children[best_moves[0]], -score))
        return make_proven_result(self._most_plies, score, best_moves, pv)

    def settle(self, search: FamilySearch) -> None:
        """Narrow the scores of all moves, first to their outcomes, until they are exact or the search is stopped."""
        with suppress(Stopped):
            for alpha in (0, -1):
                for move in self._order:
                    self._is_above(search, move, alpha)
            for move in self._order:
                while self._low[move] < self._high[move]:
                    self._is_above(search, move, (self._low[move] + self._high[move]) // 2)

    def known(self) -> Bounds:
        """Return what is known so far."""
        least, greatest = max(self._low.values()), max(self._high.values())
        move = max(self._order, key=lambda move: (self._low[move], outcome_of(self._high[move]) != "loss"))
        scores = tuple((move, self._low[move], self._high[move]) for move in self._order)
        return Bounds(self._from_here(least), self._from_here(greatest), move, scores=scores)

    def move_bounds(self) -> dict[int, Known]:
        """Return what is known of every move, for the player who makes it."""
        return {
            move: Bounds(self._from_here(self._low[move]), self._from_here(self._high[move]), move)
            for move in sorted(self._children)
        }

    def move_values(self, search: FamilySearch) -> MoveValues:
        """Return the same, with the line of best play if the search gets so far."""
        found = self.move_bounds()
        with suppress(Stopped):
            for move, child in self._children.items():
                score = self._low[move]
                if score == self._high[move]:
                    pv = (move, *self._line(search, child, -score))
                    found[move] = make_proven_result(self._most_plies, score, (), pv)
        return found

    def _score(self, search: FamilySearch) -> int:
        # The outcome first: a window next to 0 cuts most, and what it leaves in the table helps the rest.
        for alpha in (0, -1):
            self._exceeds(search, alpha)
        while (low := max(self._low.values())) < (high := max(self._high.values())):
            self._exceeds(search, (low + high) // 2)
        return low

    def _exceeds(self, search: FamilySearch, alpha: int) -> bool:
        """Return whether some move has a value above ``alpha``; that one will be tried first next time."""
        for move in self._order:
            if self._is_above(search, move, alpha):
                self._prefer(move)
                return True
        return False

    def _is_above(self, search: FamilySearch, move: int, alpha: int) -> bool:
        if self._low[move] <= alpha < self._high[move]:
            value = -search.bound(self._children[move], -alpha - 1, -alpha)
            if value > alpha:
                self._low[move] = max(self._low[move], value)
            else:
                self._high[move] = min(self._high[move], value)
            if self._low[move] > self._high[move]:
                raise ContradictoryBoundsError
        return self._low[move] > alpha

    def _prefer(self, move: int) -> None:
        """Try the move first from now on. A new list, because a loop may be going through the old one."""
        self._order = [move, *(other for other in self._order if other != move)]

    def _line(self, search: FamilySearch, words: Words, score: int) -> Iterator[int]:
        """Yield the lowest best move at every ply, to the end of the game.

        Raises Stopped, and ContradictoryBoundsError if the line does not end as its score says.
        """
        while moves := self._play.legal_moves(words):
            after = {move: self._play.after(words, move) for move in moves}
            best = (move for move in moves if -search.bound(after[move], -score, 1 - score) >= score)
            move = next(best, None)
            if move is None:
                raise ContradictoryBoundsError
            yield move
            words, score = after[move], -score

    def _from_here(self, score: int) -> int:
        """Return a score as answers have it: as if the game had just begun."""
        played = self._most_plies - self._remaining
        return score + played if score > 0 else score - played if score < 0 else 0

    def _from_the_start(self, score: int) -> int:
        """Return the score of the search for one that answers have."""
        played = self._most_plies - self._remaining
        return score - played if score > 0 else score + played if score < 0 else 0
