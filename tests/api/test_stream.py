"""Streams: lines or events while the search runs, the answer at the end, and nothing goes on after the client."""

import json
import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx
import pytest

from service.api.problems import Problem
from service.api.request_context import CONTEXT, RequestContext
from service.api.responses import EVENTS, NDJSON
from service.api.write.stream import Stream
from service.engine.oracle import Oracle
from service.engine.work.progress import Progress
from service.engine.work.slots import Overloaded
from service.games.catalogue import QUBIC
from service.games.families.lines import line_position, marked
from tests.contract import assert_matches
from tests.edge_client import EdgeClient
from tests.streams import LINES, MIMETYPES, lines_of, read_events, read_lines
from tests.support import HOUR_MS, HUNG_SECONDS, Server, wait_until
from tests.wire import Connection, request, wait_until_read
from tests.worlds import WIDE

ACCEPT = {"Accept": NDJSON}
LONG = {"game": WIDE, "moves": [3], "limit": {"time_ms": 3000}}
SEARCHED = {"game": WIDE, "moves": [3], "limit": {"nodes": 4_000_000}}
ENDLESS = {"game": "qubic", "moves": [1], "limit": {"time_ms": int(HOUR_MS)}}
ENDLESS_REVIEW = {"game": "qubic", "moves": [1, 16, 0, 17], "limit": {"time_ms": int(HOUR_MS)}}
ENDLESS_STREAMS = [
    *(("/analysis/stream", ENDLESS, mimetype) for mimetype in MIMETYPES),
    ("/review/stream", ENDLESS_REVIEW, NDJSON),
]

