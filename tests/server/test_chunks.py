"""Bodies in chunks: their end is found where gunicorn's parser finds it, however they arrive."""

from random import Random
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import NoMoreData, ParseException
from gunicorn.http.parser import RequestParser

from service.server.chunks import LONGEST_LINE, Chunks
from tests.wire import chunked

LONGEST = 4096
HEAD = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
NEXT = b"GET / HTTP/1.1\r\n"

WHOLE = {
    "nothing": chunked([]),
    "one chunk": chunked([b"{}"]),
    "many chunks": chunked([b"a" * size for size in (1, 2, 15, 16, 17, 300)]),
    "a chunk that looks like an end": chunked([b"0\r\n\r\n", b"\r\n0\r\n\r\n"]),
    "sizes in capitals with zeros before": b"000A\r\n0123456789\r\n0\r\n\r\n",
    "extensions": b'1;a=b;c="d;e"\r\nx\r\n0;last\r\n\r\n',
    "trailers": b"1\r\nx\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\n",
}

BROKEN = {
    "no size": b"\r\nabc\r\n0\r\n\r\n",
    "a size that is no number": b"zz\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-5\r\nabc\r\n0\r\n\r\n",
    "a size with a sign": b"+1\r\nx\r\n0\r\n\r\n",
    "a size as Python writes it": b"1_0\r\n" + b"x" * 16 + b"\r\n0\r\n\r\n",
    "a size with a prefix": b"0x1\r\nx\r\n0\r\n\r\n",
    "blanks before the size": b" 1\r\nx\r\n0\r\n\r\n",
    "an extension that is none": b"1;=\r\nx\r\n0\r\n\r\n",
    "a bare line feed": b"1\nx\r\n0\r\n\r\n" + b"\r\n",
    "a size without end": b"1" * (LONGEST_LINE + 1),
    "a chunk larger than any memory": b"f" * 17 + b"\r\nx",
    "a chunk larger than allowed": b"1001\r\nx",
    "trailers without end": b"0\r\n" + b"A: b\r\n" * (LONGEST_LINE // 6 + 1),
}


def read_body(parser: RequestParser) -> None:
    body: Any = next(parser).body
    body.read()


def end(data: bytes) -> int | None:
    return Chunks(0).end(bytearray(data), LONGEST)


@pytest.mark.parametrize("name", WHOLE)
def test_a_body_ends_where_the_parser_says_so(name: str) -> None:
    body = WHOLE[name]
    assert end(body + NEXT) == len(body)
    parser = RequestParser(Config(), [HEAD + body + NEXT], ("", 0))
    read_body(parser)
    assert parser.unreader.take_buffered() == NEXT


@pytest.mark.parametrize("name", WHOLE)
def test_a_body_that_arrives_byte_by_byte_ends_with_its_last(name: str) -> None:
    body, received = WHOLE[name], bytearray()
    chunks = Chunks(0)
    for place in range(len(body)):
        assert chunks.end(received, LONGEST) is None
        received += body[place : place + 1]
    assert chunks.end(received, LONGEST) == len(body)


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_followed_is_handed_over_and_refused(name: str) -> None:
    body, chunks = BROKEN[name], Chunks(0)
    assert chunks.end(bytearray(body), LONGEST) == len(body)
    assert chunks.lost
    with pytest.raises((ParseException, NoMoreData)):
        read_body(RequestParser(Config(), [HEAD + body], ("", 0)))


def test_random_chunks_in_random_pieces_end_where_they_should() -> None:
    rng = Random(0)
    for _ in range(200):
        body = chunked([rng.randbytes(rng.randint(1, 40)) for _ in range(rng.randint(0, 8))])
        sent, chunks, received = body + NEXT, Chunks(0), bytearray()
        while (found := chunks.end(received, LONGEST)) is None:
            piece = rng.randint(1, 20)
            received += sent[len(received) : len(received) + piece]
        assert found == len(body)
