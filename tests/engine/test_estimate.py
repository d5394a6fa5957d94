"""Estimates: in range, between what is proven, with the sign of the value, and reproducible."""

from operator import attrgetter

import pytest

from service.engine.oracle import Oracle
from service.engine.result import RANK, ends, estimate, expected_result
from service.engine.work.limit import Limit
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.families.lines import LineGame
from tests.worlds import drawn_positions, small

LARGE = [CONNECT_FOUR, QUBIC, small(8, 8, 5), small(7, 9, 4, gravity=True), small(6, 6, 4, misere=True)]


@pytest.mark.parametrize("game", LARGE, ids=attrgetter("id"))
def test_estimates_lie_between_what_is_proven_and_are_reproducible(game: LineGame) -> None:
    for position in drawn_positions(game, range(2, game.cells // 2), 6):
        first, second = (Oracle(table_mb=1).analyse(position, limit=Limit(60, 3_000)) for _ in range(2))
        for known in (first.known, *first.move_values.values()):
            least, most = ends(known)
            assert RANK[least] <= estimate(known) <= RANK[most]
        assert estimate(first.known) == estimate(second.known)
        assert [*map(estimate, first.move_values.values())] == [*map(estimate, second.move_values.values())]


def test_a_look_ahead_promises_less_where_few_lines_make_most_games_drawn() -> None:
    few, many = small(8, 8, 5), small(6, 6, 4)
    assert few.potential == 3 < many.potential
    for usual in (many, small(5, 5, 4, gravity=True), small(5, 5, 4, misere=True)):
        assert 0 < expected_result(100, few) < expected_result(100, usual) / 2
    assert expected_result(-100, few) == -expected_result(100, few)
