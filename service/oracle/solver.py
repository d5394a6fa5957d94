"""One position put to the kernel: the proof of its score, its best moves and its principal variation."""

from collections.abc import Iterator

from service.kernel.search import PROVEN, Search, Stopped
from service.oracle.entry import Bounds, Entry, make_entry, outcome_of

BEYOND = 2 * PROVEN
"""More than any estimate."""


class Solver:
    """Bounds on the worth of every move of an unfinished position, and the questions that narrow them.

    A question is a null window: is the move worth more than ``alpha``, yes or no? Each method puts its
    questions to the search that it is given; whatever was answered when that is stopped remains known.
    Scores are the kernel's, for the player to move.
    """

    def __init__(self, search: Search, mine: int, theirs: int, cells: int) -> None:
        self._cells = cells
        self._marks = (mine | theirs).bit_count()
        self._order = search.promising_moves(mine, theirs)
        self._children = {move: (theirs, mine | 1 << move) for move in self._order}
        self._low = dict.fromkeys(self._order, -cells - 1)
        self._high = dict.fromkeys(self._order, cells + 1)

    def look_near(self, search: Search) -> None:
        """Asks for wins and losses that are near, a ply further each time, until one is found or the search stopped.

        Windows at the far ends are cut off where the game would last longer, so they cost little; a
        window next to 0 can miss a near win for a long time.
        """
        try:
            for plies in range(3, self._cells - self._marks + 1):
                score = self._cells + 1 - self._marks - plies
                found = self._exceeds(search, score - 1) if plies % 2 else not self._exceeds(search, -score)
                if found:
                    return
        except Stopped:
            return

    def prove(self, search: Search, *, every: bool) -> Entry:
        """The entry of the position, with ``every`` best move or the lowest one. Raises Stopped."""
        score = self._score(search)
        best = (move for move in sorted(self._children) if self._is_worth_more(search, move, score - 1))
        best_moves = tuple(best) if every else (next(best),)
        first = best_moves[0]
        pv = (first, *_principal_variation(search, *self._children[first], -score))
        return make_entry(self._cells, score, best_moves, pv)

    def bounds(self, search: Search) -> Bounds:
        """What is known so far, with the move that looks best to ``search`` until it is stopped."""
        return Bounds(
            at_least=outcome_of(max(self._low.values())),
            at_most=outcome_of(max(self._high.values())),
            move=_looks_best(search, {move: self._children[move] for move in self._safest()}, self._cells),
        )

    def _score(self, search: Search) -> int:
        # The outcome first: a window next to 0 cuts most, and what it leaves behind helps the rest.
        for alpha in (0, -1):
            self._exceeds(search, alpha)
        while (low := max(self._low.values())) < (high := max(self._high.values())):
            self._exceeds(search, (low + high) // 2)
        return low

    def _exceeds(self, search: Search, alpha: int) -> bool:
        """Whether some move is worth more than ``alpha``; the one that is will be tried first next time."""
        for move in self._order:
            if self._is_worth_more(search, move, alpha):
                self._order.remove(move)
                self._order.insert(0, move)
                return True
        return False

    def _is_worth_more(self, search: Search, move: int, alpha: int) -> bool:
        if self._low[move] <= alpha < self._high[move]:
            worth = -search.bound(*self._children[move], -alpha - 1, -alpha)
            if worth > alpha:
                self._low[move] = max(self._low[move], worth)
            else:
                self._high[move] = min(self._high[move], worth)
        return self._low[move] > alpha

    def _safest(self) -> list[int]:
        """The moves of which the best is proven, the most promising first."""
        proven = {move: self._known(move) for move in self._order}
        best = max(proven.values())
        return [move for move in self._order if proven[move] == best]

    def _known(self, move: int) -> tuple[int, int, int]:
        """Orders moves: by the least outcome, by the greatest, and by the distance where the outcome is known."""
        low, high = self._low[move], self._high[move]
        least, most = (low > 0) - (low < 0), (high > 0) - (high < 0)
        return least, most, low if least == most else 0


def _principal_variation(search: Search, mine: int, theirs: int, score: int) -> Iterator[int]:
    """The moves of best play from a position with this exact score, the lowest of the best at every ply."""
    while search.ended(mine, theirs) is None:
        for move in search.moves(mine, theirs):
            after = theirs, mine | 1 << move
            if -search.bound(*after, -score, 1 - score) >= score:
                break
        yield move
        (mine, theirs), score = after, -score


def _looks_best(search: Search, children: dict[int, tuple[int, int]], deepest: int) -> int:
    """The best of some moves as far as a search can look ahead, a ply deeper each time, until it is stopped."""
    order = list(children)
    try:
        for depth in range(deepest if len(order) > 1 else 0):
            best = -BEYOND
            for move in [*order]:
                value = -search.look_ahead(*children[move], depth, -BEYOND, -best)
                if value > best:
                    best = value
                    order.remove(move)
                    order.insert(0, move)
            if abs(best) >= PROVEN:
                break
    except Stopped:
        pass
    return order[0]
