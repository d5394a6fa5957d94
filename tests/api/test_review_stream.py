"""Reviews as streams: each move as soon as it is judged, the last one first, and the whole review at the end."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service.api.responses import NDJSON
from service.engine.oracle import Oracle
from tests.contract import assert_matches
from tests.edge_client import EdgeClient
from tests.streams import MIMETYPES, read_lines
from tests.support import HUNG_SECONDS, Server

LONG = {"game": "qubic", "moves": [1, 16, 0, 17, 2], "limit": {"nodes": 1_500_000}}


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server of our own: the searches here are long."""
    with Server(workers=1) as server:
        yield server


def stream(server: Server, body: dict[str, Any], mimetype: str) -> list[dict[str, Any]]:
    response = httpx.post(f"{server.url}/review", json=body, headers={"Accept": mimetype}, timeout=HUNG_SECONDS)
    assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (200, mimetype)
    assert response.headers["cache-control"] == "no-store"
    return list(read_lines(mimetype, response.text.split("\n")[:-1]))


@pytest.mark.verify
@pytest.mark.parametrize("mimetype", MIMETYPES)
def test_a_review_limited_by_nodes_is_the_same_as_a_stream(own: Server, mimetype: str) -> None:
    *lines, last = stream(own, LONG, mimetype)
    answer = httpx.post(f"{own.url}/review", json=LONG, timeout=HUNG_SECONDS).json()
    assert last == {"result": answer}
    assert [line["ply"] for line in lines if "ply" in line] == answer["plies"][::-1]
    assert not answer["proven"]


@pytest.mark.verify
def test_progress_says_which_ply_is_judged(own: Server) -> None:
    # The time is shared out, so each position but the last of all is searched for half a second at least.
    *lines, _ = stream(own, {**LONG, "limit": {"time_ms": 3000}}, NDJSON)
    judged = len(LONG["moves"]) + 1
    told = list[int]()
    for line in lines:
        assert_matches("ReviewLine", line)
        if "ply" in line:
            judged = line["ply"]["ply"]
        else:
            told.append(line["progress"]["ply"])
            # The next position is looked at as soon as a move is judged, even before that move is sent.
            assert told[-1] in {judged, judged - 1}
    assert judged == 1
    assert told == sorted(told, reverse=True)
    assert len(set(told)) >= 3


@pytest.mark.parametrize("moves", [[], [0, 4, 8, 2, 6, 3, 7]])
def test_a_quick_review_has_a_line_for_each_move_and_no_progress(client: EdgeClient, moves: list[int]) -> None:
    response = client.post("/review", json={"moves": moves}, headers={"Accept": NDJSON})
    *plies, last = map(json.loads, response.get_data(as_text=True).splitlines())
    answer = client.post("/review", json={"moves": moves}).get_json()
    assert [line["ply"] for line in plies] == answer["plies"][::-1]
    assert last == {"result": answer}


def test_the_plies_count_from_the_first_move_whoever_made_it(client: EdgeClient) -> None:
    response = client.post("/review", json={"moves": [4, 0], "first_player": "O"}, headers={"Accept": NDJSON})
    plies = [json.loads(line)["ply"] for line in response.get_data(as_text=True).splitlines()[:-1]]
    assert [(ply["ply"], ply["player"]) for ply in plies] == [(2, "X"), (1, "O")]


@pytest.mark.parametrize("mimetype", MIMETYPES)
@pytest.mark.parametrize("body", [{"moves": [0, 0]}, {"moves": [0], "game": "chess"}, {}])
def test_what_is_wrong_with_a_game_is_an_ordinary_problem(client: EdgeClient, body: Any, mimetype: str) -> None:
    response = client.post("/review", json=body, headers={"Accept": mimetype})
    assert (response.status_code, response.mimetype) == (422 if "game" not in body else 404, "application/problem+json")
    assert response.data == client.post("/review", json=body).data


def test_a_fault_after_the_first_moves_is_the_last_line(client: EdgeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Oracle.lookup_or_search

    def fails_early(oracle: Oracle, position: Any, effort: Any, *, every: bool) -> Any:
        if position.occupied.bit_count() < 2:
            raise ZeroDivisionError
        return look(oracle, position, effort, every=every)

    monkeypatch.setattr(Oracle, "lookup_or_search", fails_early)
    response = client.post("/review", json={"moves": [0, 4, 8, 2]}, headers={"Accept": NDJSON})
    *plies, last = map(json.loads, response.get_data(as_text=True).splitlines())
    assert [line["ply"]["ply"] for line in plies] == [4, 3]
    assert_matches("ReviewLine", last)
    assert last["problem"]["status"] == 500
