"""``/mcp`` as an HTTP server: who may ask, what it takes, what it counts, and how it says no."""

import logging
import sys
from threading import Thread
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.api.request_context import CONTEXT, RequestContext
from service.mcp.endpoint import NOT_INSTALLED, SWITCHED_OFF
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient
from tests.mcp.clients import HANDSHAKE, MODERN, call, message
from tests.programs import run
from tests.server.searches import FOREVER, LARGE
from tests.support import wait_until

NAMED = Settings(mcp_hosts="oracle.example.org, Other.example.org", cors_origin="https://page.example.net")


def text(response: TestResponse) -> str:
    assert response.status_code == 200, response.data
    return str(response.get_json()["result"]["content"][0]["text"])


def assert_problem(response: TestResponse, kind: str, status: int) -> str:
    """Return the detail of a response that is this problem."""
    assert (response.status_code, response.mimetype) == (status, "application/problem+json")
    document = response.get_json()
    assert_matches("ProblemDocument", document)
    assert document["type"] == f"/problems/{kind}"
    return str(document["detail"])


def asked(client: EdgeClient, host: str, origin: str | None = None) -> TestResponse:
    """The response to a call under this host, from a page of this origin."""
    sent = call("best_move")
    sent["headers"] |= {"Host": host} | ({} if origin is None else {"Origin": origin})
    return client.post("/mcp", **sent)


@pytest.mark.parametrize("version", [MODERN, HANDSHAKE])
def test_a_call_is_answered_with_json_and_the_headers_of_every_response(version: str, client: EdgeClient) -> None:
    response = client.post("/mcp", **call("best_move", version, board="XX.OO...."))
    assert text(response) == "Best for X is c1, a proven win in 1 ply. Completes the top row."
    assert response.mimetype == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Request-ID"]
    assert "Mcp-Session-Id" not in response.headers


LOADED = """
import gc, sys, service.asgi
print(sorted({"mcp", "mcp_types", "cryptography"} & {*sys.modules}))
service.mcp.endpoint._load()
print(len(gc.get_objects()) < 1000)
"""
"""A program that tells what a start imports, and whether collections of garbage look at the SDK once it is there."""


def test_a_start_does_not_import_the_sdk_and_collections_of_garbage_leave_it_alone() -> None:
    assert run(sys.executable, "-c", LOADED).stdout == "[]\nTrue\n"


HOSTS = {
    **dict.fromkeys(["localhost", "127.0.0.1:8000", "[::1]:8000", "10.0.0.7", "a.localhost"], 200),
    **dict.fromkeys(
        ["rebound.example.com", "localhost.example.com", "127.0.0.1.example.com", "", "[::1.2.3.4.5]"], 403
    ),
}
ORIGINS = {
    **dict.fromkeys(["http://localhost:6274", "http://127.0.0.1", "http://[::1]:3000"], 200),
    **dict.fromkeys(["https://evil.example.com", "null", "http://10.0.0.7", "http://localhost.evil", "", "[::"], 403),
}


def test_only_the_hosts_of_this_machine_and_addresses_and_pages_of_it_are_allowed(client: EdgeClient) -> None:
    assert {host: asked(client, host).status_code for host in HOSTS} == HOSTS
    assert {origin: asked(client, "localhost", origin).status_code for origin in ORIGINS} == ORIGINS


def test_hosts_and_pages_of_the_settings_are_allowed() -> None:
    named, every = EdgeClient(NAMED), EdgeClient(Settings(mcp_hosts="*"))
    for host in ("oracle.example.org", "ORACLE.example.org:443", "other.example.org", "localhost"):
        assert asked(named, host).status_code == 200, host
    assert asked(named, "oracle.example.org", "https://oracle.example.org").status_code == 200
    assert asked(named, "oracle.example.org", "https://page.example.net").status_code == 200
    assert asked(named, "oracle.example.org", "https://evil.example.com").status_code == 403
    assert asked(every, "any.example.com", "https://some.example.com").status_code == 200


