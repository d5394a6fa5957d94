"""Bytes that two readers could read differently, as when a proxy stands in front: nobody gets an answer to another's.

Each probe is followed on its connection by a request that somebody else might have sent, and most
hide a whole request inside. Whatever comes back is read to the end of the connection: either the
probe has one answer and what follows it has its own, or the probe is refused by one problem
document and nothing that follows is read. What is hidden is never answered.
"""

import os
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from threading import Thread
from time import sleep
from types import MappingProxyType

import pytest

from tests.hostile import BODY, assert_refused
from tests.support import Server
from tests.wire import JSON, SILENCE, Reply, chunked

pytestmark = pytest.mark.verify

PAUSE = 0.002
"""Seconds between two parts of a request, so that they are likely to be received one by one."""


def ask(first_line: str, *headers: str, of: str, body: bytes = b"") -> bytes:
    """A request with exactly these headers, a Host, and the id by which its answer is known."""
    lines = [first_line, "Host: localhost", f"X-Request-ID: {of}", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


FOLLOWING = ask("GET /version HTTP/1.1", "Connection: close", of="following")
HIDDEN = ask("GET /version HTTP/1.1", of="hidden")
TYPE = f"Content-Type: {JSON['Content-Type']}"
CHUNKED = "Transfer-Encoding: chunked"
LENGTH = f"Content-Length: {len(BODY)}"
IN_CHUNKS = chunked([BODY])


def outer(*headers: str, body: bytes, method: str = "POST", target: str = "/best-move") -> bytes:
    """The probe itself: a question to the service, with these headers and after them exactly this."""
    return ask(f"{method} {target} HTTP/1.1", TYPE, *headers, of="outer", body=body)


def hiding(*headers: str) -> bytes:
    """A probe of which one reader takes the chunks for the body, another what it says in its headers."""
    return outer(*headers, body=b"0\r\n\r\n" + HIDDEN)


def chunks(first: bytes, *, rest: bytes = b"\r\n0\r\n\r\n") -> bytes:
    """A chunked probe whose first chunk is announced by these bytes, and what comes after its data."""
    return outer(CHUNKED, body=first + BODY + rest + HIDDEN)


def trailing(*trailers: str) -> bytes:
    """A chunked probe with these trailers."""
    lines = "".join(f"{trailer}\r\n" for trailer in trailers)
    return outer(CHUNKED, body=b"15\r\n" + BODY + b"\r\n0\r\n" + lines.encode("latin-1") + b"\r\n")


REFUSED: Mapping[str, bytes] = MappingProxyType(
    {
        # Two ways to tell where the body ends.
        "a length for one reader, chunks for another": hiding("Content-Length: 5", CHUNKED),
        "a length of nothing, and chunks": hiding("Content-Length: 0", CHUNKED),
        "two lengths, of which one hides": outer(LENGTH, "content-length: 0", body=HIDDEN),
        "two lengths in one": outer("Content-Length: 21, 21", body=BODY + HIDDEN),
        # Codings that only some take for chunks.
        "xchunked": hiding("Transfer-Encoding: xchunked"),
        "chunked after a vertical tab": hiding("Transfer-Encoding: \x0bchunked"),
        "chunked before a bare line feed": hiding("Transfer-Encoding: chunked\nX-Odd: 1"),
        "chunked after a bare line feed": hiding("X-Odd: 1\nTransfer-Encoding: chunked"),
        "chunked after a fold": hiding("Transfer-Encoding:", "\tchunked"),
        "chunked twice": hiding(CHUNKED, CHUNKED),
        "chunked before gzip": hiding(CHUNKED, "Transfer-Encoding: gzip"),
        "a space before the colon of the coding": hiding("Transfer-Encoding : chunked"),
        "a tab before the colon of the length": outer("Content-Length\t: 21", body=BODY + HIDDEN),
        # Numbers that only some can read.
        "a length in hexadecimal": outer("Content-Length: 0x15", body=BODY + HIDDEN),
        "more than fits into 64 bits": outer("Content-Length: 18446744073709551616", body=HIDDEN),
        "a chunk in the notation of C": chunks(b"0x15\r\n"),
        "a chunk with a sign": chunks(b"+15\r\n"),
        "a chunk that ends its line with a bare line feed": chunks(b"15\n"),
        "a chunk larger than any memory": chunks(b"fffffffffffffffff\r\n"),
        "a chunk whose size does not end": chunks(b"0" * 20_000),
        "a chunk with a line feed in its extension": chunks(b"15;a\nb\r\n"),
        "a chunk that a bare line feed ends": chunks(b"15\r\n", rest=b"\n0\r\n\r\n"),
        # Trailers that would be headers.
        "a length in a trailer": trailing("Content-Length: 5"),
        "chunks in a trailer": trailing(CHUNKED),
        # First lines.
        "two versions": ask("GET /version HTTP/1.1 HTTP/1.1", of="outer"),
        "a carriage return in the target": ask("GET /version\rX-Odd: HTTP/1.1", of="outer"),
        "the preface of HTTP/2 with its headers": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HIDDEN,
        "an answer instead of a question": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + HIDDEN,
        "a header before the first line": b"X-Odd: 1\r\n" + HIDDEN,
        "a space before the first header": b"GET /version HTTP/1.1\r\n X-Odd: 1\r\nHost: localhost\r\n\r\n",
        "a bare carriage return at the end of a line": b"GET /version HTTP/1.1\r\nHost: localhost\r\r\n\r\n",
        "a bare line feed at the end of the headers": b"GET /version HTTP/1.1\r\nHost: localhost\n\r\n" + HIDDEN,
    }
)
"""What nobody can be sure to read as it was meant, or what is no HTTP."""

BODIES = HIDDEN * 2

ANSWERED: Mapping[str, tuple[int, bytes]] = MappingProxyType(
    {
        # A request within the body of another is nothing but data.
        "a request as the body of a question": (400, outer(f"Content-Length: {len(BODIES)}", body=BODIES)),
        "a request as a chunk": (400, outer(CHUNKED, body=chunked([HIDDEN, HIDDEN]))),
        "a request in a body that nobody reads": (
            200,
            outer(f"Content-Length: {len(BODIES)}", body=BODIES, method="GET", target="/games"),
        ),
        "a request in chunks that nobody reads": (
            200,
            outer(CHUNKED, body=chunked([HIDDEN]), method="GET", target="/games"),
        ),
        "a request in the body of a wrong method": (
            405,
            outer(f"Content-Length: {len(HIDDEN)}", body=HIDDEN, method="PUT"),
        ),
        "a request in the body of a pre-flight": (
            204,
            outer(f"Content-Length: {len(HIDDEN)}", body=HIDDEN, method="OPTIONS"),
        ),
        "a request in the body to no path": (
            404,
            outer(f"Content-Length: {len(HIDDEN)}", body=HIDDEN, target="/nothing"),
        ),
        "a request in a body of the wrong type": (
            415,
            ask(
                "POST /best-move HTTP/1.1",
                "Content-Type: text/html",
                f"Content-Length: {len(HIDDEN)}",
                of="outer",
                body=HIDDEN,
            ),
        ),
        "a request in a long body that is refused unread": (
            413,
            outer(f"Content-Length: {2 << 20}", body=(HIDDEN * ((2 << 20) // len(HIDDEN) + 1))[: 2 << 20]),
        ),
        # What is unusual, but can be read in one way only.
        "a length with zeros in front": (200, outer("Content-Length: 0021", body=BODY)),
        "a length between blanks": (200, outer("Content-Length: \t21 \t", body=BODY)),
        "chunks in capitals": (200, outer("TRANSFER-ENCODING: CHUNKED", body=IN_CHUNKS)),
        "a chunk with zeros in front": (200, outer(CHUNKED, body=b"0" * 50 + IN_CHUNKS)),
        "a last chunk of many zeros": (200, outer(CHUNKED, body=b"15\r\n" + BODY + b"\r\n0000\r\n\r\n")),
        "chunks with extensions": (200, outer(CHUNKED, body=b'15;a=b;c="d;e"\r\n' + BODY + b"\r\n0;f\r\n\r\n")),
        "trailers that change nothing": (200, trailing("X-Request-ID: hidden", "Content-Type: text/html", "X-Odd: 1")),
        "headers that only look like framing": (
            200,
            outer("Content_Length: 5", "Transfer_Encoding: chunked", LENGTH, body=BODY),
        ),
        "an absolute URL of elsewhere": (200, ask("GET http://elsewhere.example/version HTTP/1.1", of="outer")),
        "an offer of HTTP/2": (
            200,
            ask(
                "GET /games HTTP/1.1",
                "Connection: Upgrade, HTTP2-Settings",
                "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAAQAAP__",
                of="outer",
            ),
        ),
        "an offer of a web socket": (
            200,
            ask(
                "GET /games HTTP/1.1",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                of="outer",
            ),
        ),
        "a connection that names other headers": (
            200,
            outer("Connection: keep-alive, Content-Length, Host", LENGTH, body=BODY),
        ),
        "an expectation, with the body at once": (200, outer("Expect: 100-continue", LENGTH, body=BODY)),
        "an expectation without a body": (200, ask("GET /games HTTP/1.1", "Expect: 100-continue", of="outer")),
        "an empty line first": (200, b"\r\n" + ask("GET /games HTTP/1.1", of="outer")),
    }
)
"""What has one meaning and one answer, by its status; a request hidden in it has none."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of our own, which must come through all of this without a fault."""
    with Server(workers=2) as running:
        pids = [int(line["message"].split(": ")[1]) for line in running.log() if "Booting worker" in line["message"]]
        yield running
        for pid in pids:
            os.kill(pid, 0)
    assert [line for line in running.log() if line["level"] in ("error", "critical")] == []


def converse(port: int, parts: Iterable[bytes]) -> list[Reply]:
    """Everything that a connection answers to these parts until the server ends it, interim replies left out."""
    with socket.create_connection(("127.0.0.1", port), SILENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sender = Thread(target=_send, args=(connection, parts))
        sender.start()
        received = b""
        while data := connection.recv(1 << 16):
            received += data
        sender.join()
    return list(_replies(received))


def _send(connection: socket.socket, parts: Iterable[bytes]) -> None:
    with suppress(OSError):  # where the server has ended the connection, what it said will tell
        for number, part in enumerate(parts):
            sleep(PAUSE * (number > 0))
            connection.sendall(part)
        connection.shutdown(socket.SHUT_WR)


def _replies(received: bytes) -> Iterator[Reply]:
    """The replies that these bytes are made of, to the last byte."""
    while received:
        head, end, rest = received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        version, status = first.split(" ", 2)[:2]
        assert version.startswith("HTTP/1."), received
        assert (end, status.isdecimal()) == (b"\r\n\r\n", True), received
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        assert len(headers) == len(lines), lines
        length = int(headers.get("content-length", "0"))
        assert len(rest) >= length, received
        if int(status) >= 200:
            yield Reply(int(status), headers, rest[:length])
        received = rest[length:]


def told(replies: list[Reply]) -> list[tuple[int, str]]:
    """The status of each reply, and to which request it is."""
    return [(reply.status, reply.headers.get("x-request-id", "")) for reply in replies]


def assert_one_refusal(replies: list[Reply]) -> None:
    """Fails unless this is one problem document, of a fault of the client's, and the end."""
    assert len(replies) == 1, told(replies)
    assert 400 <= replies[0].status < 500
    assert_refused(replies[0], replies[0].status)
    assert replies[0].headers["connection"] == "close"


def assert_answered(replies: list[Reply], status: int) -> None:
    """Fails unless the probe has one answer with this status, and what follows has its own if the connection lasts."""
    answer, *others = told(replies)
    assert answer == (status, "outer")
    assert others == ([] if replies[0].headers.get("connection") == "close" else [(200, "following")])
    if status >= 400:
        assert_refused(replies[0], status)


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_be_read_in_two_ways_is_refused_once_and_ends_the_connection(server: Server, name: str) -> None:
    assert_one_refusal(converse(server.port, [REFUSED[name] + FOLLOWING]))
    assert told(converse(server.port, [FOLLOWING])) == [(200, "following")]


@pytest.mark.parametrize("name", ANSWERED)
def test_what_has_one_meaning_has_one_answer_and_nothing_hidden_in_it_has_any(server: Server, name: str) -> None:
    status, data = ANSWERED[name]
    assert_answered(converse(server.port, [data + FOLLOWING]), status)


def test_many_requests_in_one_packet_are_answered_one_by_one_in_order(server: Server) -> None:
    asked = [outer(LENGTH, body=BODY).replace(b": outer", b": %d" % number) for number in range(50)]
    assert told(converse(server.port, [b"".join(asked) + FOLLOWING])) == [
        *((200, str(number)) for number in range(50)),
        (200, "following"),
    ]


def test_what_follows_a_refusal_in_the_same_packet_is_not_read(server: Server) -> None:
    good, bad = outer(LENGTH, body=BODY), REFUSED["a length for one reader, chunks for another"]
    first, second = converse(server.port, [good + bad + good + FOLLOWING])
    assert told([first]) == [(200, "outer")]
    assert_one_refusal([second])


SPLIT: Mapping[str, bytes] = MappingProxyType(
    {
        "a question": outer(LENGTH, body=BODY),
        "a question in chunks": outer(CHUNKED, body=chunked([BODY[:9], BODY[9:]])),
        "two questions": outer(LENGTH, body=BODY) * 2,
    }
)


@pytest.mark.parametrize("name", SPLIT)
def test_a_request_may_arrive_in_two_parts_wherever_it_is_split(server: Server, name: str) -> None:
    data = SPLIT[name]
    whole = told(converse(server.port, [data + FOLLOWING]))
    assert {status for status, _ in whole} == {200}
    for at in range(1, len(data)):
        assert told(converse(server.port, [data[:at], data[at:] + FOLLOWING])) == whole, data[:at]


def test_a_request_may_arrive_byte_by_byte(server: Server) -> None:
    data = outer(LENGTH, body=BODY)
    assert_answered(converse(server.port, [*(bytes([byte]) for byte in data), FOLLOWING]), 200)


@pytest.mark.parametrize("name", ["a length for one reader, chunks for another", "a length in a trailer"])
def test_what_is_refused_is_refused_wherever_it_is_split(server: Server, name: str) -> None:
    data = REFUSED[name]
    for at in range(1, len(data)):
        assert_one_refusal(converse(server.port, [data[:at], data[at:] + FOLLOWING]))


# The limits of a request that the server keeps, each crossed by one.


def sized(length: int) -> bytes:
    """Return a question with so many bytes of target and headers."""
    return ask(
        "GET /games HTTP/1.1", f"X-Odd: {'a' * (length - len('/gamesHostlocalhostX-Request-IDouterX-Odd'))}", of="outer"
    )


LARGEST: Mapping[str, tuple[int, bytes, bytes]] = MappingProxyType(
    {"bytes of the head, 16,384": (431, sized(16384), sized(16385))}
)
"""The status beyond a limit, a request that just keeps it, and one that is larger by one."""


@pytest.mark.parametrize("name", LARGEST)
def test_a_request_at_a_limit_is_answered_and_one_beyond_it_refused(server: Server, name: str) -> None:
    status, kept, crossed = LARGEST[name]
    assert told(converse(server.port, [kept + FOLLOWING])) == [(200, "outer"), (200, "following")]
    replies = converse(server.port, [crossed + FOLLOWING])
    assert_one_refusal(replies)
    assert replies[0].status == status


def test_the_tables_hold_what_they_say() -> None:
    assert all(b"following" not in data for data in REFUSED.values())
    assert len(BODY) == 0x15
