"""``/random-position``: what is drawn can be asked about, and drawn again."""

from typing import Any

import pytest

from service.api.wire.requests import MAX_BATCH, MAX_SEED
from tests.contract import assert_matches, faults
from tests.edge_client import EdgeClient

ONE_IN_A_ROW = {"rows": 3, "columns": 3, "in_a_row": 1}

WANTED: list[dict[str, Any]] = [
    *({}, {"seed": 7}, {"plies": 0}, {"plies": 8}, {"game": "qubic", "plies_at_least": 20}),
    {"game": "connect-four", "plies_at_least": 8, "plies_at_most": 12},
    {"game": "connect-four", "plies": 30, "first_player": "O"},
    {"game": {"rows": 3, "columns": 3, "layers": 3, "in_a_row": 3, "gravity": True}, "plies": 9},
    {"game": {"cells": 5, "lines": [[0, 1], [2, 3]]}, "plies_at_most": 2},
    *({"game": name, "plies": 4} for name in ("wild-tic-tac-toe", "notakto-2", "numerical-tic-tac-toe", "pop-out-4x4")),
    *({"game": name, "plies": 20} for name in ("vanishing-tic-tac-toe", "tapatan")),
]


@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_the_moves_lead_to_the_position_on_every_other_route(client: EdgeClient, wanted: dict[str, Any]) -> None:
    response = client.post("/random-position", json=wanted)
    drawn = response.get_json()
    assert_matches("RandomPositionAnswer", drawn)
    assert response.headers["Cache-Control"] == "no-store"
    least, most = (wanted.get(name, wanted.get("plies")) for name in ("plies_at_least", "plies_at_most"))
    assert (least or 0) <= len(drawn["moves"]) <= (99 if most is None else most)
    game = {"game": wanted["game"]} if "game" in wanted else {}
    question = {"moves": drawn["moves"], "player": drawn["player"], "limit": {"nodes": 10}, **game}
    answer = client.post("/best-move", json=question).get_json()
    shared = ("game", "position", "player", "status", "winner", "winning_line")
    assert {name: answer[name] for name in shared} == {name: drawn[name] for name in shared}
    assert drawn["status"] == "in_progress"
    assert client.post("/random-position", json={**wanted, "seed": drawn["seed"]}).data == response.data


def test_without_a_seed_the_service_draws_one(client: EdgeClient) -> None:
    drawn = [client.post("/random-position", json={"game": "qubic"}).get_json() for _ in range(8)]
    assert len({answer["seed"] for answer in drawn}) == 8
    assert len({answer["position"] for answer in drawn}) > 4


def test_the_first_player_changes_marks_and_nothing_else(client: EdgeClient) -> None:
    asked = [{"plies": 5, "seed": 3, "first_player": player} for player in "XO"]
    one, other = (client.post("/random-position", json=body).get_json() for body in asked)
    assert one["moves"] == other["moves"]
    assert one["position"] == other["position"].translate(str.maketrans("XO", "OX"))
    assert (one["player"], other["player"]) == ("O", "X")


REFUSED: list[tuple[dict[str, Any], tuple[str, str]]] = [
    *(({name: 9}, (f"/{name}", "out-of-range")) for name in ("plies", "plies_at_least")),
    ({"plies": -1}, ("/plies", "out-of-range")),
    ({"plies": 3, "plies_at_most": 4}, ("/plies_at_most", "conflicting-field")),
    ({"plies_at_least": 4, "plies_at_most": 3}, ("/plies_at_least", "out-of-range")),
    ({"plies": "3"}, ("/plies", "wrong-type")),
    ({"ply": 3}, ("/ply", "unknown-field")),
    ({"game": "qubic", "plies": 63, "seed": 1}, ("/plies", "none-found")),
    *(({"game": ONE_IN_A_ROW, name: 1}, (f"/{name}", "none-found")) for name in ("plies", "plies_at_least")),
    ({"game": "notakto", "plies": 9}, ("/plies", "out-of-range")),
    ({"game": "notakto", "plies": 8}, ("/plies", "none-found")),
    ({"game": "achi", "plies": 65}, ("/plies", "out-of-range")),
    ({"game": "achi", "first_player": "O"}, ("/first_player", "unknown-field")),
]


def test_what_cannot_be_drawn_is_refused_with_the_reason(client: EdgeClient) -> None:
    for wanted, expected in REFUSED:
        response = client.post("/random-position", json=wanted)
        assert (response.status_code, faults(response.get_json())) == (422, [expected]), wanted


def test_many_positions_are_those_of_the_seeds_from_the_first_on(client: EdgeClient) -> None:
    for first, wanted in ((7, {"plies": 3}), (MAX_SEED - 1, {"game": "connect-four"})):
        drawn = client.post("/random-positions", json={**wanted, "seed": first, "count": 4}).get_json()
        assert_matches("RandomPositionsAnswer", drawn)
        seeds = [(first + number) % (MAX_SEED + 1) for number in range(4)]
        alone = [client.post("/random-position", json={**wanted, "seed": seed}).get_json() for seed in seeds]
        assert drawn["positions"] == alone
    for count, code in ((None, "required"), (0, "out-of-range"), (MAX_BATCH + 1, "out-of-range")):
        refused = client.post("/random-positions", json={} if count is None else {"count": count})
        assert (refused.status_code, faults(refused.get_json())) == (422, [("/count", code)])
