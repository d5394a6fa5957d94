"""Requests at a constant rate with known answers, and an exact account of what became of each."""

import select
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import count

from loadtests.positions.questions import Question
from loadtests.servers.processes import HEADERS, LOOPBACK

SILENCE_SECONDS = 10.0
"""Time without a byte after which a request counts as lost."""

PERSISTENT, FRESH = 6, 2
"""Clients that keep their connection, and clients that open one for each request."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A request without a whole reply: the port of the client (0 without a connection), and from when to when.

    It began with the look at whether the server had closed the connection: it may do so between that and the send.
    """

    port: int
    began: float
    ended: float
    error: str


@dataclass
class Results:
    """What became of the requests; ``seconds`` are from when each was due to its answer, for the right answers.

    A kept connection that the server closed before the client sent anything more counts as ``closed_idle`` and is no
    loss: the client looks before it sends, and opens another (RFC 9112, section 9.3.1). Nothing is sent twice, so each
    request that was sent and not answered whole is in ``lost``.
    """

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost: list[Loss] = field(default_factory=list)
    closed_idle: int = 0

    @property
    def sent(self) -> int:
        """The number of all requests."""
        return len(self.seconds) + len(self.wrong) + len(self.lost)

    @property
    def lost_share(self) -> float:
        """The part of the requests that were lost."""
        return len(self.lost) / self.sent

    def quantile(self, share: float) -> float:
        """Return the seconds within which this share of the answers came."""
        return quantile(self.seconds, share)


def quantile(figures: Sequence[float], share: float) -> float:
    """Return the figure that this share does not exceed; 0 if there is none."""
    return sorted(figures)[int(share * (len(figures) - 1))] if figures else 0.0


@contextmanager
def traffic(port: int, questions: Sequence[Question], *, rate: float = 200) -> Iterator[Results]:
    """Send ``rate`` requests a second as long as the context lasts."""
    results, ended, started = Results(), threading.Event(), time.monotonic()
    total = PERSISTENT + FRESH

    def due(client: int) -> Iterator[tuple[Question, float]]:
        """Yield the questions of a client, each at its time, with that time."""
        for number in count(client, total):
            at = started + number / rate
            if ended.wait(max(0.0, at - time.monotonic())):
                return
            yield questions[number % len(questions)], at

    clients = [
        threading.Thread(target=partial(_ask_all, port, due(number), results, keep=number < PERSISTENT))
        for number in range(total)
    ]
    for client in clients:
        client.start()
    try:
        yield results
    finally:
        ended.set()
        for client in clients:
            client.join()


def _ask_all(port: int, questions: Iterator[tuple[Question, float]], results: Results, *, keep: bool) -> None:
    connection = HTTPConnection(LOOPBACK, port, timeout=SILENCE_SECONDS)
    for question, due in questions:
        began = time.monotonic()
        if connection.sock is not None and _has_ended(connection.sock):
            results.closed_idle += 1
            connection.close()
        _ask(connection, question, results, began, due)
        if not keep:
            connection.close()
    connection.close()


def _ask(connection: HTTPConnection, question: Question, results: Results, began: float, due: float) -> None:
    port = 0
    try:
        port = _own_port(connection)
        connection.request("POST", question.path, question.body, HEADERS)
        reply = connection.getresponse()
        body = reply.read()
    except (OSError, HTTPException) as error:
        connection.close()
        results.lost.append(Loss(port, began, time.monotonic(), repr(error)))
        return
    if (reply.status, body) == (200, question.answer):
        results.seconds.append(time.monotonic() - due)
    else:
        results.wrong.append(f"{question.body!r}: {reply.status} {body!r}, not {question.answer!r}")


def _own_port(connection: HTTPConnection) -> int:
    """Return the client's port of a connection; open it if it is not open."""
    if connection.sock is None:
        connection.connect()
    port: int = connection.sock.getsockname()[1]
    return port


def _has_ended(idle: socket.socket) -> bool:
    """Return whether the server has closed a connection on which it owes nothing."""
    return bool(select.select([idle], [], [], 0)[0])
