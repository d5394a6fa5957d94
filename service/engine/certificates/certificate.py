"""A certificate: a strategy that proves the outcome of a position, and that a short program can check."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.engine.result import Known, Outcome
from service.games.boards.grid import Symmetry
from service.games.boards.pairing import Pairs
from service.games.families.lines import OPPONENT, LinePosition, Player

MOST_ENTRIES = 200_000
"""The maximum number of entries of a certificate: about 10 megabytes of text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The holder's play in a position: a move, or threats to win with the only reply to each in between.

    With ``pairs``, each later move of the opponent is answered by the other cell of its pair.
    """

    cells: tuple[int, ...]
    pairs: Pairs = ()


@dataclass(frozen=True, slots=True)
class Strategy:
    """The strategy by which the ``holder`` wins, or holds at least a draw: an entry for each position that needs one.

    A position is the masks of the holder, who is to move, and of the opponent. An entry covers all positions that
    symmetries map to its own; ``symmetries`` are those in use. It is ``complete`` unless it was stopped, or has too
    many entries.
    """

    holder: Player
    wins: bool
    entries: Mapping[tuple[int, int], Entry]
    symmetries: tuple[Symmetry, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Certificate:
    """The outcome of a position for the player to move, and the strategies that prove it."""

    position: LinePosition
    outcome: Outcome
    strategies: tuple[Strategy, ...]

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries used by the strategies, without duplicates."""
        return tuple(dict.fromkeys(symmetry for strategy in self.strategies for symmetry in strategy.symmetries))


@dataclass(frozen=True, slots=True)
class Unproven:
    """There is no certificate, because the outcome is not proven; ``known`` holds its bounds."""

    known: Known


@dataclass(frozen=True, slots=True)
class Unfinished:
    """There is no certificate, because the limit was reached after ``entries`` entries, or there are too many."""

    outcome: Outcome
    entries: int
    too_many: bool


@dataclass(frozen=True, slots=True)
class Unsupported:
    """There is no certificate, because this ``family`` has no format of certificates."""

    family: str


def claims(position: LinePosition, outcome: Outcome) -> Iterator[tuple[Player, bool]]:
    """Yield the claims that make up an outcome: the holder, and whether the claim is a win or at least a draw."""
    mover, other = position.player, OPPONENT[position.player]
    if outcome == "draw":
        yield from ((mover, False), (other, False))
    else:
        yield mover if outcome == "win" else other, True
