"""The heads of requests: what gunicorn reads in them, read once."""

from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http import wsgi
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader

from service.server.heads import FOR_ONE_REQUEST, LONGEST, LONGEST_REMEMBERED, REMEMBERED, Heads
from tests.hostile import NOT_HTTP
from tests.wire import head

HERE = ("127.0.0.1", 8000)
USUAL = {"Host": "localhost", "Content-Type": "application/json", "Content-Length": "21", "Accept": "*/*"}


@pytest.fixture
def settings() -> Config:
    config = Config()
    config.set("forwarder_headers", "")
    config.set("secure_scheme_headers", {})
    return config


@pytest.fixture
def heads(settings: Config) -> Heads:
    return Heads(settings)


@pytest.mark.parametrize("target", ["/best-move", "/best-move?board=X...O....", "/games/caf%C3%A9", "http://a/b?c#d"])
@pytest.mark.parametrize("extra", [{}, {"X-Request-ID": "abc"}, {"Accept-Language": "en", "accept-language": "fr"}])
def test_the_environment_is_the_one_that_gunicorn_makes(
    heads: Heads, settings: Config, target: str, extra: dict[str, str]
) -> None:
    data = head("POST", target, USUAL | extra)
    request: Any = Request(settings, IterUnreader([data]), ("10.1.2.3", 5))
    nothing: Any = None
    _, environ = wsgi.create(request, nothing, ("10.1.2.3", 5), HERE, settings)
    expected = {name: value for name, value in environ.items() if name not in FOR_ONE_REQUEST}
    found = dict(heads.read(data, HERE).environ)
    assert found.pop("wsgi.errors").streams == expected.pop("wsgi.errors").streams
    assert found == {**expected, "wsgi.multithread": True}


def test_what_only_a_proxy_may_say_changes_nothing_whoever_says_it(heads: Heads) -> None:
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "on", "SCRIPT-NAME": "/games"}
    read = heads.read(head("GET", "/games", USUAL | forwarded), HERE)
    assert (read.environ["wsgi.url_scheme"], read.environ["SCRIPT_NAME"]) == ("http", "")
    assert read.environ["PATH_INFO"] == "/games"


def test_the_same_bytes_are_read_once_and_other_bytes_or_addresses_anew(heads: Heads) -> None:
    data = head("GET", "/", USUAL)
    assert heads.read(data, HERE) is heads.read(data, HERE)
    assert heads.read(data, ("::1", 8000)).environ["SERVER_NAME"] == "::1"
    assert heads.read(head("GET", "/", {**USUAL, "X-A": "b"}), HERE).environ["HTTP_X_A"] == "b"


def test_no_more_heads_are_kept_than_fit(heads: Heads) -> None:
    for number in range(REMEMBERED + 100):
        heads.read(head("GET", f"/?{number}", USUAL), HERE)
    heads.read(head("GET", "/", {**USUAL, "X-A": "b" * LONGEST_REMEMBERED}), HERE)
    assert len(heads) == REMEMBERED


@pytest.mark.parametrize(
    ("extra", "length", "plain", "expects"),
    [
        ({}, 21, True, False),
        ({"Connection": "close"}, 21, False, False),
        ({"Connection": "keep-alive"}, 21, True, False),
        ({"Expect": "100-continue"}, 21, False, True),
    ],
)
def test_a_head_says_what_follows_it(
    heads: Heads, extra: dict[str, str], length: int, *, plain: bool, expects: bool
) -> None:
    read = heads.read(head("POST", "/best-move", USUAL | extra), HERE)
    assert (read.length, read.plain, read.expects) == (length, plain, expects)


def test_a_body_in_chunks_has_no_length_and_no_body_has_none(heads: Heads) -> None:
    assert heads.read(head("POST", "/", {"Host": "a", "Transfer-Encoding": "chunked"}), HERE).length is None
    assert heads.read(head("GET", "/", {"Host": "a"}), HERE).length == 0


def test_a_request_of_http_1_0_is_not_plain(heads: Heads) -> None:
    old = head("GET", "/", {"Host": "a", "Connection": "keep-alive"}).replace(b"HTTP/1.1", b"HTTP/1.0")
    assert not heads.read(old, HERE).plain


HEADS = [
    name
    for name, (_, data) in NOT_HTTP.items()
    if data.endswith(b"\r\n\r\n") and not name.startswith(("a chunk ", "a trailer "))
]
"""What is wrong in the head, and not in what follows it."""


@pytest.mark.parametrize("name", HEADS)
def test_what_gunicorn_refuses_is_refused_every_time(heads: Heads, name: str) -> None:
    data = NOT_HTTP[name][1]
    for _ in range(2):
        with pytest.raises(ParseException):
            heads.read(data, HERE)
    assert len(heads) == 0


def test_a_beginning_is_doubtful_once_no_head_can_begin_so(heads: Heads) -> None:
    def doubtful(data: bytes) -> bool:
        return heads.is_doubtful(bytearray(data))

    assert not doubtful(b"")
    assert not doubtful(b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"a" * 8000)
    assert doubtful(b"GET / HTTP/1.1\nHost: a\n\n")
    assert doubtful(b"GET /" + b"a" * 9000)
    assert doubtful(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * (LONGEST // 6))


def test_a_beginning_that_no_head_has_is_refused(heads: Heads) -> None:
    heads.check_beginning(b"GET / HTTP/1.1\r\nHost: a")
    with pytest.raises(ParseException):
        heads.check_beginning(b"GET / HTTP/1.1\nHost: a\n\n")
    with pytest.raises(LimitRequestLine):
        heads.check_beginning(b"GET /" + b"a" * 9000)
    with pytest.raises(LimitRequestHeaders):
        heads.check_beginning(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * (LONGEST // 6))
