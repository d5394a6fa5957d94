"""What is exact is whole: whatever the limit, move and line are those that a search without a limit finds."""

from functools import cache
from random import Random
from typing import Any

import pytest

from service.engine.oracle import BestMove, Oracle
from service.engine.result import RANK, Bounds, Known, ProvenResult, ends, estimate, score_bounds
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.games.catalogue import FAMILIES
from service.games.families.lines import LineGame, line_position
from service.games.inline import game_by_lines
from service.games.position import Position
from tests.engine.slots import searching
from tests.support import sampled
from tests.worlds import small

LINES: list[LineGame] = [
    game_by_lines(cells=8, lines=((0, 1, 3, 4), (1, 4, 5, 6), (3, 6)), misere=False),
    small(4, 2, 3),
    small(3, 3, 3),
    small(3, 3, 3, misere=True),
    small(3, 4, 3),
    small(2, 5, 3, misere=True),
    small(4, 4, 4, gravity=True),
    small(4, 3, 3, gravity=True, misere=True),
]
RULES: list[tuple[str, dict[str, Any]]] = [
    ("wild", {"rows": 2, "columns": 4, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("notakto", {"boards": 2}),
    ("wild", {"rows": 3, "columns": 3, "in_a_row": 3, "misere": True}),
    ("exactly", {"rows": 3, "columns": 4, "in_a_row": 3}),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 2, "misere": True}),
    ("numerical", {}),
]
STARTS: list[Position] = [
    *(line_position(game, 0, 0, "X") for game in LINES),
    *(Position(FAMILIES[family](**rules)) for family, rules in RULES),
]
ASKED = sampled(30, 3_000)
MOST_NODES = 200


@cache
def unlimited() -> Oracle:
    return Oracle()


def played(start: Position, dice: Random) -> Position:
    """An unfinished position of a random game."""
    position = start
    while True:
        passed = [position]
        while position.legal_moves:
            position = position.play(dice.choice(position.legal_moves))
            passed.append(position)
        unfinished = passed[:-1]
        if unfinished:
            return dice.choice(unfinished)
        position = start


def says_too_much_nowhere(found: BestMove, truth: BestMove) -> None:
    """Check what a search that was cut off has proven, and the move that it names."""
    assert isinstance(found.known, Bounds)
    assert isinstance(truth.known, ProvenResult)
    assert found.known.least <= truth.known.score <= found.known.greatest
    assert found.outcome in ("unknown", truth.outcome)
    if found.proven and truth.plies is not None:
        assert found.plies_bounds[0] <= truth.plies <= found.plies_bounds[1]
    assert found.move in found.position.legal_moves
    assert found.pv == (found.move,)
    _, most = ends(unlimited().best_move(found.position.play(found.move)).known)
    assert RANK[ends(found.known)[0]] <= -RANK[most]


def assert_true_and_of_the_right_player(position: Position, known: Known, truth: Known) -> None:
    """Check bounds of a move, and that where the last move is known to win or lose they count no ply of the other."""
    game, (least, greatest) = position.game, score_bounds(known)
    assert least <= score_bounds(truth)[0] <= greatest
    worst, best = (RANK[end] for end in ends(known))
    assert -1 <= worst <= estimate(known) <= best <= 1
    if position.game.last_move is not None:
        wins = 1 if game.last_move == "wins" else 0
        plies = {score: game.most_plies + 1 - abs(score) for score in (least, greatest) if score}
        assert all(plies[score] % 2 == (wins if score > 0 else 1 - wins) for score in plies)


@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.game.id} {start.game.cells}")
def test_what_is_exact_has_the_lowest_best_move_and_its_line_to_the_end(start: Position) -> None:
    dice, kinds = Random(1), set()
    for _ in range(ASKED):
        position, nodes = played(start, dice), dice.randint(1, MOST_NODES)
        answer = searching(table_mb=1).best_move(position, limit=Limit(60, nodes))
        truth = unlimited().best_move(position)
        analysis, whole = searching(table_mb=1).analyse(position, limit=Limit(60, nodes)), unlimited().analyse(position)
        for found in (answer, analysis.best):
            assert found.exact == (found.score is not None) == (found.plies is not None)
            if found.exact:
                assert (found.move, found.pv, found.outcome) == (truth.move, truth.pv, truth.outcome)
                assert (found.plies, found.score) == (truth.plies, truth.score)
            else:
                says_too_much_nowhere(found, truth)
        for move in rank(analysis):
            value = whole.move_values[move.move]
            assert not move.exact or move.known == value
            assert_true_and_of_the_right_player(position, move.known, value)
        (chosen,) = (move for move in rank(analysis) if move.move == analysis.best.move)
        assert RANK[ends(chosen.known)[0]] == max(RANK[ends(move.known)[0]] for move in rank(analysis))
        if position.play(truth.move or 0).winner == position.player:
            assert (analysis.best.move, rank(analysis)[0].reasons[0].code) == (truth.move, "wins-now")
        if all(move.exact for move in rank(analysis)):
            assert [move.move for move in rank(analysis)] == [move.move for move in rank(whole)]
        kinds.add(answer.exact)
    assert True in kinds


@pytest.mark.parametrize(
    ("game", "moves"), [(LINES[0], [4]), (LINES[1], [])], ids=["lines that cross", "four rows of two"]
)
def test_a_distance_without_its_line_is_not_exact(game: LineGame, moves: list[int]) -> None:
    position = line_position(game, 0, 0, "X" if moves else "O")
    for move in moves:
        position = position.play(move)
    answer = searching(table_mb=1).best_move(position, limit=Limit(60, 1))
    assert (answer.proven, answer.exact, answer.score, answer.plies) == (True, False, None, None)
    assert answer.plies_bounds[0] == answer.plies_bounds[1]
