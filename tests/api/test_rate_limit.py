"""Rate limits: who asks too much is told so and when to come back, alone, under proxies, and across a fleet."""

import re
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from service.settings import InvalidSetting, Settings
from tests.contract import CONTRACT, assert_matches, operations, resolve
from tests.edge_client import EdgeClient
from tests.hostile import ODD_TARGETS
from tests.redis_cache.stores import Store
from tests.support import HUNG_SECONDS, Server, wait_until
from tests.wire import exchange, post, request

BODY = {"board": "X...O...."}
ONE, OTHER = "192.0.2.1", "198.51.100.7"


def limited(rate: str, **settings: Any) -> EdgeClient:
    """A client of an application with this limit."""
    return EdgeClient(Settings(rate_limit=rate, **settings))


def ask(client: EdgeClient, address: str = ONE, **headers: str) -> int:
    """The status that a question from this address is answered with."""
    return client.post("/best-move", json=BODY, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code


def test_who_asks_too_much_is_refused_alone_and_told_when_to_come_back() -> None:
    client = limited("3 per minute")
    assert [ask(client) for _ in range(5)] == [200, 200, 200, 429, 429]
    assert ask(client, OTHER) == 200
    refused = client.post("/best-move", json=BODY, environ_base={"REMOTE_ADDR": ONE})
    assert_matches("ProblemDocument", refused.get_json())
    assert (refused.mimetype, refused.get_json()["type"]) == ("application/problem+json", "/problems/too-many-requests")
    wait = int(refused.headers["Retry-After"])
    assert 1 <= wait <= 60
    assert refused.get_json()["detail"] == f"The limit is 3 per 1 minute for each client; try again in {wait} s."
    assert (refused.headers["X-RateLimit-Limit"], refused.headers["X-RateLimit-Remaining"]) == ("3", "0")
    assert abs(int(refused.headers["X-RateLimit-Reset"]) - time.time() - wait) < HUNG_SECONDS
    assert refused.headers["Cache-Control"] == "no-store"
    # Pages of other origins can read the headers that the contract lists.
    documented = resolve(CONTRACT["paths"]["/best-move"]["post"]["responses"]["429"])["headers"]
    assert all(name in refused.headers for name in documented)
    assert set(documented) <= set(refused.headers["Access-Control-Expose-Headers"].split(", "))
    assert refused.headers["Access-Control-Allow-Origin"] == "*"


def test_of_several_limits_the_one_that_is_reached_is_told() -> None:
    client = limited("100 per minute; 2 per hour")
    assert [ask(client) for _ in range(3)] == [200, 200, 429]
    refused = client.get("/games", environ_base={"REMOTE_ADDR": ONE})
    assert refused.headers["X-RateLimit-Limit"] == "2"
    assert 60 < int(refused.headers["Retry-After"]) <= 3600


COUNTED: dict[str, Any] = {
    "POST /best-move": BODY,
    "POST /best-move?": {"board": "no board"},
    "POST /analysis": BODY,
    "POST /analysis/stream": BODY,
    "POST /best-moves": {"positions": [BODY]},
    "POST /best-moves/lines": BODY,
    "POST /review": {"moves": [4, 0]},
    "POST /review/stream": {"moves": [4, 0]},
    "POST /proof": BODY,
    "POST /position.svg": BODY,
    "POST /random-position": {"plies": 4},
    "POST /random-positions": {"plies": 4, "count": 2},
    **dict.fromkeys(
        [
            *("GET /best-move?board=X...O....", "GET /analysis?board=X...O....", "GET /position.png?board=X...O...."),
            *(
                "GET /analysis/stream?board=X...O....",
                "GET /position.svg?board=X...O....",
                "GET /puzzles?seed=1",
                "GET /games",
                "GET /games/qubic",
            ),
            *("GET /?moves=4,0", "GET //?moves=4,0", "HEAD /?moves=4,0", "HEAD /games/qubic"),
        ]
    ),
}
"""Requests that count, with their bodies."""

FREE = [
    *("/healthz", "/readyz", "/metrics", "/version", "/", "/embed", "/page/main.js", "/docs", "/docs/docs.js"),
    *("/page/move-oracle.js", "/learn"),
    *("/openapi.yaml", "/openapi.json", "/problems", "/problems/too-many-requests"),
]


def test_all_routes_that_ask_something_share_one_count_and_the_contract_lists_a_refusal_with_these() -> None:
    client = limited(f"{len(COUNTED)} per hour")
    for statuses in ((200, 422), (429,)):
        for asked, body in COUNTED.items():
            method, path = asked.split()
            assert client.open(path, method=method, json=body).status_code in statuses, asked
    listed = {f"{method.upper()} {path}" for path, method, operation in operations() if "429" in operation["responses"]}
    counted = {asked.partition("?")[0].replace("//", "/").replace("qubic", "{id}") for asked in COUNTED}
    assert listed == {asked for asked in counted if not asked.startswith("HEAD")}
    free = {re.sub(r"(main|docs)\.js$|too-many-requests$", "{name}", path) for path in FREE}
    assert {asked.partition(" ")[2] for asked in listed} | free == set(CONTRACT["paths"])


def test_probes_pages_documents_and_pre_flights_are_free() -> None:
    """As the guide is, whether it was built or not."""
    client = limited("1 per hour")
    guide = ["/guide", "/guide/", "/guide/assets/main.css"]

    def statuses(paths: list[str]) -> set[int]:
        return {client.get(path).status_code for path in paths}

    for _ in range(2):
        assert statuses(FREE) == {200}
        assert statuses(guide) <= {200, 308, 404}
        assert {client.options(path).status_code for path in [*FREE, "/best-move"]} == {204}
        assert client.get("/games").status_code in (200, 429)
    assert client.get("/games").status_code == 429


def test_a_batch_counts_as_one_and_what_was_asked_before_too_as_the_metrics_say() -> None:
    client = limited("3 per hour")
    assert client.post("/best-moves", json={"positions": [BODY] * 1000}).status_code == 200
    asked = [client.post("/best-move", json=BODY) for _ in range(3)]
    assert [each.headers.get("Server-Timing", "").split(";")[0] for each in asked] == ["table", "cache", ""]
    metrics = client.get("/metrics").get_data(as_text=True)
    assert 'status="429"} 1.0' in metrics
    assert 'move_oracle_refusals_total{reason="rate"} 1.0' in metrics


# Who a client is.

PROXIED = [
    *[(0, OTHER, 429), (1, OTHER, 200), (1, ONE, 429), (1, f"{ONE}, {OTHER}", 200)],
    (1, f"{OTHER}, {ONE}", 429),  # the left one is what the client itself has sent
    *[(2, f"{ONE}, 10.0.0.1", 429), (2, f"{OTHER}, {ONE}, 10.0.0.1", 429), (2, f"{OTHER}, 10.0.0.1", 200)],
]
"""The number of proxies, whom they name after ``ONE`` has asked once, and the status that this is answered with."""


def test_behind_proxies_the_client_is_whom_the_outermost_trusted_one_has_seen() -> None:
    for proxies, forwarded, status in PROXIED:
        client = limited("1 per hour", trusted_proxies=proxies)
        first = f"{ONE}, 10.0.0.1" if proxies == 2 else ONE
        found = [ask(client, "10.0.0.2", X_Forwarded_For=named) for named in (first, forwarded)]
        assert found == [200, status], (proxies, forwarded)
    assert ask(limited("1 per hour"), Forwarded="for=203.0.113.9") == 200


SAME_CLIENTS = {
    "2001:db8:1:2::1": "2001:db8:1:2:ffff::1",
    f"::ffff:{ONE}": ONE,
    f"{OTHER}:4000": f"{OTHER}:4001",
    "203.0.113.9:4000": "203.0.113.9",
    "[2001:db8:1:4::1]:1000": "[2001:db8:1:4::2]:1001",
    "[2001:db8:1:5::1]": "2001:db8:1:5::2",
    "[::ffff:203.0.113.8]:1000": "203.0.113.8",
    "2001:db8:1:6::1%1": "2001:db8:1:6::1%2",
}
"""Two names for each of some clients."""

NO_ADDRESSES = ["no address", "unknown", "_x0", "203.0.113.015", "203.0.113.0015", "1" * 15_000, "2" * 15_000]
"""Names that are none of a client; all of these are counted together."""


def test_a_client_of_ipv6_is_its_network_and_one_of_ipv4_its_address() -> None:
    client = limited("1 per hour")
    for first, second in SAME_CLIENTS.items():
        assert [ask(client, first), ask(client, second)] == [200, 429], (first, second)
    assert [ask(client, address) for address in NO_ADDRESSES] == [200] + [429] * (len(NO_ADDRESSES) - 1)


# A fleet.


def test_a_storage_that_the_library_cannot_read_is_refused_without_its_password() -> None:
    for query in ("db=x", "socket_timeout=soon"):
        with pytest.raises(InvalidSetting, match=r"^RATE_LIMIT_STORAGE=\.\.\.: must be ") as caught:
            limited("1 per hour", rate_limit_storage=f"redis://:hunter2@localhost?{query}")
        assert "hunter2" not in str(caught.value)
        assert caught.value.__suppress_context__  # or a traceback would show the error of the library


@pytest.mark.verify
def test_all_workers_of_all_machines_count_together_in_redis() -> None:
    with Store() as store, Server(workers=3, RATE_LIMIT="20 per hour", RATE_LIMIT_STORAGE=store.url) as server:
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
def test_a_redis_that_is_silent_holds_up_nobody_for_long() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = limited("3 per hour", rate_limit_storage=f"redis://127.0.0.1:{silent.getsockname()[1]}")
        started = time.monotonic()
        assert [ask(client) for _ in range(4)] == [200, 200, 200, 429]
    assert time.monotonic() - started < HUNG_SECONDS / 3


# A real server.

ALONE = "Each of 2 workers counts RATE_LIMIT on its own"


@pytest.fixture(scope="module")
def limited_server() -> Iterator[Server]:
    """A server of one request an hour for each client, whom a proxy names."""
    with Server(workers=1, RATE_LIMIT="1 per hour", TRUSTED_PROXIES="1") as server:
        yield server


@pytest.mark.verify
def test_odd_targets_are_answered_as_without_a_limit_and_do_not_get_past_it(limited_server: Server) -> None:
    def status(target: str, client: str, method: str = "GET") -> int:
        asked = request(method, target, {"X-Forwarded-For": client})
        return exchange(limited_server.port, asked, to=method).status

    for number, slashes in enumerate(["//", "///", "/%2f", "http://elsewhere.example//"]):
        target, client = f"{slashes}best-move?board=X...O....", f"192.0.2.{10 + number}"
        assert [status(target, client) for _ in range(2)] == [404, 429], slashes
    for number, (name, (expected, method, target)) in enumerate(ODD_TARGETS.items()):
        assert status(target, f"192.0.2.{20 + number}", method) == expected, name
    assert [status("/games", f"{OTHER}, {ONE}") for _ in range(4)] == [200, 429, 429, 429]

    def clients() -> list[str]:
        return [line["client"] for line in limited_server.log() if line.get("path") == "/games"]

    wait_until(lambda: len(clients()) == 4)
    assert clients() == [ONE] * 4
    assert limited_server.faults() == []
    assert ALONE not in str(limited_server.log())


@pytest.mark.verify
def test_workers_that_count_for_themselves_say_so() -> None:
    with Server(workers=2, RATE_LIMIT="5 per hour") as server:
        exchange(server.port, request("GET", "/games"))
        assert server.stop() == 0
    assert any(ALONE in line["message"] for line in server.log())
