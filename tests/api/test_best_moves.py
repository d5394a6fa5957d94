"""Many positions in one request: each answered as if it were asked alone, within one limit."""

import gzip
import json
import random
import time
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.read import question, reading
from service.api.request_context import CONTEXT, RequestContext
from service.api.responses import NDJSON
from service.api.routes import best_move, best_moves
from service.api.routes.best_moves import MAX_ITEM_ERRORS
from service.api.wire.requests import MAX_BATCH, BestMoveRequest
from service.app import create_app
from service.games.catalogue import CATALOGUE, TIC_TAC_TOE
from service.settings import Settings
from tests.contract import assert_matches, faults
from tests.edge_client import EdgeClient
from tests.support import sampled
from tests.worlds import WIDE, reachable

HARD = {"game": WIDE, "moves": [3, 2]}


def post(client: FlaskClient | EdgeClient, positions: list[Any], **limit: int | str) -> list[dict[str, Any]]:
    body = {"positions": positions, "limit": limit} if limit else {"positions": positions}
    response = client.post("/best-moves", json=body)
    assert response.status_code == 200, response.get_json()
    assert_matches("BestMovesAnswer", response.get_json())
    results: list[dict[str, Any]] = response.get_json()["results"]
    return results


def alone(client: FlaskClient, position: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = client.post("/best-move", json=position).get_json()
    return answer


def test_a_search_ends_with_the_outcome_where_that_is_all_that_is_asked_for(client: FlaskClient) -> None:
    position = {"game": {"rows": 5, "columns": 5, "in_a_row": 4}, "moves": [12, 6, 13]}
    asked = {**position, "limit": {"prove": "outcome"}}
    query = "/best-move?rows=5&columns=5&in_a_row=4&moves=12,6,13&prove=outcome"
    answers = [alone(client, asked), client.get(query).get_json()]
    answers += post(client, [position], prove="outcome")
    answers.append(post(client, [asked, position])[0])
    assert {(answer["outcome"], answer["proven"], answer["exact"]) for answer in answers} == {("draw", True, False)}
    analysis = client.post("/analysis", json=asked).get_json()
    assert {move["proven"] for move in analysis["moves"]} == {True}
    assert sum(move["exact"] for move in analysis["moves"]) <= 1  # the line of the best move is known by now
    whole = alone(client, {**position, "limit": {"prove": "distance"}})
    assert (whole["outcome"], whole["exact"]) == ("draw", True)
    assert alone(client, asked)["exact"]  # it is cached now


def test_law_1_every_position_is_answered_as_if_it_were_asked_alone(client: FlaskClient) -> None:
    batched = create_app(Settings()).test_client()
    dice = random.Random(3)
    positions = [
        {"board": dice.choice([str, list])(str(position)), "player": position.player}
        for position in dice.sample(reachable(TIC_TAC_TOE, "O"), sampled(40, 200))
    ]
    answers = [alone(client, position) for position in positions]
    assert post(batched, positions) == answers
    assert post(batched, positions[::-1]) == answers[::-1]


MIXED: list[tuple[Any, str]] = [
    ({"board": "X...O...."}, ""),
    ({"board": "XXXX....."}, "422 /board mark-count"),
    ({"game": "connect-four-5x4", "moves": "332"}, ""),
    ({"game": "connect-four-5x4", "moves": "338"}, "422 /moves no-such-column"),
    ({"game": "achi"}, ""),
    ({"game": {"family": "notakto"}}, ""),
    ({"game": "achi", "moves": ["9"]}, "422 /moves/0 no-such-cell"),
    ("X........", "422  wrong-type"),
    (str({"board": "X........"}), "422  wrong-type"),
    ({"board": "X........", "bord": 1}, "422 /bord unknown-field"),
    ({"game": "no-such-game", "board": "........."}, "404 /game unknown-game"),
    ({"moves": [4, 4]}, "422 /moves/1 occupied-cell"),
    ({"game": {"rows": 4, "columns": 3, "in_a_row": 3}, "board": "X../.O./.../..."}, ""),
    ({"board": "X........", "limit": {"time_ms": 10**9}}, "422 /limit/time_ms out-of-range"),
    ({"board": ".........", "tie_break": "random", "seed": 7}, ""),
    ({**HARD, "limit": {"nodes": 1_000}}, ""),
    (None, "422  wrong-type"),
]
"""Positions of a batch, each with the status, the place and the code of its fault, if it has one."""


def test_games_and_forms_may_be_mixed_and_a_bad_position_spoils_only_its_own_answer(client: FlaskClient) -> None:
    results = post(client, [position for position, _ in MIXED])
    for number, ((position, fault), result) in enumerate(zip(MIXED, results, strict=True)):
        if not fault:
            assert result == alone(client, position)
            continue
        status, pointer, code = fault.split(" ")
        expected = (int(status), (f"/positions/{number}{pointer}", code))
        assert (result["problem"]["status"], faults(result["problem"])[0]) == expected


def test_a_repeated_name_spoils_only_the_position_that_it_is_in(client: FlaskClient) -> None:
    body = (
        '{"positions":[{"board":"X........","board":"XO......."},{"board":"........."},'
        '{"game":{"rows":3,"columns":3,"rows":3,"in_a_row":3},"moves":[]}]}'
    )
    for _ in range(2):
        first, second, third = client.post("/best-moves", data=body).get_json()["results"]
        assert faults(first["problem"]) == [("/positions/0/board", "repeated-field")]
        assert second["move"] == 0
        assert faults(third["problem"]) == [("/positions/2/game/rows", "repeated-field")]
    repeated = client.post("/best-moves", data='{"positions":[],"positions":[{"board":"........."}]}')
    assert faults(repeated.get_json()) == [("/positions", "repeated-field")]


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


def test_all_positions_share_one_limit_of_time_which_may_be_longer_than_the_default() -> None:
    client = create_app(Settings(default_time_ms=1)).test_client()
    started, used = time.monotonic(), time.process_time()
    results = post(client, [HARD, {"board": "X........"}] * 20, time_ms=400)
    assert time.process_time() - used < 5
    assert time.monotonic() - started >= 0.2
    assert [result["proven"] for result in results] == [False, True] * 20


def own(number: int) -> dict[str, Any]:
    """One of many different games given by its rules."""
    return {"cells": 7, "lines": [[cell for cell in range(7) if number >> cell & 1]]}


def test_at_most_so_many_games_are_read_once_each_and_every_position_of_another_is_named(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    charged = dict[object, int]()
    assert best_moves.MAX_OWN_GAMES == 64
    monkeypatch.setattr(best_moves, "MAX_OWN_GAMES", 4)
    monkeypatch.setattr(best_moves, "reading_nodes", lambda game: charged.setdefault(repr(game), 1))
    results = post(client, [{"game": own(1 + number % 6)} for number in range(8)] + [{"game": "qubic"}, {}], nodes=1)
    left_out = {number: faults(result["problem"]) for number, result in enumerate(results) if "problem" in result}
    assert left_out == {number: [(f"/positions/{number}/game", "too-many-games")] for number in (4, 5)}
    assert len(charged) == 4


def test_where_the_limit_is_over_no_more_rules_are_read_and_the_rest_is_answered_without_a_search(
    client: FlaskClient,
) -> None:
    flask = create_app(Settings(), search_slots=False).test_client()
    over = {"rows": 8, "columns": 8, "in_a_row": 5}
    positions: list[Any] = [{"game": over}, HARD, {"board": "X...O...."}, {"board": "?"}, {"game": "connect-four"}]
    environment = {CONTEXT: RequestContext(stop=True)}
    response = flask.post("/best-moves", json={"positions": positions}, environ_base=environment)
    own_rules, hard, known, faulty, book = response.get_json()["results"]
    assert faults(own_rules["problem"]) == [("/positions/0/game", "unfinished")]
    assert "problem" in hard
    assert known == alone(client, positions[2])
    assert faults(faulty["problem"])[0] == ("/positions/3/board", "board-size")
    assert book["proven"]


def test_positions_are_read_while_another_is_searched_and_each_gets_its_own_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    others: list[Any] = [{"board": "X...O...."}, {"board": "?"}, None, {"game": own(7)}, {"game": "achi"}, HARD]
    positions = [HARD, *others, {"game": "qubic", "moves": "?"}, {"moves": [4]}, {"game": own(11)}]
    log = list[str]()
    parse, read, answer = reading.parse_item, question.read_question, best_move.answer_question

    def logged_parse(*given: Any) -> Any:
        log.append("parse")
        return parse(*given)

    def logged_read(asked: reading.Reading[BestMoveRequest], *given: Any) -> Any:
        log.append("read" if isinstance(asked.wanted.game, str | None) else "read rules")
        return read(asked, *given)

    def logged_answer(*given: Any, form: best_move.Form) -> Any:
        log.append("search")
        found = answer(*given, form=form)
        log.append("answer")
        return found

    monkeypatch.setattr(best_moves, "MAX_OWN_GAMES", 1)
    monkeypatch.setattr(best_moves, "parse_item", logged_parse)
    monkeypatch.setattr(best_moves, "read_question", logged_read)
    monkeypatch.setattr(best_moves, "answer_question", logged_answer)
    ahead, in_turn = (create_app(Settings(), search_slots=slots).test_client() for slots in (True, False))
    results = post(ahead, positions, nodes=900_000)
    first = log[: log.index("answer")]
    assert first[:5] == ["parse", "read rules", "search", "parse", "read"]
    assert first.count("read rules") == 1
    assert log.count("read rules") == 2  # the hard position twice, but neither of the other games
    assert [number for number, result in enumerate(results) if "problem" in result] == [2, 3, 4, 7, 9]
    log.clear()
    assert post(in_turn, positions, nodes=900_000) == results
    assert log[:4] == ["parse", "read rules", "search", "answer"]


def test_a_small_batch_of_faulty_positions_has_no_huge_answer(client: FlaskClient) -> None:
    positions = [{"game": {"rows": 8, "columns": 8, "in_a_row": 4}, "board": "Q" * 64}] * MAX_BATCH
    body = json.dumps({"positions": positions})
    response = client.post("/best-moves", data=body)
    assert len(response.data) < 6 * len(body)
    results = response.get_json()["results"]
    listed = [len(result["problem"]["errors"]) for result in results]
    assert listed == [MAX_ITEM_ERRORS] * 21 + [2] + [1] * (MAX_BATCH - 22)
    assert "And 63 more, of which errors lists 3." in results[0]["problem"]["detail"]


def test_an_answer_has_at_most_so_many_bytes_and_the_positions_for_which_there_is_no_room_say_so(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = ([{"board": "X...O...."}] * 10 + [{"board": "QQQQQQQQQ"}] * 5) * 2
    whole = post(client, positions)
    monkeypatch.setattr(best_moves, "MAX_ANSWER_BYTES", 16_000)
    response = client.post("/best-moves", data=json.dumps({"positions": positions}) + " ")  # not in the cache
    assert len(response.data) <= 16_000
    results = response.get_json()["results"]
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


VALUED = (
    "tic-tac-toe",
    "connect-four",
    "tic-tac-toe-4x4",
    "misere-tic-tac-toe-3d",
    "achi",
    "wild-tic-tac-toe",
    "col-4x4",
)


def test_a_value_is_that_of_the_whole_answer_and_all_best_moves_are_those_of_the_analysis(client: FlaskClient) -> None:
    games = [game for game in VALUED if game in CATALOGUE]
    drawn = [
        {"game": game, **{name: each[name] for name in ("player", "position")}}
        for game in games
        for each in client.post(
            "/random-positions", json={"game": game, "count": 4, "plies_at_least": 5, "seed": 3}
        ).get_json()["positions"]
    ]
    positions = [{"game": each["game"], "board": each["position"], "player": each["player"]} for each in drawn]
    positions.append({"game": "tic-tac-toe", "board": "XXXOO....", "player": "O"})
    told = {}
    for detail in ("full", "value"):
        body = {"positions": positions, "detail": detail, "best_moves": True}
        response = client.post("/best-moves", json=body)
        assert_matches("BestMovesAnswer", response.get_json())
        told[detail] = response.get_json()["results"]
    for position, full, value in zip(positions, told["full"], told["value"], strict=True):
        assert value == {name: full[name] for name in value}
        assert "pv" not in value
        analysis = client.post("/analysis", json=position).get_json()
        assert full == {**alone(client, position), **{name: full[name] for name in full if name.startswith("best_")}}
        best = [move["pv"][0] for move in analysis["moves"] if move["best"]]
        assert sorted(value["best_moves"], key=str) == sorted(best, key=str)


def test_law_1_easy_positions_leave_their_share_to_hard_ones_and_the_answer_is_the_same_again() -> None:
    hard, nodes = {"game": "connect-four-5x4", "moves": "3"}, 8_000
    positions = [hard, *[{"board": "X........"}] * 9]
    cold, warm = (create_app(Settings()).test_client() for _ in range(2))
    warm.post("/best-move", json=hard)
    (even,) = post(cold, [hard], nodes=nodes // len(positions))
    first = post(cold, positions, nodes=nodes)
    assert (even["exact"], first[0]["exact"]) == (False, True)
    assert first == post(warm, positions, nodes=nodes) == post(cold, positions, nodes=nodes)


LINES = b'{"board":"X...O...."}\n\n{"board":\n' + b'{"moves":[4]}\r\n' * 20 + b'{"positions":[{}]}'


def test_lines_have_the_answers_of_a_list_whether_compressed_or_not(client: FlaskClient) -> None:
    query = "/best-moves/lines?detail=value&best_moves=true&nodes=1000"
    packed = {"Content-Type": NDJSON, "Content-Encoding": "gzip", "Accept-Encoding": "gzip"}
    response = client.post(query, data=gzip.compress(LINES), headers=packed)
    plain = client.post(query, data=LINES, headers={"Content-Type": NDJSON})
    assert (response.mimetype, response.headers["Content-Encoding"]) == (NDJSON, "gzip")
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(response.data) == plain.data
    first, broken, *others, unknown = map(json.loads, plain.data.splitlines())
    positions = [{"board": "X...O...."}, {"moves": [4]}]
    body = {"positions": positions, "detail": "value", "best_moves": True, "limit": {"nodes": 1000}}
    assert [first, others[0]] == client.post("/best-moves", json=body).get_json()["results"]
    assert others == [others[0]] * 20
    assert broken["problem"]["status"] == 400
    assert faults(unknown["problem"]) == [("/positions/22/positions", "unknown-field")]
    for asked, expected in (("nodes=0", "/nodes"), ("detail=none", "/detail"), ("positions=1", "/positions")):
        refused = client.post(f"/best-moves/lines?{asked}", data=LINES)
        assert (refused.status_code, faults(refused.get_json())[0][0]) == (422, expected)
    assert client.post("/best-moves", data=LINES, content_type=NDJSON).status_code == 415
