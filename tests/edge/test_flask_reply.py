"""What the client gets of a response of Flask, with the headers of every response."""

import asyncio

import pytest

from service.edge.flask_call import Whole
from service.edge.flask_reply import FlaskReply
from service.edge.message import SEND_WHOLE, EdgeRequest, Message, Scope

SCOPE: Scope = {"method": "POST", "path": "/", "query_string": b"", "client": None, "headers": []}
WHOLE: Whole = ({"type": "http.response.start", "status": 422, "headers": [(b"content-length", b"3")]}, b"abc")
COMMON = [(b"x-common", b"1"), (b"content-length", b"9")]


def finished(whole: Whole | None, scope: Scope) -> tuple[FlaskReply, list[Message]]:
    """Return a reply that is sent to the end, and its messages."""
    messages = list[Message]()

    async def send(message: Message) -> None:
        messages.append(message)

    reply = FlaskReply(EdgeRequest({**scope, "headers": [(b"x-request-id", b"7")]}, 0, 0), scope, send, COMMON)
    asyncio.run(reply.finish(whole))
    return reply, messages


@pytest.mark.parametrize("is_possible", [True, False])
def test_a_whole_response_is_sent_in_one_piece_if_possible(is_possible: bool) -> None:  # noqa: FBT001
    pieces = list[tuple[int, bytes, bytes]]()

    def send_whole(status: int, headers: bytes, body: bytes) -> bool:
        pieces.append((status, headers, body))
        return is_possible

    reply, messages = finished(WHOLE, {**SCOPE, SEND_WHOLE: send_whole})
    ((status, headers, body),) = pieces
    assert (status, body, reply.status, reply.sent, reply.complete) == (422, b"abc", 422, 3, True)
    names = [line.split(b": ")[0] for line in headers.splitlines()]
    assert names == [b"content-length", b"content-security-policy", b"x-request-id", b"x-common"]
    assert b"content-length: 3\r\n" in headers
    if is_possible:
        assert messages == []
    else:
        start, end = messages
        assert b"".join(b"%b: %b\r\n" % header for header in start["headers"]) == headers
        assert end == {"type": "http.response.body", "body": b"abc"}


def test_the_answer_to_head_has_the_length_and_no_body() -> None:
    _, (start, end) = finished(WHOLE, {**SCOPE, "method": "HEAD", SEND_WHOLE: lambda *_: True})
    assert (b"content-length", b"3") in start["headers"]
    assert end["body"] == b""


def test_the_end_of_a_stream_is_sent_alone() -> None:
    reply, messages = finished(None, {**SCOPE, SEND_WHOLE: lambda *_: True})
    assert (messages, reply.complete) == ([{"type": "http.response.body", "body": b""}], True)