@pytest.mark.parametrize(
    ("changed", "status", "kind", "said"),
    [
        ({"method": "GET"}, 405, "method-not-allowed", "/mcp does not support GET; clients of MCP send POST."),
        ({"method": "DELETE"}, 405, "method-not-allowed", "/mcp does not support DELETE; clients of MCP send POST."),
        ({"content_type": "text/plain"}, 415, "unsupported-media-type", "send a message of MCP as application/json"),
        ({"content_type": ""}, 415, "unsupported-media-type", "send a message of MCP as application/json"),
        ({"headers": {"Host": "other.org"}}, 403, "forbidden", "The host other.org is not allowed; it can be added"),
        ({"headers": {"Origin": "null"}}, 403, "forbidden", "The origin null is not allowed; its host can be added"),
    ],
)
def test_streams_sessions_forms_and_foreign_pages_are_refused_in_words(
    client: EdgeClient, changed: dict[str, Any], status: int, kind: str, said: str
) -> None:
    sent = {"method": "POST", **call("best_move")}
    headers = {**sent["headers"], "Host": "localhost", **changed.get("headers", {})}
    response = client.open("/mcp", **{**sent, **changed, "headers": headers})
    assert said in assert_problem(response, kind, status)
    assert status != 405 or response.headers["Allow"] == "OPTIONS, POST"


def test_a_page_may_send_the_headers_of_the_protocol(client: EdgeClient) -> None:
    response = client.open("/mcp", method="OPTIONS", headers={"Origin": "http://localhost:6274"})
    assert (response.status_code, response.data) == (204, b"")
    assert response.headers["Access-Control-Allow-Methods"] == "OPTIONS, POST"
    allowed = response.headers["Access-Control-Allow-Headers"].lower()
    assert {"content-type", "mcp-protocol-version", "mcp-method", "mcp-name"} <= {*allowed.split(", ")}


NO_MESSAGES = [b"", b"{", b"[]", b"null", b'{"jsonrpc":"1.0"}', b"[" * 20_000, b"\xff", b'{"id":' + b"9" * 5000]


@pytest.mark.parametrize("version", [MODERN, HANDSHAKE])
def test_what_is_no_message_is_refused_as_the_protocol_says_and_no_fault_in_the_log(
    version: str, client: EdgeClient, caplog: pytest.LogCaptureFixture
) -> None:
    for body in NO_MESSAGES:
        response = client.post("/mcp", **{**call("best_move", version), "data": body})
        assert response.status_code == 400, body
        assert response.get_json()["error"]["message"]
    client.post("/mcp", **message("tools/call", version, name="worst_move", arguments={}))
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


HOSTILE = [
    '{"game":"\\ud800"}',
    '{"board":NaN}',
    '{"moves":[1e999]}',
    '{"skill":' + "9" * 400 + "}",
    '{"board":' + "[" * 400 + "]" * 400 + "}",
    '{"game":{"rows":-1,"columns":{},"in_a_row":null}}',
]


def hostile(version: str, arguments: str) -> dict[str, Any]:
    """A call with these arguments, as they are written."""
    sent = call("best_move", version)
    written = sent["data"].replace(b'"arguments": {}', b'"arguments": ' + arguments.encode())
    assert written != sent["data"]
    return {**sent, "data": written}


@pytest.mark.parametrize("arguments", HOSTILE)
def test_hostile_arguments_are_refused_with_a_sentence(arguments: str, client: EdgeClient) -> None:
    response = client.post("/mcp", **hostile(MODERN, arguments))
    assert text(response)
    assert response.get_json()["result"]["isError"]
    after_a_handshake = client.post("/mcp", **hostile(HANDSHAKE, arguments))
    said = after_a_handshake.get_json()
    assert said["error"]["message"] if after_a_handshake.status_code == 400 else said["result"]["isError"]


def test_arguments_that_are_no_object_are_refused_by_the_protocol(client: EdgeClient) -> None:
    for arguments in ("[]", "5"):
        response = client.post("/mcp", **hostile(MODERN, arguments))
        assert response.get_json()["error"]["code"] == -32602, arguments


