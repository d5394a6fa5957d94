"""A certificate: a strategy that shows the outcome of a position, small enough to be checked by anyone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.engine.certificates.pairing import Pairs
from service.engine.result import Known, Outcome
from service.games.boards.grid import Symmetry
from service.games.families.lines import OPPONENT, LinePosition, Player

MOST_ENTRIES = 200_000
"""Entries of the largest certificate: some 10 megabytes of text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the holder plays in a position: a move, or moves that threaten to win with the only reply to each between.

    With ``pairs``, each move of the opponent from then on is answered in its pair.
    """

    cells: tuple[int, ...]
    pairs: Pairs = ()


@dataclass(frozen=True, slots=True)
class Strategy:
    """How the ``holder`` wins, or else holds at least a draw: an entry for each position that takes one.

    A position is the masks of the holder, who is to move, and of the opponent. One entry serves all positions that
    symmetries map to its own; ``symmetries`` are those that this takes. It is ``complete`` unless it was stopped, or
    has too many entries.
    """

    holder: Player
    wins: bool
    entries: Mapping[tuple[int, int], Entry]
    symmetries: tuple[Symmetry, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Certificate:
    """The outcome of a position for the player to move, and the strategies that show it."""

    position: LinePosition
    outcome: Outcome
    strategies: tuple[Strategy, ...]

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries that the strategies take, each once."""
        return tuple(dict.fromkeys(symmetry for strategy in self.strategies for symmetry in strategy.symmetries))


@dataclass(frozen=True, slots=True)
class Unproven:
    """There is no certificate, because the outcome is not proven; so much is ``known`` of it."""

    known: Known


@dataclass(frozen=True, slots=True)
class Unfinished:
    """There is no certificate, because it had so many ``entries`` when the limit was reached, or too many."""

    outcome: Outcome
    entries: int
    too_many: bool


@dataclass(frozen=True, slots=True)
class Unsupported:
    """There is no certificate, because there is no format of certificates for games of this ``family``."""

    family: str


def claims(position: LinePosition, outcome: Outcome) -> Iterator[tuple[Player, bool]]:
    """Yield the claims that make up an outcome: who gets how much, and whether that is a win or at least a draw."""
    mover, other = position.player, OPPONENT[position.player]
    if outcome == "draw":
        yield from ((mover, False), (other, False))
    else:
        yield mover if outcome == "win" else other, True
