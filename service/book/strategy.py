"""Strategy books: for one player of a game, the moves that keep its outcome where a search would take long to find one.

A book holds positions with the other player to move. The move of the book's player is the one that leads to such a
position, so moves are not stored. After every reply either another position of the book can be reached, or a quick
search finds a move.

In a ``StrategyBook`` the first player wins. In a ``HoldingBook`` the second player holds a draw.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from service.games.families.lines import LineGame
from service.kernel.proofs.canonical import Canonical

Masks = tuple[int, int]
"""The cells of two players, those of the player to move first."""


def canonical_positions(game: LineGame) -> Canonical:
    """Return a function that maps a position of a game to its canonical image."""
    return Canonical(game.cells, list(chain.from_iterable(game.automorphisms)))


def after_replies(game: LineGame, canonical: Canonical, own: int, other: int) -> Iterator[Masks]:
    """Yield the canonical positions after each move of the owner of ``other``, the owner of ``own`` to move."""
    for cell in range(game.cells):
        if not (own | other) >> cell & 1:
            yield canonical.of(own, other | 1 << cell)


class WithoutScores:
    """Mixin of strategy books, which have neither scores nor lines of best play."""

    __slots__ = ()
    pv_depth: ClassVar = -1

    def score(self, mine: int, theirs: int) -> None:
        """Return None: a strategy has bounds, but no distances."""

    def line(self, mine: int, theirs: int) -> None:
        """Return None: a strategy is no line of best play."""


@dataclass(frozen=True, slots=True)
class StrategyBook(WithoutScores):
    """The canonical positions that the player to move has ``lost``, each with the most plies to its end."""

    canonical: Canonical
    lost: Mapping[Masks, int]
    sizes: frozenset[int]
    cells: int

    def lost_in(self, mine: int, theirs: int) -> int | None:
        """Return the most plies in which the player to move loses; None if the book does not have the position."""
        if (mine | theirs).bit_count() not in self.sizes:
            return None
        return self.lost.get(self.canonical.of(mine, theirs))

    def at_most(self, mine: int, theirs: int) -> int | None:
        """Return the score of a loss after the most plies; None if the book does not have the position."""
        plies = self.lost_in(mine, theirs)
        return None if plies is None else plies - 1 - self.cells + (mine | theirs).bit_count()

    def __len__(self) -> int:
        return len(self.lost)


@dataclass(frozen=True, slots=True)
class HoldingBook(WithoutScores):
    """The canonical positions in which the player to move, who has as many marks, is ``held``: to a draw at most.

    That player never completes a line, even if the other one only blocks. So more marks of the other one change
    nothing, and the book answers for the first player too, who has a mark more when the second is to move.
    """

    canonical: Canonical
    held: frozenset[Masks]
    sizes: frozenset[int]

    def at_most(self, mine: int, theirs: int) -> int | None:
        """Return the score of a draw, 0, if the player to move is held; None if the book does not say so."""
        marks = 2 * mine.bit_count()
        if marks not in self.sizes:
            return None
        if theirs.bit_count() == mine.bit_count():
            return 0 if self.canonical.of(mine, theirs) in self.held else None
        fewer = (theirs ^ 1 << cell for cell in range(theirs.bit_length()) if theirs >> cell & 1)
        return 0 if any(self.canonical.of(mine, some) in self.held for some in fewer) else None

    def __len__(self) -> int:
        return len(self.held)


AnyStrategyBook = StrategyBook | HoldingBook


def make_strategy_book(game: LineGame, lost: Mapping[Masks, int]) -> StrategyBook:
    """Return the book with these canonical positions."""
    return StrategyBook(canonical_positions(game), lost, _sizes(lost), game.cells)


def make_holding_book(game: LineGame, held: Iterable[Masks]) -> HoldingBook:
    """Return the book with these canonical positions."""
    positions = frozenset(held)
    return HoldingBook(canonical_positions(game), positions, _sizes(positions))


def _sizes(positions: Iterable[Masks]) -> frozenset[int]:
    return frozenset((mine | theirs).bit_count() for mine, theirs in positions)
