"""The order of moves: best first on every mixture of exact, proven and unproven values."""

import random
from itertools import combinations, permutations

import pytest

from service.engine.limit import Limit
from service.engine.oracle import Analysis, Oracle
from service.engine.result import WORTH, Bounds, Known, ProvenResult, ends, estimate, for_previous_player, score_bounds
from service.explain.ranking import RankedMove, rank
from service.games.catalogue import CATALOGUE
from service.games.game import Game
from service.games.position import Position
from tests.worlds import length, oracle, play_at_random, small

pytestmark = pytest.mark.verify

CELLS = 42
POSITION = Position(CATALOGUE["connect-four"], 0, 0, "X")
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
            assert WORTH[ends(above.known)[0]] >= WORTH[ends(below.known)[0]]
            assert above.best >= below.best
            assert above.best == (least_above >= max(greatest_above, greatest_below))
            assert below.best == (least_below >= max(greatest_above, greatest_below))
            if ends(above.known) == ends(below.known) and not above.proven:
                assert estimate(above.known) >= estimate(below.known)


def test_the_order_does_not_depend_on_where_the_moves_stand_on_the_board() -> None:
    dice = random.Random(1)
    moves = POSITION.legal_moves[:3]
    for _ in range(100):
        values = [dice.choice(every_known(moves[0])) for _ in moves]
        keys = {
            tuple((*score_bounds(move.known), estimate(move.known)) for move in ranking(*order))
            for order in permutations(values)
        }
        assert len(keys) == 1


def test_a_proven_best_loss_stands_before_moves_that_can_at_most_lose() -> None:
    lost, open_one = exact(-(CELLS + 1 - 38), POSITION.legal_moves[0]), Bounds(-40, -(CELLS + 1 - 38), 0, 0.9)
    ranked = ranking(open_one, lost)
    assert [(move.known, move.best) for move in ranked] == [(lost, True), (open_one, False)]


def mixed_analyses() -> list[Analysis]:
    """Analyses that reach their limit with all kinds of values."""
    dice, found = random.Random(7), []
    games: list[Game] = [CATALOGUE["connect-four-5x5"], small(4, 4, 3), small(4, 4, 4), small(3, 4, 3, misere=True)]
    for number in range(240):
        game = games[number % len(games)]
        position = play_at_random(game, dice, dice.randint(2, game.cells - 4))
        if position.legal_moves:
            limit = Limit(60, dice.choice([10, 100, 500, 2_000, 10_000]))
            found.append(Oracle().analyse(position, limit=limit))
    return found


def test_every_bound_exact_value_and_estimate_of_a_limited_analysis_agrees_with_the_truth() -> None:
    kinds = set()
    for analysis in mixed_analyses():
        position = analysis.best.position
        ranked = rank(analysis)
        assert ranked[0].move == analysis.best.move or ranked[0].known == analysis.move_values[analysis.best.move or 0]
        for move in ranked:
            after = oracle().best_move(position.play(move.move)).known
            truth = for_previous_player(after, move.move, position.game.cells)
            assert isinstance(truth, ProvenResult)
            least, greatest = score_bounds(move.known)
            assert least <= truth.score <= greatest
            assert move.proven == (move.outcome != "unknown")
            assert move.exact <= (least == greatest)
            if move.exact:
                assert (move.outcome, move.plies, move.score) == (truth.outcome, truth.plies, truth.score)
            elif move.proven:
                assert move.outcome == truth.outcome
                assert move.plies_bounds[0] <= length(truth) <= move.plies_bounds[1]
            worst, best = (WORTH[end] for end in ends(move.known))
            assert -1 <= worst <= estimate(move.known) <= best <= 1
            kinds.add((move.proven, move.exact))
    assert kinds == {(True, True), (True, False), (False, False)}
