"""Clients that are slow, deaf or silent, in any number, hold up nobody else."""

import json
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from tests.hostile import BODY, CHUNKED
from tests.isolation import allow_open_files
from tests.support import HOUR, Server, wait_until
from tests.wire import JSON, Connection, exchange, head, post, request, wait_until_full

pytestmark = pytest.mark.verify

MEDIAN_SECONDS = 0.1
"""Generous: an answer takes a hundredth of it. To this comes ten times what it takes without slow clients."""

ASKED = 100
"""Requests of quick clients while others are slow."""

DRIBBLES = {
    "a request line": b"GET /" + b"a" * 2000,
    "a header": b"GET /healthz HTTP/1.1\r\nX-Slow: " + b"a" * 2000,
    "a body": post(BODY.ljust(2000)),
    "a chunk": head("POST", "/best-move", CHUNKED) + b"7d0\r\n" + BODY.ljust(2000),
}
"""What is sent a byte a second, by where most of it is."""

SENT_AT_ONCE = {"a request line": 0, "a header": 30, "a body": 150, "a chunk": 150}


@contextmanager
def small_server() -> Iterator[Server]:
    """A worker with four threads, a quarter of what slow clients there are, which it never tires of."""
    with Server(workers=1, THREADS="4", CLIENT_TIMEOUT=HOUR) as server:
        yield server


def median_seconds(server: Server) -> float:
    """The median of what quick clients wait for their answers, all of them right."""
    right, taken = exchange(server.port, post(BODY)).json(), []
    for _ in range(ASKED):
        started = time.monotonic()
        assert exchange(server.port, post(BODY)).json() == right
        taken.append(time.monotonic() - started)
    return statistics.median(taken)


class Dribble(threading.Thread):
    """A client that sends a byte a second, until the server or the test has enough of it. ``sent`` counts them."""

    def __init__(self, port: int, data: bytes, at_once: int, ended: threading.Event) -> None:
        super().__init__()
        self.sent = 0
        self._port, self._data, self._at_once, self._ended = port, data, at_once, ended

    def run(self) -> None:
        with suppress(OSError), Connection(self._port) as connection:
            connection.send(self._data[: self._at_once])
            for byte in self._data[self._at_once :]:
                if self._ended.wait(1):
                    return
                connection.send(bytes([byte]))
                self.sent += 1


@pytest.mark.parametrize("kind", DRIBBLES)
def test_clients_that_send_a_byte_a_second_hold_up_nobody(kind: str) -> None:
    ended = threading.Event()
    with small_server() as server:
        calm = median_seconds(server)
        slow = [Dribble(server.port, DRIBBLES[kind], SENT_AT_ONCE[kind], ended) for _ in range(16)]
        try:
            for client in slow:
                client.start()
            for number in (1, 3):  # within the request of each, twice
                wait_until(lambda number=number: all(client.sent >= number for client in slow))  # type: ignore[misc]
                assert median_seconds(server) < MEDIAN_SECONDS + 10 * calm
        finally:
            ended.set()
            for client in slow:
                client.join()


BATCH = json.dumps({"positions": [{"board": "X...O...."}] * 1000}).encode()
DEAF_REQUESTS = 24
"""Batches that a deaf client asks for: their answers, some 8 MB, are more than the system keeps for it."""


@contextmanager
def deaf(port: int) -> Iterator[socket.socket]:
    """A client that has little room for answers and never reads any."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(1)
        client.connect(("127.0.0.1", port))
        with suppress(OSError):  # a server that no longer reads what it cannot answer is right
            client.sendall(request("POST", "/best-moves", JSON, BATCH) * DEAF_REQUESTS)
        yield client


def test_clients_that_never_read_their_answers_hold_up_nobody() -> None:
    with small_server() as server, ExitStack() as unread:
        calm = median_seconds(server)
        for _ in range(16):
            unread.enter_context(deaf(server.port))
        assert median_seconds(server) < MEDIAN_SECONDS + 10 * calm


def test_a_client_that_reads_late_gets_its_whole_answers() -> None:
    with small_server() as server:
        right = exchange(server.port, request("POST", "/best-moves", JSON, BATCH)).body
        with Connection(server.port) as late:
            sender = threading.Thread(target=late.send, args=(request("POST", "/best-moves", JSON, BATCH) * 12,))
            sender.start()
            wait_until_full(late)
            assert all(late.reply().body == right for _ in range(12))
            sender.join()


def test_a_thousand_idle_connections_hold_up_nobody() -> None:
    allow_open_files(4096)
    with Server() as server, ExitStack() as idle:
        calm = median_seconds(server)
        for number in range(1000):
            connection = idle.enter_context(Connection(server.port))
            if number % 2:  # every other one has asked before
                connection.send(request("GET", "/healthz"))
                assert connection.reply().status == 200
        assert median_seconds(server) < MEDIAN_SECONDS + 10 * calm
