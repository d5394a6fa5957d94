"""The solver: what a look-ahead changes, and when it is not needed."""

import pytest

from service.engine.line_solver import LineSolver
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.families.lines import LinePosition, line_position, position_after
from service.kernel.alpha_beta.search import Search
from tests.worlds import memory, read_position, rules_of, score_from_the_start, small

MANY = 100_000


def searching(position: LinePosition, nodes: int) -> Search:
    return Search(rules_of(position.game), memory(), limit=nodes)


@pytest.mark.parametrize("position", [position_after(QUBIC, (0, 21)), position_after(CONNECT_FOUR, (36, 35, 29))])
def test_a_longer_look_ahead_is_what_is_known_whatever_shorter_ones_come_before_and_after_it(
    position: LinePosition,
) -> None:
    found = []
    for lengths in ((20_000,), (20_000, 2_000), (2_000, 20_000)):
        solver = LineSolver(searching(position, 0), position)
        for nodes in lengths:
            solver.look_ahead(searching(position, nodes))
        found.append((solver.known().move, solver.known().guess))
    assert found == found[:1] * 3


def test_a_proven_outcome_needs_no_look_ahead() -> None:
    won = position_after(CONNECT_FOUR, (38, 35, 37, 35 - 7))  # X makes three with both ends open
    search = searching(won, 100_000)
    solver = LineSolver(search, won)
    solver.look_near(search)
    ahead = searching(won, 1_000)
    solver.look_ahead(ahead)
    assert solver.known().least > 0
    assert ahead.nodes == 0


def test_a_win_too_far_for_the_proof_is_found_by_force() -> None:
    position = line_position(small(7, 7, 4), 0, 0, "X")
    solver = LineSolver(searching(position, 0), position)
    solver.force(searching(position, MANY), MANY)
    known = solver.known()
    assert 0 < known.least < known.greatest
    after = position.play(known.move)
    reply = LineSolver(searching(after, 0), after)
    reply.force(searching(after, 4 * MANY), MANY)
    assert reply.known().greatest < 0


def test_a_search_by_force_judges_the_moves_of_an_analysis() -> None:
    position = read_position("XX.. OO.. .... ....", game=small(4, 4, 3))
    solver = LineSolver(searching(position, 0), position)
    solver.force_every_move(searching(position, MANY))
    for move, low, high in solver.known().scores:
        truth = -score_from_the_start(position.play(move))
        assert low <= truth <= high
        assert (low > 0, high < 0) == (truth > 0, truth < 0)


def test_nothing_is_forced_under_gravity() -> None:
    position = position_after(CONNECT_FOUR, (38,))
    solver = LineSolver(searching(position, 0), position)
    before = solver.known()
    search = searching(position, MANY)
    solver.force(search, MANY)
    solver.force_every_move(search)
    assert (solver.known(), search.nodes) == (before, 0)
