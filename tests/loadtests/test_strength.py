"""The benchmark of strength: its opponent plays, its figures are right, its positions are the same for a seed."""

from math import exp
from operator import attrgetter, mul
from pathlib import Path

import pytest

from loadtests.strength.diagram import draw, reliability
from loadtests.strength.estimates import best_scale, brier
from loadtests.strength.fit import FAMILIES, Features, examples_of
from loadtests.strength.matches import result
from loadtests.strength.monte_carlo import MonteCarlo
from loadtests.strength.openings import openings
from loadtests.strength.regression import fit, solve
from loadtests.strength.sampling import samples
from service.games.catalogue import CONNECT_FOUR, TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position
from service.kernel.board import Board
from service.kernel.evaluation import Evaluation
from service.kernel.weights import weights_of
from tests.support import need
from tests.worlds import drawn_positions, read_position, rules_of, small

pytestmark = pytest.mark.verify


@pytest.fixture(scope="module")
def opponent(tmp_path_factory: pytest.TempPathFactory) -> MonteCarlo:
    need("cc")
    return MonteCarlo(tmp_path_factory.mktemp("mcts"))


@pytest.mark.parametrize(("board", "move"), [("XX.OO....", 2), ("X.....XO.", 3), ("OXX.O....", 8)])
def test_monte_carlo_tree_search_wins_or_blocks(opponent: MonteCarlo, board: str, move: int) -> None:
    assert opponent.choose(read_position(board), seed=1, playouts=2_000).move == move


def test_monte_carlo_tree_search_obeys_gravity_and_its_limit(opponent: MonteCarlo) -> None:
    choice = opponent.choose(Position(CONNECT_FOUR, 0, 0, "X"), seed=1, playouts=3_200)
    assert (choice.move, choice.playouts) == (38, 3_200)


def test_monte_carlo_tree_search_is_the_same_for_a_seed(opponent: MonteCarlo) -> None:
    position = Position(small(5, 5, 4), 0, 0, "X")
    moves = [[opponent.choose(position, seed, playouts=64).move for seed in range(8)] for _ in range(2)]
    assert moves[0] == moves[1]
    assert len({*moves[0]}) > 1


@pytest.mark.parametrize("begins", [True, False])
def test_the_points_of_a_game_are_those_of_the_first_player(*, begins: bool) -> None:
    def first(position: Position) -> int:
        return position.legal_moves[0]

    empty = Position(TIC_TAC_TOE, 0, 0, "X")  # whoever begins gets 0, 2, 4 and 6
    assert result(empty, first, first, begins=begins) == float(begins)


def test_openings_have_the_outcomes_of_all_moves() -> None:
    drawn = openings(9, seed=1)
    assert next(opening for opening in drawn if not opening.position.occupied).right == {38}
    assert all({*opening.outcomes} == {*opening.position.legal_moves} for opening in drawn)
    assert max(opening.position.occupied.bit_count() for opening in drawn) == 8


def test_samples_are_not_proven_and_the_same_for_a_seed() -> None:
    game = small(6, 7, 5, gravity=True)
    found = samples(game, 2, 1)
    assert found == samples(game, 2, 1)
    assert all(-1 < sample.estimate < 1 and sample.result in (-1, 0, 1) for sample in found)


def test_a_brier_score_is_that_of_expected_points() -> None:
    assert brier([1, -1, 0], [1, -1, 0]) == 0
    assert brier([0, 0], [1, -1]) == 0.25


def test_a_fit_finds_the_scale() -> None:
    assert best_scale([100, 100, 100, 100, -100], [1, 1, 1, -1, -1], 50) == pytest.approx(156, rel=0.2)


@pytest.mark.parametrize("game", [games[0] for games in FAMILIES.values()], ids=attrgetter("id"))
def test_the_features_of_a_position_times_the_weights_are_its_value(game: Game) -> None:
    features, weights = Features(game), weights_of(game.cells, game.drop)
    for position in drawn_positions(game, range(4, 30), 20):
        value = Evaluation(Board(rules_of(game))).of(position.mine, position.theirs)
        assert sum(map(mul, features.of(position), weights)) == value


def test_the_games_of_a_family_share_their_weights_and_no_others() -> None:
    found = [{weights_of(game.cells, game.drop) for game in games} for games in FAMILIES.values()]
    assert [len(weights) for weights in found] == [1, 1, 1]
    assert len(set.union(*found)) == 3


def test_the_examples_of_a_fit_are_the_same_for_a_seed_and_have_both_results() -> None:
    game = small(5, 5, 4)
    found = [*examples_of(game, 6, 1)]
    assert found == [*examples_of(game, 6, 1)] != [*examples_of(game, 6, 2)]
    assert {result for _, result in found} >= {-1, 1}


def test_a_regression_finds_the_weights_that_made_the_results() -> None:
    features = [(1, x, y) for x in range(-5, 6) for y in range(-5, 6)]
    results = [1 / (1 + exp(-(0.5 + 0.3 * x - 0.2 * y))) for _, x, y in features]
    assert fit(features, results) == pytest.approx([0.5, 0.3, -0.2], abs=0.01)


def test_linear_equations_are_solved() -> None:
    assert solve([[2, 1], [1, 3]], [4, 7]) == pytest.approx([1, 2])


def test_a_range_with_few_positions_is_left_out_of_the_diagram() -> None:
    pairs = [(0.9, 1)] * 6 + [(0.8, -1)] * 6 + [(-0.9, -1)] * 4
    [(estimate, mean)] = reliability(pairs)
    assert (round(estimate, 6), mean) == (0.85, 0)


def test_a_diagram_names_every_game(tmp_path: Path) -> None:
    svg = draw({"one": [(0.5, 1)] * 9, "other": [(-0.5, -1)] * 9})
    assert svg.startswith("<svg ")
    assert svg.count("<polyline") == 2
    assert ">one</text>" in svg
    assert ">other</text>" in svg
    (tmp_path / "diagram.svg").write_text(svg)
