"""The evaluation: what each weight counts, the weights of a game, the same compiled or not."""

from operator import attrgetter

import pytest

from loadtests.interpreted import interpreted_search
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.game import Game, permute
from service.games.position import position_after
from service.kernel.board import Board
from service.kernel.evaluation import Evaluation
from service.kernel.weights import EVEN_COLUMNS, FREE, ODD_COLUMNS, FreeWeights, GravityWeights, weights_of
from tests.worlds import drawn_positions, rules_of, small

GAMES = [CONNECT_FOUR, QUBIC, small(8, 8, 5), small(7, 9, 4, gravity=True), small(6, 6, 4, misere=True)]
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
INTERPRETED = interpreted_search()


def feature(game: Game, weight: str, *cells: int) -> int:
    """Return what a weight is multiplied by after some moves from the empty board."""
    names = (GravityWeights if game.gravity else FreeWeights)._fields
    position = position_after(game, cells)
    unit = [int(name == weight) for name in names]
    return int(Evaluation(Board(rules_of(game)), unit).of(position.mine, position.theirs))


@each_game
def test_symmetric_positions_have_the_same_value(game: Game) -> None:
    evaluation = Evaluation(Board(rules_of(game)))
    for position in drawn_positions(game, range(2, game.cells - 8), 20):
        values = {
            evaluation.of(permute(position.mine, symmetry), permute(position.theirs, symmetry))
            for symmetry in game.symmetries
        }
        assert len(values) == 1


@each_game
def test_the_interpreted_evaluation_is_the_same(game: Game) -> None:
    kernels = INTERPRETED.Estimator.__init__.__globals__
    interpreted = kernels["Evaluation"](INTERPRETED.Board(rules_of(game)))
    for position in drawn_positions(game, range(2, game.cells - 8), 20):
        masks = position.mine, position.theirs
        assert interpreted.of(*masks) == Evaluation(Board(rules_of(game))).of(*masks)


def test_a_game_has_the_weights_of_its_gravity_and_of_the_height_of_its_columns() -> None:
    games = CONNECT_FOUR, small(7, 8, 4, gravity=True), small(4, 4, 4, layers=4, gravity=True), QUBIC
    found = [weights_of(game.cells, game.drop) for game in games]
    assert found == [EVEN_COLUMNS, ODD_COLUMNS, EVEN_COLUMNS, FREE]


def test_without_gravity_lines_count_by_what_they_lack_for_either_player() -> None:
    game = small(6, 6, 4)
    assert feature(game, "own_two", 0, 30, 1, 31) == 1  # 0 to 3
    assert feature(game, "own_three", 0, 30, 1, 31) == 5  # 1 to 4, and both columns and diagonals
    assert feature(game, "other_two", 0, 30, 1, 31) == -1  # 30 to 33
    assert feature(game, "own_two", 0, 30, 1) == 0  # O is to move and has one mark


def test_without_gravity_a_cell_on_two_lines_that_lack_two_is_a_fork() -> None:
    game = small(4, 4, 4)  # X has 1 and 2 of the top row, and 4 and 8 of the left column
    assert feature(game, "fork", 1, 6, 2, 11, 4, 13, 8, 7) == 1
    assert feature(game, "fork", 1, 6, 2, 11, 4, 0, 8, 7) == 0
    assert feature(game, "fork", 1, 6, 2, 11, 4, 13, 8) == 0  # it is the opponent's


def test_under_gravity_the_lowest_threat_of_a_column_counts() -> None:
    # X has 35, 36, 37 of the bottom row of 7x6, O 28, 29, 30 above them: the threats are 38 and 31.
    assert feature(CONNECT_FOUR, "threat", 35, 28, 36, 29, 37, 30) == 1  # that of O is above it
    assert feature(CONNECT_FOUR, "double_threat", 35, 28, 36, 29, 37, 30) == 0


def test_under_gravity_a_line_through_a_cell_above_a_threat_of_the_opponent_counts_nothing() -> None:
    threat, none = (35, 41, 36, 34, 37), (35, 41, 36, 34, 29)
    # X threatens 38, so that O has no use for a cell above it.
    assert feature(CONNECT_FOUR, "three", *threat) < feature(CONNECT_FOUR, "three", *none)


def test_under_gravity_cells_that_are_played_soon_make_a_line_near() -> None:
    assert feature(CONNECT_FOUR, "near_two", 37, 35, 38, 41) == 2  # 36 to 39 and 37 to 40
    assert feature(CONNECT_FOUR, "near_two", 37, 35, 38, 40) == 1
