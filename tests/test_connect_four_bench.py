"""The benchmark of Connect Four draws fair positions, finds what is wrong with an answer, and counts as people do."""

import sys
from dataclasses import replace

import pytest

from service.engine.oracle import BestMove, Oracle
from service.engine.result import Bounds, make_proven_result
from tests.support import ROOT

sys.path.append(str(ROOT / "loadtests"))

from convention import usual_score
from drops import random_games
from openings import KNOWN, SCORES
from self_play import Ending, faults, play, promised
from solved import connect_four
from solver import solve

NEAR_THE_END = connect_four("65262521330233243625", "loss 2")


@pytest.fixture(scope="module")
def answer() -> BestMove:
    return Oracle().best_move(NEAR_THE_END.position)


@pytest.mark.parametrize(
    ("outcome", "end", "score"),
    [
        ("win", 7, 18),  # the earliest of who began
        ("win", 8, 18),  # the earliest of the other
        ("win", 41, 1),
        ("win", 42, 1),
        ("loss", 40, -2),
        ("loss", 42, -1),
        ("draw", 42, 0),
    ],
)
def test_the_usual_score_counts_the_discs_that_the_winner_has_left(outcome: str, end: int, score: int) -> None:
    assert usual_score(outcome, end, 42) == score


@pytest.mark.parametrize("score", SCORES)
def test_first_moves_are_held_to_the_outcome_that_their_usual_score_stands_for(score: int) -> None:
    assert usual_score(*KNOWN[score], 42) == score


def test_random_games_are_the_same_for_a_seed_and_others_for_another() -> None:
    assert random_games(20, range(8, 25), 1) == random_games(20, range(8, 25), 1)
    assert random_games(20, range(8, 25), 1) != random_games(20, range(8, 25), 2)


def test_random_games_have_every_length_in_turn_and_are_not_over() -> None:
    games = random_games(84, range(42), 1)
    assert [len(game) for game in games] == [*range(42)] * 2
    assert {connect_four(game).position.status for game in games} == {"in_progress"}


def test_in_quiet_games_nobody_can_win_at_once() -> None:
    def wins(*, quiet: bool) -> int:
        positions = [connect_four(game).position for game in random_games(40, [20], 1, quiet=quiet)]
        return sum(bool(position.completions(player)) for position in positions for player in ("X", "O"))

    assert wins(quiet=True) == 0
    assert wins(quiet=False) > 0


def test_a_right_answer_has_no_faults(answer: BestMove) -> None:
    assert promised(answer) == Ending("O", 22)
    assert list(faults(answer, Ending("O", 22))) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"known": Bounds("loss", "draw", 0)}, "it is not proven"),
        ({"known": make_proven_result(42, 0, (), (0, 0))}, "not Ending(winner='O', marks=22)"),
        ({"known": replace(make_proven_result(42, -1, (), (0, 0)), score=-40)}, "the score is -40"),
        ({"pv": (0,)}, "is not 2 plies long"),
        ({"move": None}, "does not begin with None"),
        ({"pv": (41, 41)}, "plays 41, which is illegal"),
    ],
)
def test_a_fault_of_an_answer_is_told(answer: BestMove, changes: dict[str, object], fault: str) -> None:
    told = list(faults(replace(answer, **changes), Ending("O", 22)))  # type: ignore[arg-type]
    assert any(fault in each for each in told), told


def test_a_line_that_ends_otherwise_is_a_fault(answer: BestMove) -> None:
    position = answer.position
    other = next(move for move in position.legal_moves if position.play(move).completions("O") and move != answer.move)
    elsewhere = next(move for move in position.play(other).legal_moves if move not in position.completions("O"))
    told = list(faults(replace(answer, move=other, pv=(other, elsewhere)), Ending("O", 22)))
    assert [each for each in told if "does not lead to" in each]


def test_the_oracle_ends_a_game_as_it_said() -> None:
    assert play(Oracle(), NEAR_THE_END.position) == Ending("O", 22)


def test_a_wrong_score_ends_the_benchmark_with_the_name_of_the_position() -> None:
    wrong = replace(NEAR_THE_END, value="win 3")
    with pytest.raises(SystemExit, match=r"65262521330233243625: win 3 expected .*, loss 2 says the search"):
        solve(wrong)
