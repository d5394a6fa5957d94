"""Many positions in one request: each answered as if it were asked alone, within one limit."""

import json
import random
import time
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.request_context import CONTEXT, RequestContext
from service.api.routes import best_moves
from service.api.routes.best_moves import MAX_ITEM_ERRORS
from service.api.wire.requests import MAX_BATCH
from service.app import create_app
from service.engine.work.limit import Effort
from service.games.catalogue import LINE_GAMES, MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.kernel.alpha_beta.search import Search
from service.settings import Settings
from tests.contract import assert_matches, faults
from tests.edge_client import EdgeClient
from tests.support import sampled
from tests.worlds import WIDE, reachable


def post(client: "FlaskClient | EdgeClient", positions: list[Any], **limit: int) -> list[dict[str, Any]]:
    body = {"positions": positions, "limit": limit} if limit else {"positions": positions}
    response = client.post("/best-moves", json=body)
    assert response.status_code == 200, response.get_json()
    assert_matches("BestMovesAnswer", response.get_json())
    results: list[dict[str, Any]] = response.get_json()["results"]
    return results


def alone(client: FlaskClient, position: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = client.post("/best-move", json=position).get_json()
    return answer


@pytest.fixture(scope="module")
def single() -> FlaskClient:
    """A service of our own."""
    return create_app(Settings()).test_client()


@pytest.mark.parametrize("game", [TIC_TAC_TOE, MISERE_TIC_TAC_TOE], ids=lambda game: game.id)
def test_every_position_is_answered_as_if_it_were_asked_alone(single: FlaskClient, game: Any) -> None:
    client = create_app(Settings()).test_client()
    dice = random.Random(3)
    positions = [
        {"game": game.id, "board": dice.choice([str, list])(str(position)), "player": position.player}
        for position in dice.sample(reachable(game, dice.choice(["X", "O"])), sampled(40, 200))
    ]
    answers = [alone(single, position) for position in positions]
    assert post(client, positions) == answers
    assert post(client, positions[::-1]) == answers[::-1]


MIXED: list[tuple[Any, str]] = [
    ({"board": "X...O...."}, ""),
    ({"board": "XXXX....."}, "422 /board"),
    ({"game": "connect-four-5x4", "moves": [2, 2, 1]}, ""),
    ("X........", "422 "),
    (str({"board": "X........"}), "422 "),
    ({"board": "X........", "bord": 1}, "422 /bord"),
    ({"game": "no-such-game", "board": "........."}, "404 /game"),
    ({"moves": [4, 4]}, "422 /moves/1"),
    ({"game": {"rows": 4, "columns": 3, "in_a_row": 3}, "board": "X../.O./.../..."}, ""),
    ({"board": "X........", "limit": {"time_ms": 10**9}}, "422 /limit/time_ms"),
    (None, "422 "),
]
"""Positions of a batch, each with the status and the place of its fault, if it has one."""


def test_games_and_forms_may_be_mixed_and_a_bad_position_spoils_only_its_own_answer(client: FlaskClient) -> None:
    results = post(client, [position for position, _ in MIXED])
    for number, ((position, fault), result) in enumerate(zip(MIXED, results, strict=True)):
        if fault:
            status, _, pointer = fault.partition(" ")
            problem = result["problem"]
            assert (problem["status"], problem["errors"][0]["pointer"]) == (
                int(status),
                f"/positions/{number}{pointer}",
            )
        else:
            assert result == alone(client, position)


def test_a_repeated_name_spoils_only_the_position_that_it_is_in(client: FlaskClient) -> None:
    body = (
        '{"positions":[{"board":"X........","board":"XO......."},{"board":"........."},'
        '{"game":{"rows":3,"columns":3,"rows":3,"in_a_row":3},"moves":[]}]}'
    )
    for _ in range(2):
        first, second, third = client.post("/best-moves", data=body).get_json()["results"]
        assert [error["pointer"] for error in first["problem"]["errors"]] == ["/positions/0/board"]
        assert second["move"] == 0
        assert [error["pointer"] for error in third["problem"]["errors"]] == ["/positions/2/game/rows"]
    repeated = client.post("/best-moves", data='{"positions":[],"positions":[{"board":"........."}]}')
    assert [error["pointer"] for error in repeated.get_json()["errors"]] == ["/positions"]


def test_chance_is_repeatable_with_a_seed_and_drawn_anew_without(client: FlaskClient) -> None:
    seeded = {"board": ".........", "tie_break": "random", "seed": 7}
    one, two = post(client, [seeded, seeded])
    assert one == two == alone(client, seeded)
    drawn = post(client, [{"board": ".........", "tie_break": "random"}] * 30)
    assert len({result["move"] for result in drawn}) > 3
    assert len({result["seed"] for result in drawn}) == 30


FAULTY: list[tuple[dict[str, Any], tuple[str, str]]] = [
    ({}, ("/positions", "required")),
    ({"positions": []}, ("/positions", "too-short")),
    ({"positions": [{}] * (MAX_BATCH + 1)}, ("/positions", "too-long")),
    ({"positions": {"board": "........."}}, ("/positions", "wrong-type")),
    ({"position": [{}], "positions": [{}]}, ("/position", "unknown-field")),
    ({"positions": [{}], "limit": {"nodes": 0}}, ("/limit/nodes", "out-of-range")),
    ({"positions": [{}], "limit": {"nodes": 10**12}}, ("/limit/nodes", "out-of-range")),
]


def test_a_body_without_a_list_of_positions_is_refused_as_a_whole(client: FlaskClient) -> None:
    for body, expected in FAULTY:
        response = client.post("/best-moves", json=body)
        assert (response.status_code, faults(response.get_json())) == (422, [expected])


HARD = {"game": WIDE, "moves": [3, 2]}


def test_all_positions_share_one_limit_of_time_which_may_be_longer_than_the_default() -> None:
    client = create_app(Settings(default_time_ms=1)).test_client()
    started, used = time.monotonic(), time.process_time()
    results = post(client, [HARD, {"board": "X........"}] * 20, time_ms=400)
    assert time.process_time() - used < 5
    assert time.monotonic() - started >= 0.2
    assert [result["proven"] for result in results] == [False, True] * 20


@pytest.mark.verify
def test_all_positions_share_one_limit_of_nodes_and_the_answer_is_the_same_cold_and_warm() -> None:
    positions = [{"game": game.id, "moves": [0, 1]} for game in LINE_GAMES.values()] * 2
    cold, warm = (create_app(Settings()).test_client() for _ in range(2))
    for position in positions:
        warm.post("/best-move", json={**position, "limit": {"time_ms": 50}})
    first = post(cold, positions, nodes=20_000)
    assert post(warm, positions, nodes=20_000) == first
    assert post(cold, positions, nodes=20_000) == first
    assert {result["proven"] for result in first} == {True, False}


def test_a_position_may_have_a_closer_limit_of_its_own(client: FlaskClient) -> None:
    close = {**HARD, "limit": {"nodes": 1_000}}
    assert post(client, [close]) == [alone(client, close)]


def test_answers_are_counted_one_by_one() -> None:
    client = EdgeClient(Settings())
    post(client, [{"board": "........."}] * 3 + [{"board": "XX.OO...."}, {"board": "?"}])
    metrics = client.get("/metrics").get_data(as_text=True)
    for outcome, count in (("draw", 3), ("win", 1)):
        assert f'answers_total{{game="tic-tac-toe",outcome="{outcome}",source="table"}} {count}.0' in metrics


# What a batch may ask for besides its searches.

OVER = {"rows": 8, "columns": 8, "in_a_row": 5}


def own(number: int) -> dict[str, Any]:
    """One of many different games given by its rules."""
    return {"cells": 7, "lines": [[cell for cell in range(7) if number >> cell & 1]]}


def test_at_most_so_many_games_are_read_and_each_position_of_another_is_named(
    single: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert best_moves.MAX_OWN_GAMES == 64
    monkeypatch.setattr(best_moves, "MAX_OWN_GAMES", 4)
    results = post(single, [{"game": own(1 + number % 6)} for number in range(8)], nodes=1)
    left_out = {number: faults(result["problem"]) for number, result in enumerate(results) if "problem" in result}
    assert left_out == {number: [(f"/positions/{number}/game", "too-many-games")] for number in (4, 5)}


def test_the_rules_of_a_game_are_read_once_however_often_they_come(
    single: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    charged: list[object] = []

    def count(game: object) -> int:
        charged.append(game)
        return 1

    monkeypatch.setattr(best_moves, "reading_nodes", count)
    post(single, [{"game": own(3)}, {"game": own(5)}, {"game": own(3)}, {"game": "qubic"}, {}] * 3, nodes=1)
    assert len(charged) == 2


def test_where_the_limit_is_over_no_more_rules_are_read_and_the_rest_is_answered_without_a_search(
    single: FlaskClient,
) -> None:
    client = create_app(Settings(), search_slots=False).test_client()
    context = RequestContext(stop=True)
    positions: list[Any] = [{"game": OVER}, HARD, {"board": "X...O...."}, {"board": "?"}, {"game": "connect-four"}]
    response = client.post("/best-moves", json={"positions": positions}, environ_base={CONTEXT: context})
    own_rules, hard, known, faulty, book = response.get_json()["results"]
    assert faults(own_rules["problem"]) == [("/positions/0/game", "unfinished")]
    assert "problem" in hard
    assert known == alone(single, positions[2])
    assert faults(faulty["problem"])[0] == ("/positions/3/board", "board-size")
    assert book["proven"]


def test_a_limit_that_ends_on_the_way_leaves_positions_of_rules_that_were_read_without_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches: list[Search] = []
    context = RequestContext()
    client = create_app(Settings(), search_slots=False).test_client()
    search = Effort.search

    def count(effort: Effort, *args: Any) -> Search:
        context.stop = True
        searches.append(search(effort, *args))
        return searches[-1]

    monkeypatch.setattr(Effort, "search", count)
    body = {"positions": [{**HARD, "moves": [3, column]} for column in range(8)]}
    results = client.post("/best-moves", json=body, environ_base={CONTEXT: context}).get_json()["results"]
    assert {result["outcome"] for result in results} == {"unknown"}
    assert searches
    assert sum(each.nodes for each in searches) == 0


# How large an answer may be.


def test_a_small_batch_of_faulty_positions_has_no_huge_answer(single: FlaskClient) -> None:
    positions = [{"game": {"rows": 8, "columns": 8, "in_a_row": 4}, "board": "Q" * 64}] * MAX_BATCH
    body = json.dumps({"positions": positions})
    response = single.post("/best-moves", data=body)
    assert len(response.data) < 6 * len(body)
    listed = [len(result["problem"]["errors"]) for result in response.get_json()["results"]]
    assert listed == [MAX_ITEM_ERRORS] * 21 + [2] + [1] * (MAX_BATCH - 22)
    first, *_, last = response.get_json()["results"]
    assert "And 63 more, of which errors lists 3." in first["problem"]["detail"]
    assert "And 63 more, of which errors lists 0." in last["problem"]["detail"]


def test_an_answer_has_at_most_so_many_bytes_and_the_positions_for_which_there_is_no_room_say_so(
    single: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    positions = ([{"board": "X...O...."}] * 10 + [{"board": "QQQQQQQQQ"}] * 5) * 2
    whole = post(single, positions)
    monkeypatch.setattr(best_moves, "MAX_ANSWER_BYTES", 16_000)
    results = post(single, positions)
    assert len(single.post("/best-moves", json={"positions": positions}).data) <= 16_000
    codes = [faults(result["problem"])[0][1] if "problem" in result else "" for result in results]
    answered = codes.index("too-large")
    assert answered > 10
    assert results[:answered] == whole[:answered]
    assert set(codes[answered:]) == {"too-large"}


def test_a_thousand_positions_of_the_largest_boards_have_room_in_a_body_and_in_an_answer(client: FlaskClient) -> None:
    position = {"game": "qubic", "moves": list(range(0, 40, 3)), "limit": {"nodes": 1}}
    (answer,) = post(client, [position])
    longest = len(json.dumps(answer)) + 64 * len("63,")  # with a line of best play to a full board
    assert longest * MAX_BATCH <= best_moves.MAX_ANSWER_BYTES
    asked = {"game": "qubic", "board": [None, "X"] + [None] * 62, "player": "O", "limit": {"nodes": 1}}
    assert len(json.dumps({"positions": [asked] * MAX_BATCH})) <= Settings.max_body_bytes
