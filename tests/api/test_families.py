"""Games of families over HTTP: each is answered from its table, and whatever is wrong is said in a sentence."""

import re
from collections.abc import Iterator
from threading import Event
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from service.api.responses import NDJSON
from service.games.catalogue import STATE_GAMES
from service.games.game import Game
from service.games.position import Position
from service.kernel.states.retrograde import TooLargeError, TooLongError
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient, assert_kept
from tests.streams import MIMETYPES, lines_of
from tests.support import HUNG_SECONDS, THOROUGH, Server

KINDS = ["wild-tic-tac-toe", "notakto-2", "numerical-tic-tac-toe", "vanishing-tic-tac-toe", "tapatan", "pop-out-4x4"]
"""A game for each kind of move: a mark, one of several boards, a number, one that removes a mark, a piece, a column."""

each_game = pytest.mark.parametrize("id", STATE_GAMES if THOROUGH else KINDS)

TOO_LARGE = {"family": "vanishing", "rows": 5, "columns": 5, "in_a_row": 4, "marks": 6}


@pytest.fixture(scope="module")
def client() -> EdgeClient:
    """A service that waits as long as it takes."""
    return EdgeClient(Settings(default_time_ms=60_000, max_time_ms=60_000))


def ask(client: EdgeClient, **fields: Any) -> dict[str, Any]:
    response = client.post("/best-move", json=fields)
    assert response.status_code == 200, response.get_json()
    answer: dict[str, Any] = response.get_json()
    assert_matches("BestMoveAnswer", answer)
    return answer


def fault(client: EdgeClient, **fields: Any) -> tuple[int, str, str, str]:
    response = client.post("/best-move", json=fields)
    (error,) = response.get_json()["errors"]
    return response.status_code, error["pointer"], error["code"], error["detail"]


@each_game
def test_a_game_is_answered_with_the_value_of_the_catalogue_however_it_is_asked_about(
    client: EdgeClient, id: str
) -> None:
    game = STATE_GAMES[id]
    answer = ask(client, game=game.id)
    assert game.value is not None
    assert (answer["outcome"], answer["plies"]) == (game.value.outcome, game.value.plies)
    assert (answer["family"], answer["player"]) == (game.family, game.players[0])
    assert answer["repetition"] is (game.value.plies is None)
    assert ask(client, game={"family": game.family, **game.parameters}) == answer

    after = ask(client, game=id, moves=[answer["name"]])
    assert after["position"] == answer["next_position"]
    assert ask(client, game=id, board=after["position"], player=after["player"].upper()) == after
    rules = {{"moves": "piece_moves"}.get(name, name): f"{value}".lower() for name, value in game.parameters.items()}
    for query in ({"game": id}, {"family": game.family, **rules}):
        url = f"/best-move?{urlencode({**query, 'moves': answer['name']})}"
        assert assert_kept(client, url).get_json() == after


@pytest.mark.parametrize("path", ["/best-move", "/analysis", "/review"])
def test_names_from_reasons_are_read_by_every_route(client: EdgeClient, path: str) -> None:
    game, moves, same = "tapatan", ["4", "0", "6", "2", "1", "7", "4>5"], "b2 a1 a3 c1 b1 b3 b2-c2"
    expected = client.post(path, json={"game": game, "moves": moves})
    assert expected.status_code == 200
    for named in (same, same.split()):
        assert client.post(path, json={"game": game, "moves": named}).data == expected.data
        if path != "/review":
            assert client.get(path, query_string={"game": game, "moves": named}).data == expected.data


def test_a_weaker_player_draws_a_move_by_the_seed(client: EdgeClient) -> None:
    answers = [ask(client, game="tapatan", skill=0, seed=seed) for seed in range(20)]
    assert all((answer["skill"], answer["seed"]) == (0, seed) for seed, answer in enumerate(answers))
    assert len({answer["name"] for answer in answers}) > 3
    assert ask(client, game="tapatan", skill=0, seed=5) == answers[5]
    tied = {ask(client, game="achi", tie_break="random", seed=seed, moves=["4"])["name"] for seed in range(20)}
    assert len(tied) > 1


@pytest.mark.verify
def test_answers_are_the_same_cold_or_warm_and_with_any_number_of_workers(server: Server) -> None:
    cold = EdgeClient(Settings(default_time_ms=60_000, max_time_ms=60_000))
    small = [game.id for game in STATE_GAMES.values() if game.states < 100_000]
    for game in small:
        asked = {"game": game, "limit": {"time_ms": 20_000}}
        line = ask(cold, **asked)["pv"]
        for path in ("/best-move", "/analysis", "/review"):
            body = {**asked, "moves": line[:5]}
            first = cold.post(path, json=body).get_data()
            answers = [httpx.post(f"{server.url}{path}", json=body, timeout=HUNG_SECONDS) for _ in range(4)]
            assert {first, cold.post(path, json=body).get_data()} == {answer.content for answer in answers} == {first}
    assert len(small) > 8


