"""What the event loop gets of a response that a thread makes."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.api.request_context import RequestContext
from service.edge.flask_call import FlaskCall, environment
from service.edge.message import Message, Scope

SCOPE: Scope = {
    "method": "POST",
    "path": "/ü",
    "query_string": b"a=%20",
    "http_version": "1.1",
    "scheme": "http",
    "client": ("10.0.0.1", 5),
    "headers": [(b"content-length", b"2"), (b"x-one", b"1"), (b"x_one", b"2"), (b"content_type", b"no")],
}


def sent(
    parts: Callable[[], Iterator[bytes]], *headers: tuple[str, str], seen: Callable[[], None] = lambda: None
) -> Any:
    """Return the messages of a response with these parts and headers. ``seen`` is called as each message arrives."""
    messages = list[Any]()

    def app(asked: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        assert asked["wsgi.input"].read() == b"{}"
        start_response("200 OK", list(headers))
        return parts()

    async def send(message: Message) -> None:
        messages.append(message)
        seen()

    async def ask() -> None:
        call = FlaskCall(app, environment(SCOPE, b"{}", RequestContext()), send)
        with ThreadPoolExecutor(1) as executor:
            whole = await call.run(executor)
            if whole is not None:
                messages.extend(whole)

    asyncio.run(ask())
    return messages


def test_the_environment_has_what_wsgi_says_and_no_name_that_two_headers_could_mean() -> None:
    asked = environment(SCOPE, b"{}", RequestContext())
    assert (asked["PATH_INFO"].encode("latin-1").decode(), asked["QUERY_STRING"]) == ("/ü", "a=%20")
    assert (asked["SERVER_NAME"], asked["SERVER_PORT"], asked["REMOTE_ADDR"]) == ("localhost", "80", "10.0.0.1")
    headers = {name: value for name, value in asked.items() if name.startswith(("HTTP_", "CONTENT_"))}
    assert headers == {"CONTENT_LENGTH": "2", "HTTP_X_ONE": "1"}


def test_a_response_with_a_length_arrives_as_a_whole() -> None:
    start, body = sent(lambda: iter([b"a", b"", b"bc"]), ("Content-Length", "3"))
    assert (start["status"], start["headers"], body) == (200, [(b"content-length", b"3")], b"abc")


def test_nothing_is_sent_of_a_whole_response_that_fails() -> None:
    def parts() -> Iterator[bytes]:
        yield b"a"
        raise ZeroDivisionError

    arrived: list[int] = []
    with pytest.raises(ZeroDivisionError):
        sent(parts, ("Content-Length", "3"), seen=lambda: arrived.append(1))
    assert not arrived


@pytest.mark.parametrize("fails", [False, True])
def test_a_stream_is_made_no_faster_than_it_is_sent_and_is_closed(fails: bool) -> None:  # noqa: FBT001
    made, arrived, closed = list[int](), list[int](), list[bool]()

    def parts() -> Iterator[bytes]:
        try:
            for number in range(100):
                made.append(number)
                yield b"%d" % number
        finally:
            closed.append(True)

    def note() -> None:
        arrived.append(len(made))
        if fails and len(made) == 50:
            raise ZeroDivisionError

    if fails:
        with pytest.raises(ZeroDivisionError):
            sent(parts, seen=note)
    else:
        start, *bodies = sent(parts, seen=note)
        assert start["type"] == "http.response.start"
        assert [each["body"] for each in bodies] == [b"%d" % number for number in range(100)]
    assert closed == [True]
    assert all(ahead - taken <= 1 for taken, ahead in enumerate(arrived))
