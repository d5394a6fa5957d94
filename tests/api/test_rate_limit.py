"""Rate limits: who asks too much is told so and when to come back, alone, under proxies, and across a fleet."""

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.settings import InvalidSetting, Settings
from tests.contract import CONTRACT, assert_matches, resolve
from tests.edge_client import EdgeClient
from tests.hostile import ODD_TARGETS
from tests.redis_cache.stores import Store
from tests.support import HUNG_SECONDS, Server, free_port, wait_until
from tests.wire import exchange, post, request

BODY = {"board": "X...O...."}
ONE, OTHER = "192.0.2.1", "198.51.100.7"
SECONDS = float(HUNG_SECONDS)


def limited(rate: str, **settings: Any) -> EdgeClient:
    """A client of an application with this limit."""
    return EdgeClient(Settings(rate_limit=rate, **settings))


@pytest.fixture(scope="module")
def limited_server() -> Iterator[Server]:
    with Server(workers=1, RATE_LIMIT="10000 per hour") as server:
        yield server


def ask(client: EdgeClient, address: str = ONE, **headers: str) -> int:
    """The status that a question from this address is answered with."""
    return client.post("/best-move", json=BODY, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code


def test_who_asks_too_much_is_refused_and_told_when_to_come_back() -> None:
    client = limited("3 per minute")
    assert [ask(client) for _ in range(5)] == [200, 200, 200, 429, 429]
    refused = client.post("/best-move", json=BODY, environ_base={"REMOTE_ADDR": ONE})
    assert_matches("Problem", refused.get_json())
    assert (refused.mimetype, refused.get_json()["type"]) == ("application/problem+json", "/problems/too-many-requests")
    wait = int(refused.headers["Retry-After"])
    assert 1 <= wait <= 60
    assert refused.get_json()["detail"] == (f"The limit is 3 per 1 minute for each client; try again in {wait} s.")
    assert (refused.headers["X-RateLimit-Limit"], refused.headers["X-RateLimit-Remaining"]) == ("3", "0")
    assert abs(int(refused.headers["X-RateLimit-Reset"]) - time.time() - wait) < SECONDS
    assert refused.headers["Cache-Control"] == "no-store"


def test_a_refusal_has_the_headers_that_the_contract_lists_and_pages_elsewhere_can_read_them() -> None:
    client = limited("1 per minute")
    ask(client)
    refused = client.post("/best-move", json=BODY, environ_base={"REMOTE_ADDR": ONE})
    documented = resolve(CONTRACT["paths"]["/best-move"]["post"]["responses"]["429"])["headers"]
    assert all(name in refused.headers for name in documented)
    exposed = refused.headers["Access-Control-Expose-Headers"].split(", ")
    assert set(documented) <= set(exposed)
    assert refused.headers["Access-Control-Allow-Origin"] == "*"


def test_another_client_is_not_held_back() -> None:
    client = limited("1 per minute")
    assert [ask(client, address) for address in (ONE, ONE, OTHER, OTHER)] == [200, 429, 200, 429]


@pytest.mark.verify
def test_a_client_may_ask_again_when_its_time_is_over() -> None:
    client = limited("1 per second")
    wait_until(lambda: ask(client) == 429, every=0)
    wait_until(lambda: ask(client) == 200)


def test_of_several_limits_the_one_that_is_reached_is_told() -> None:
    client = limited("100 per minute; 2 per hour")
    assert [ask(client) for _ in range(3)] == [200, 200, 429]
    refused = client.get("/games", environ_base={"REMOTE_ADDR": ONE})
    assert refused.headers["X-RateLimit-Limit"] == "2"
    assert 60 < int(refused.headers["Retry-After"]) <= 3600


COUNTED = {
    ("POST", "/best-move"): BODY,
    ("GET", "/best-move?board=X...O...."): None,
    ("POST", "/analysis"): BODY,
    ("GET", "/analysis?board=X...O...."): None,
    ("POST", "/best-moves"): {"positions": [BODY]},
    ("POST", "/review"): {"moves": [4, 0]},
    ("POST", "/proof"): BODY,
    ("GET", "/position.png?board=X...O...."): None,
    ("GET", "/position.svg?board=X...O...."): None,
    ("POST", "/position.svg"): BODY,
    ("POST", "/random-position"): {"plies": 4},
    ("GET", "/puzzles?seed=1"): None,
    ("GET", "/games"): None,
    ("GET", "/games/qubic"): None,
    ("GET", "/?moves=4,0"): None,
    ("GET", "/?lang=de"): None,
    ("GET", "//?moves=4,0"): None,
    ("HEAD", "/?moves=4,0"): None,
    ("HEAD", "/games/qubic"): None,
    ("POST", "/best-move?"): {"board": "no board"},
}

FREE = [
    *("/healthz", "/readyz", "/metrics", "/version", "/", "/embed", "/page/main.js", "/docs", "/docs/docs.js"),
    *("/page/move-oracle.js", "/learn"),
    *("/openapi.yaml", "/openapi.json", "/problems", "/problems/too-many-requests"),
]


def documented(path: str) -> str:
    """The path of the contract that a path of ``COUNTED`` belongs to."""
    return path.partition("?")[0].replace("//", "/").replace("qubic", "{id}")


def test_all_routes_that_ask_something_share_one_count() -> None:
    client = limited(f"{len(COUNTED)} per hour")
    for (method, path), body in COUNTED.items():
        assert client.open(path, method=method, json=body).status_code in (200, 422)
    for (method, path), body in COUNTED.items():
        assert client.open(path, method=method, json=body).status_code == 429


def test_the_contract_lists_a_refusal_with_those_routes_and_no_others() -> None:
    listed = {
        (method.upper(), path)
        for path, methods in CONTRACT["paths"].items()
        for method, operation in methods.items()
        if "429" in operation["responses"]
    }
    asked = {(method, documented(path)) for method, path in COUNTED if method != "HEAD"}
    assert listed == asked


def test_probes_pages_documents_and_pre_flights_are_free() -> None:
    client = limited("1 per hour")
    for path in FREE * 2:
        assert client.get(path).status_code == 200
        assert client.options(path).status_code == 204
    assert client.options("/best-move").status_code == 204
    assert [client.get("/games").status_code for _ in range(2)] == [200, 429]
    assert {client.get(path).status_code for path in FREE} == {200}
    assert client.options("/best-move").status_code == 204


@pytest.mark.parametrize("path", ["/guide", "/guide/", "/guide/index.html", "/guide/assets/main.css"])
def test_the_guide_is_free_whether_it_was_built_or_not(path: str) -> None:
    client = limited("1 per hour")
    assert [client.get("/games").status_code for _ in range(2)] == [200, 429]
    assert client.get(path).status_code in (200, 308, 404)


def test_every_route_is_either_counted_or_free() -> None:
    asked = {documented(path) for _, path in COUNTED}
    free = {
        path.replace("main.js", "{name}").replace("docs.js", "{name}").replace("too-many-requests", "{name}")
        for path in FREE
    }
    assert asked | free == set(CONTRACT["paths"])


def test_a_batch_counts_as_one() -> None:
    client = limited("2 per hour")
    batch = {"positions": [BODY] * 1000}
    assert [client.post("/best-moves", json=batch).status_code for _ in range(3)] == [200, 200, 429]


def test_what_was_asked_before_is_counted_too() -> None:
    client = limited("2 per hour")
    sources = [client.post("/best-move", json=BODY).headers.get("Server-Timing", "").split(";")[0] for _ in range(3)]
    assert sources == ["table", "cache", ""]


def test_a_refusal_is_counted() -> None:
    client = limited("1 per hour")
    for _ in range(3):
        ask(client)
    families = text_string_to_metric_families(client.get("/metrics").get_data(as_text=True))
    samples = {
        sample.labels["status"]: sample.value
        for family in families
        for sample in family.samples
        if sample.name == "move_oracle_request_seconds_count"
    }
    assert samples == {"200": 1, "429": 2}


@pytest.mark.verify
@pytest.mark.parametrize("slashes", ["//", "///", "/%2f", "http://elsewhere.example//"])
def test_further_slashes_do_not_get_past_the_limit(slashes: str) -> None:
    target = f"{slashes}best-move?board=X...O...."
    with Server(workers=1, RATE_LIMIT="1 per hour") as server:
        assert [exchange(server.port, request("GET", target)).status for _ in range(2)] == [404, 429]


@pytest.mark.verify
@pytest.mark.parametrize(("name", "status", "method", "target"), [(name, *odd) for name, odd in ODD_TARGETS.items()])
def test_a_limit_changes_no_answer_to_an_odd_target(
    limited_server: Server, name: str, status: int, method: str, target: str
) -> None:
    reply = exchange(limited_server.port, request(method, target), to=method)
    assert reply.status == status, name
    assert not [line for line in limited_server.log() if line["level"] == "error"]


# Who a client is.


def test_nobody_is_believed_who_claims_to_speak_for_another() -> None:
    client = limited("1 per hour")
    assert [ask(client, X_Forwarded_For=f"203.0.113.{number}") for number in range(3)] == [200, 429, 429]
    assert ask(client, Forwarded="for=203.0.113.9") == 429


@pytest.mark.parametrize(
    ("proxies", "forwarded", "status"),
    [
        (1, OTHER, 200),
        (1, ONE, 429),
        (1, f"{OTHER}, {ONE}", 429),  # the left one is what the client itself has sent
        (1, f"{ONE}, {OTHER}", 200),
        (2, f"{ONE}, 10.0.0.1", 429),
        (2, f"{OTHER}, {ONE}, 10.0.0.1", 429),
        (2, f"{OTHER}, 10.0.0.1", 200),
    ],
)
def test_behind_proxies_the_client_is_whom_the_outermost_trusted_one_has_seen(
    proxies: int, forwarded: str, status: int
) -> None:
    client = limited("1 per hour", trusted_proxies=proxies)
    first = ONE if proxies == 1 else f"{ONE}, 10.0.0.1"
    assert ask(client, "10.0.0.2", X_Forwarded_For=first) == 200
    assert ask(client, "10.0.0.2", X_Forwarded_For=forwarded) == status


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::1", 429),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", 200),
        (f"::ffff:{ONE}", ONE, 429),
        (f"::ffff:{ONE}", f"::ffff:{OTHER}", 200),
        ("", "", 429),
        ("no address", "no address", 429),
        ("_x0", "_x1", 429),
        ("unknown", "_x0", 429),
        (f"{ONE}:4000", f"{ONE}:4001", 429),
        (f"{ONE}:4000", ONE, 429),
        (f"{ONE}:4000", f"{OTHER}:4000", 200),
        ("[2001:db8:1:2::1]:1000", "[2001:db8:1:2::2]:1001", 429),
        ("[2001:db8:1:2::1]", "2001:db8:1:2::2", 429),
        ("[2001:db8:1:2::1]:1000", "[2001:db8:1:3::1]:1000", 200),
        (f"[::ffff:{ONE}]:1000", ONE, 429),
        ("2001:db8:1:2::1%1", "2001:db8:1:2::1%2", 429),
        ("203.0.113.015", "203.0.113.0015", 429),
        ("1" * 15_000, "2" * 15_000, 429),
        ("no address", ONE, 200),
    ],
)
def test_a_client_of_ipv6_is_its_network_and_one_of_ipv4_its_address(first: str, second: str, status: int) -> None:
    client = limited("1 per hour")
    assert [ask(client, first), ask(client, second)] == [200, status]


