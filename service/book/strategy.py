"""A strategy book: after which moves the player who wins a game has won it, as far as a search takes long to find that.

It holds positions with the loser to move. The winner's move is the one that leads to such a position, so no moves are
stored: whatever the loser replies, either another such position can be reached, or a search proves the win quickly.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from service.games.families.lines import LineGame
from service.kernel.canonical import Canonical

Masks = tuple[int, int]
"""The cells of two players, those of the player to move first."""


def canonical_positions(game: LineGame) -> Canonical:
    """Return what maps a position of a game to the one that stands for all of its images."""
    return Canonical(game.cells, list(chain.from_iterable(game.automorphisms)))


@dataclass(frozen=True, slots=True)
class StrategyBook:
    """The canonical positions that the player to move has ``lost``, and in how many plies at most."""

    canonical: Canonical
    lost: Mapping[Masks, int]
    sizes: frozenset[int]
    line_depth: int = -1
    """No position has a line of best play."""

    def score(self, mine: int, theirs: int) -> None:
        """Return None: outcomes are known, but no distances."""

    def line(self, mine: int, theirs: int) -> None:
        """Return None: a strategy is no line."""

    def lost_in(self, mine: int, theirs: int) -> int | None:
        """Return in how many plies at most the player to move loses; None if it is not known."""
        if (mine | theirs).bit_count() not in self.sizes:
            return None
        return self.lost.get(self.canonical.of(mine, theirs))


def make_strategy_book(game: LineGame, lost: Mapping[Masks, int]) -> StrategyBook:
    """Return the book with these canonical positions."""
    sizes = frozenset((mine | theirs).bit_count() for mine, theirs in lost)
    return StrategyBook(canonical_positions(game), lost, sizes)
