"""Estimates: in range, between what is proven, with the sign of the value, and reproducible."""

from operator import attrgetter

import pytest

from service.engine.line_solver import SCALES, expected_result, scale_of
from service.engine.oracle import Oracle
from service.engine.result import WORTH, Bounds, ends, estimate
from service.engine.work.limit import Limit
from service.games.catalogue import CONNECT_FOUR, LINE_GAMES, QUBIC
from service.games.families.lines import LineGame, line_position
from service.kernel.alpha_beta.search import WON
from tests.worlds import drawn_positions, each_catalogued_game, small

LARGE = [CONNECT_FOUR, QUBIC, small(8, 8, 5), small(7, 9, 4, gravity=True), small(6, 6, 4, misere=True)]


@each_catalogued_game
def test_an_expected_result_grows_with_the_value_from_a_loss_to_a_win(game: LineGame) -> None:
    expected = [expected_result(value, game) for value in (-WON, -100, -1, 0, 1, 100, WON)]
    assert expected == sorted(expected)
    assert (expected[0], expected[3], expected[-1]) == (-1, 0, 1)


def test_a_game_of_the_catalogue_has_a_scale_by_its_rules_and_all_others_share_one() -> None:
    assert SCALES.keys() <= {game.digest for game in LINE_GAMES.values()}
    assert scale_of(small(6, 7, 4, gravity=True)) == scale_of(CONNECT_FOUR)
    others = {scale_of(game) for game in (small(6, 8, 4, gravity=True), small(7, 8, 4, gravity=True), small(8, 8, 5))}
    assert len(others) == 1
    assert others.isdisjoint(SCALES.values())


def test_other_moves_are_estimated_by_their_distance_to_the_best_at_the_same_depth() -> None:
    position = line_position(QUBIC, 0, 0, "X").play(0)
    analysis = Oracle().analyse(position, limit=Limit(60, 60_000))
    found = {move: estimate(value) for move, value in analysis.move_values.items()}
    assert found[analysis.best.move or 0] == max(found.values()) == estimate(analysis.known)
    assert len(set(found.values())) > 1


@pytest.mark.parametrize("game", LARGE, ids=attrgetter("id"))
def test_estimates_lie_between_what_is_proven_and_are_reproducible(game: LineGame) -> None:
    for position in drawn_positions(game, range(2, game.cells // 2), 6):
        first, second = (Oracle(table_mb=1).analyse(position, limit=Limit(60, 3_000)) for _ in range(2))
        for known in (first.known, *first.move_values.values()):
            least, most = ends(known)
            assert WORTH[least] <= estimate(known) <= WORTH[most]
        assert estimate(first.known) == estimate(second.known)
        assert [*map(estimate, first.move_values.values())] == [*map(estimate, second.move_values.values())]


@pytest.mark.parametrize(
    ("least", "greatest", "guess", "expected"),
    [(-9, 9, 0.25, 0.25), (0, 9, -0.5, 0), (-9, 0, 0.5, 0), (3, 9, -1, 1), (-9, -3, 1, -1)],
)
def test_what_is_proven_corrects_a_guess(least: int, greatest: int, guess: float, expected: float) -> None:
    assert estimate(Bounds(least, greatest, 0, guess)) == expected
