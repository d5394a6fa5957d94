"""The response cache: the same request to the letter has the same response, without asking Flask again."""

from collections.abc import Mapping
from gzip import compress
from types import MappingProxyType
from typing import Any

import pytest
from flask import Response, request
from werkzeug.test import TestResponse

from service.api.request_context import make_note
from service.api.responses import EVENTS, JSON
from service.edge.response_cache import MAX_BYTES, MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES, CachedResponse, ResponseCache
from service.settings import Settings
from tests.edge_client import EdgeClient

BOARD = {"board": "X...O...."}
QUERY = "/best-move?board=X...O...."
UNSOLVED = {"game": "qubic", "moves": [1]}

Asked = tuple[str, str, Mapping[str, Any]]

KEPT: Mapping[str, Asked] = MappingProxyType(
    {
        "a tabled position": ("POST", "/best-move", {"json": BOARD}),
        "a query": ("GET", QUERY, {}),
        "a query by axios": ("GET", f"{QUERY}&player=X", {"headers": {"Accept": "application/json, text/plain, */*"}}),
        "chance with a seed": ("POST", "/best-move", {"json": {**BOARD, "tie_break": "random", "seed": 1}}),
        "a proven search": ("POST", "/best-move", {"json": {"game": "tic-tac-toe-4x4", "board": "XXX.OOO........."}}),
    }
)

NOT_KEPT: Mapping[str, Asked] = MappingProxyType(
    {
        "chance without a seed": ("POST", "/best-move", {"json": {**BOARD, "tie_break": "random"}}),
        "a search cut off by time": ("POST", "/best-move", {"json": {**UNSOLVED, "limit": {"time_ms": 1}}}),
        "a stream": ("POST", "/analysis/stream", {"json": BOARD}),
        "a stream of events": ("GET", "/analysis/stream?board=X...O....", {"headers": {"Accept": EVENTS}}),
        "a text": ("GET", QUERY, {"headers": {"Accept": "text/plain"}}),
        "a batch": ("POST", "/best-moves", {"json": {"positions": [BOARD]}}),
        "a compressed body": ("POST", "/best-move", {"data": compress(b"{}"), "headers": {"Content-Encoding": "gzip"}}),
        "a long request": ("POST", "/analysis", {"data": b'{"board":"X...O...."}'.ljust(MAX_REQUEST_BYTES + 1)}),
        "a long type": ("POST", "/analysis", {"json": BOARD, "content_type": f"{JSON};a={'a' * MAX_REQUEST_BYTES}"}),
        "HEAD": ("HEAD", QUERY, {}),
        "a problem": ("POST", "/best-move", {"json": {"board": "XXXX....."}}),
        "a document": ("GET", "/games", {}),
    }
)


class Counting(EdgeClient):
    """An edge that notes which requests reach Flask."""

    def __init__(self) -> None:
        super().__init__(Settings())
        self.reached_flask = list[str]()
        self.service.flask.before_request(lambda: self.reached_flask.append(request.path))


@pytest.fixture(scope="module")
def counting() -> Counting:
    return Counting()


def is_cached(response: TestResponse) -> bool:
    return response.headers.get("Server-Timing", "").startswith("cache;")


def test_a_reproducible_answer_is_kept() -> None:
    counting, changing = Counting(), {"Server-Timing", "X-Request-Id"}
    for name, (method, path, sent) in KEPT.items():
        first = counting.open(path, method=method, **sent)
        counting.reached_flask.clear()
        second = counting.open(path, method=method, **sent)
        assert (is_cached(first), is_cached(second)) == (False, True), name
        assert counting.reached_flask == [], name
        assert (second.status_code, second.data) == (200, first.data), name
        told = [{each for each in response.headers if each[0].title() not in changing} for response in (first, second)]
        assert told[0] == told[1], name


@pytest.mark.parametrize("name", NOT_KEPT)
def test_what_may_change_or_is_large_is_not_kept(counting: Counting, name: str) -> None:
    method, path, sent = NOT_KEPT[name]
    for _ in range(3):
        counting.reached_flask.clear()
        response = counting.open(path, method=method, **sent)
        assert counting.reached_flask or response.headers["Server-Timing"].startswith("table;")


def test_an_answer_without_a_length_is_not_kept() -> None:
    client = EdgeClient(Settings())

    def without_length(response: Response) -> Response:
        response.automatically_set_content_length = False
        del response.headers["Content-Length"]
        return response

    client.service.flask.after_request(without_length)
    assert [is_cached(client.get(QUERY)) for _ in range(2)] == [False, False]


def test_a_request_that_differs_in_a_byte_is_another(counting: Counting) -> None:
    counting.post("/analysis", data=b'{"board":"X...O...."}')
    assert not is_cached(counting.post("/analysis", data=b'{"board": "X...O...."}'))
    assert not is_cached(counting.post("/analysis", data=b'{"board":"X...O...."}', content_type=JSON))
    assert counting.post("/analysis", data=b'{"board":"X...O...."}', content_type="text/html").status_code == 415


def test_a_client_that_has_the_answer_gets_304_cold_and_warm() -> None:
    tag = EdgeClient(Settings()).get(QUERY).headers["ETag"]
    client = EdgeClient(Settings())
    for _ in range(2):
        known = client.get(QUERY, headers={"If-None-Match": f'"other", {tag}'})
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", tag)
        assert not {"Content-Type", "Content-Length"} & {*known.headers.keys()}
        assert client.get(QUERY).status_code == 200  # whatever others have
    changed = client.get(QUERY, headers={"If-None-Match": '"other"'})
    assert (changed.status_code, is_cached(changed)) == (200, True)


def test_the_memory_of_the_cache_is_bounded_and_that_of_a_response() -> None:
    note = make_note("tic-tac-toe", "table", "draw", reproducible=True, nodes=0)
    largest = CachedResponse.of(b"", b"x" * MAX_RESPONSE_BYTES, note, "/best-move")
    larger = CachedResponse.of(b"", b"x" * (MAX_RESPONSE_BYTES + 1), note, "/best-move")
    keys = [("POST", "/best-move", b"%d" % number, b"", b"x" * MAX_REQUEST_BYTES) for number in range(8000)]
    cache = ResponseCache()
    cache.keep(keys[0], larger)
    assert len(cache) == 0
    for key in keys:
        cache.keep(key, largest)
        cache.keep(key, largest)
    assert MAX_BYTES - 8000 < cache.bytes <= MAX_BYTES
    assert len(cache) < len(keys)
    assert (cache.get(keys[0]), cache.get(keys[-1])) == (None, largest)
