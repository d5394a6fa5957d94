"""Other clients beside an attack: what they are answered, and how late.

They run in a process of their own, so that neither the attack nor the meters delay them.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context

from loadtests.drive.traffic import traffic
from loadtests.positions.questions import Question, tabled_questions
from loadtests.servers.processes import LOOPBACK

PROBE_SECONDS, PATIENCE_SECONDS = 0.05, 20
"""Between two probes of ``/readyz``, each on a connection of its own, and after which a probe gives up."""

RATE = 100
"""Requests a second about 3x3."""

PROCESSES = get_context("spawn")
"""Makes processes that inherit no thread, socket or lock."""


@dataclass
class Latencies:
    """Milliseconds from when each request was due to its answer."""

    ms: list[float] = field(default_factory=list)

    def quantile(self, share: float) -> float:
        """Return the milliseconds within which this share of the answers came."""
        return sorted(self.ms)[int(share * (len(self.ms) - 1))] if self.ms else 0.0


@dataclass
class Seen:
    """What the clients of one server saw: probes of ``/readyz``, requests about 3x3, and wrong or missing answers."""

    ready: Latencies = field(default_factory=Latencies)
    small: Latencies = field(default_factory=Latencies)
    faults: list[str] = field(default_factory=list)


@dataclass
class Readings:
    """What was seen at the attacked server, and at its twin, which was asked the same at the same moments."""

    attacked: Seen = field(default_factory=Seen)
    twin: Seen = field(default_factory=Seen)


def watch(port: int, twin_port: int, seconds: float) -> Readings:
    """Ask both servers for some seconds, and wait for the answers; with no time only prepare."""
    questions = _questions()
    with _clients(twin_port, questions) as twin, _clients(port, questions) as attacked:
        time.sleep(seconds)
    return Readings(attacked, twin)


@cache
def _questions() -> list[Question]:
    return tabled_questions(300)


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
    seen.small.ms = [1000 * seconds for seconds in small.seconds]
    seen.faults += [*small.wrong, *(f"a request about 3x3 was lost: {loss.error}" for loss in small.lost)]


def _probe(port: int, seen: Seen, over: threading.Event) -> None:
    due = time.monotonic()
    while not over.wait(max(0.0, due - time.monotonic())):
        fault = _ask(port)
        seen.ready.ms.append(1000 * (time.monotonic() - due))
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
