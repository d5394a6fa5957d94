"""The estimator and its evaluation: exact near the end, alike in symmetric positions, compiled or not."""

import random
from operator import attrgetter

import pytest

from service.games.boards.grid import permute
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.families.lines import LineGame, position_after
from service.kernel.alpha_beta.search import WON, Search, Stopped
from service.kernel.board import Board
from service.kernel.estimate.evaluation import Evaluation
from service.kernel.estimate.weights import FreeWeights, GravityWeights
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
LARGE = [CONNECT_FOUR, QUBIC, small(8, 8, 5), small(7, 9, 4, gravity=True), small(6, 6, 4, misere=True)]
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
NAMES = INTERPRETED.Estimator.__init__.__globals__


def value(game: LineGame, mine: int, theirs: int, depth: int) -> int:
    return Search(rules_of(game), memory()).estimate(mine, theirs, depth, -2 * WON, 2 * WON)


@pytest.mark.verify
@each_game
def test_to_the_end_of_the_game_a_value_is_the_score(game: LineGame) -> None:
    for position in near_the_end(game, empties=7, count=sampled(10 // game.layers, 60)):
        score = score_from_the_start(position)
        expected = score + WON * ((score > 0) - (score < 0))
        assert value(game, *position.words, game.cells) == expected


@each_game
def test_symmetric_positions_have_the_same_value_at_every_depth(game: LineGame) -> None:
    dice = random.Random(game.id)
    for position in drawn_positions(game, range(2, game.cells - 4), 20):
        symmetry = dice.choice(game.symmetries)
        image = permute(position.words[0], symmetry), permute(position.words[1], symmetry)
        for depth in range(4):
            assert value(game, *image, depth) == value(game, *position.words, depth)


@each_game
def test_the_value_in_a_window_is_the_value_or_a_bound_on_its_side(game: LineGame) -> None:
    dice = random.Random(game.id)
    for position in drawn_positions(game, range(2, game.cells - 4), 20):
        masks = position.words
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
        found = [search.estimate(*position.words, 3, -2 * WON, 2 * WON) for search in searches]
        assert found[0] == found[1]
        assert searches[0].nodes == searches[1].nodes


def test_what_is_proven_bounds_the_value() -> None:
    checked = 0
    for position in drawn_positions(CONNECT_FOUR, range(22, 26), 40):
        search = Search(rules_of(CONNECT_FOUR), memory(16))
        if search.decided(*position.words) is None:
            outcome = search.score(*position.words)
            found = search.estimate(*position.words, 4, -2 * WON, 2 * WON)
            assert (found > 0, found < 0) == (outcome > 0, outcome < 0)
            checked += 1
    assert checked > 10


def test_an_estimator_stops_at_its_limit_of_nodes() -> None:
    search = Search(rules_of(QUBIC), memory(), limit=500)
    with pytest.raises(Stopped):
        search.estimate(0, 0, 6, -2 * WON, 2 * WON)
    assert search.nodes == 500


@pytest.mark.parametrize("game", LARGE, ids=attrgetter("id"))
def test_the_evaluation_is_the_same_of_all_symmetric_positions_and_interpreted(game: LineGame) -> None:
    evaluation = Evaluation(Board(rules_of(game)))
    interpreted = NAMES["Evaluation"](INTERPRETED.Board(rules_of(game)))
    for position in drawn_positions(game, range(2, game.cells - 8), 20):
        masks = position.words
        images = [(permute(masks[0], symmetry), permute(masks[1], symmetry)) for symmetry in game.symmetries]
        assert {evaluation.of(*image) for image in images} == {interpreted.of(*masks)}


def feature(game: LineGame, weight: str, *cells: int) -> int:
    """Return what a weight is multiplied by after some moves from the empty board."""
    names = (GravityWeights if game.gravity else FreeWeights)._fields
    position = position_after(game, cells)
    unit = [int(name == weight) for name in names]
    return int(Evaluation(Board(rules_of(game)), unit).of(*position.words))


@pytest.mark.parametrize(
    ("game", "weight", "cells", "count"),
    [
        # Lines without gravity count by what they lack for either player; O is to move after an odd number of moves.
        (small(6, 6, 4), "own_two", (0, 30, 1, 31), 1),  # 0 to 3
        (small(6, 6, 4), "own_three", (0, 30, 1, 31), 5),  # 1 to 4, and both columns and diagonals
        (small(6, 6, 4), "other_two", (0, 30, 1, 31), -1),  # 30 to 33
        (small(6, 6, 4), "own_two", (0, 30, 1), 0),
        # X has 1 and 2 of the top row, and 4 and 8 of the left column: a cell on two lines that lack two is a fork.
        (small(4, 4, 4), "fork", (1, 6, 2, 11, 4, 13, 8, 7), 1),
        (small(4, 4, 4), "fork", (1, 6, 2, 11, 4, 0, 8, 7), 0),
        (small(4, 4, 4), "fork", (1, 6, 2, 11, 4, 13, 8), 0),  # it is the opponent's
        # X has 35, 36, 37 of the bottom row of 7x6, O 28, 29, 30 above them: of the threats 38 and 31 the lower counts.
        (CONNECT_FOUR, "threat", (35, 28, 36, 29, 37, 30), 1),
        (CONNECT_FOUR, "double_threat", (35, 28, 36, 29, 37, 30), 0),
        # Cells that are played soon make a line near.
        (CONNECT_FOUR, "near_two", (37, 35, 38, 41), 2),  # 36 to 39 and 37 to 40
        (CONNECT_FOUR, "near_two", (37, 35, 38, 40), 1),
    ],
)
def test_a_weight_counts_what_its_name_says(game: LineGame, weight: str, cells: tuple[int, ...], count: int) -> None:
    assert feature(game, weight, *cells) == count


LAST_TWO = 1 << 10 | 1 << 3
"""The upper two cells of the middle column of Connect Four."""


@pytest.mark.parametrize(
    ("free", "own_wins", "opponent_wins", "expected"),
    [
        (LAST_TWO, 0, 0, 0),
        (LAST_TWO, 0, 1 << 3, -1),
        (LAST_TWO, 1 << 3, 0, 0),
        (LAST_TWO | 1 << 0, 1 << 3, 0, 1),
        (LAST_TWO | 1 << 0, 0, 1 << 3, 0),
        (LAST_TWO | 1 << 0, 1 << 3, 1 << 3, 1),
        (LAST_TWO | 1 << 7 | 1 << 0, 1 << 0, 1 << 3, 0),
    ],
)
def test_who_has_to_mark_the_cell_below_a_threat_loses_the_endgame(
    free: int, own_wins: int, opponent_wins: int, expected: int
) -> None:
    board = INTERPRETED.Board(rules_of(CONNECT_FOUR))
    zugzwang = NAMES["Evaluation"].value.__globals__["zugzwang"]
    assert zugzwang(board, board.full ^ free, own_wins, opponent_wins) == expected
