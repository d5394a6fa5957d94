"""Strategy books: for a player who wins a game, the moves that win where a search would take long to find one.

A book holds positions with the loser to move. The winner's move is the one that leads to such a position, so moves are
not stored. After every reply of the loser either another position of the book can be reached, or a quick search proves
the win.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from service.games.families.lines import LineGame
from service.kernel.canonical import Canonical

Masks = tuple[int, int]
"""The cells of two players, those of the player to move first."""


def canonical_positions(game: LineGame) -> Canonical:
    """Return a function that maps a position of a game to its canonical image."""
    return Canonical(game.cells, list(chain.from_iterable(game.automorphisms)))


@dataclass(frozen=True, slots=True)
class StrategyBook:
    """The canonical positions that the player to move has ``lost``, each with the most plies to its end."""

    canonical: Canonical
    lost: Mapping[Masks, int]
    sizes: frozenset[int]
    pv_depth: int = -1
    """The book has no lines of best play."""

    def score(self, mine: int, theirs: int) -> None:
        """Return None: the book has outcomes, but no distances."""

    def line(self, mine: int, theirs: int) -> None:
        """Return None: a strategy is no line of best play."""

    def lost_in(self, mine: int, theirs: int) -> int | None:
        """Return the most plies in which the player to move loses; None if the book does not have the position."""
        if (mine | theirs).bit_count() not in self.sizes:
            return None
        return self.lost.get(self.canonical.of(mine, theirs))


def make_strategy_book(game: LineGame, lost: Mapping[Masks, int]) -> StrategyBook:
    """Return the book with these canonical positions."""
    sizes = frozenset((mine | theirs).bit_count() for mine, theirs in lost)
    return StrategyBook(canonical_positions(game), lost, sizes)