def test_a_batch_answers_games_of_both_kinds(client: EdgeClient) -> None:
    other = {"game": {"family": "notakto"}}
    asked = [{"game": "achi"}, {"board": "X...O...."}, {"game": "achi", "moves": ["9"]}, other]
    response = client.post("/best-moves", json={"positions": asked})
    results = response.get_json()["results"]
    assert_matches("BestMovesAnswer", response.get_json())
    assert (results[0], results[3]) == (ask(client, game="achi"), ask(client, game="notakto"))
    assert results[1]["game"] == "tic-tac-toe"
    assert results[2]["problem"]["errors"][0]["pointer"] == "/positions/2/moves/0"


@each_game
def test_an_analysis_ranks_every_legal_move_with_its_reasons(client: EdgeClient, id: str) -> None:
    answer, response = ask(client, game=id), client.post("/analysis", json={"game": id})
    analysis = response.get_json()
    assert_matches("AnalysisAnswer", analysis)
    assert {name: analysis[name] for name in answer} == answer
    legal = Position(STATE_GAMES[id]).legal_moves
    assert {move["name"] for move in analysis["moves"]} == {STATE_GAMES[id].move_name(move) for move in legal}
    for move in analysis["moves"]:
        after = ask(client, game=id, moves=[move["name"]])
        assert after["position"] == move["next_position"]
        assert after["outcome"] == {"win": "loss", "draw": "draw", "loss": "win"}[move["outcome"]]
        assert move["best"] is (move["score"] == analysis["moves"][0]["score"])
        assert move["reasons"]


@each_game
def test_a_review_judges_each_move_of_a_game(client: EdgeClient, id: str) -> None:
    game, names = STATE_GAMES[id], list[Any]()
    position = Position(game)
    while position.legal_moves and len(names) < 12:
        names.append(game.move_name(position.legal_moves[-1]))
        position = position.play(position.legal_moves[-1])
    review = client.post("/review", json={"game": id, "moves": names}).get_json()
    assert_matches("ReviewAnswer", review)
    assert (review["position"], review["status"], review["proven"]) == (str(position), position.status, True)
    assert [ply["name"] for ply in review["plies"]] == names
    assert all((ply["verdict"] == "best") is (ply["name"] in ply["best_moves"]) for ply in review["plies"])
    assert set(review["accuracy"]) == set(game.players)


@pytest.mark.parametrize("mimetype", MIMETYPES)
def test_streams_end_with_the_answer(client: EdgeClient, mimetype: str) -> None:
    asked = {"game": "achi", "moves": ["4", "0", "1"]}
    for path, lines in (("/analysis", "StreamLine"), ("/review", "ReviewLine")):
        told = lines_of(client.post(path, json=asked, headers={"Accept": mimetype}))
        for line in told:
            assert_matches(lines, line)
        assert told[-1] == {"result": client.post(path, json=asked).get_json()}
    assert [line["ply"]["ply"] for line in told if "ply" in line] == [3, 2, 1]


def test_a_stream_names_the_best_move_of_a_game_that_is_searched(client: EdgeClient) -> None:
    body = {"game": {"family": "order-and-chaos", "rows": 6, "columns": 6, "in_a_row": 5}, "limit": {"time_ms": 1500}}
    *told, _ = lines_of(client.post("/analysis", json=body, headers={"Accept": NDJSON}))
    for line in told:
        assert_matches("ProgressLine", line)
    found = [line["progress"] for line in told if line["progress"]["move"] is not None]
    assert found
    assert all(each["name"] in (f"X{each['move']}", f"O{each['move']}") for each in found)


@pytest.mark.parametrize("path", ["/best-move", "/analysis", "/review"])
def test_a_game_that_is_too_large_is_refused_by_every_route(client: EdgeClient, path: str) -> None:
    for headers in ({}, {"Accept": NDJSON}):
        response = client.post(path, json={"game": TOO_LARGE, "moves": [0]}, headers=headers)
        assert response.status_code == 422
        assert response.get_json()["errors"][0]["code"] == "too-many-positions"


def test_a_game_larger_than_the_operator_allows_or_whose_wins_take_too_long_is_refused_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = EdgeClient(Settings(tablebases="none", max_positions=1000))
    (error,) = client.post("/best-move", json={"game": "picaria"}).get_json()["errors"]
    assert re.fullmatch(
        r"The game has about [\d,]+ positions up to symmetry; the service solves games of at most 1,000\. "
        r"Give a smaller board\. Or build its table ahead with move-oracle tablebase build\.",
        error["detail"],
    )

    def build(*_: object) -> bytes:
        raise TooLongError

    monkeypatch.setattr("service.engine.tables.tablebases.build", build)
    status, _, code, detail = fault(EdgeClient(Settings(tablebases="none")), game="achi")
    assert (status, code, detail) == (422, "too-many-plies", "In this game some wins take more than 126 plies.")


