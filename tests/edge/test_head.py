"""Heads of requests: everything that looks at one sees the same, and no answer to one is kept for another."""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

import pytest
from werkzeug.test import TestResponse

from service.api.responses import EVENTS, JSON, NDJSON
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient

BODY = b'{"board": "XOX.O.X.O", "player": "X"}'
QUERY = "/analysis?board=XOX.O.X.O&player=X"
HOST = ("Host", "localhost")

PLAIN: Mapping[str, tuple[str, str, tuple[tuple[str, str], ...], bytes]] = MappingProxyType(
    {
        "an analysis": ("POST", "/analysis", (HOST, ("Content-Type", JSON)), BODY),
        "an analysis by a query": ("GET", QUERY, (HOST,), b""),
        "a best move": ("POST", "/best-move", (HOST, ("Content-Type", JSON)), BODY),
    }
)
"""Requests as most clients send them."""

TWO_VALUES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "Accept": (NDJSON, f"{JSON};q=0.1"),
        "accept": (EVENTS, "*/*"),
        "Content-Type": (JSON, "text/html"),
        "Content-Encoding": ("gzip", "identity"),
        "Host": ("localhost", "evil.example"),
        "Origin": ("https://evil.example", "http://localhost"),
        "If-None-Match": ('"other"', "*"),
        "If-Match": ('"other"', "*"),
        "If-Modified-Since": ("Wed, 21 Oct 2015 07:28:00 GMT", "nonsense"),
        "Range": ("bytes=0-1", "bytes=1-2"),
        "Accept-Encoding": ("gzip", "identity"),
        "Accept-Language": ("de", "en"),
        "X-Request-ID": ("one", "two"),
        "Last-Event-ID": ("end", "1"),
        "X-Forwarded-For": ("192.0.2.1", "192.0.2.2"),
        "X-Forwarded-Host": ("evil.example", "localhost"),
        "Connection": ("Upgrade", "close"),
        "Upgrade": ("websocket", "h2c"),
        "X-HTTP-Method-Override": ("DELETE", "GET"),
        "Cookie": ("a=b", "c=d"),
    }
)


def told(response: TestResponse) -> tuple[int, bytes, list[tuple[str, str]]]:
    """What a response says, without what is of one request alone."""
    own = {"server-timing", "x-request-id"}
    return response.status_code, response.data, sorted(each for each in response.headers if each[0].lower() not in own)


@pytest.fixture(scope="module")
def attacked() -> EdgeClient:
    return EdgeClient(Settings())


@pytest.fixture(scope="module")
def fresh() -> EdgeClient:
    return EdgeClient(Settings())


@pytest.mark.parametrize("name", TWO_VALUES)
def test_a_header_that_is_sent_twice_changes_no_answer_to_others(
    attacked: EdgeClient, fresh: EdgeClient, name: str
) -> None:
    for method, target, headers, body in PLAIN.values():
        for values in (TWO_VALUES[name], TWO_VALUES[name][::-1]):
            twice = [(name, value) for value in values]
            others = [header for header in headers if header[0].lower() != name.lower()]
            for place in range(len(others) + 1):
                attacked.send(method, target, [*others[:place], *twice, *others[place:]], body)
            plain = told(attacked.send(method, target, headers, body))
            assert plain == told(fresh.send(method, target, headers, body))
            assert plain[0] == 200


@pytest.mark.parametrize("name", TWO_VALUES)
def test_a_header_that_is_no_text_is_no_fault_of_the_service(name: str, client: EdgeClient) -> None:
    for method, target, headers, body in PLAIN.values():
        others = [header for header in headers if header[0].lower() != name.lower()]
        response = client.send(method, target, [*others, (name, "\xff\x80")], body)
        assert response.status_code in (200, 400, 415)


def test_a_header_with_an_underscore_is_not_taken_for_another(attacked: EdgeClient, fresh: EdgeClient) -> None:
    plain = fresh.send("GET", QUERY, [HOST])
    for name in ("If_None_Match", "Accept_", "Last_Event_ID", "Content_Type", "X_Request_ID"):
        for value in ("*", plain.headers["ETag"], NDJSON, "end"):
            assert told(attacked.send("GET", QUERY, [HOST, (name, value)])) == told(plain)


