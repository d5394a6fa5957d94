"""The values of the legal moves of a position, as far as they are known, and what follows for the position."""

from collections.abc import Mapping
from types import MappingProxyType

from service.engine.result import OPPOSITE, WORTH, Bounds, Known, Outcome, ProvenResult, ends
from service.games.game import MAX_CELLS

LEAST_SCORE: Mapping[Outcome, int] = MappingProxyType({"loss": -MAX_CELLS, "draw": 0, "win": 1})
"""The least score of an outcome, on a board of any size."""

MoveValues = Mapping[int, Known]
"""What is known of every legal move, for the player who makes it."""


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
