"""Traffic at a constant rate, every answer of which is known beforehand, with exact books on what became of it."""

import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from types import TracebackType
from typing import Self

from questions import Question

SILENCE = 10.0
"""Seconds without a byte after which a server counts as hung."""

HEADERS = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Loss:
    """A request that got no whole reply: the client's port (0 if it got no connection), and from when to when."""

    port: int
    sent: float
    ended: float
    error: str


@dataclass
class Books:
    """What became of the requests; ``seconds`` are how long the answered ones took.

    A kept connection that its server closed before the client had sent anything more is counted under
    ``closed_idle`` and is no loss: the client, who looks before it sends, opens another (RFC 9112, section 9.3.1).
    Nothing is ever sent twice, so whatever was sent and not answered whole stands in ``lost``.
    """

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost: list[Loss] = field(default_factory=list)
    closed_idle: int = 0

    @property
    def asked(self) -> int:
        """All requests."""
        return len(self.seconds) + len(self.wrong) + len(self.lost)

    @property
    def lost_share(self) -> float:
        """The part of the requests that got no whole reply."""
        return len(self.lost) / self.asked

    def quantile(self, share: float) -> float:
        """The seconds within which this share of the answers came."""
        return sorted(self.seconds)[int(share * (len(self.seconds) - 1))]

    def errors(self) -> Counter[str]:
        """How often which error ended a request."""
        return Counter(loss.error for loss in self.lost)


class Traffic:
    """Clients that together ask ``rate`` questions a second for as long as the context lasts.

    ``kept`` of them keep their connections, ``fresh`` ones open one for each question.
    """

    def __init__(
        self, port: int, questions: Sequence[Question], *, rate: float = 200, kept: int = 6, fresh: int = 2
    ) -> None:
        self.books = Books()
        self._port = port
        self._questions = questions
        self._gap = (kept + fresh) / rate
        self._stagger = 1 / rate
        self._ended = threading.Event()
        self._clients = [
            threading.Thread(target=self._ask_on, args=(number, number < kept)) for number in range(kept + fresh)
        ]

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        for client in self._clients:
            client.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended.set()
        for client in self._clients:
            client.join()

    def _ask_on(self, number: int, keeps: bool) -> None:  # noqa: FBT001, given by position to a thread
        connection = HTTPConnection("127.0.0.1", self._port, timeout=SILENCE)
        for turn in self._turns(number):
            if connection.sock is not None and _has_ended(connection.sock):
                self.books.closed_idle += 1
                connection.close()
            self._ask(connection, self._questions[turn % len(self._questions)])
            if not keeps:
                connection.close()
        connection.close()

    def _turns(self, number: int) -> Iterator[int]:
        """The numbers of a client's questions, each when its time has come."""
        for turn in count():
            due = self._started + number * self._stagger + turn * self._gap
            if self._ended.wait(max(0.0, due - time.monotonic())):
                return
            yield turn * len(self._clients) + number

    def _ask(self, connection: HTTPConnection, question: Question) -> None:
        sent, port = time.monotonic(), 0
        try:
            port = _own_port(connection)
            connection.request("POST", question.path, question.body, HEADERS)
            reply = connection.getresponse()
            body = reply.read()
        except (OSError, HTTPException) as error:
            connection.close()
            self.books.lost.append(Loss(port, sent, time.monotonic(), repr(error)))
            return
        if (reply.status, body) == (200, question.answer):
            self.books.seconds.append(time.monotonic() - sent)
        else:
            self.books.wrong.append(f"{question.body!r}: {reply.status} {body!r}, not {question.answer!r}")


def _own_port(connection: HTTPConnection) -> int:
    """The client's port of a connection, opened if it is not."""
    if connection.sock is None:
        connection.connect()
    port: int = connection.sock.getsockname()[1]
    return port


def _has_ended(idle: socket.socket) -> bool:
    """Whether the server has closed a connection on which it owes nothing."""
    return bool(select.select([idle], [], [], 0)[0])


@contextmanager
def traffic(port: int, questions: Sequence[Question], *, rate: float = 200) -> Iterator[Books]:
    """The books of traffic that goes on as long as the context."""
    with Traffic(port, questions, rate=rate) as running:
        yield running.books