# A fleet.


@pytest.mark.parametrize("query", ["db=x", "socket_timeout=soon"])
def test_a_storage_that_the_library_cannot_read_is_refused_without_its_password(query: str) -> None:
    with pytest.raises(InvalidSetting, match=r"^RATE_LIMIT_STORAGE=\.\.\.: must be ") as caught:
        limited("1 per hour", rate_limit_storage=f"redis://:hunter2@localhost?{query}")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__suppress_context__  # or a traceback would show the error of the library


@pytest.mark.verify
def test_all_workers_of_all_machines_count_together_in_redis() -> None:
    with (
        Store() as store,
        Server(workers=3, RATE_LIMIT="20 per hour", RATE_LIMIT_STORAGE=store.url) as server,
    ):
        alone = [exchange(server.port, post(b'{"board": "X...O...."}')).status for _ in range(15)]
        elsewhere = limited("20 per hour", rate_limit_storage=store.url)
        together = [ask(elsewhere, "127.0.0.1") for _ in range(10)]
        assert exchange(server.port, request("GET", "/games")).status == 429
        assert server.stop() == 0
    assert alone + together == [200] * 20 + [429] * 5


@pytest.mark.verify
def test_while_redis_is_away_requests_go_on_and_each_worker_counts_alone() -> None:
    with Store() as store:
        client = limited("3 per hour", rate_limit_storage=store.url)
        assert [ask(client) for _ in range(4)] == [200, 200, 200, 429]
        store.stop()
        assert [ask(client) for _ in range(4)] == [200, 200, 200, 429]
        store.start()
        wait_until(lambda: ask(client) and store.kept(), every=0.1)


