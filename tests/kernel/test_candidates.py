"""The moves of the estimator: the best first, and what each costs."""

from typing import Any

from loadtests.interpreted import interpreted_search
from service.games.game import Game
from service.games.position import Position, position_after
from tests.worlds import rules_of, small

INTERPRETED = interpreted_search()
CANDIDATES = INTERPRETED.Estimator.__init__.__globals__["Candidates"]
FIVE = small(8, 8, 5)


def candidates(position: Position, tt_cell: int = -1) -> list[tuple[int, int]]:
    """Return the moves and their costs in the order in which they are tried."""
    game: Game = position.game
    made: Any = CANDIDATES(INTERPRETED.Board(rules_of(game)))
    moves = sum(1 << move for move in position.legal_moves)
    end = made.sort(position.mine, position.theirs, 0, moves, 0, tt_cell)
    return [(made.moves[place].bit_length() - 1, made.costs[place]) for place in range(end)]


def test_a_fork_is_tried_first_and_then_a_block_of_one() -> None:
    own = position_after(FIVE, (19, 0, 20, 2, 21, 5, 26, 7, 34, 16, 42, 63))  # X has three in a row and in a column
    assert candidates(own)[0][0] == 18
    other = position_after(FIVE, (19, 0, 20, 2, 21, 5, 26, 7, 34, 16, 42))
    assert candidates(other)[0][0] == 18


def test_the_most_promising_moves_cost_one_ply_and_the_last_three() -> None:
    found = candidates(position_after(FIVE, (27, 0, 28, 63)))
    costs = [cost for _, cost in found]
    assert costs == sorted(costs)
    assert {*costs} == {1, 2, 3}
    assert costs.index(2) >= 8


def test_symmetric_moves_cost_the_same() -> None:
    cost = dict(candidates(Position(FIVE, 0, 0, "X")))
    assert all(cost[move] == cost[63 - move] == cost[move ^ 7] for move in cost)


def test_the_move_of_the_table_is_tried_first_at_its_cost() -> None:
    position = position_after(FIVE, (27, 0, 28, 63))
    last, cost = candidates(position)[-1]
    assert candidates(position, last)[0] == (last, cost) == (last, 3)
    assert sorted(candidates(position, last)) == sorted(candidates(position))


def test_under_gravity_every_move_costs_one_ply() -> None:
    game = small(3, 20, 4, gravity=True)
    assert {cost for _, cost in candidates(Position(game, 0, 0, "X"))} == {1}
