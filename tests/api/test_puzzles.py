"""``/puzzles``: the solution is hidden unless it is asked for, and the same seed has the same puzzles."""

from itertools import product
from typing import Any

import pytest

from service.settings import Settings
from tests.contract import assert_matches, faults
from tests.edge_client import EdgeClient, assert_kept

OUTCOMES = {"win": "win", "hold": "draw"}


@pytest.mark.parametrize(
    ("game", "goal"),
    [
        *product(
            ("tic-tac-toe", "connect-four", "misere-tic-tac-toe", "tic-tac-toe-4x4", "wild-tic-tac-toe"), OUTCOMES
        ),
        *product(("notakto-2", "three-mens-morris", "pop-out-4x4", "quixo-3x3", "ultimate-tic-tac-toe"), ["win"]),
        *product(("order-and-chaos-6x6", "numerical-tic-tac-toe", "dao"), ["win"]),
    ],
)
def test_the_solution_is_the_only_move_that_reaches_the_goal(client: EdgeClient, game: str, goal: str) -> None:
    answer = client.get(f"/puzzles?game={game}&goal={goal}&seed=20261122&count=3&solution=true").get_json()
    assert_matches("PuzzlesAnswer", answer)
    assert len(answer["puzzles"]) == 3
    for puzzle in answer["puzzles"]:
        question = {"game": game, "moves": puzzle["moves"], "player": puzzle["player"]}
        analysis = client.post("/analysis", json=question).get_json()
        assert analysis["position"] == puzzle["position"]
        assert (analysis["outcome"], analysis["plies"]) == (OUTCOMES[goal], puzzle["plies"])
        assert puzzle["question"].startswith(f"{puzzle['player'].capitalize()} to move: find the only move that ")
        reaching = [move["name"] for move in analysis["moves"] if move["outcome"] == OUTCOMES[goal]]
        assert reaching == [puzzle["solution"]["name"]]
        line = puzzle["solution"].pop("line")
        assert line[0] == puzzle["solution"]["pv"][0]
        assert {name: analysis[name] for name in puzzle["solution"]} == puzzle["solution"]


def test_the_solution_is_hidden_unless_it_is_asked_for_and_more_puzzles_begin_with_the_same(client: EdgeClient) -> None:
    def puzzles(query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = client.get(f"/puzzles?seed=3&{query}").get_json()["puzzles"]
        return found

    hidden, shown = puzzles("count=4"), puzzles("count=4&solution=true")
    assert [puzzle["solution"] for puzzle in hidden] == [None] * 4
    assert [{**puzzle, "solution": None} for puzzle in shown] == hidden
    assert puzzles("count=1") == hidden[:1]
    assert len({puzzle["position"] for puzzle in hidden}) == 4


def test_with_a_seed_the_answer_can_be_kept_and_without_one_it_cannot(client: EdgeClient) -> None:
    assert_kept(client, "/puzzles?seed=20261122")
    drawn = [client.get("/puzzles") for _ in range(3)]
    assert {response.headers["Cache-Control"] for response in drawn} == {"no-store"}
    assert len({response.get_json()["seed"] for response in drawn}) == 3
    assert client.get(f"/puzzles?seed={drawn[0].get_json()['seed']}").data == drawn[0].data


REFUSED = {
    "game=go": ("/game", "unknown-game"),
    "goal=lose": ("/goal", "not-a-choice"),
    **{f"count={count}": ("/count", "out-of-range") for count in (0, 11)},
    **{f"plies={plies}": ("/plies", "none-found") for plies in (1, 4)},
    "goal=hold&plies=1": ("/plies", "none-found"),
    "game=three-mens-morris&goal=hold": ("/goal", "none-found"),
    "game=notakto&plies=3": ("/plies", "none-found"),
    "plies=5&plies_at_least=3": ("/plies_at_least", "conflicting-field"),
    "plies_at_least=7&plies_at_most=5": ("/plies_at_least", "out-of-range"),
    "solution=yes": ("/solution", "wrong-type"),
    "seed=x": ("/seed", "wrong-type"),
    "time_ms=100": ("/time_ms", "unknown-field"),
    "prove=outcome": ("/prove", "unknown-field"),
    "nodes=100000000": ("/nodes", "out-of-range"),
    "board=.........": ("/board", "unknown-field"),
    "game=wrapped-tic-tac-toe&goal=hold&seed=1&nodes=1000": ("", "none-found"),
    "rows=3&columns=3&in_a_row=1&seed=1&nodes=1000": ("", "none-found"),
}


def test_a_request_without_a_puzzle_is_refused_with_the_reason(client: EdgeClient) -> None:
    for query, expected in REFUSED.items():
        response = client.get(f"/puzzles?{query}")
        assert response.status_code in (404, 422)
        assert faults(response.get_json()) == [expected], query
        assert response.headers["Cache-Control"] == "no-store"
    hurried = EdgeClient(Settings(max_time_ms=1, default_time_ms=1))
    told = hurried.get("/puzzles?game=qubic&goal=hold&plies=2&seed=1").get_json()
    assert "within 1 ms" in told["detail"]
