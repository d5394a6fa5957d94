"""Requests of which any byte may be wrong, lost, doubled or late: each gets what HTTP and the contract say.

``FUZZ_BYTES`` says how many, ``FUZZ_SEED`` which: the same seed sends the same bytes again.
"""

import os
import re
import socket
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from http.client import BadStatusLine, HTTPException, HTTPResponse
from io import BytesIO
from multiprocessing import get_context

import pytest

from tests.api.mutants import CORPUS, TELLING, Mutant, mutant
from tests.api.test_fuzz import SEED, assert_unharmed, is_on, report
from tests.contract import operations
from tests.hostile import BODY, assert_refused
from tests.support import Server
from tests.wire import SILENCE, Reply, exchange, post

pytestmark = pytest.mark.verify

ASKED = int(os.environ.get("FUZZ_BYTES", "2000"))
PROCESSES = 4
ROOM = 64
"""Places for heavy searches, and threads for them: so many that nobody waits, for a wait may end with a refusal."""

LIMIT_MS = 200
"""Long enough for a search of a few hundred nodes on a busy machine: one that the clock cuts off may differ."""

LIMIT_NODES = 1000
"""How far a search may go here that is not limited by time: replies are to be the same on the busiest machine."""

BLOCK = 250
MOST_SHOWN = 10
PAUSED = 20
"""Between the pieces of one in so many mutants there are pauses, so that they arrive as pieces for sure."""

PAUSE_SECONDS = 0.002
HEAD = re.compile(rb"HTTP/1\.[01] (\d{3}) [ -~]+\r\n((?:[!#-'*+.^_`|~0-9A-Za-z-]+: [ -~\x80-\xff]*\r\n)*)\r\n")

Answer = tuple[int, bytes]


class Received(BytesIO):
    """Bytes that came, for a parser that takes them from a socket and closes that after each reply."""

    def makefile(self, _mode: str) -> "Received":
        return self

    def close(self) -> None:
        """Stay open: the next reply follows."""


def replies(received: bytes, mutant: Mutant) -> list[Reply]:
    """The replies that came to a mutant. Raises HTTPException if the last one is not whole."""
    found: list[Reply] = []
    stream = Received(received)
    while start := received[stream.tell() :]:
        if HEAD.match(start) is None:
            raise BadStatusLine(repr(start[:200]))
        response = HTTPResponse(stream)  # type: ignore[arg-type]  # it only calls makefile
        response.begin()
        assert response.length is not None or response.chunked, start[:200]
        lacks_body = _is_to_head(mutant, len(found), received[stream.tell() :])
        body = b"" if lacks_body else response.read()
        headers = {name.lower(): value for name, value in response.getheaders()}
        found.append(Reply(response.status, headers, body))
    return found


def _is_to_head(mutant: Mutant, number: int, rest: bytes) -> bool:
    """Whether a reply is to a HEAD; where nobody knows any more what was asked, it is if nothing else fits."""
    if mutant.originals:
        return mutant.originals[min(number, len(mutant.originals) - 1)].startswith(b"HEAD")
    return b"HEAD" in mutant.data and (not rest or rest.startswith(b"HTTP/1."))


def send(port: int, mutant: Mutant, *, paused: bool) -> bytes:
    """What came back until the server had ended the connection, or had sent as many replies as are due.

    Who has sent what may be half a request says that no more will come; who has sent whole ones waits for replies.
    """
    received = b""
    with socket.create_connection(("127.0.0.1", port), SILENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(OSError):  # a client that is refused may be cut off; what came before counts
            for piece in mutant.pieces:
                connection.sendall(piece)
                time.sleep(PAUSE_SECONDS if paused else 0)  # noqa: TID251, a slow client
            if not mutant.originals:
                connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while data := connection.recv(1 << 18):
                received += data
                if mutant.originals and _are_all(received, mutant):
                    break
    return received


def _are_all(received: bytes, mutant: Mutant) -> bool:
    with suppress(HTTPException):
        return len(replies(received, mutant)) >= len(mutant.originals)
    return False


def assert_lawful(mutant: Mutant, received: bytes, right: Mapping[bytes, Answer]) -> None:
    """Fails unless this is what may come back."""
    found = replies(received, mutant)
    for reply in found:
        assert reply.status < 500, f"a fault of the service: {reply}"
        if reply.status >= 400 and reply.body:
            assert_refused(reply, reply.status)
    # Each request got the reply that it gets alone, up to one that ends the connection.
    for asked, reply in zip(mutant.originals, found, strict=False):
        assert (reply.status, reply.body) == right[asked], f"another reply: {reply}, not {right[asked]}"
    missing = len(mutant.originals) - len(found)
    ended = bool(found) and found[-1].headers.get("connection") == "close"
    assert missing <= 0 or ended, f"{missing} replies are missing: {found}"
    assert missing >= 0 or not mutant.originals, f"more replies than requests: {found}"


def faults_of(block: range, *, port: int, right: Mapping[bytes, Answer]) -> list[str]:
    """What was wrong with the replies to the mutants of these numbers."""
    found = []
    for number in block:
        each = mutant(SEED, number)
        try:
            assert_lawful(each, send(port, each, paused=number % PAUSED == 0), right)
        except (AssertionError, LookupError, OSError, ValueError, HTTPException) as fault:
            found.append(f"FUZZ_SEED={SEED}, mutant {number}: {each.pieces!r:.1500}\n{fault!r:.1500}")
    return found


@pytest.fixture(scope="module")
def target() -> Iterator[Server]:
    limits = {"DEFAULT_TIME_MS": f"{LIMIT_MS}", "MAX_NODES": f"{LIMIT_NODES}"}
    with Server(workers=2, THREADS=f"{ROOM}", MAX_SEARCHES=f"{2 * ROOM}", **limits) as server:
        yield server


def test_the_corpus_asks_by_every_route_of_the_contract_and_every_request_has_an_answer(target: Server) -> None:
    asked = {tuple(data.decode().split()[:2]) for data in CORPUS if data.isascii()}
    for path, method, _ in operations():
        assert any(verb == method.upper() and is_on(path, at.split("?")[0]) for verb, at in asked), (method, path)
    for data in CORPUS:
        assert exchange_any(target.port, data).status in (200, 204, 304), data


def exchange_any(port: int, data: bytes) -> Reply:
    """The reply to one request, in whichever framing."""
    alone = Mutant((data,), (data,))
    (reply,) = replies(send(port, alone, paused=False), alone)
    return reply


def test_whatever_bytes_come_the_reply_is_lawful_and_nothing_breaks(
    target: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    right = {data: (reply.status, reply.body) for data in TELLING for reply in [exchange_any(target.port, data)]}
    blocks = [range(start, min(start + BLOCK, ASKED)) for start in range(0, ASKED, BLOCK)]
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        found = [
            fault for faults in pool.map(partial(faults_of, port=target.port, right=right), blocks) for fault in faults
        ]
    report(capsys, ASKED)
    assert not found, f"{len(found)} faults\n" + "\n\n".join(found[:MOST_SHOWN])
    assert_unharmed(target)
    assert exchange(target.port, post(BODY)).json()["outcome"] == "draw"
