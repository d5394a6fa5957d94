"""Clients that ask without end while something happens to the server, and remember exactly what each of them saw."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Self

from service.edge.connection.protocol import DRAIN_SECONDS
from tests.hostile import BODY
from tests.wire import Connection, NoReply, exchange, post

PAUSES = (0.0, 0.001, 0.02, 0.3, 0.9)
"""Longest seconds between two requests on a kept connection; each client has one of these."""


class Load:
    """Clients with a fresh connection for each request, and clients that keep theirs for as long as they may.

    ``outcomes`` counts ``answered``, ``refused``, ``reset``, and ``late``: asked on a connection that was idle for
    longer than a worker keeps it that is to end. ``failures`` describes everything else.
    """

    def __init__(self, port: int, *, fresh: int = 8, kept: int = 8) -> None:
        self.outcomes: Counter[str] = Counter()
        self.failures: list[str] = []
        self._port = port
        self._right = exchange(port, post(BODY)).json()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._stopped_at = float("inf")
        self._clients = [threading.Thread(target=self._ask_anew) for _ in range(fresh)]
        self._clients += [threading.Thread(target=self._ask_on, args=(Random(seed),)) for seed in range(kept)]

    @property
    def is_refused(self) -> bool:
        """Whether every client was refused, which ends it."""
        return self.outcomes["refused"] == len(self._clients)

    def __enter__(self) -> Self:
        for client in self._clients:
            client.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for client in self._clients:
            client.join()

    def stop(self, send_signal: Callable[[], None]) -> None:
        """Sends the signal that stops the server; from now on it may refuse connections."""
        self._stopped_at = time.monotonic()
        send_signal()

    def _ask_anew(self) -> None:
        while not self._ended.is_set() and (connection := self._connect()):
            with connection:
                self._ask(connection)

    def _ask_on(self, random: Random) -> None:
        pause = random.choice(PAUSES)
        while not self._ended.is_set() and (connection := self._connect()):
            with connection:
                asked: float | None = None
                while not self._ended.is_set():
                    before, asked = asked, time.monotonic()
                    if not self._ask(connection, before):
                        break
                    self._ended.wait(random.random() * pause)

    def _connect(self) -> Connection | None:
        """A new connection; None if it was refused."""
        try:
            return Connection(self._port)
        except OSError as error:
            # A listening socket that closes in the midst of a handshake resets it: that is a refusal, too.
            refused = isinstance(error, ConnectionError) and self._stopping_for() >= 0
            self._note(
                "refused" if refused else f"no connection {self._stopping_for():.4f} s after the stop: {error!r}"
            )
        return None

    def _ask(self, connection: Connection, asked_before: float | None = None) -> bool:
        """Asks once, and again on a connection that was asked before at that time; whether the server keeps it."""
        stopping = self._stopping_for()
        try:
            try:
                connection.send(post(BODY))
            finally:
                idle = 0.0 if asked_before is None else time.monotonic() - asked_before
            reply = connection.reply()
        except (OSError, NoReply) as error:
            # Who has come between the last look at the queue and its end is reset by the system.
            closing = asked_before is None and stopping > 0 and isinstance(error, ConnectionResetError)
            unlucky = "late" if idle > DRAIN_SECONDS else "reset" if closing else ""
            self._note(unlucky or f"{error!r} {stopping:.4f} s after the stop, {idle:.4f} s after the request before")
            return False
        self._note("answered" if (reply.status, reply.json()) == (200, self._right) else f"a wrong answer: {reply}")
        return reply.headers.get("connection") != "close"

    def _stopping_for(self) -> float:
        return time.monotonic() - self._stopped_at

    def _note(self, outcome: str) -> None:
        with self._lock:
            if outcome in ("answered", "refused", "late", "reset"):
                self.outcomes[outcome] += 1
            else:
                self.failures.append(outcome)
