"""Games whose table is not there: too large for one, or of which it is still being made."""

import re
from collections.abc import Iterator
from itertools import product
from threading import Event
from typing import Any
from urllib.parse import urlencode

import pytest

from service.engine.tables.family_table import build
from service.games.catalogue import CATALOGUE
from service.games.game import Game
from service.kernel.states.graph import TooLargeError
from service.kernel.states.retrograde import TooLongError
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient
from tests.streams import lines_of
from tests.support import HUNG_SECONDS

TOO_LARGE = {"family": "vanishing", "rows": 5, "columns": 5, "in_a_row": 4, "marks": 6}
BUILD = "service.engine.tables.tablebases.build"


def test_a_game_that_is_too_large_is_refused_by_every_route(client: EdgeClient) -> None:
    for path in ("/best-move", "/analysis", "/analysis/stream", "/review", "/review/stream", "/proof"):
        response = client.post(path, json={"game": TOO_LARGE, "moves": [0]})
        assert (response.status_code, response.get_json()["errors"][0]["code"]) == (422, "too-many-positions")
    response = client.get(f"/puzzles?{urlencode(TOO_LARGE)}")
    assert (response.status_code, response.get_json()["errors"][0]["code"]) == (422, "too-many-positions")


def test_a_game_larger_than_the_operator_allows_or_whose_wins_take_too_long_is_refused_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = EdgeClient(Settings(tablebases="none", max_positions=1000))
    (error,) = client.post("/best-move", json={"game": "picaria"}).get_json()["errors"]
    assert re.search(
        r"at most 1,000\. Give a smaller board\. Or build its table ahead with move-oracle", error["detail"]
    )

    def build(*_: object) -> bytes:
        raise TooLongError

    monkeypatch.setattr(BUILD, build)
    response = EdgeClient(Settings(tablebases="none")).post("/best-move", json={"game": "achi"})
    assert (response.status_code, response.get_json()["errors"][0]["code"]) == (422, "too-many-plies")


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> Iterator[EdgeClient]:
    """A service whose tables are being made until the test ends, on the fastest machine too."""
    ended = Event()

    def build(_game: Game, most: int, _poll: object, _threads: int) -> bytes:
        ended.wait(HUNG_SECONDS)
        raise TooLargeError(most)

    monkeypatch.setattr(BUILD, build)
    yield EdgeClient(Settings(tablebases="none", default_time_ms=20))
    ended.set()


def test_a_finished_board_is_not_proven_before_the_table_says_that_play_leads_to_it(hurried: EdgeClient) -> None:
    wild = "family=wild&rows=4&columns=4&in_a_row=4"
    for path, schema in (("/best-move", "BestMoveAnswer"), ("/analysis", "AnalysisAnswer")):
        response = hurried.get(f"{path}?{wild}&board=XXXX............")
        answer = response.get_json()
        assert_matches(schema, answer)
        assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
        assert (answer["outcome"], answer["proven"], answer["move"]) == ("unknown", False, None)
    played = hurried.get(f"/best-move?{wild}&moves=X0,X4,X1,X5,X2,X6,X3")
    assert (played.get_json()["outcome"], played.get_json()["proven"]) == ("loss", True)


def test_law_6_an_answer_without_the_table_is_unproven_and_never_kept_and_a_stream_says_that_it_is_made(
    hurried: EdgeClient,
) -> None:
    for path, chance, nodes in product(("/best-move", "/analysis"), ("", "&skill=51"), ("", "&nodes=10&time_ms=20")):
        response = hurried.get(f"{path}?game=numerical-tic-tac-toe{chance}{nodes}")
        answer = response.get_json()
        assert_matches("BestMoveAnswer" if path == "/best-move" else "AnalysisAnswer", answer)
        assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
        assert (answer["outcome"], answer["proven"], len(answer["pv"])) == ("unknown", False, 1)
        assert "estimate" not in answer
    asked = "/analysis/stream?game=numerical-tic-tac-toe&time_ms=300"
    first, *_, last = lines_of(hurried.get(asked))
    assert_matches("ProgressLine", first)
    assert (first["progress"]["outcome"], last["result"]["outcome"]) == ("unknown", "unknown")


def test_puzzles_use_the_table_that_answers_use(monkeypatch: pytest.MonkeyPatch) -> None:
    client, made = EdgeClient(Settings(tablebases="none")), list[Game]()

    def counted(game: Game, *rest: Any) -> bytearray:
        made.append(game)
        return build(game, *rest)

    monkeypatch.setattr(BUILD, counted)
    assert client.get("/puzzles?game=tapatan&seed=1").status_code == 200
    assert client.get("/best-move?game=tapatan").get_json()["exact"]
    assert made == [CATALOGUE["tapatan"]]