@pytest.mark.verify
def test_a_service_whose_redis_never_was_there_starts_and_answers() -> None:
    storage = f"redis://127.0.0.1:{free_port()}"
    with Server(workers=1, RATE_LIMIT="2 per hour", RATE_LIMIT_STORAGE=storage) as server:
        assert [exchange(server.port, request("GET", "/games")).status for _ in range(3)] == [200, 200, 429]
        assert server.stop() == 0
    assert any("each worker counts on its own" in line["message"] for line in server.log())
    assert not [line for line in server.log() if line["level"] in ("error", "critical")]


@pytest.mark.verify
def test_a_redis_that_is_silent_holds_up_nobody_for_long() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = limited("3 per hour", rate_limit_storage=f"redis://127.0.0.1:{silent.getsockname()[1]}")
        started = time.monotonic()
        assert [ask(client) for _ in range(4)] == [200, 200, 200, 429]
    assert time.monotonic() - started < SECONDS / 3


# A real server.


@pytest.mark.verify
def test_a_server_refuses_too_and_each_refusal_is_one_line_of_the_log() -> None:
    with Server(workers=1, RATE_LIMIT="5 per hour", TRUSTED_PROXIES="1") as server:
        asked = request("GET", "/games", {"X-Forwarded-For": f"{OTHER}, {ONE}"})
        assert [exchange(server.port, asked).status for _ in range(7)] == [200] * 5 + [429] * 2
        assert exchange(server.port, request("GET", "/healthz")).status == 200
        assert server.stop() == 0
    lines = [line for line in server.log() if line["logger"] not in ("gunicorn.error", "service.request")]
    assert lines == []
    clients = [line["client"] for line in server.log() if line.get("path") == "/games"]
    assert clients == [ONE] * 7


@pytest.mark.verify
@pytest.mark.parametrize(("workers", "warned"), [(1, False), (2, True)])
def test_workers_that_count_for_themselves_say_so(workers: int, warned: bool) -> None:  # noqa: FBT001
    with Server(workers=workers, RATE_LIMIT="5 per hour") as server:
        exchange(server.port, request("GET", "/games"))
        assert server.stop() == 0
    assert any("Each of 2 workers counts RATE_LIMIT on its own" in line["message"] for line in server.log()) is warned