each_mimetype = pytest.mark.parametrize("mimetype", MIMETYPES)


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server of our own: the searches here are long, and only nodes end them, however busy the machine is."""
    with Server(workers=1, DEFAULT_TIME_MS=HOUR_MS, MAX_TIME_MS=HOUR_MS) as server:
        yield server


def told(server: Server, body: dict[str, Any], path: str = "/analysis/stream") -> list[dict[str, Any]]:
    """Every line of a stream of JSON lines."""
    response = httpx.post(f"{server.url}{path}", json=body, timeout=HUNG_SECONDS)
    assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (200, NDJSON)
    assert response.headers["cache-control"] == "no-store"
    assert "content-length" not in response.headers
    found = [*read_lines(NDJSON, response.text.split("\n")[:-1])]
    for line in found:
        assert_matches(LINES[path], line)
    return found


@pytest.mark.verify
def test_a_long_search_tells_how_it_goes_on_whoever_asks_and_ends_with_the_answer(own: Server) -> None:
    """Each of several clients that ask the same is told about the position that it asked about."""
    with ThreadPoolExecutor(3) as pool:
        heard = list(pool.map(lambda _: told(own, SEARCHED), range(3)))
    for *progress, last in heard:
        assert [set(line) for line in (*progress, last)] == [{"progress"}] * len(progress) + [{"result"}]
        known = [line["progress"] for line in progress]
        nodes = [line["nodes"] for line in known]
        assert nodes == sorted(nodes)
        assert nodes[0] < nodes[-1]
        assert {line["moves"] for line in known} == {8}
        assert all(line["column"] == (line["move"] and line["move"] % 8) for line in known)
    # X is to move; what a weaker X might play leads to positions of O, of which the stream says nothing.
    *progress, _ = told(own, {**SEARCHED, "moves": [3, 3, 3, 3], "skill": 50, "seed": 1})
    assert progress
    assert {line["progress"]["move"] for line in progress} <= {None, 40, 41, 42, 11, 44, 45, 46, 47}
    # A game of another family
    states = {"family": "order-and-chaos", "rows": 6, "columns": 6, "in_a_row": 5}
    *progress, _ = told(own, {"game": states, "limit": {"nodes": 1_000_000}})
    named = [line["progress"] for line in progress if line["progress"]["move"] is not None]
    assert all(each["name"][1:] == f"{'abcdef'[each['move'] % 6]}{each['move'] // 6 + 1}" for each in named)


QUICK: list[tuple[str, dict[str, Any]]] = [
    *(("/analysis", {"board": board}) for board in ("X...O....", "XXXOO....")),
    ("/analysis", {"game": "achi", "moves": ["4", "0", "1"]}),
    *(("/review", {"moves": moves}) for moves in ([], [0, 4, 8, 2, 6, 3, 7])),
    ("/review", {"moves": [4, 0], "first_player": "O"}),
    ("/review", {"game": "achi", "moves": ["4", "0", "1"]}),
]


@each_mimetype
@pytest.mark.parametrize(("path", "body"), QUICK, ids=str)
def test_a_quick_stream_has_the_answer_and_before_it_a_line_for_each_move_of_a_review(
    client: EdgeClient, path: str, body: dict[str, Any], mimetype: str
) -> None:
    response = client.post(f"{path}/stream", json=body, headers={"Accept": mimetype})
    answer = client.post(path, json=body).get_json()
    assert (response.status_code, response.mimetype) == (200, mimetype)
    assert (response.headers["Cache-Control"], response.headers["X-Accel-Buffering"]) == ("no-store", "no")
    assert not {"ETag", "Content-Length"} & {*response.headers.keys()}
    plies = answer["plies"][::-1] if path == "/review" else []
    lines = [line for line in lines_of(response) if "progress" not in line]  # a table may have been made
    assert lines == [*({"ply": ply} for ply in plies), {"result": answer}]
    if mimetype == EVENTS:
        *before, last = read_events(response.get_data(as_text=True).split("\n"))
        assert (last.type, last.id, {event.id for event in before} <= {""}) == ("result", "end", True)


@each_mimetype
def test_what_is_wrong_with_a_request_is_said_before_the_first_line(client: EdgeClient, mimetype: str) -> None:
    for path, body, status in (
        ("/analysis", {"board": "XXXX....."}, 422),
        ("/review", {"moves": [0, 0]}, 422),
        ("/review", {"moves": [0], "game": "chess"}, 404),
    ):
        response = client.post(f"{path}/stream", json=body, headers={"Accept": mimetype})
        assert (response.status_code, response.mimetype) == (status, "application/problem+json")
        assert response.data == client.post(path, json=body).data


def test_who_connects_again_after_the_last_event_and_nobody_else_is_told_to_stop(client: EdgeClient) -> None:
    path, ended = "/analysis/stream?board=X...O....", {"Accept": EVENTS, "Last-Event-ID": "end"}
    response = client.get(path, headers=ended)
    assert (response.status_code, response.data, response.headers["Cache-Control"]) == (204, b"", "no-store")
    assert client.get("/analysis/stream?board=none", headers=ended).status_code == 422
    for headers in ({**ended, "Last-Event-ID": "7"}, {"Last-Event-ID": "end"}, {**ended, **ACCEPT}):
        response = client.get(path, headers=headers)
        assert (response.status_code, bool(response.data)) == (200, True), headers


FORMATS = {
    NDJSON: ("*/*", "", "application/json", NDJSON, f"{NDJSON}, {EVENTS}", f"text/html, {EVENTS};q=0, */*;q=0.1"),
    EVENTS: (EVENTS, EVENTS.upper(), f"{NDJSON};q=0.5, {EVENTS}", f"text/html, {EVENTS}", "text/*"),
}


def test_a_stream_has_lines_of_json_unless_events_are_preferred(client: EdgeClient) -> None:
    for mimetype, accepted in FORMATS.items():
        for accept in accepted:
            stream = client.post("/analysis/stream", json={"board": "X...O...."}, headers={"Accept": accept})
            assert (stream.mimetype, stream.headers["Vary"]) == (mimetype, "Accept"), accept
            answer = client.post("/analysis", json={"board": "X...O...."}, headers={"Accept": accept})
            assert lines_of(stream)[-1] == {"result": answer.get_json()}


REVIEWED = {"game": "qubic", "moves": [1, 16, 0, 17, 2], "limit": {"nodes": 1_500_000}}


@pytest.mark.verify
def test_a_review_limited_by_nodes_is_the_same_as_a_stream_and_says_which_ply_is_judged(own: Server) -> None:
    *lines, last = told(own, REVIEWED, "/review/stream")
    answer = httpx.post(f"{own.url}/review", json=REVIEWED, timeout=HUNG_SECONDS).json()
    assert last == {"result": answer}
    assert [line["ply"] for line in lines if "ply" in line] == answer["plies"][::-1]
    assert not answer["proven"]
    judged = len(REVIEWED["moves"]) + 1
    for line in lines:
        if "ply" in line:
            judged = line["ply"]["ply"]
        else:  # The next position is looked at as soon as a move is judged, even before that move is sent.
            assert line["progress"]["ply"] in {judged, judged - 1}


# Faults and ends


@each_mimetype
def test_law_8_a_fault_after_the_first_lines_is_the_last_line(
    client: EdgeClient, monkeypatch: pytest.MonkeyPatch, mimetype: str
) -> None:
    look = Oracle.lookup_or_search

    def fails_early(oracle: Oracle, position: Any, effort: Any, *, all_best: bool) -> Any:
        if marked(position).bit_count() < 2:
            raise ZeroDivisionError
        return look(oracle, position, effort, all_best=all_best)

    monkeypatch.setattr(Oracle, "lookup_or_search", fails_early)
    for path, body, before in (("/review", {"moves": [0, 4, 8, 2]}, [4, 3]), ("/analysis", {"board": "X........"}, [])):
        *plies, last = lines_of(client.post(f"{path}/stream", json=body, headers={"Accept": mimetype}))
        assert [line["ply"]["ply"] for line in plies] == before
        assert_matches(LINES[f"{path}/stream"], last)
        assert last["problem"]["status"] == 500


def test_a_head_of_a_stream_ends_its_search(client: EdgeClient) -> None:
    context = RequestContext()
    path = "/analysis/stream?game=qubic&moves=1&time_ms=60000"
    flask = client.service.flask.test_client()
    with flask.head(path, headers={"Accept": EVENTS}, environ_overrides={CONTEXT: context}) as head:
        assert (head.status_code, head.mimetype, head.data) == (200, EVENTS, b"")
    assert context.stop


def test_an_interrupt_before_the_first_line_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    client, ended = RequestContext(), Event()

    def search(_: object) -> None:
        wait_until(lambda: client.stop)
        ended.set()

    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    stream = Stream(NDJSON, client, search)
    with monkeypatch.context() as patch:
        patch.setattr("service.api.write.stream.Event.wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stream.begin()
    assert ended.wait(HUNG_SECONDS)


def test_a_stream_that_is_refused_keeps_no_search() -> None:
    client = RequestContext()

    def search(_: object) -> None:
        client.progress = Progress(line_position(QUBIC, 0, 0, "X"))
        raise Overloaded(1)

    with pytest.raises(Problem):
        Stream(NDJSON, client, search).begin()
    assert client.progress is None


def begin(server: Server, path: str, body: dict[str, Any], mimetype: str) -> socket.socket:
    """A connection on which a line of an endless stream has told that nodes were searched."""
    sent = json.dumps(body).encode()
    client = socket.create_connection(("127.0.0.1", server.port), HUNG_SECONDS)
    client.sendall(request("POST", path, {"Accept": mimetype}, sent))
    received = bytearray()

    def tells_of_nodes() -> bool:
        received.extend(client.recv(4096))
        return re.search(rb'"depth":\d+,"nodes":[1-9]', received) is not None

    wait_until(tells_of_nodes, every=0)
    return client


@pytest.mark.verify
def test_a_search_ends_when_the_client_of_its_stream_leaves(narrow: Server) -> None:
    """Far sooner than after the hour that it would take; how soon is measured by the benchmark."""
    for path, body, mimetype in ENDLESS_STREAMS:
        client = begin(narrow, path, body, mimetype)
        with Connection(narrow.port) as waiting:
            waiting.send(request("GET", "/games"))
            wait_until_read(narrow.port)
            assert waiting.waiting_bytes() == 0  # the only thread is busy
            client.close()
            assert waiting.reply().status == 200


@pytest.mark.verify
@pytest.mark.parametrize(("path", "body", "mimetype"), ENDLESS_STREAMS[1:])
def test_streams_end_when_the_service_does(path: str, body: dict[str, Any], mimetype: str) -> None:
    with Server(workers=1, GRACEFUL_TIMEOUT="10", MAX_TIME_MS=HOUR_MS) as server:
        client = begin(server, path, body, mimetype)
        server.process.terminate()
        received = b""
        while data := client.recv(65536):
            received += data
        assert (b'{"result":' if mimetype == NDJSON else b"event: result\nid: end\n") in received, server.output()
        assert b'"proven":false' in received
        client.close()
