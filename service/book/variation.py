"""Lines of best play: from the book if it has one, else by a null-window search of every move."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from service.book.book import Knowledge
from service.kernel.stopping import ContradictoryBoundsError


class ScoreSearch(Protocol):
    """A search for scores: of a game of lines, or of the states of any other.

    A state is two words. Scores are for the player to move, and count from the far end of the game.
    """

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def ended(self, first: int, second: int, /) -> int | None:
        """Return the score of a finished game; None while it goes on."""

    def moves(self, first: int, second: int, /) -> Sequence[int]:
        """Return the legal moves, ascending."""

    def promising_moves(self, first: int, second: int, /) -> Sequence[int]:
        """Return the same moves, the most promising first."""

    def after(self, first: int, second: int, move: int, /) -> tuple[int, int]:
        """Return the state after a move."""

    def bound(self, first: int, second: int, alpha: int, beta: int, /) -> int:
        """Return a bound on the score: a lower one from ``beta`` on, an upper one up to ``alpha``. Raises Stopped."""

    def estimate(self, first: int, second: int, depth: int, alpha: int, beta: int, /) -> int:
        """Return the value of a state ``depth`` plies deep, or a bound outside of the window. Raises Stopped."""


def principal_variation(search: ScoreSearch, book: Knowledge, first: int, second: int, score: int) -> Iterator[int]:
    """Yield the moves of best play from a state with this exact score, at every ply the lowest of the best moves.

    A proven win therefore ends with a win on the promised ply, a draw with a full board. Raises
    ContradictoryBoundsError if a move is better than the score, no move reaches it, or the game ends with another one.
    """
    while (ended := search.ended(first, second)) is None:
        line = book.line(first, second)
        if line is not None:
            yield from line
            return
        for move in search.moves(first, second):
            after = search.after(first, second, move)
            known = book.score(*after)
            value = -(search.bound(*after, -score, 1 - score) if known is None else known)
            if value >= score:
                break
        if value != score:
            raise ContradictoryBoundsError
        yield move
        (first, second), score = after, -score
    if ended != score:
        raise ContradictoryBoundsError
