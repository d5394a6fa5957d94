"""The estimator and its evaluation: exact near the end, alike in symmetric positions, compiled or not."""

import random
from collections.abc import Sequence
from operator import attrgetter

import pytest

from service.games.boards.grid import permute
from service.games.catalogue import CONNECT_FOUR, FIVE_IN_A_ROW_8X8, QUBIC, SCORE_FOUR
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import WIN_ESTIMATE, Search
from service.kernel.board import Board
from service.kernel.estimate.evaluation import Evaluation
from service.kernel.estimate.weights import (
    EVEN_COLUMNS,
    FREE,
    OTHER_COLUMNS,
    FreeWeights,
    GravityWeights,
    weights_of,
)
from tests.kernel.test_kernel import INTERPRETED
from tests.support import sampled
from tests.worlds import drawn_positions, memory, near_the_end, rules_of, score_from_the_start, small

GAMES = [
    small(5, 5, 4),
    small(5, 4, 4, gravity=True),
    small(4, 5, 3, gravity=True, misere=True),
    small(4, 4, 3, misere=True),
    small(4, 4, 4, wrap=True),
    small(3, 3, 3, layers=3, gravity=True),
]
LARGE = [CONNECT_FOUR, QUBIC, SCORE_FOUR, FIVE_IN_A_ROW_8X8, small(7, 9, 4, gravity=True), small(6, 6, 4, misere=True)]
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
NAMES = INTERPRETED.Estimator.__init__.__globals__


def value(game: LineGame, mine: int, theirs: int, depth: int) -> int:
    return Search(rules_of(game), memory()).estimate(mine, theirs, depth, -2 * WIN_ESTIMATE, 2 * WIN_ESTIMATE)


@pytest.mark.verify
@each_game
def test_to_the_end_of_the_game_a_value_is_the_score(game: LineGame) -> None:
    for position in near_the_end(game, empties=7, count=sampled(10 // game.layers, 60)):
        score = score_from_the_start(position)
        expected = score + WIN_ESTIMATE * ((score > 0) - (score < 0))
        assert value(game, *position.state, game.cells) == expected


@each_game
def test_symmetric_positions_have_the_same_value_at_every_depth(game: LineGame) -> None:
    dice = random.Random(game.id)
    for position in drawn_positions(game, range(2, game.cells - 4), 20):
        symmetry = dice.choice(game.symmetries)
        image = permute(position.state[0], symmetry), permute(position.state[1], symmetry)
        for depth in range(4):
            assert value(game, *image, depth) == value(game, *position.state, depth)


@each_game
def test_the_value_in_a_window_is_the_value_or_a_bound_on_its_side(game: LineGame) -> None:
    dice = random.Random(game.id)
    for position in drawn_positions(game, range(2, game.cells - 4), 20):
        masks = position.state
        true = value(game, *masks, 3)
        alpha, beta = sorted(dice.sample(range(true - 60, true + 60), 2))
        search = Search(rules_of(game), memory())
        for depth in (1, 2, 3):  # the table is full of other depths
            found = search.estimate(*masks, depth, alpha, beta)
        assert min(max(found, alpha), beta) == min(max(true, alpha), beta)


@each_game
def test_the_interpreted_estimator_visits_the_same_nodes(game: LineGame) -> None:
    for position in drawn_positions(game, range(game.cells // 3, game.cells - 4), 6):
        searches = [kernel(rules_of(game), memory()) for kernel in (Search, INTERPRETED.Search)]
        found = [search.estimate(*position.state, 3, -2 * WIN_ESTIMATE, 2 * WIN_ESTIMATE) for search in searches]
        assert found[0] == found[1]
        assert searches[0].nodes == searches[1].nodes


@pytest.mark.parametrize(
    ("weights", "sizes"),
    [
        (FREE, [(64, 0), (42, 0)]),
        (EVEN_COLUMNS, [(42, 7), (64, 8)]),
        (OTHER_COLUMNS, [(30, 6), (63, 9), (56, 14), (64, 16), (16, 8)]),
    ],
)
def test_the_weights_go_by_the_height_of_the_columns(
    weights: FreeWeights | GravityWeights, sizes: Sequence[tuple[int, int]]
) -> None:
    for cells, drop in sizes:
        assert weights_of(cells, drop) is weights, (cells, drop)


@pytest.mark.parametrize("game", LARGE, ids=attrgetter("id"))
def test_the_evaluation_is_the_same_of_all_symmetric_positions_and_interpreted(game: LineGame) -> None:
    evaluation = Evaluation(Board(rules_of(game)))
    interpreted = NAMES["Evaluation"](INTERPRETED.Board(rules_of(game)))
    for position in drawn_positions(game, range(2, game.cells - 8), 20):
        masks = position.state
        images = [(permute(masks[0], symmetry), permute(masks[1], symmetry)) for symmetry in game.symmetries]
        assert {evaluation.of(*image) for image in images} == {interpreted.of(*masks)}
