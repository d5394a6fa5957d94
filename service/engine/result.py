"""What can be known of a position: a proven result, or bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Outcome = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class ProvenResult:
    """What is proven about one position, for the player to move.

    ``score`` is 0 for a draw, ``cells + 1 - plies`` for a win, its negative for a loss. ``best_moves``
    are ascending, and may stop at the first where nobody asked for more; ``pv`` takes the lowest at
    every ply. Both are empty when the game is over.
    """

    outcome: Outcome
    plies: int
    score: int
    best_moves: tuple[int, ...]
    pv: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known about a position that could not be solved: between what its outcome lies, and a ``move``.

    The move is one that the lower bound holds for; among several, the one that looked best. ``scores`` are
    what is known of each move, the one that looks best first: its least and its greatest score, as the kernel counts.
    """

    at_least: Outcome
    at_most: Outcome
    move: int
    scores: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, repr=False)


Known = ProvenResult | Bounds
"""What is known of a position or of a move."""


class WithResult:
    """Something of which so much is ``known``: a position, or a move."""

    __slots__ = ()
    known: Known

    @property
    def proven(self) -> bool:
        """Whether outcome and distance are theorems."""
        return isinstance(self.known, ProvenResult)

    @property
    def outcome(self) -> Outcome | Literal["unknown"]:
        """The outcome under best play, if it is proven."""
        return self.known.outcome if isinstance(self.known, ProvenResult) else "unknown"

    @property
    def score(self) -> int | None:
        """The score under best play, if it is proven."""
        return self.known.score if isinstance(self.known, ProvenResult) else None

    @property
    def plies(self) -> int | None:
        """The distance to the end of the game under best play, if it is proven."""
        return self.known.plies if isinstance(self.known, ProvenResult) else None


def outcome_of(score: int) -> Outcome:
    """Return the outcome that a score stands for."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def make_proven_result(cells: int, score: int, best_moves: tuple[int, ...], pv: tuple[int, ...]) -> ProvenResult:
    """Return the result of a position whose score is counted from the far end of the game, as the kernel counts it."""
    sign = (score > 0) - (score < 0)
    return ProvenResult(outcome_of(score), len(pv), sign * (cells + 1 - len(pv)), best_moves, pv)


WORTH: Mapping[Outcome, int] = MappingProxyType({"loss": -1, "draw": 0, "win": 1})
"""The outcomes in order."""

OPPOSITE: Mapping[Outcome, Outcome] = MappingProxyType({"win": "loss", "draw": "draw", "loss": "win"})
"""What an outcome is for the other player."""


def ends(known: Known) -> tuple[Outcome, Outcome]:
    """Return the least and the greatest outcome that are not ruled out."""
    return (known.outcome, known.outcome) if isinstance(known, ProvenResult) else (known.at_least, known.at_most)


def for_previous_player(known: Known, move: int, cells: int) -> Known:
    """Return what is known of a ``move`` for the player who makes it, by what is known of the position after it."""
    if isinstance(known, Bounds):
        return Bounds(OPPOSITE[known.at_most], OPPOSITE[known.at_least], move)
    return make_proven_result(cells, -known.score, (), (move, *known.pv))
