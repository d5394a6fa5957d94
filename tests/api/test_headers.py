"""What browsers are told with every response: not to guess, not to frame, not to run what is not ours."""

import re
from base64 import b64encode
from hashlib import sha256
from itertools import product
from typing import Any

import pytest
from werkzeug.test import TestResponse, create_environ, run_wsgi_app

from service.settings import Settings
from tests.contract import operations
from tests.edge_client import EdgeClient
from tests.support import Server
from tests.wire import exchange, post, request

BOARD = {"board": "X...O...."}
EXAMPLES: dict[str, Any] = {
    "/best-moves": {"positions": [BOARD]},
    "/review": {"moves": [4, 0]},
    "/review/stream": {"moves": [4, 0]},
    "/random-position": {"plies": 4},
    "/random-positions": {"plies": 4, "count": 2},
    "/page/{name}": "main.js",
    "/docs/{name}": "docs.js",
    "/problems/{name}": "not-found",
    "/games/{id}": "qubic",
}
ERRORS: dict[int, tuple[str, str, dict[str, Any]]] = {
    400: ("POST", "/best-move", {"data": b"{"}),
    404: ("GET", "/nothing", {}),
    405: ("PUT", "/best-move", {}),
    413: ("POST", "/best-move", {"data": b" " * (1 << 21)}),
    415: ("POST", "/best-move", {"data": b"{}", "content_type": "text/html"}),
    422: ("GET", "/best-move?board=XXXX.....", {}),
    500: ("GET", "/fail", {}),
}
"""Requests by the status that refuses them."""


def policy(response: TestResponse) -> dict[str, list[str]]:
    """The directives of the one policy of a response."""
    (text,) = response.headers.getlist("Content-Security-Policy")
    parts = [directive.split() for directive in text.split(";")]
    assert len({name for name, *_ in parts}) == len(parts)
    return {name: sources for name, *sources in parts}


def assert_guarded(response: TestResponse, framed_by: str = "'none'") -> None:
    """Fails unless a browser is told all that every response tells, and which pages may show it in a frame."""
    assert response.headers.getlist("X-Content-Type-Options") == ["nosniff"]
    assert response.headers.getlist("Referrer-Policy") == ["no-referrer"]
    told = policy(response)
    assert told["default-src"] == ["'none'"]
    assert told["frame-ancestors"] == [framed_by]
    assert not {"Set-Cookie", "Access-Control-Allow-Credentials", "X-Powered-By", "Server"} & {*response.headers.keys()}


def test_every_route_tells_browsers_what_they_may_not_do_and_only_pages_are_html(client: EdgeClient) -> None:
    html = set()
    for path, method, _ in operations():
        example = EXAMPLES.get(path, BOARD)
        for way in {method, "head" if method == "get" else method, "options"}:
            sent = {"json": example} if way == "post" else {"query_string": BOARD}
            response = client.open(path.format(id=example, name=example), method=way.upper(), **sent)
            assert response.status_code in (200, 204, 422), (way, path)
            assert_guarded(response, "*" if path == "/embed" and way != "options" else "'none'")
            html |= {path} if response.mimetype == "text/html" and way == "get" else set()
    assert html == {"/", "/embed", "/learn", "/docs"}


def test_an_answer_from_memory_a_304_and_errors_tell_the_same() -> None:
    client = EdgeClient(Settings())

    def fail() -> str:
        raise RuntimeError

    client.service.flask.add_url_rule("/fail", view_func=fail)
    first, second = (client.get("/best-move", query_string=BOARD) for _ in range(2))
    known = client.get("/best-move", query_string=BOARD, headers={"If-None-Match": first.headers["ETag"]})
    refused = {status: client.open(path, method=how, **sent) for status, (how, path, sent) in ERRORS.items()}
    for status, response in {**refused, 200: second, 304: known}.items():
        assert response.status_code == status
        assert_guarded(response)


def test_a_page_runs_and_loads_only_what_is_ours(client: EdgeClient) -> None:
    for path in ("/", "/embed?game=qubic", "/learn", "/docs"):
        response = client.get(path)
        told, page = policy(response), response.get_data(as_text=True)
        scripts = re.findall("<script>(.*?)</script>", page, re.DOTALL)
        own = [b64encode(sha256(text.encode()).digest()).decode() for text in scripts]
        assert told["script-src"] == ["'self'", *(f"'sha256-{each}'" for each in own)]
        assert told["connect-src"] == ["'self'"]
        assert told["base-uri"] == told["form-action"] == ["'none'"]
        assert "http" not in response.headers["Content-Security-Policy"]
        assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        inline = r'<script(?!>| (?:type="module" )?src)|<style|\s(?:style|on\w+)='
        if path != "/docs":  # Swagger UI has styles of its own
            assert "unsafe" not in response.headers["Content-Security-Policy"]
            assert not re.search(inline, page)
    assert {**policy(client.get("/embed")), "frame-ancestors": ["'none'"]} == policy(client.get("/docs")) | {
        name: sources for name, sources in policy(client.get("/")).items() if name != "script-src"
    }