def test_a_call_counts_once_for_the_limit_that_it_shares_with_the_routes() -> None:
    limited = EdgeClient(Settings(rate_limit="3 per minute"))
    assert text(limited.post("/mcp", **call("compare_moves", compare=["a1"])))
    assert limited.post("/best-move", json={}).status_code == 200
    assert text(limited.post("/mcp", **call("best_move")))
    refused = limited.post("/mcp", **call("best_move"))
    assert_problem(refused, "too-many-requests", 429)
    assert int(refused.headers["Retry-After"]) >= 1


def test_a_search_that_finds_no_slot_is_a_refusal_that_says_when_to_ask_again() -> None:
    full = EdgeClient(Settings(max_searches=1, max_queued=0, workers=1, max_time_ms=3_600_000))
    context = RequestContext()
    search = {"game": LARGE, "limit": FOREVER}
    flask = full.service.flask.test_client()
    searching = Thread(target=lambda: flask.post("/best-move", json=search, environ_overrides={CONTEXT: context}))
    searching.start()
    try:
        wait_until(lambda: full.service.metrics.searches_running._value.get() == 1)  # noqa: SLF001
        response = full.post("/mcp", **call("best_move", game="five-in-a-row-6x6", board="." * 36, limit=FOREVER))
    finally:
        context.stop = True
        searching.join()
    assert text(response).startswith("All search slots and places in the queue are taken; try again in")
    assert response.get_json()["result"]["_meta"]["move-oracle/problem"]["type"] == "/problems/overloaded"


def test_limits_are_those_of_the_service() -> None:
    strict = EdgeClient(Settings(default_time_ms=10, max_time_ms=10, max_body_bytes=1024))
    refused = strict.post("/mcp", **call("best_move", limit={"time_ms": 11}))
    assert text(refused) == "time_ms is 11; this service allows at most 10."
    assert_problem(strict.post("/mcp", **call("best_move", board="." * 2000)), "body-too-large", 413)


def test_where_it_is_off_or_not_installed_it_says_so(monkeypatch: pytest.MonkeyPatch, client: EdgeClient) -> None:
    response = EdgeClient(Settings(mcp="off")).post("/mcp", **call("best_move"))
    assert assert_problem(response, "not-found", 404) == SWITCHED_OFF
    assert client.service.flask.test_client().post("/mcp", json={}).status_code == 404  # without the edge
    monkeypatch.setattr("service.mcp.endpoint.find_spec", lambda _: None)
    response = EdgeClient(Settings()).post("/mcp", **call("best_move"))
    assert assert_problem(response, "not-found", 404) == NOT_INSTALLED


def test_the_question_of_a_tool_is_logged_and_counted_under_its_route_and_the_same_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[tuple[Any, ...]] = []
    own, sent = EdgeClient(Settings()), call("review_game", moves="b2 a1")
    monkeypatch.setattr(
        own.edge, "_count", lambda request, status, *_rest: counted.append((request.path, status, request.id))
    )
    own.post("/mcp", **{**sent, "headers": sent["headers"] | {"X-Request-ID": "7"}})
    assert counted == [("/review", 200, b"7"), ("/mcp", 200, b"7")]


def test_the_server_tells_who_it_is(client: EdgeClient) -> None:
    discovered = client.post("/mcp", **message("server/discover")).get_json()["result"]
    assert discovered["capabilities"]["tools"] is not None
    assert "theorems" in discovered["instructions"]
    client_info = {"name": "test", "version": "1"}
    hello = message("initialize", HANDSHAKE, protocolVersion=HANDSHAKE, capabilities={}, clientInfo=client_info)
    initialized = client.post("/mcp", **hello).get_json()["result"]
    assert initialized["serverInfo"]["name"] == "move-oracle"
    assert initialized["protocolVersion"] == HANDSHAKE


def test_an_import_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Any:
        raise RuntimeError("can't start new thread")

    client = EdgeClient(Settings())
    with monkeypatch.context() as patch:
        patch.setattr("service.mcp.endpoint._load", fail)
        assert client.post("/mcp", **call("best_move")).status_code == 500
    assert client.post("/mcp", **call("best_move")).status_code == 200
