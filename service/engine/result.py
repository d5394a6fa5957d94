"""What can be known of a position and of its moves: a proven result, or bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from service.games.game import MAX_CELLS

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

MoveValues = Mapping[int, Known]
"""What is known of every legal move, for the player who makes it."""


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

LEAST_SCORE: Mapping[Outcome, int] = MappingProxyType({"loss": -MAX_CELLS, "draw": 0, "win": 1})
"""The least score of an outcome, on a board of any size."""


def ends(known: Known) -> tuple[Outcome, Outcome]:
    """Return the least and the greatest outcome that are not ruled out."""
    return (known.outcome, known.outcome) if isinstance(known, ProvenResult) else (known.at_least, known.at_most)


def for_previous_player(known: Known, move: int, cells: int) -> Known:
    """Return what is known of a ``move`` for the player who makes it, by what is known of the position after it."""
    if isinstance(known, Bounds):
        return Bounds(OPPOSITE[known.at_most], OPPOSITE[known.at_least], move)
    return make_proven_result(cells, -known.score, (), (move, *known.pv))


def sharpened(known: Known, values: MoveValues) -> Known:
    """Return what is known of a position after all of its moves have been looked at."""
    if isinstance(known, ProvenResult):
        return known
    first = max(values, key=lambda move: (value_order(values[move]), move == known.move, -move))
    proven = {move: value for move, value in values.items() if isinstance(value, ProvenResult)}
    if len(proven) == len(values):
        best = proven[first]
        equals = tuple(move for move, value in proven.items() if value.score == best.score)
        return ProvenResult(best.outcome, best.plies, best.score, equals, best.pv)
    least, most = (max((ends(value)[end] for value in values.values()), key=WORTH.__getitem__) for end in (0, 1))
    return Bounds(least, most, first, known.scores)


def value_order(known: Known) -> tuple[int, int, int]:
    """Return a key that orders moves: by the least outcome, by the greatest, and by the least score."""
    least, most = ends(known)
    return WORTH[least], WORTH[most], score_bounds(known)[0]


def score_bounds(known: Known) -> tuple[int, int]:
    """Return the least and the greatest score that are not ruled out."""
    if isinstance(known, ProvenResult):
        return known.score, known.score
    return LEAST_SCORE[known.at_least], -LEAST_SCORE[OPPOSITE[known.at_most]]
