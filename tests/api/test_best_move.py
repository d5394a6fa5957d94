"""``/best-move`` as a caller sees it: what is asked, what is answered, and how long an answer holds."""

from typing import Any

import pytest

from service.api.wire.requests import BestMoveRequest
from service.app import create_service
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import PLAYERS
from service.settings import Settings
from tests.edge_client import EdgeClient, assert_kept
from tests.worlds import reachable

FIRST_CURL = b'{"board":["O",1,"X","X",4,"X",6,"O","O"]}'


def ask(client: EdgeClient, **fields: Any) -> dict[str, Any]:
    response = client.post("/best-move", json=fields)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


def test_the_first_curl_of_the_readme(client: EdgeClient) -> None:
    response = client.post("/best-move", data=FIRST_CURL, content_type="application/x-www-form-urlencoded")
    assert response.get_json() == {
        "game": "tic-tac-toe",
        "position": "O.XX.X.OO",
        "player": "X",
        "status": "in_progress",
        "winner": None,
        "winning_line": None,
        "move": 4,
        "row": 1,
        "column": 1,
        "outcome": "win",
        "score": 9,
        "plies": 1,
        "pv": [4],
        "proven": True,
        "exact": True,
        "next_position": "O.XXXX.OO",
        "next_status": "won",
        "reason": "Completes the middle row.",
    }


def test_a_won_game_is_an_answer(client: EdgeClient) -> None:
    answer = ask(client, board="XXXOO....")
    assert (answer["status"], answer["winner"], answer["winning_line"]) == ("won", "X", [0, 1, 2])
    assert (answer["player"], answer["outcome"], answer["score"], answer["plies"]) == ("O", "loss", -10, 0)
    assert [answer[field] for field in ("move", "row", "column", "next_position", "next_status")] == [None] * 5
    assert answer["pv"] == []
    assert answer["reason"] == "X has completed the top row and won."


def test_in_misere_the_owner_of_the_line_has_lost(client: EdgeClient) -> None:
    answer = ask(client, board="XXXOO....", game="misere-tic-tac-toe")
    assert (answer["winner"], answer["winning_line"], answer["outcome"], answer["score"]) == ("O", [0, 1, 2], "win", 10)


def test_the_player_to_move_is_derived_from_the_board_as_the_contract_says(client: EdgeClient) -> None:
    for board, player in [(".........", "X"), ("X........", "O"), ("XXXOO.O..", "O")]:
        assert ask(client, board=board)["player"] == player
    assert ask(client, board="XO.......", player="O")["player"] == "O"
    assert client.post("/best-move", json={"board": "XXXOOO..."}).status_code == 422


def test_equally_good_moves_are_broken_by_the_lowest_cell(client: EdgeClient) -> None:
    assert ask(client, board=".........")["move"] == 0
    assert ask(client, board=".........", tie_break="first")["move"] == 0


def test_chance_without_a_seed_draws_one_and_says_which(client: EdgeClient) -> None:
    answers = [ask(client, board=".........", tie_break="random") for _ in range(30)]
    assert len({answer["seed"] for answer in answers}) > 25
    assert len({answer["move"] for answer in answers}) > 3
    again = ask(client, board=".........", tie_break="random", seed=answers[0]["seed"])
    assert again == answers[0]


def test_a_seed_makes_chance_repeatable_and_is_not_echoed_where_chance_did_not_decide(client: EdgeClient) -> None:
    first, second = (ask(client, board=".........", tie_break="random", seed=7) for _ in range(2))
    assert first == second
    assert first["seed"] == 7
    assert ask(client, board=".........", seed=7) == ask(client, board=".........")


# How long an answer holds


@pytest.mark.parametrize("path", ["/best-move", "/analysis"])
def test_only_what_is_proven_and_not_drawn_by_chance_may_be_kept(client: EdgeClient, path: str) -> None:
    over = [f"board=XXXOO....&{chance}" for chance in ("tie_break=random", "skill=50")]
    for query in ("board=X........", "game=tic-tac-toe-3d&moves=13", *over):
        answer = assert_kept(client, f"{path}?{query}")
        assert answer.get_json()["proven"]
        assert not {"seed", "skill"} & set(answer.get_json())  # chance has no part in a game that is over
    for query in ("board=X........&tie_break=random", "board=X........&skill=50", "game=qubic&moves=1&nodes=100"):
        answer = client.get(f"{path}?{query}")
        assert answer.headers["Cache-Control"] == "no-store", query
        assert "seed" in answer.get_json() or not answer.get_json()["proven"]
    assert client.post(path, json={"board": "X........"}).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("known", ["{etag}", "W/{etag}", '"other", {etag}', "*"])
def test_a_client_that_has_the_answer_gets_304(client: EdgeClient, known: str) -> None:
    for board in ("X.O......", ".X.O....."):
        url = f"/best-move?board={board}"
        full = client.get(url)
        again = client.get(url, headers={"If-None-Match": known.format(etag=full.headers["ETag"])})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == full.headers["ETag"]
        assert again.headers["Cache-Control"] == full.headers["Cache-Control"]
        assert "Content-Type" not in again.headers


def test_the_304_of_an_answer_never_given_before_is_the_same() -> None:
    url = "/best-move?board=........."
    known = EdgeClient(Settings()).get(url).headers["ETag"]
    response = EdgeClient(Settings()).get(url, headers={"If-None-Match": known})
    assert (response.status_code, response.data) == (304, b"")
    assert "Content-Type" not in response.headers


def test_head_is_get_without_the_body(client: EdgeClient) -> None:
    head, get = client.head("/best-move?board=X..O....."), client.get("/best-move?board=X..O.....")
    assert head.data == b""
    for name in ("Content-Length", "Content-Type", "ETag", "Cache-Control"):
        assert head.headers[name] == get.headers[name]


@pytest.mark.verify
def test_answers_written_before_the_start_are_those_found_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = [position for first in PLAYERS for position in reachable(TIC_TAC_TOE, first)]
    asked = [
        BestMoveRequest.model_validate({"board": str(position), "player": position.player}) for position in positions
    ]
    lazy, filled = (create_service(Settings()).tables for _ in range(2))
    found = [lazy.answer(wanted) for wanted in asked]
    filled.fill(TIC_TAC_TOE)
    monkeypatch.delattr("service.api.routes.best_move.answer_question")
    assert [filled.answer(wanted) for wanted in asked] == found
