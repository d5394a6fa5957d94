"""Streams: lines or events while the search runs, the answer at the end, and nothing goes on after the client."""

import json
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx
import pytest

from service.api.request_context import CONTEXT, RequestContext
from service.api.responses import EVENTS, NDJSON
from service.api.stream import Stream
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient
from tests.streams import MIMETYPES, read_events, read_lines
from tests.support import HOUR_MS, HUNG_SECONDS, Server, wait_until
from tests.wire import Connection, request, wait_until_read
from tests.worlds import WIDE

ACCEPT = {"Accept": NDJSON}
LONG = {"game": WIDE, "moves": [3], "limit": {"time_ms": 3000}}
ENDLESS = {"game": "qubic", "moves": [1], "limit": {"time_ms": int(HOUR_MS)}}
ENDLESS_REVIEW = {"game": "qubic", "moves": [1, 16, 0, 17], "limit": {"time_ms": int(HOUR_MS)}}

each_mimetype = pytest.mark.parametrize("mimetype", MIMETYPES)
each_endless = pytest.mark.parametrize(
    ("path", "body", "mimetype"),
    [("/analysis", ENDLESS, NDJSON), ("/analysis", ENDLESS, EVENTS), ("/review", ENDLESS_REVIEW, NDJSON)],
)


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server of our own: the searches here are long, and only nodes end them, however busy the machine is."""
    with Server(workers=1, DEFAULT_TIME_MS=HOUR_MS, MAX_TIME_MS=HOUR_MS) as server:
        yield server


def lines(server: Server, body: dict[str, Any]) -> list[tuple[float, dict[str, Any]]]:
    """Every line of a stream with the seconds after which it came."""
    started = time.monotonic()
    with httpx.stream("POST", f"{server.url}/analysis", json=body, headers=ACCEPT, timeout=HUNG_SECONDS) as response:
        assert (response.status_code, response.headers["content-type"]) == (200, NDJSON)
        assert response.headers["cache-control"] == "no-store"
        assert "content-length" not in response.headers
        return [(time.monotonic() - started, json.loads(line)) for line in response.iter_lines()]


@pytest.mark.verify
def test_a_long_search_tells_how_it_goes_on_and_ends_with_the_answer(own: Server) -> None:
    found = lines(own, LONG)
    for _, line in found:
        assert_matches("StreamLine", line)
    *progress, (_, last) = found
    assert [set(line) for _, line in progress] == [{"progress"}] * len(progress)
    assert set(last) == {"result"}
    nodes = [line["progress"]["nodes"] for _, line in progress]
    assert nodes == sorted(nodes)
    assert nodes[0] < nodes[-1]
    assert progress[-1][1]["progress"]["moves"] == 8
    assert all(
        told["column"] == (told["move"] and told["move"] % 8) for told in (line["progress"] for _, line in progress)
    )
    assert len(progress) >= 3
    # The first line is sent after 0.1 s, the others 0.2 s apart; a busy machine may be late, but never early.
    assert progress[0][0] < progress[-1][0] <= found[-1][0]
    assert len(progress) <= 1 + found[-1][0] * 5


@pytest.mark.verify
def test_the_last_line_of_a_solved_position_is_the_answer_without_a_stream(own: Server) -> None:
    body = {"game": "connect-four-6x5", "moves": [0, 5, 1]}
    *_, (_, last) = lines(own, body)
    answer = httpx.post(f"{own.url}/analysis", json=body, timeout=HUNG_SECONDS)
    assert last == {"result": answer.json()}
    assert answer.json()["proven"]


@pytest.mark.verify
def test_a_search_limited_by_nodes_ends_with_the_same_answer_too(own: Server) -> None:
    body = {"game": WIDE, "moves": [3, 3], "limit": {"nodes": 400_000}}
    *_, (_, last) = lines(own, body)
    assert last == {"result": httpx.post(f"{own.url}/analysis", json=body, timeout=HUNG_SECONDS).json()}


@pytest.mark.verify
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_events_tell_what_lines_tell_and_only_the_last_has_an_id(own: Server, method: str) -> None:
    query = {"game": "qubic", "moves": "1,21", "nodes": 400_000}
    body = {"game": "qubic", "moves": [1, 21], "limit": {"nodes": 400_000}}
    sent: dict[str, Any] = {"params": query} if method == "GET" else {"json": body}
    response = httpx.request(method, f"{own.url}/analysis", **sent, headers={"Accept": EVENTS}, timeout=HUNG_SECONDS)
    assert response.headers["content-type"].partition(";")[0] == EVENTS
    *progress, last = read_events(response.text.split("\n"))
    assert {(event.type, event.id) for event in progress} == {("progress", "")}
    for event in (*progress, last):
        assert_matches("StreamLine", {event.type: json.loads(event.data)})
    assert (last.type, last.id) == ("result", "end")
    answer = httpx.post(f"{own.url}/analysis", json=body, timeout=HUNG_SECONDS)
    assert last.data == answer.text


@each_mimetype
@pytest.mark.parametrize("board", ["X...O....", "XXXOO...."])
def test_a_quick_answer_is_the_only_line(client: EdgeClient, board: str, mimetype: str) -> None:
    response = client.post("/analysis", json={"board": board}, headers={"Accept": mimetype})
    (line,) = read_lines(mimetype, response.get_data(as_text=True).split("\n")[:-1])
    assert line == {"result": client.post("/analysis", json={"board": board}).get_json()}


@each_mimetype
def test_what_is_wrong_with_a_request_is_said_before_the_first_line(client: EdgeClient, mimetype: str) -> None:
    response = client.post("/analysis", json={"board": "XXXX....."}, headers={"Accept": mimetype})
    assert (response.status_code, response.mimetype) == (422, "application/problem+json")


@each_mimetype
def test_no_cache_keeps_a_stream_and_no_proxy_holds_it_back(client: EdgeClient, mimetype: str) -> None:
    response = client.get("/analysis?board=X...O....", headers={"Accept": mimetype})
    assert (response.status_code, response.mimetype) == (200, mimetype)
    assert (response.headers["Cache-Control"], response.headers["X-Accel-Buffering"]) == ("no-store", "no")
    assert not {"ETag", "Content-Length"} & {*response.headers.keys()}


@each_mimetype
def test_a_kept_answer_is_never_sent_as_a_stream_nor_a_stream_as_an_answer(mimetype: str) -> None:
    for path in ("/analysis?board=X...O....", "/analysis?game=connect-four-5x4&drops=33241&nodes=3000000"):
        client = EdgeClient(Settings())
        for _ in range(2):
            stream = client.get(path, headers={"Accept": mimetype})
            answer = client.get(path)
            known = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
            conditional = client.get(path, headers={"Accept": mimetype, "If-None-Match": answer.headers["ETag"]})
            assert [each.status_code for each in (stream, answer, known, conditional)] == [200, 200, 304, 200]
            assert [each.headers["Vary"] for each in (stream, answer, known, conditional)] == ["Accept"] * 4
            assert (stream.mimetype, answer.mimetype, conditional.mimetype) == (mimetype, "application/json", mimetype)
            *_, last = read_lines(mimetype, conditional.get_data(as_text=True).split("\n")[:-1])
            assert last == {"result": answer.get_json()}


@pytest.mark.parametrize("path", ["/analysis?board=X...O....", "/analysis?board=none"])
def test_who_connects_again_after_the_last_event_is_told_to_stop(client: EdgeClient, path: str) -> None:
    response = client.get(path, headers={"Accept": EVENTS, "Last-Event-ID": "end"})
    expected = (204, b"") if "none" not in path else (422, response.data)
    assert (response.status_code, response.data) == expected
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("headers", [{"Accept": EVENTS, "Last-Event-ID": "7"}, {"Last-Event-ID": "end"}, ACCEPT])
def test_others_are_answered_whatever_they_have_heard_last(client: EdgeClient, headers: dict[str, str]) -> None:
    response = client.get("/analysis?board=X...O....", headers={"Last-Event-ID": "end", **headers})
    assert response.status_code == 200
    assert response.data


def test_a_head_of_a_stream_ends_its_search(client: EdgeClient) -> None:
    context = RequestContext()
    path = "/analysis?game=qubic&moves=1&time_ms=60000"
    flask = client.service.flask.test_client()
    with flask.head(path, headers={"Accept": EVENTS}, environ_overrides={CONTEXT: context}) as head:
        assert (head.status_code, head.mimetype, head.data) == (200, EVENTS, b"")
    assert context.stop


@pytest.mark.parametrize(
    "accept",
    [
        *("*/*", "application/json", "", f"{NDJSON};q=0", f"application/json, {NDJSON};q=0.5"),
        *("text/*", "text/html, */*;q=0.8", f"application/json, {EVENTS}", f"text/*, {EVENTS};q=0, */*;q=0.1"),
    ],
)
def test_who_does_not_ask_for_a_stream_gets_none(client: EdgeClient, accept: str) -> None:
    for asked in (client, client.service.flask.test_client()):  # behind the edge, which may have the answer, and alone
        response = asked.post("/analysis", json={"board": "X...O...."}, headers={"Accept": accept})
        assert response.mimetype == "application/json"


@each_mimetype
@pytest.mark.parametrize("accept", ["{}", "{}, application/json;q=0.9", "text/html, {}", "{}, */*;q=0.1"])
def test_who_prefers_a_stream_gets_one(client: EdgeClient, accept: str, mimetype: str) -> None:
    for written in (mimetype, mimetype.upper()):
        response = client.post("/analysis", json={"board": "X...O...."}, headers={"Accept": accept.format(written)})
        assert response.mimetype == mimetype


@pytest.mark.verify
def test_progress_is_about_the_position_that_was_asked_about_whoever_moves(own: Server) -> None:
    # X is to move; what a weaker X might play leads to positions of O, of which the stream says nothing.
    body = {**LONG, "moves": [3, 3, 3, 3], "skill": 50, "seed": 1}
    *progress, _ = lines(own, body)
    known = [line["progress"] for _, line in progress]
    assert known
    assert {line["move"] for line in known} <= {None, 40, 41, 42, 11, 44, 45, 46, 47}
    assert {line["moves"] for line in known} == {8}


@pytest.mark.verify
def test_those_who_ask_the_same_all_hear_how_it_goes_on(own: Server) -> None:
    body = {"game": "qubic", "moves": [1, 63], "limit": {"time_ms": 3000}}
    with ThreadPoolExecutor(4) as pool:
        heard = list(pool.map(lambda _: lines(own, body), range(4)))
    for found in heard:
        assert len(found) > 2
        assert set(found[0][1]) == {"progress"}


@each_mimetype
def test_a_fault_of_the_service_is_the_last_line(
    client: EdgeClient, monkeypatch: pytest.MonkeyPatch, mimetype: str
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("service.engine.oracle.Oracle.analyse", fails)
    response = client.post("/analysis", json={"board": "X...O...."}, headers={"Accept": mimetype})
    (line,) = read_lines(mimetype, response.get_data(as_text=True).split("\n")[:-1])
    assert_matches("StreamLine", line)
    assert line["problem"]["status"] == 500


def test_an_interrupt_before_the_first_line_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    client, ended = RequestContext(), Event()

    def search(_: object) -> None:
        wait_until(lambda: client.stop)
        ended.set()

    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    stream = Stream(NDJSON, client, search)
    with monkeypatch.context() as patch:
        patch.setattr("service.api.stream.Event.wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stream.begin()
    assert ended.wait(HUNG_SECONDS)


def begin(server: Server, path: str, body: dict[str, Any], mimetype: str) -> socket.socket:
    """A connection on which a line of an endless stream has told that nodes were searched."""
    sent = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAccept: {mimetype}\r\nContent-Length: {len(sent)}\r\n\r\n"
    client = socket.create_connection(("127.0.0.1", server.port), HUNG_SECONDS)
    client.sendall(head.encode() + sent)
    received = bytearray()

    def tells_of_nodes() -> bool:
        received.extend(client.recv(4096))
        return re.search(rb'"depth":\d+,"nodes":[1-9]', received) is not None

    wait_until(tells_of_nodes, every=0)
    return client


@pytest.mark.verify
@each_endless
def test_a_search_ends_when_the_client_of_its_stream_leaves(path: str, body: dict[str, Any], mimetype: str) -> None:
    """Far sooner than after the hour that it would take; how soon is measured by the benchmark."""
    with Server(workers=1, THREADS="1", MAX_TIME_MS=HOUR_MS) as server:
        for _ in range(3):
            client = begin(server, path, body, mimetype)
            with Connection(server.port) as waiting:
                waiting.send(request("GET", "/games"))
                wait_until_read(server.port)
                assert waiting.waiting_bytes() == 0  # the only thread is busy
                client.close()
                assert waiting.reply().status == 200


@pytest.mark.verify
@each_endless
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


def test_a_streamed_answer_is_counted_when_it_ends(client: EdgeClient) -> None:
    def counted() -> float:
        text = client.get("/metrics").get_data(as_text=True)
        return float(re.findall(r'answers_total\{game="tic-tac-toe",outcome="draw",source="table"\} (\S+)', text)[0])

    def stream() -> None:
        with client.post("/analysis", json={"board": "X...O...."}, headers=ACCEPT) as response:
            response.get_data()

    stream()
    before = counted()
    stream()
    assert counted() == before + 1
