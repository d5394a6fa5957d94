"""The solver: what a look-ahead changes, and when it is not needed."""

from typing import cast

import pytest

from service.engine.line_solver import LineSolver
from service.engine.oracle import Oracle
from service.engine.result import Bounds
from service.engine.work.limit import Limit
from service.games.catalogue import QUBIC
from service.games.families.lines import LinePosition, line_position
from service.kernel.alpha_beta.search import Search
from tests.worlds import memory, near_the_end, read_position, rules_of, score_from_the_start, small

MANY = 100_000

DIAGONAL = (16, 18, 30, 32)
"""The cells beside the center of 7x7 on its diagonals."""


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


@pytest.mark.parametrize(("losing", "expected"), [((), DIAGONAL), (DIAGONAL, (17, 23, 25, 31))])
def test_of_moves_that_hold_a_certain_draw_the_best_looking_one_is_taken(
    losing: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    position = line_position(small(7, 7, 5), 1 << 24, 0, "O")
    corner, most = 0, position.game.cells
    solver = LineSolver(searching(position, 0), position)
    solver.learn(Bounds(0, most, corner, 0.0, ((corner, 0, most), *((move, -most, -1) for move in losing))))
    solver.look_ahead(searching(position, MANY))
    assert solver.known().move == corner
    solver.block(searching(position, MANY), MANY)
    known = solver.known()
    assert known.move in expected
    assert known.least == 0


@pytest.mark.parametrize(
    ("rows", "nodes", "most", "best_looking"),
    [
        (".........X..........XO....OO..O....X..O......X...X....X.........", 20_000, 58, 28),
        ("...........O........XX...XXOOXX...O..................O..........", 60_000, 0, 19),
    ],
    ids=["between proofs, which find 33 first", "after the last look-ahead, when the draw is known and 37 is proven"],
)
def test_an_answer_that_holds_a_draw_is_the_move_that_looks_best(
    rows: str, nodes: int, most: int, best_looking: int
) -> None:
    position = read_position(rows, game=small(8, 8, 5))
    known = Oracle(table_mb=1).best_move(position, limit=Limit(60, nodes)).known
    assert isinstance(known, Bounds)
    assert (known.least, known.greatest, known.move) == (0, most, best_looking)


def test_a_look_ahead_chooses_among_draws_but_not_where_a_win_or_a_loss_is_proven() -> None:
    position = line_position(small(5, 5, 5), 0, 0, "X")
    for score in (-10, 0, 10):
        solver = LineSolver(searching(position, 0), position)
        solver.learn(Bounds(score, score, 0, 0.0, tuple((move, score, score) for move in position.legal_moves)))
        assert solver.wants_look_ahead == (score == 0)
        search = searching(position, MANY)
        solver.look_ahead(search)
        assert solver.known().move == (12 if score == 0 else 0)
        assert bool(search.nodes) == (score == 0)


def test_a_look_ahead_that_sees_the_end_expects_its_result() -> None:
    position = line_position(small(4, 4, 3), 0, 0, "X")
    for expected in (1.0, -1.0):
        solver = LineSolver(searching(position, 0), position)
        solver.look_ahead(searching(position, MANY))
        assert solver.known().guess == expected
        position = position.play(solver.known().move)


def test_what_a_known_move_shows_is_not_asked_of_another() -> None:
    position = line_position(small(4, 5, 4), 0, 0, "X")
    solver = LineSolver(searching(position, 0), position)
    least = -position.game.cells
    solver.learn(Bounds(0, 0, 3, 0.0, tuple((move, 0 if move == 5 else least, 0) for move in position.legal_moves)))
    assert solver.prove_outcome(searching(position, 0)).move == 5
