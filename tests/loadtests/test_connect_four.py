"""The benchmark of Connect Four draws fair positions and finds what is wrong with an answer."""

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from loadtests.connect_four.latency import Reply, broken_promises, check_values, different_games
from loadtests.connect_four.random_games import random_games
from loadtests.search.known import CASES, Case, connect_four
from loadtests.search.solve import solve

pytestmark = pytest.mark.verify

NEAR_THE_END = connect_four("65262521330233243625", "loss 2")


@pytest.fixture
def answer(client: FlaskClient) -> dict[str, Any]:
    moves = [int(column) for column in NEAR_THE_END.moves]
    found: dict[str, Any] = client.post("/best-move", json={"game": "connect-four", "moves": moves}).get_json()
    return found


def test_random_games_are_the_same_for_a_seed_and_others_for_another() -> None:
    assert random_games(20, range(8, 25), 1) == random_games(20, range(8, 25), 1)
    assert random_games(20, range(8, 25), 1) != random_games(20, range(8, 25), 2)


def test_random_games_have_every_length_in_turn_and_are_not_over() -> None:
    games = random_games(84, range(42), 1)
    assert [len(game) for game in games] == [*range(42)] * 2
    assert {connect_four(game).position.status for game in games} == {"in_progress"}


def test_different_games_are_as_many_as_are_asked_for() -> None:
    assert len(set(random_games(40, range(3), 1))) < 40
    games = different_games(40, range(3), 1)
    assert len(games) == len(set(games)) == 40


def test_a_value_that_another_solver_does_not_give_ends_the_benchmark() -> None:
    inexact = Reply("", 1, None)
    check_values([inexact, Reply(NEAR_THE_END.moves, 1, "loss 2")])
    with pytest.raises(SystemExit, match="65262521330233243625: loss 4, loss 2 says bitbully"):
        check_values([inexact, Reply(NEAR_THE_END.moves, 1, "loss 4")])


def test_in_quiet_games_nobody_can_win_at_once() -> None:
    def wins(*, quiet: bool) -> int:
        positions = [connect_four(game).position for game in random_games(40, [20], 1, quiet=quiet)]
        return sum(bool(position.completions(player)) for position in positions for player in ("X", "O"))

    assert wins(quiet=True) == 0
    assert wins(quiet=False) > 0


def test_a_right_answer_keeps_its_promise(answer: dict[str, Any]) -> None:
    assert (answer["outcome"], answer["plies"]) == ("loss", 2)
    assert list(broken_promises(answer, NEAR_THE_END.position)) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"score": -40}, "the score of a loss in 2 plies is not -40"),
        ({"outcome": "win", "score": 41}, "does not lead to a win"),
        ({"outcome": "draw", "score": 0}, "does not lead to a draw"),
        ({"plies": 4, "score": -39}, "is not 4 plies long"),
        ({"move": None}, "does not begin with None"),
        ({"pv": [41, 41]}, "plays 41, which is illegal"),
    ],
)
def test_a_broken_promise_is_told(answer: dict[str, Any], changes: dict[str, object], fault: str) -> None:
    told = list(broken_promises({**answer, **changes}, NEAR_THE_END.position))
    assert any(fault in each for each in told), told


def test_a_line_that_ends_otherwise_breaks_the_promise(answer: dict[str, Any]) -> None:
    position = NEAR_THE_END.position
    other = next(
        move for move in position.legal_moves if position.play(move).completions("O") and move != answer["move"]
    )
    elsewhere = next(move for move in position.play(other).legal_moves if move not in position.completions("O"))
    told = list(broken_promises({**answer, "move": other, "pv": [other, elsewhere]}, position))
    assert [each for each in told if "does not lead to" in each]


@pytest.mark.parametrize("case", [*CASES[:4], NEAR_THE_END], ids=lambda case: case.name)
def test_a_known_value_is_found(case: Case) -> None:
    assert solve(case).value == case.value


def test_a_wrong_value_ends_the_benchmark_with_the_name_of_the_position() -> None:
    with pytest.raises(SystemExit, match=r"65262521330233243625: win 3 expected .*, loss 2 says the search"):
        solve(replace(NEAR_THE_END, value="win 3"))
