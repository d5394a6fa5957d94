"""Clients that are slow, deaf or silent, in any number, hold up nobody else.

What would be held up would be so for an hour, so no test needs a clock.
"""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from tests.hostile import BODY, CHUNKED, assert_refused
from tests.isolation import allow_open_files
from tests.support import Server, wait_until
from tests.wire import JSON, Connection, exchange, head, post, request

pytestmark = pytest.mark.verify

GAMES = request("GET", "/games")
"""A question that needs a thread."""

DRIBBLED = {
    "a request line": (b"GET /", b"a"),
    "a header": (b"GET /healthz HTTP/1.1\r\nX-Slow: ", b"a"),
    "a body": (post(BODY.ljust(2000))[:-1900], b" "),
    "a chunk": (head("POST", "/best-move", CHUNKED) + b"7d0\r\n" + BODY, b" "),
}
"""What has come of a request, by what is sent next of it, and the byte that comes now and then."""

BATCH = request("POST", "/best-moves", JSON, json.dumps({"positions": [{"board": "X...O...."}] * 1000}).encode())
DEAF_REQUESTS = 24
"""Batches that a deaf client asks for: their answers, some 8 MB, are more than the system keeps for it."""


def assert_answered(server: Server, times: int = 20) -> None:
    """Fails unless quick clients get their answers; those that need a thread, once one is free for a moment."""
    for _ in range(times):
        assert exchange(server.port, post(BODY)).status == 200
        wait_until(lambda: exchange(server.port, GAMES).status == 200)


@contextmanager
def deaf(port: int) -> Iterator[socket.socket]:
    """A client that has little room for answers and never reads any."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(1)
        client.connect(("127.0.0.1", port))
        with suppress(OSError):  # a server that no longer reads what it cannot answer is right
            client.sendall(BATCH * DEAF_REQUESTS)
        yield client


def test_clients_that_send_a_byte_now_and_then_or_never_read_their_answers_hold_up_nobody(wide: Server) -> None:
    with ExitStack() as stack:
        slow = [
            (stack.enter_context(Connection(wide.port)), start, byte)
            for start, byte in DRIBBLED.values()
            for _ in range(4)  # as many as there are threads
        ]
        for client, start, _ in slow:
            client.send(start)
        for _ in range(8):  # twice as many as there are threads
            stack.enter_context(deaf(wide.port))
        for _ in range(3):
            assert_answered(wide)
            for client, _, byte in slow:
                client.send(byte)


def test_a_thousand_idle_connections_and_some_that_were_refused_hold_up_nobody() -> None:
    allow_open_files(4096)
    with Server() as server, ExitStack() as idle:
        for number in range(1000):
            connection = idle.enter_context(Connection(server.port))
            if number % 2:  # every other one has asked before
                assert connection.ask(request("GET", "/healthz")).status == 200
        for data in (b"NONSENSE\r\n\r\n", request("GET", "/healthz", {"Connection": "close"})) * 6:
            idle.enter_context(Connection(server.port)).ask(data)
        assert_answered(server)


def test_clients_that_are_too_slow_are_refused_and_deaf_ones_cut_off() -> None:
    with Server(workers=1, CLIENT_TIMEOUT="1") as server, ExitStack() as stack:
        slow = [stack.enter_context(Connection(server.port)) for _ in DRIBBLED]
        for client, (start, _) in zip(slow, DRIBBLED.values(), strict=True):
            client.send(start)
        for client in slow:
            assert_refused(client.reply(), 408)
            assert client.is_closed()
        with Connection(server.port) as client, pytest.raises(ConnectionError):
            client.send(BATCH * 1000)
        assert server.stop() == 0
    assert server.faults() == []
