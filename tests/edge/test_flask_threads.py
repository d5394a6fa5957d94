"""What the event loop gets of a response that a thread makes."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.api.request_context import CONTEXT, RequestContext
from service.edge.flask_threads import BODY, LEAVE, FlaskThreads
from service.edge.message import Message

Parts = Callable[[], Iterator[bytes]]


def sent(parts: Parts, *headers: tuple[str, str], body: bytes = b"", seen: Callable[[], None] = lambda: None) -> Any:
    """Return the messages of a response with these parts and headers, and whether the place was left at its end.

    ``seen`` is called as each message arrives.
    """
    messages, left = list[Message](), list[bool]()

    def app(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        assert environ["wsgi.input"].read() == body
        start_response("200 OK", list(headers))
        return parts()

    async def send(message: Message) -> None:
        messages.append(message)
        seen()

    threads = FlaskThreads(app, 1)
    fixed = {"type": "http", "http_version": "1.1", "method": "POST", "path": "/", "query_string": b"", "headers": []}
    scope = {**fixed, BODY: body, CONTEXT: RequestContext(), LEAVE: lambda: left.append(True)}
    try:
        asyncio.run(threads._respond(scope, send))  # noqa: SLF001
    finally:
        assert left == [True]
    return messages


def test_a_response_with_a_length_arrives_as_a_whole() -> None:
    start, *bodies = sent(lambda: iter([b"a", b"", b"bc"]), ("Content-Length", "3"), body=b"{}")
    assert (start["status"], start["headers"]) == (200, [(b"content-length", b"3")])
    assert bodies == [{"type": "http.response.body", "body": b"abc"}]


def test_nothing_is_sent_of_a_whole_response_that_fails() -> None:
    def parts() -> Iterator[bytes]:
        yield b"a"
        raise ZeroDivisionError

    arrived: list[int] = []
    with pytest.raises(ZeroDivisionError):
        sent(parts, ("Content-Length", "3"), seen=lambda: arrived.append(1))
    assert not arrived


def test_a_stream_is_made_no_faster_than_it_is_sent() -> None:
    made, arrived = list[int](), list[int]()

    def parts() -> Iterator[bytes]:
        for number in range(100):
            made.append(number)
            yield b"%d\n" % number

    def note() -> None:
        arrived.append(len(made))

    start, *bodies, end = sent(parts, seen=note)
    assert (start["type"], end) == ("http.response.start", {"type": "http.response.body", "body": b""})
    assert [each["body"] for each in bodies] == [b"%d\n" % number for number in range(100)]
    assert all(ahead - taken < 20 for taken, ahead in enumerate(arrived))
