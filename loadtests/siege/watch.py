"""Other clients beside an attack: what they are answered, and how late.

They run in a process of their own, so that neither the attack nor the meters delay them.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Self

from loadtests.drive.traffic import traffic
from loadtests.positions.questions import Question, tabled_questions
from loadtests.servers.processes import LOOPBACK

PROBE_SECONDS = 0.05
"""Between two probes of ``/readyz``, each on a connection of its own."""

PATIENCE_SECONDS = 20
"""After which a probe gives up."""

RATE = 100
"""Requests a second about 3x3."""

QUESTIONS = 300

PROCESSES = get_context("spawn")
"""Makes processes that inherit no thread, socket or lock."""


@dataclass
class Seen:
    """What the clients of one server saw: probes of ``/readyz``, requests about 3x3, and wrong or missing answers.

    Milliseconds are from when each request was due to its answer.
    """

    ready_ms: list[float] = field(default_factory=list)
    small_ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass
class Readings:
    """What was seen at the attacked server, and at its twin, which was asked the same at the same moments."""

    attacked: Seen = field(default_factory=Seen)
    twin: Seen = field(default_factory=Seen)


class Watch:
    """The process of the other clients. ``begin`` has them ask, ``end`` returns what they saw since."""

    def __init__(self, connection: Connection, twin_port: int) -> None:
        self._connection = connection
        self._twin_port = twin_port

    def begin(self, port: int) -> None:
        """Ask the server on this port and the twin from now on."""
        self._connection.send((port, self._twin_port))

    def end(self) -> Readings:
        """Ask no more; wait for the answers to what was asked."""
        self._connection.send(None)
        readings: Readings = self._connection.recv()
        return readings

    @classmethod
    @contextmanager
    def running(cls, twin_port: int) -> Iterator[Self]:
        """Start the process, and end it with the context."""
        ours, theirs = PROCESSES.Pipe()
        process = PROCESSES.Process(target=_watch, args=(theirs,))
        process.start()
        theirs.close()
        ours.recv()  # ready
        try:
            yield cls(ours, twin_port)
        finally:
            ours.close()
            process.join()


def _watch(orders: Connection) -> None:
    """Follow the orders until the parent closes the connection."""
    questions = tabled_questions(QUESTIONS)
    orders.send(None)
    while True:
        try:
            port, twin_port = orders.recv()
        except EOFError:
            return
        with _clients(twin_port, questions) as twin, _clients(port, questions) as attacked:
            orders.recv()
        orders.send(Readings(attacked, twin))


@contextmanager
def _clients(port: int, questions: list[Question]) -> Iterator[Seen]:
    """Ask a server while the context lasts; at its end what was seen is complete."""
    seen, over = Seen(), threading.Event()
    probe = threading.Thread(target=_probe, args=(port, seen, over))
    with traffic(port, questions, rate=RATE) as small:
        probe.start()
        yield seen
        over.set()
        probe.join()
    seen.small_ms = [1000 * seconds for seconds in small.seconds]
    seen.faults += [*small.wrong, *(f"a request about 3x3 was lost: {loss.error}" for loss in small.lost)]


def _probe(port: int, seen: Seen, over: threading.Event) -> None:
    due = time.monotonic()
    while not over.wait(max(0.0, due - time.monotonic())):
        fault = _ask(port)
        seen.ready_ms.append(1000 * (time.monotonic() - due))
        if fault:
            seen.faults.append(f"/readyz: {fault}")
        due += PROBE_SECONDS


def _ask(port: int) -> str:
    """Ask for ``/readyz``; return what is wrong with the answer."""
    connection = HTTPConnection(LOOPBACK, port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", "/readyz")
        status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        return repr(error)
    finally:
        connection.close()
    return "" if status == 200 else f"status {status}"