# Pages of other origins.


def test_the_origin_that_may_call_is_constant_so_no_cache_can_mix_answers_up() -> None:
    client = EdgeClient(Settings(cors_origin="https://example.org"))
    for method, origin in product(("GET", "OPTIONS"), ("https://example.org", "https://evil.example", "null")):
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        response = client.open("/best-move", method=method, query_string=BOARD, headers=asked)
        assert response.headers.getlist("Access-Control-Allow-Origin") == ["https://example.org"]
        assert response.headers.get("Vary", "Accept") == "Accept"


def test_a_page_may_compress_its_body_and_ask_whether_an_answer_has_changed() -> None:
    preflight = EdgeClient(Settings()).options("/best-moves")
    allowed = preflight.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"Content-Encoding", "Content-Type", "If-None-Match"} <= set(allowed)


@pytest.mark.parametrize("origin", ["*", "none", "https://example.org"])
def test_every_page_may_import_the_element_and_credentials_are_never_asked_for(origin: str) -> None:
    client = EdgeClient(Settings(cors_origin=origin))
    response = client.get("/page/move-oracle.js", headers={"Origin": "https://other.example"})
    known = client.get("/page/move-oracle.js", headers={"If-None-Match": response.headers["ETag"]})
    for each, status in ((response, 200), (known, 304)):
        assert (each.status_code, each.headers.getlist("Access-Control-Allow-Origin")) == (status, ["*"])
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST", "Cookie": "a=b"}
    for response in (client.options("/best-move", headers=asked), client.get("/version", headers=asked)):
        assert_guarded(response)


# Nothing that a client says of itself gets into what others see.

KEPT = [
    *("/best-move?board=X...O....", "/position.svg?board=X...O....", "/games/", "/nothing"),
    *("/", "/?game=connect-four&drops=44", "/?rows=3", "/learn", "/embed", "/guide", "/docs", "/openapi.json"),
]
"""What a cache may keep: answers, pages with and without a position, documents, redirects and problems."""

FORWARDED = [
    *("Host", "Origin", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Prefix"),
    *("X-Original-URL", "X-Rewrite-URL"),
]
HOSTS = ["", "xn--a", "xn--zz--", "a b", "[::1", "a:b", '"><script>', "é", "x" * 300]


def test_no_header_of_a_request_gets_into_a_response_that_a_cache_may_keep(server: Server) -> None:
    changing = {"date", "x-request-id", "server-timing"}

    def answer(path: str, **headers: str) -> tuple[bytes, dict[str, str]]:
        reply = exchange(server.port, request("GET", path, {"Host": "localhost", **headers}))
        return reply.body, {name: value for name, value in reply.headers.items() if name not in changing}

    for path in KEPT:
        plain = answer(path)
        for header in FORWARDED:
            assert answer(path, **{header: "evil.example"}) == plain, (path, header)


def test_flask_answers_the_same_whatever_the_host(client: EdgeClient) -> None:
    def answer(path: str, host: str) -> tuple[bytes, str, list[tuple[str, str]]]:
        environ = create_environ(path, environ_overrides={"HTTP_HOST": host})
        body, status, headers = run_wsgi_app(client.service.flask, environ)
        return b"".join(body), status, [each for each in headers if each[0] != "Server-Timing"]

    for path in KEPT:
        plain = answer(path, "localhost")
        assert [host for host in HOSTS if answer(path, host) != plain] == [], path


def test_no_value_of_a_request_can_add_a_header_to_its_response(server: Server) -> None:
    given = {"X-Request-ID": "a%0d%0aSet-Cookie:%20b"}
    for asked in (
        request("GET", "/games/a%0d%0aSet-Cookie:%20b", given),
        request("GET", "/best-move?board=%0d%0aSet-Cookie:%20b", given),
        post(b'{"game": "a\\r\\nSet-Cookie: b"}', given),
    ):
        reply = exchange(server.port, asked)
        assert reply.status in (404, 422)
        assert not {"set-cookie", "server"} & {*reply.headers}
