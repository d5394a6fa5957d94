"""nginx with ``deploy/nginx.conf`` in front of real servers: what it keeps, passes on, refuses and survives."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from service.api.problems import KINDS
from service.api.responses import EVENTS, JSON, NDJSON, PROBLEM
from service.settings import Settings
from tests.contract import assert_matches
from tests.deploy.nginx import CONF, Nginx
from tests.edge.test_head import TWO_VALUES
from tests.support import HOUR_MS, HUNG_SECONDS, Server, wait_until
from tests.wire import Connection, Reply, exchange, head, request

pytestmark = pytest.mark.verify

BOARD = {"board": "X...O...."}
PROVEN = "/best-move?board=X...O...."
ACCEPT = {"Accept": NDJSON}
LONG = {"game": "qubic", "moves": [1, 21], "limit": {"time_ms": 2000}}


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Server, Server]]:
    """Two instances, for tests that leave them as they found them."""
    with Server(workers=1) as one, Server(workers=1) as other:
        yield one, other


@pytest.fixture(scope="module")
def shared(pair: tuple[Server, Server]) -> Iterator[Nginx]:
    """nginx in front of both."""
    with Nginx(*(server.port for server in pair)) as running:
        yield running


@pytest.fixture
def proxy(shared: Nginx) -> Nginx:
    """The same, with nothing logged yet. What a test wants to be kept, no other asks for."""
    shared.forget()
    return shared


def passed_on(proxy: Nginx, of: int) -> int:
    """How many went on to an instance of so many requests."""
    return sum(line["instance"] != "" for line in proxy.log(of))


def words_by_status(variable: str) -> dict[str, str]:
    """What a map of the configuration makes of each status."""
    (text,) = re.findall(rf"map \$status \${variable} {{(.*?)}}", CONF.read_text(), re.DOTALL)
    return {status: words.strip('"') for status, words in re.findall(r"^ *(\d+) (.+);$", text, re.MULTILINE)}


def assert_problem(reply: Reply, status: int, kind: str | None) -> None:
    """That a refusal is a document as the service would write it, and may not be kept."""
    assert (reply.status, reply.headers["content-type"]) == (status, PROBLEM)
    document = reply.json()
    assert_matches("ProblemDocument", document)
    assert document["status"] == status
    assert document["type"] == ("about:blank" if kind is None else f"/problems/{kind}")
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["x-request-id"]


def test_limits_and_problems_agree_with_those_of_the_service() -> None:
    text, settings = CONF.read_text(), Settings()
    assert settings.max_body_bytes == 1 << 20
    assert "client_max_body_size 1m;" in text
    assert f"larger than the limit of {settings.max_body_bytes} bytes" in text
    assert "proxy_read_timeout 120s;" in text
    assert settings.max_time_ms <= 60_000
    assert f"server oracle:{settings.port} " in text
    types, titles = (words_by_status(name) for name in ("problem_type", "problem_title"))
    kinds = {status: KINDS[name.removeprefix("/problems/")] for status, name in types.items()}
    own = {status: kind for status, kind in kinds.items() if status == str(kind.status)}
    assert {kind.name for kind in own.values()} >= {"not-found", "body-too-large", "too-many-requests"}
    assert {status: titles[status] for status in own} == {status: kind.title for status, kind in own.items()}
    assert {kind.name for status, kind in kinds.items() if status not in own} == {"malformed-request"}


def test_a_proven_answer_is_asked_for_once_and_then_the_same_to_the_byte_or_304(proxy: Nginx) -> None:
    url = f"{proxy.url}/best-move?board=.X..O...."
    first, *others = [httpx.get(url) for _ in range(3)]
    assert first.headers["x-cache"] == "MISS"
    assert first.headers["server-timing"].startswith(("table;", "cache;"))
    for again in others:
        assert (again.headers["x-cache"], again.headers["server-timing"]) == ("HIT", 'proxy;desc="hit"')
        assert again.content == first.content
        for name in ("etag", "cache-control", "content-type", "access-control-allow-origin"):
            assert again.headers[name] == first.headers[name]
    known = httpx.get(url, headers={"If-None-Match": first.headers["etag"]})
    assert (known.status_code, known.content, known.headers["x-cache"]) == (304, b"", "HIT")
    assert httpx.get(url, headers={"If-None-Match": '"other"'}).status_code == 200
    assert passed_on(proxy, of=5) == 1


def test_what_may_not_be_kept_is_asked_for_every_time(proxy: Nginx, pair: tuple[Server, Server]) -> None:
    unproven = "/best-move?game=qubic&moves=1&time_ms=100"
    paths = (unproven, "/best-move?board=X...O....&tie_break=random", "/games", "/healthz")
    assert [httpx.get(proxy.url + path).status_code for path in paths * 2] == [200] * 8
    problem = "/best-move?board=XXXX....."
    for _ in range(2):
        through = httpx.get(proxy.url + problem)
        assert (through.status_code, through.content) == (422, httpx.get(pair[0].url + problem).content)
        assert len(through.headers.get_list("x-content-type-options")) == 1
    assert passed_on(proxy, of=10) == 10
    for _ in range(2):  # what GET would find kept
        reply = httpx.post(proxy.url + PROVEN, json={"board": "XXXOO...."})
        assert reply.json()["status"] == "won"
        assert (reply.status_code, reply.headers["cache-control"]) == (200, "no-store")
        assert "x-cache" not in reply.headers
    assert passed_on(proxy, of=12) == 12


def test_a_stampede_for_one_position_asks_once(pair: tuple[Server, Server]) -> None:
    patient = {f"proxy_cache_lock_{name};": f"proxy_cache_lock_{name[:-2]}60s;" for name in ("timeout 2s", "age 5s")}
    path = f"/best-move?game=four-in-a-row-5x5&board={'.' * 25}&time_ms=60000"
    with Nginx(*(server.port for server in pair), changes=patient) as proxy:
        with ThreadPoolExecutor(16) as threads:
            replies = list(threads.map(lambda _: httpx.get(proxy.url + path, timeout=60), range(16)))
        assert passed_on(proxy, of=16) == 1
    assert {reply.content for reply in replies} == {replies[0].content}
    assert replies[0].json()["proven"]


def test_an_id_that_the_client_sent_goes_through_and_back_even_with_a_kept_answer_and_else_one_is_made(
    proxy: Nginx, pair: tuple[Server, Server]
) -> None:
    path = "/best-move?board=O...X....&player=X"
    for name in ("first~1", 'a"b'):
        reply = httpx.get(proxy.url + path, headers={"X-Request-ID": name})
        assert reply.headers.get_list("x-request-id") == [name]
    wait_until(lambda: "first~1" in {line.get("request_id") for server in pair for line in server.log()})
    assert httpx.get(f'{proxy.url}/a"b\\c').status_code == 404
    assert all(isinstance(line["duration_ms"], int) for line in proxy.log(3))
    told = [(line["request_id"], line["status"], line["method"]) for line in proxy.log(3)]
    assert told[:2] == [("first~1", 200, "GET"), ('a"b', 200, "GET")]
    for headers in ({}, {"X-Request-ID": "a b"}, {"X-Request-ID": "x" * 129}):
        (made,) = httpx.post(f"{proxy.url}/best-move", json=BOARD, headers=headers).headers.get_list("x-request-id")
        assert re.fullmatch("[0-9a-f]{32}", made)


@pytest.mark.parametrize("mimetype", [NDJSON, EVENTS])
def test_a_stream_goes_out_as_it_comes(proxy: Nginx, mimetype: str) -> None:
    url, accept = f"{proxy.url}/analysis/stream", {"Accept": mimetype}
    with httpx.stream("POST", url, json=LONG, headers=accept, timeout=HUNG_SECONDS) as response:
        assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (200, mimetype)
        assert not {"content-encoding", "x-accel-buffering"} & {*response.headers}
        pieces = list(response.iter_raw())
    assert len(pieces) > 1  # a reader who is late finds several lines at once
    assert b"result" not in pieces[0]
    assert b"result" in b"".join(pieces[1:])


def test_a_kept_analysis_serves_all_who_want_the_same_type(proxy: Nginx) -> None:
    accepts = ("*/*", "text/plain", "*/*", "text/plain")
    replies = [httpx.get(f"{proxy.url}/analysis?board=X...O....", headers={"Accept": each}) for each in accepts]
    assert [reply.headers["content-type"].partition(";")[0] for reply in replies] == [JSON, "text/plain"] * 2
    assert [reply.headers["x-cache"] for reply in replies] == ["MISS", "MISS", "HIT", "HIT"]


def test_a_client_that_leaves_a_stream_ends_its_search(narrow: Server) -> None:
    endless = {**LONG, "limit": {"time_ms": int(HOUR_MS)}}
    with Nginx(narrow.port) as proxy:
        url = f"{proxy.url}/analysis/stream"
        with httpx.stream("POST", url, json=endless, headers=ACCEPT, timeout=HUNG_SECONDS) as response:
            assert "progress" in json.loads(next(response.iter_lines()))
        # The search would go on for an hour, and there is no second thread.
        assert httpx.get(f"{proxy.url}/games", timeout=HUNG_SECONDS).status_code == 200


HIDDEN = [
    *("/metrics", "//metrics", "///metrics", "/%6detrics", "/%2Fmetrics", "/%2fmetrics", "//%2f/metrics"),
    *("/./metrics", "/x/../metrics", "/x%2f..%2fmetrics", "/metrics?x", "/metrics?", "http://other.example/metrics"),
    *("/metrics/", "/metrics;x", "/metrics%20", "/METRICS"),
]
"""Spellings of the path of the metrics; the last four have nothing to do with them."""


def test_the_metrics_are_not_for_the_public(proxy: Nginx) -> None:
    asked = [*product(("GET", "HEAD", "POST"), ("*/*", NDJSON, EVENTS), HIDDEN)]
    for method, accept, path in asked:
        reply = exchange(proxy.port, request(method, path, {"Accept": accept}), to=method)
        assert (reply.status, reply.headers["content-type"]) == (404, PROBLEM), (method, accept, path)
    assert passed_on(proxy, of=len(asked)) <= len(asked) // len(HIDDEN) * 4


NOT_PASSED_ON = [
    (head("POST", "/best-move", {"Host": "x", "Content-Length": "1048577"}), 413, "body-too-large"),
    (request("GET", f"/{'x' * 9000}"), 414, "malformed-request"),
    (request("GET", "/", {"X": "x" * 9000}), 431, "malformed-request"),
    (head("GET", "/", {}), 400, "malformed-request"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nno colon\x00\r\n\r\n", 400, "malformed-request"),
    (head("POST", "/best-move", {"Host": "x", "Transfer-Encoding": "nonsense"}), 400, "malformed-request"),
    (request("TRACE", "/"), 405, "method-not-allowed"),
    (request("GET", "/.problem"), 404, "not-found"),
    (request("GET", PROVEN, {"If-Match": '"other"'}), 412, None),
]
"""Requests that nginx refuses: the status, and the kind of problem where the service has one."""


def test_what_nginx_refuses_it_refuses_with_a_problem_document(proxy: Nginx) -> None:
    for sent, status, kind in NOT_PASSED_ON:
        reply = exchange(proxy.port, sent)
        assert_problem(reply, status, kind)
        assert (reply.headers.get("allow") is not None) == (status == 405)


def test_without_an_instance_the_answer_is_a_problem_and_what_was_kept_is_still_given() -> None:
    with Server(workers=1) as server, Nginx(server.port) as proxy:
        kept = httpx.get(proxy.url + PROVEN)
        server.stop()
        reply = exchange(proxy.port, request("GET", "/games"))
        assert_problem(reply, 502, None)
        again = httpx.get(proxy.url + PROVEN)
        assert (again.headers["x-cache"], again.content) == ("HIT", kept.content)


def test_a_client_that_asks_too_often_is_told_when_to_try_again(pair: tuple[Server, Server]) -> None:
    slow = {"rate=200r/s;": "rate=1r/s;", "zone=often burst=400 nodelay;": "zone=often burst=2 nodelay;"}
    with Nginx(pair[0].port, changes=slow) as proxy:
        replies = [exchange(proxy.port, request("GET", "/healthz")) for _ in range(6)]
    assert [reply.status for reply in replies[:3]] == [200] * 3
    assert_problem(replies[-1], 429, "too-many-requests")
    assert replies[-1].headers["retry-after"] == "1"


def test_a_request_whose_worker_is_killed_is_retried_at_the_other_instance() -> None:
    body = {"game": "qubic", "moves": [1], "limit": {"nodes": 1_500_000, "time_ms": 60_000}}
    with Server(workers=1) as one, Server(workers=1) as other, Nginx(one.port, other.port) as proxy:
        with ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(httpx.post, f"{proxy.url}/best-move", json=body, timeout=HUNG_SECONDS)
            (busy,) = wait_until(lambda: [server for server in (one, other) if is_asked(server.port)])
            wait_until(lambda: "\nmove_oracle_searches_running 1.0" in httpx.get(f"{busy.url}/metrics").text)
            (worker,) = psutil.Process(busy.process.pid).children()
            worker.kill()
            assert waiting.result().json()["status"] == "in_progress"
        idle = one if busy is other else other
        (line,) = proxy.log(1)
    assert line["instance"] == f"127.0.0.1:{busy.port}, 127.0.0.1:{idle.port}"


def is_asked(port: int) -> bool:
    """Whether anything is connected to a port of this machine."""
    connections = psutil.net_connections("tcp4")
    return any(each.status == "ESTABLISHED" and each.raddr and each.raddr.port == port for each in connections)


def test_a_header_that_is_sent_twice_through_nginx_changes_no_answer_to_others(
    proxy: Nginx, pair: tuple[Server, Server]
) -> None:
    position = b'{"board": "XOX.O.X.O", "player": "X"}'
    names = ("Accept", "Content-Type", "If-None-Match", "X-Request-ID", "Last-Event-ID", "Range")
    for method, target, body in (("POST", "/analysis", position), ("GET", "/analysis?board=XOX.O.X.O&player=X", None)):
        (plain,) = {exchange(server.port, plainly(method, target, body)).body for server in pair}
        for name, order in product(names, (1, -1)):
            lines = "".join(f"{name}: {value}\r\n" for value in TWO_VALUES[name][::order])
            first, rest = plainly(method, target, body).split(b"\r\n", 1)
            with Connection(proxy.port) as connection:
                connection.send(first + b"\r\n" + lines.encode() + rest)
                connection.finish()
                connection.read_to_end()
            reply = exchange(proxy.port, plainly(method, target, body))
            assert (reply.status, reply.body) == (200, plain), name


def plainly(method: str, target: str, body: bytes | None) -> bytes:
    """A request as most clients send it."""
    return request(method, target, {} if body is None else {"Content-Type": JSON}, body)
