"""The order of moves: best first on every mixture of exact, proven and unproven values."""

from itertools import combinations

import pytest

from service.engine.oracle import Analysis, Oracle
from service.engine.result import RANK, Bounds, Known, ProvenResult, ends, estimate, score_bounds
from service.engine.work.limit import Limit
from service.explain.ranking import RankedMove, rank
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import line_position

pytestmark = pytest.mark.verify

CELLS = 42
POSITION = line_position(LINE_GAMES["connect-four"], 0, 0, "X")
SCORES = (-38, -5, 0, 5, 38)


def exact(score: int, move: int) -> ProvenResult:
    outcome, plies = ends(Bounds(score, score, move))[0], CELLS + 1 - abs(score) if score else CELLS
    return ProvenResult(outcome, plies, score, (), (move,) * plies)


def every_known(move: int) -> list[Known]:
    """Every kind of value: exact with a line, exact without one, proven, bounded to one side, and unknown."""
    ranges = list(combinations(SCORES, 2))
    return [
        *(exact(score, move) for score in SCORES),
        *(Bounds(score, score, move) for score in SCORES),
        *(Bounds(least, greatest, move, guess) for least, greatest in ranges for guess in (-0.5, 0.5)),
    ]


def ranking(*values: Known) -> tuple[RankedMove, ...]:
    """Rank the first moves of Connect Four, as if these were their values and nothing known of the position."""
    moves = POSITION.legal_moves[: len(values)]
    known = Bounds(-CELLS, CELLS, moves[0])
    best = Oracle().best_move(POSITION, limit=Limit(60, 1))
    return rank(Analysis(best, known, dict(zip(moves, values, strict=True)), {"X": (), "O": ()}, 0))


def test_on_every_mixture_of_two_no_move_stands_behind_one_that_cannot_be_better() -> None:
    first, second = POSITION.legal_moves[:2]
    for one in every_known(first):
        for other in every_known(second):
            above, below = ranking(one, other)
            (least_above, greatest_above), (least_below, greatest_below) = map(score_bounds, (above.known, below.known))
            assert not (least_below >= greatest_above and least_below > least_above)
            assert RANK[ends(above.known)[0]] >= RANK[ends(below.known)[0]]
            assert above.best >= below.best
            assert above.best == (least_above >= max(greatest_above, greatest_below))
            assert below.best == (least_below >= max(greatest_above, greatest_below))
            if ends(above.known) == ends(below.known) and not above.proven:
                assert estimate(above.known) >= estimate(below.known)
