"""Two textbook searches that count their work: plain minimax, and alpha-beta.

They exist for their counts, not for answers: no transposition table, no symmetry, and moves in the order of the cells.
A position is two masks, ``mine`` of the player to move and ``theirs``; scores are the kernel's.
"""

from collections.abc import Iterator

from service.games.families.lines import LineGame

ABOVE_SCORES = 1 << 16
"""Above every score."""


class TooMany(Exception):
    """The search needs more nodes than its limit."""


class Minimax:
    """Plain minimax: plays out every possible game, and takes the best of the worst.

    ``nodes`` counts visits to positions, the root included, once for every path; ``inner`` those of unfinished
    positions; ``depth`` is the greatest number of plies; ``cut_offs`` counts the positions whose remaining moves were
    skipped.
    """

    def __init__(self, game: LineGame, most: int) -> None:
        self.nodes = 0
        self.inner = 0
        self.depth = 0
        self.cut_offs = 0
        self._game = game
        self._most = most

    @property
    def branches(self) -> int:
        """The edges of the visited tree: the moves made."""
        return max(0, self.nodes - 1)

    @property
    def branching(self) -> float:
        """The moves made at an unfinished position, on average."""
        return self.branches / self.inner if self.inner else 0.0

    def score(self, mine: int, theirs: int) -> int:
        """Return the exact score for the player to move. Raises TooMany at the limit of nodes."""
        return self._score(mine, theirs, 0)

    def _score(self, mine: int, theirs: int, ply: int) -> int:
        ended = self._visit(mine, theirs, ply)
        if ended is not None:
            return ended
        return max(-self._score(theirs, mine | move, ply + 1) for move in self._moves(mine | theirs))

    def _visit(self, mine: int, theirs: int, ply: int) -> int | None:
        """Count the position; return its score if the game is over there."""
        if self.nodes == self._most:
            raise TooMany
        self.nodes += 1
        self.depth = max(self.depth, ply)
        ended = self._ended(mine, theirs)
        if ended is None:
            self.inner += 1
        return ended

    def _ended(self, mine: int, theirs: int) -> int | None:
        """Return the score of a finished game, else None. A line on a full board is a win, not a draw."""
        game, marks = self._game, mine | theirs
        for line in game.line_masks:
            if line & theirs == line:
                lost = marks.bit_count() - game.cells - 1
                return -lost if game.misere else lost
        return 0 if marks == game.full else None

    def _moves(self, marks: int) -> Iterator[int]:
        """Yield the cells that may be marked, each as a mask, lowest first."""
        for cell, support in enumerate(self._game.supports):
            if not marks >> cell & 1 and support & marks == support:
                yield 1 << cell


class PlainAlphaBeta(Minimax):
    """Minimax that skips the remaining moves of a position once one move refutes it."""

    def score(self, mine: int, theirs: int) -> int:
        """Return the same score, usually after far fewer nodes."""
        return self._bound(mine, theirs, 0, -ABOVE_SCORES, ABOVE_SCORES)

    def _bound(self, mine: int, theirs: int, ply: int, alpha: int, beta: int) -> int:
        """Return the score if it lies between ``alpha`` and ``beta``, else a bound on it from the same side of both."""
        ended = self._visit(mine, theirs, ply)
        if ended is not None:
            return ended
        best, moves = -ABOVE_SCORES, list(self._moves(mine | theirs))
        for move in moves:
            best = max(best, -self._bound(theirs, mine | move, ply + 1, -beta, -max(alpha, best)))
            if best >= beta:
                self.cut_offs += move != moves[-1]
                break
        return best
