"""The solver: what a look-ahead changes, and when it is not needed."""

from typing import cast

from service.engine.line_solver import LineSolver
from service.engine.result import Bounds
from service.games.catalogue import QUBIC
from service.games.families.lines import LinePosition, line_position
from service.kernel.alpha_beta.search import Search
from tests.worlds import memory, near_the_end, read_position, rules_of, score_from_the_start, small

MANY = 100_000


def searching(position: LinePosition, nodes: int) -> Search:
    return Search(rules_of(position.game), memory(), limit=nodes)


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
    position = read_position("XXO. OO.. X... ....", game=small(4, 4, 3))
    solver = LineSolver(searching(position, 0), position)
    solver.force_every_move(searching(position, MANY))
    for move, low, high in solver.known().scores:
        truth = -score_from_the_start(position.play(move))
        assert low <= truth <= high
        assert (low > 0, high < 0) == (truth > 0, truth < 0)


def test_a_search_for_a_held_player_settles_a_draw_of_a_large_board_for_both_players() -> None:
    position = line_position(small(7, 7, 5), 0, 0, "X")
    for _ in range(2):
        solver = LineSolver(searching(position, 0), position)
        solver.block(searching(position, MANY), MANY)
        known = solver.known()
        assert known.least == known.greatest == 0
        position = position.play(known.move)


def test_bounds_of_a_search_for_a_held_player_are_right() -> None:
    seen = set()
    for game in (small(3, 3, 3), small(4, 4, 3), small(3, 4, 3), small(4, 4, 4), small(5, 5, 5)):
        for position in near_the_end(game, empties=9, count=30):
            solver = LineSolver(searching(position, 0), position)
            solver.block(searching(position, MANY), MANY)
            known = solver.known()
            for move, low, high in known.scores:
                assert low <= -score_from_the_start(position.play(move)) <= high, (position, move)
            seen.add((known.least >= 0, known.greatest <= 0))
    assert len(seen) == 4


def test_a_player_with_many_lines_is_not_searched_for_being_held() -> None:
    position = line_position(QUBIC, 0, 0, "X")
    search = Search(QUBIC.lay_out(), memory())
    LineSolver(searching(position, 0), position).block(search, MANY)
    assert search.nodes == 0


class Asked:
    """A search that notes of which states it was asked for a bound."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self.states: list[tuple[int, int]] = []

    def bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        self.states.append((mine, theirs))
        return self._search.bound(mine, theirs, alpha, beta)


def test_whether_a_move_wins_that_draws_is_asked_last() -> None:
    position = line_position(small(4, 5, 4, gravity=True), 0, 0, "X")
    solver = LineSolver(searching(position, 0), position)
    assert solver.wants_look_ahead
    draws = position.legal_moves[2]
    most = position.game.cells
    solver.learn(Bounds(0, most, draws, 0.0, ((draws, 0, most),)))
    assert not solver.wants_look_ahead
    search = Asked(searching(position, MANY))
    assert solver.prove_outcome(cast("Search", search)).greatest == 0
    assert len(search.states) == len(position.legal_moves)
    assert search.states[-1] == position.play(draws).state


def test_the_only_safest_move_gets_a_guess_before_the_proof_gets_the_whole_limit() -> None:
    position = line_position(small(4, 5, 4, gravity=True), 0, 0, "X")
    solver = LineSolver(searching(position, 0), position)
    other, *_, draws = position.legal_moves
    most = position.game.cells
    solver.learn(Bounds(0, most, other, 0.0, ((draws, 0, most),)))
    assert solver.wants_look_ahead
    solver.look_ahead(searching(position, MANY))
    assert not solver.wants_look_ahead
