"""Every kind of game over HTTP: answered with its value however it is asked about, by one worker or several."""

from itertools import product
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from service.api.wire.rules import IN_QUERY
from service.games.catalogue import CATALOGUE, STATE_GAMES
from service.games.game import Game
from service.games.position import Position
from service.settings import Settings
from tests.contract import assert_matches, faults
from tests.edge_client import EdgeClient, assert_kept
from tests.support import HUNG_SECONDS, THOROUGH, Server

KINDS = [
    *("tic-tac-toe", "connect-four-5x4", "wild-tic-tac-toe", "notakto-2", "numerical-tic-tac-toe"),
    *("vanishing-tic-tac-toe", "tapatan", "pop-out-4x4"),
]
"""A game for each kind of move: a cell, a column, a mark, one of several boards, a number, one that removes a mark, a
piece, a disc dropped or popped out."""

each_game = pytest.mark.parametrize("id", [*KINDS[:2], *STATE_GAMES] if THOROUGH else KINDS)


@pytest.fixture(scope="module")
def patient() -> EdgeClient:
    """A service that waits as long as it takes."""
    return EdgeClient(Settings(default_time_ms=60_000, max_time_ms=60_000))


def ask(client: EdgeClient, **fields: Any) -> dict[str, Any]:
    response = client.post("/best-move", json=fields)
    assert response.status_code == 200, response.get_json()
    answer: dict[str, Any] = response.get_json()
    assert_matches("BestMoveAnswer", answer)
    return answer


def rules_of(game: Game) -> dict[str, Any]:
    names = [parameter.name for parameter in game.PARAMETERS]
    return {name: game.parameters[name] if game.parameters else getattr(game, name) for name in names}


def record(answer: dict[str, Any]) -> str:
    """The move of an answer as requests give it."""
    return str(answer["name"])


@each_game
def test_a_game_is_answered_with_the_value_of_the_catalogue_however_it_is_asked_about(
    patient: EdgeClient, id: str
) -> None:
    game = CATALOGUE[id]
    answer = ask(patient, game=id)
    assert game.value is not None
    assert (answer["outcome"], answer["plies"], answer["player"]) == (*_value(game), game.players[0])
    assert answer.get("repetition", False) is (game.value.plies is None)
    rules = {"family": game.family, **rules_of(game)}
    assert ask(patient, game=rules) == answer

    after = ask(patient, game=id, moves=[record(answer)])
    assert after["position"] == answer["next_position"]
    assert ask(patient, game=id, board=after["position"], player=after["player"].upper()) == after
    in_query = {IN_QUERY.get(name, name): f"{value}".lower() for name, value in rules.items()}
    for query in ({"game": id}, in_query):
        url = f"/best-move?{urlencode({**query, 'moves': record(answer)})}"
        assert assert_kept(patient, url).get_json() == after


def _value(game: Game) -> tuple[str, int | None]:
    assert game.value is not None
    return game.value.outcome, game.value.plies


@each_game
def test_an_analysis_ranks_every_legal_move_and_a_review_judges_the_best_one(patient: EdgeClient, id: str) -> None:
    game, answer = CATALOGUE[id], ask(patient, game=id)
    analysis = patient.post("/analysis", json={"game": id}).get_json()
    assert_matches("AnalysisAnswer", analysis)
    assert {name: analysis[name] for name in answer} == answer
    assert {move["name"] for move in analysis["moves"]} == {game.names[move] for move in Position(game).legal_moves}
    assert all(move["reasons"] for move in analysis["moves"])
    review = patient.post("/review", json={"game": id, "moves": [record(answer)]}).get_json()
    assert_matches("ReviewAnswer", review)
    assert (review["position"], review["status"], review["proven"]) == (answer["next_position"], "in_progress", True)
    (ply,) = review["plies"]
    assert (ply["verdict"], record(ply)) == ("best", record(answer))
    assert set(review["accuracy"]) == set(game.players)


POP_OUT = {"family": "pop-out", "rows": 3, "columns": 3, "in_a_row": 3}

IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"game": POP_OUT, "board": "XXXXXOOXO"}, "unreachable-position"),
    ({"game": {"family": "morris", "centre": "closed"}, "board": "....X...."}, "unreachable-position"),
    ({"game": "vanishing-tic-tac-toe", "board": "X0-1-2/O3-4-5", "player": "X"}, "two-winners"),
    ({"game": "wild-tic-tac-toe", "board": "XXXOOOXXX"}, "no-last-move"),
]


def test_law_7_a_board_that_no_play_leads_to_is_impossible_on_every_route(patient: EdgeClient) -> None:
    for (asked, code), path in product(IMPOSSIBLE, ("/best-move", "/analysis", "/position.svg")):
        more = {"show": ["evaluation"]} if path == "/position.svg" else {}
        response = patient.post(path, json={**asked, **more})
        assert (response.status_code, faults(response.get_json())) == (422, [("/board", code)]), (asked, path)


@pytest.mark.verify
def test_law_1_answers_are_the_same_cold_or_warm_and_with_any_number_of_workers(server: Server) -> None:
    cold = EdgeClient(Settings(default_time_ms=60_000, max_time_ms=60_000))
    for game in (game.id for game in STATE_GAMES.values() if game.states < 100_000):
        asked = {"game": game, "limit": {"time_ms": 20_000}}
        line = ask(cold, **asked)["pv"]
        for path in ("/best-move", "/analysis", "/review"):
            body = {**asked, "moves": line[:5]}
            first = cold.post(path, json=body).get_data()
            answers = [httpx.post(f"{server.url}{path}", json=body, timeout=HUNG_SECONDS) for _ in range(4)]
            assert {first, cold.post(path, json=body).get_data()} == {answer.content for answer in answers} == {first}