def test_two_lines_of_accept_are_one_list(client: EdgeClient) -> None:
    for lines in pairwise([("Accept", EVENTS), ("Accept", f"{NDJSON};q=0.1"), ("Accept", EVENTS)]):
        assert client.send("POST", "/analysis/stream", [HOST, *lines], BODY).mimetype == EVENTS


TARGETS = (
    *("/%61nalysis?board=XOX.O.X.O&player=X", "//analysis?board=XOX.O.X.O&player=X", "/ANALYSIS?board=XOX.O.X.O"),
    *("/analysis/?board=XOX.O.X.O&player=X", "/analysis%3Fboard=XOX.O.X.O&player=X", "/analysis%00?board=XOX.O.X.O"),
    *("/analysis?board=XOX.O.X.O&player=X&player=O", "/analysis?board=XOX.O.X.O;player=X", "/analysis;a?player=X"),
)


@pytest.mark.parametrize("target", TARGETS)
def test_an_odd_target_changes_no_answer_to_others(attacked: EdgeClient, fresh: EdgeClient, target: str) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "DELETE"):
        odd = told(attacked.send(method, target, [HOST]))
        assert odd[0] < 500
        assert told(attacked.send("GET", QUERY, [HOST])) == told(fresh.send("GET", QUERY, [HOST]))
        assert told(attacked.send(method, target, [HOST])) == odd == told(fresh.send(method, target, [HOST]))


def assert_malformed(response: TestResponse) -> str:
    """Return the detail of a refusal of the head."""
    assert (response.status_code, response.mimetype) == (400, "application/problem+json")
    assert_matches("ProblemDocument", response.get_json())
    return str(response.get_json()["detail"])


NO_HOSTS: tuple[list[str], ...] = (
    *([], ["a", "b"], ["localhost", "localhost"], ["evil.example", "localhost"]),
    *(["evil.example\\@localhost"], ["user@localhost"], ["a b"], ["a/b"], ["a,b"]),
    *(["[::1"], ["localhost:port"], ["localhost:80:80"], ['x"><script>'], ["é.example"]),
)
"""Values of ``Host`` that do not name one."""


def test_a_request_names_exactly_one_host(client: EdgeClient) -> None:
    for path in ("/healthz", "/best-move?board=.........", "/mcp"):
        for hosts in NO_HOSTS:
            assert "Host" in assert_malformed(client.send("GET", path, [("Host", host) for host in hosts])), hosts


def test_any_name_or_address_is_a_host_and_http_1_0_needs_none(client: EdgeClient) -> None:
    hosts = ("", "LOCALHOST:8000", "127.0.0.1:", "[::1]:8000", "my_service", "a.example.")
    assert {client.send("GET", "/healthz", [("Host", host)]).status_code for host in hosts} == {200}
    assert client.send("GET", "/healthz", http_version="1.0").status_code == 200
    assert_malformed(client.send("GET", "/healthz", [HOST, HOST], http_version="1.0"))


def test_a_type_that_is_sent_twice_and_a_coding_that_is_not_known_are_refused(client: EdgeClient) -> None:
    for name, values in (("Content-Type", [JSON, JSON]), ("Transfer-Encoding", ["gzip", "chunked"])):
        headers = [(name, value) for value in values]
        assert name in assert_malformed(client.send("POST", "/best-move", [HOST, *headers], BODY))
        assert name in assert_malformed(client.send("POST", "/best-move", [HOST, (name, ", ".join(values))], BODY))


def test_further_slashes_are_no_other_way_to_a_path(client: EdgeClient) -> None:
    for path in ("//metrics", "/%2Fmetrics", "///version", "//", "//best-move?board=.........", "//mcp"):
        response = client.send("GET", path, [HOST])
        assert (response.status_code, response.get_json()["type"]) == (404, "/problems/not-found"), path
