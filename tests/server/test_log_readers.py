"""Whoever reads the log may be slow, or gone: no answer waits for them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.hostile import BODY
from tests.support import HOUR, HUNG_SECONDS, UNMEASURED, Server
from tests.wire import Connection, exchange, post, request

pytestmark = pytest.mark.verify

LONG_PATH = "/" + "a" * 100


class Unread(Server):
    """A server whose log is read until it is ready, then no more, or not until ``read_on`` is set."""

    def __init__(self, *, closed: bool) -> None:
        super().__init__(workers=2, GRACEFUL_TIMEOUT=HOUR, **UNMEASURED)
        self.read_on = threading.Event()
        self._closed = closed

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._note(line)
            if self._ready.is_set():
                break
        if self._closed:
            self.process.stdout.close()
            return
        self.read_on.wait()
        for line in self.process.stdout:
            self._note(line)


@contextmanager
def unread(*, closed: bool) -> Iterator[Unread]:
    with Unread(closed=closed) as server:
        try:
            yield server
        finally:
            server.read_on.set()


def ask_often(server: Server, times: int) -> None:
    """More requests than the lines of which a pipe holds, on connections that are kept for a hundred each."""
    right = exchange(server.port, post(BODY)).json()
    for _ in range(times // 100):
        with Connection(server.port) as connection:
            for _ in range(100):
                connection.send(request("GET", LONG_PATH))
                assert connection.reply().status == 404
            connection.send(post(BODY))
            assert connection.reply().json() == right


@pytest.mark.parametrize("closed", [False, True], ids=["a reader that stands still", "a reader that is gone"])
def test_no_answer_and_no_connection_is_lost_for_want_of_somebody_to_read_the_log(*, closed: bool) -> None:
    with unread(closed=closed) as server:
        ask_often(server, 2000)
        server.read_on.set()
        assert server.stop() == 0


def test_a_server_whose_log_nobody_reads_stops_when_told() -> None:
    with unread(closed=False) as server:
        ask_often(server, 2000)
        server.process.terminate()
        assert server.process.wait(HUNG_SECONDS) == 0