@pytest.fixture
def endless_builds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tables that are being made until the test ends, on the fastest machine too, and that take no time of others."""
    ended = Event()

    def build(_game: Game, most: int, _poll: object) -> bytes:
        ended.wait(HUNG_SECONDS)
        raise TooLargeError(most)

    monkeypatch.setattr("service.engine.tables.tablebases.build", build)
    yield
    ended.set()


@pytest.mark.usefixtures("endless_builds")
@pytest.mark.parametrize("path", ["/best-move", "/analysis"])
def test_a_table_that_takes_too_long_is_no_overload_whatever_limits_the_search(path: str) -> None:
    client = EdgeClient(Settings(tablebases="none", default_time_ms=20, max_time_ms=20))
    nodes = {"limit": {"nodes": 10}}
    for choice in ({}, {"skill": 51}, nodes, {"skill": 51, **nodes}):
        response = client.post(path, json={"game": "order-and-chaos-4x4", **choice})
        assert (response.status_code, response.get_json()["proven"]) == (200, False)


@pytest.mark.usefixtures("endless_builds")
def test_a_finished_board_is_not_proven_before_the_table_says_that_play_leads_to_it() -> None:
    client = EdgeClient(Settings(tablebases="none", default_time_ms=20, max_time_ms=20))
    wild = "family=wild&rows=4&columns=4&in_a_row=4"
    for path, schema in (("/best-move", "BestMoveAnswer"), ("/analysis", "AnalysisAnswer")):
        response = client.get(f"{path}?{wild}&board=XXXX............")
        answer = response.get_json()
        assert_matches(schema, answer)
        assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
        assert (answer["outcome"], answer["proven"], answer["move"]) == ("unknown", False, None)
    played = client.get(f"/best-move?{wild}&moves=X0,X4,X1,X5,X2,X6,X3")
    assert (played.get_json()["outcome"], played.get_json()["proven"]) == ("loss", True)


@pytest.mark.usefixtures("endless_builds")
def test_an_answer_without_the_table_is_unproven_and_never_kept_and_a_stream_says_that_it_is_made() -> None:
    client = EdgeClient(Settings(tablebases="none"))
    response = client.get("/best-move?game=numerical-tic-tac-toe&time_ms=1")
    answer = response.get_json()
    assert_matches("BestMoveAnswer", answer)
    assert (answer["outcome"], answer["proven"], answer["name"], answer["pv"]) == ("unknown", False, "1@0", ["1@0"])
    assert response.headers["Cache-Control"] == "no-store"
    asked = "/analysis?game=numerical-tic-tac-toe&time_ms=300"
    first, *_, last = lines_of(client.get(asked, headers={"Accept": NDJSON}))
    assert_matches("ProgressLine", first)
    assert (first["progress"]["outcome"], last["result"]["outcome"]) == ("unknown", "unknown")


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"game": "wild"}, "404 /game unknown-game", "There is no game wild."),
    ({"game": {"family": "chess"}}, "422 /game/family not-a-choice", "game.family must be one of 'wild', "),
    ({"game": {"family": "vanishing", "mark": 3}}, "422 /game/mark unknown-field", "There is no field game.mark. "),
    ({"game": {"family": "wild", "rows": 3, "columns": 3}}, "422 /game/in_a_row required", "game.in_a_row is "),
    ({"game": {"family": "notakto", "boards": 8}}, "422 /game/boards too-many-cells", "The board has 72 cells; "),
    ({"game": TOO_LARGE}, "422 /game too-many-positions", "The game has about 10^14 positions up to symmetry; "),
    ({"game": "achi", "moves": "4 4"}, "422 /moves occupied-cell", "moves[1]: 4 is not legal: cell 4 is "),
    ({"game": "achi", "moves": 4}, "422 /moves wrong-type", "moves must be a list of moves, or a string with "),
    ({"game": "achi", "moves": [True]}, "422 /moves/0 wrong-type", "moves.0 must be the name of a move, or a "),
    ({"game": "achi", "player": "first"}, "422 /player not-a-choice", "player must be X or O."),
    ({"game": "achi", "board": "XR......."}, "422 /board ambiguous", "The board has X and R, which are both signs "),
    ({"game": "achi", "board": 5}, "422 /board wrong-type", "board must be a list or a string, not 5."),
    ({"game": "achi", "drops": "4"}, "422 /drops unknown-field", "There is no field drops."),
    ({"family": "numerical"}, "422 /family unknown-field", "There is no field family. family belongs in game: "),
    (
        {"game": "order-and-chaos-4x4", "board": "XXXX...........O", "player": "Order"},
        "422 /player player-not-to-move",
        "After 5 marks Chaos is to move, not Order.",
    ),
]


def test_a_fault_is_named_in_a_sentence(client: EdgeClient) -> None:
    for fields, where, sentence in FAULTS:
        *place, detail = fault(client, **fields)
        assert (" ".join(map(str, place)), detail[: len(sentence)]) == (where, sentence)


POP_OUT = {"family": "pop-out", "rows": 3, "columns": 3, "in_a_row": 3}
NO_PLAY = "No play leads to this position. Give the moves of the game, or another board."


IMPOSSIBLE: list[tuple[Any, str, str, str]] = [
    (POP_OUT, "XXXXXOOXO", "unreachable-position", NO_PLAY),
    ({"family": "morris", "centre": "closed"}, "....X....", "unreachable-position", "No piece may be placed on "),
    ("wild-tic-tac-toe", "XXXOOOXXX", "no-last-move", "The board has lines that no single last move can complete "),
    ("notakto", "XXXXXXXXX", "no-last-move", "The board has lines that no single last move can complete "),
]


def test_a_board_that_no_play_leads_to_is_impossible(client: EdgeClient) -> None:
    for game, board, code, sentence in IMPOSSIBLE:
        *place, detail = fault(client, game=game, board=board)
        assert (place, detail[: len(sentence)]) == ([422, "/board", code], sentence)


NO_KING = "Marks move like a king only on a board of 9 points."
BOTH = "Give game with an id of the catalogue, or the rules, not both."
PIECE_MOVES = "piece_moves must be 'orthogonal', 'diagonals', 'king' or 'fly'."

QUERY_FAULTS = {
    "game=tapatan&piece_moves=king": ("/piece_moves", BOTH),
    "family=morris&piece_moves=far": ("/piece_moves", PIECE_MOVES),
    "family=morris&points=13&piece_moves=king": ("/piece_moves", NO_KING),
    "marks=3": ("/marks", "There is no field marks. marks is a rule of a family; give family too."),
    "family=numerical&lines=3": ("/lines", "lines can only be given in the body of a POST request."),
}


def test_a_fault_of_a_query_has_the_name_of_its_parameter(client: EdgeClient) -> None:
    for query, expected in QUERY_FAULTS.items():
        (error,) = client.get(f"/best-move?{query}").get_json()["errors"]
        assert (error["pointer"], error["detail"]) == expected


@each_game
def test_a_random_position_can_be_asked_about(client: EdgeClient, id: str) -> None:
    for seed in range(5):
        wanted = {"game": id, "plies_at_least": 1, "plies_at_most": 6, "seed": seed}
        drawn = client.post("/random-position", json=wanted).get_json()
        assert_matches("RandomPositionAnswer", drawn)
        assert 1 <= len(drawn["moves"]) <= 6
        answer = ask(client, game=id, moves=drawn["moves"])
        shared = ("game", "family", "position", "board", "player", "status", "winner", "winning_line")
        assert {name: answer[name] for name in shared} == {name: drawn[name] for name in shared}
        assert drawn["status"] == "in_progress"
        assert client.post("/random-position", json=wanted).get_json() == drawn


NOT_DRAWN: list[tuple[dict[str, Any], str, str]] = [
    ({"game": "notakto", "plies": 9}, "/plies", "plies is 9; Notakto is over after 9 plies, so it "),
    ({"game": "notakto", "plies": 8}, "/plies", "No random game of Notakto went on after so many plies; "),
    ({"game": "achi", "plies": 65}, "/plies", "plies must be at most 64."),
    (
        {"game": "achi", "first_player": "O"},
        "/first_player",
        "first_player is a field of requests about line games alone.",
    ),
]


def test_plies_that_no_random_game_has_are_refused(client: EdgeClient) -> None:
    for wanted, pointer, sentence in NOT_DRAWN:
        response = client.post("/random-position", json=wanted)
        (error,) = response.get_json()["errors"]
        assert (response.status_code, error["pointer"]) == (422, pointer)
        assert error["detail"].startswith(sentence)
    endless = {"game": "vanishing-tic-tac-toe", "plies": 20, "seed": 1}
    assert len(client.post("/random-position", json=endless).get_json()["moves"]) == 20


def test_a_route_without_families_says_so(client: EdgeClient) -> None:
    for game in ("achi", {"family": "morris"}):
        response = client.post("/proof", json={"game": game})
        (error,) = response.get_json()["errors"]
        assert (response.status_code, error["pointer"], error["code"]) == (422, "/game", "unsupported-family")
        assert "of the family morris, which this route does not support" in error["detail"]
