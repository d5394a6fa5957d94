"""A certificate: a strategy that proves the outcome of a position, and that a short program can check."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from service.engine.result import Known, Outcome
from service.games.boards.pairing import Pairs
from service.games.position import Position
from service.kernel.states.family import State

MOST_ENTRIES = 200_000
"""The maximum number of entries of a certificate: about 10 megabytes of text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The holder's play in a position.

    ``moves`` has one move, or a win by threats: the holder's moves, with the only reply to each in between. With
    ``pairs``, the holder answers each later move of the opponent in a pair with the other cell of the pair.
    """

    moves: tuple[int, ...]
    pairs: Pairs = ()


Ended = Literal["complete", "stopped", "too many"]
"""How building a strategy ended; it was stopped, or would have had too many entries."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """The strategy by which the ``holder`` wins, or holds at least a draw: an entry for each position that needs one.

    A key of ``entries`` is the state of a position with the holder to move. If the strategy is ``symmetric``, an entry
    counts for all positions that symmetries of the game map to its own. ``ended`` says whether it is complete.
    """

    holder: str
    wins: bool
    entries: Mapping[State, Entry]
    ended: Ended = "complete"
    symmetric: bool = False


@dataclass(frozen=True, slots=True)
class Certificate:
    """The outcome of a position for the player to move, and the strategies that prove it."""

    position: Position
    outcome: Outcome
    strategies: tuple[Strategy, ...]


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


Certified = Certificate | Unproven | Unfinished
"""A certificate, or the reason why there is none."""


def claims(position: Position, outcome: Outcome) -> Iterator[tuple[str, bool]]:
    """Yield the claims that make up an outcome: the holder, and True for a win or False for at least a draw."""
    mover, other = position.player, position.opponent
    if outcome == "draw":
        yield from ((mover, False), (other, False))
    else:
        yield mover if outcome == "win" else other, True
