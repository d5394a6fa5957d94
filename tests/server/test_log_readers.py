"""Whoever reads the log may be slow, or gone: no answer waits for them, and no stop."""

import threading

import pytest

from tests.hostile import BODY
from tests.support import HOUR, HUNG_SECONDS, UNMEASURED, Server
from tests.wire import Connection, exchange, post, request

pytestmark = pytest.mark.verify

LONG_PATH = "/" + "a" * 100


class Unread(Server):
    """A server whose log is read until it is ready, then no more until ``read_on`` is set, or never."""

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
        self.read_on.wait()


@pytest.mark.parametrize("closed", [False, True], ids=["a reader that stands still", "a reader that is gone"])
def test_no_answer_no_connection_and_no_stop_waits_for_somebody_to_read_the_log(*, closed: bool) -> None:
    """More is asked than the lines of which a pipe holds, on connections that are kept for a hundred each."""
    with Unread(closed=closed) as server:
        try:
            right = exchange(server.port, post(BODY)).json()
            for _ in range(20):
                with Connection(server.port) as connection:
                    for _ in range(100):
                        assert connection.ask(request("GET", LONG_PATH)).status == 404
                    assert connection.ask(post(BODY)).json() == right
            server.process.terminate()
            assert server.process.wait(HUNG_SECONDS) == 0
        finally:
            server.read_on.set()
