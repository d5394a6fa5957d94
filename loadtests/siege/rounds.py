"""An attack in rounds, and whether the server recovers after each."""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from resource import RLIMIT_NOFILE
from typing import IO

import psutil  # type: ignore[import-untyped]

from loadtests.servers.processes import Server
from loadtests.siege.attacks.table import ATTACKS
from loadtests.siege.meters import Usage, busy_threads, metered, usage
from loadtests.siege.strike import Report, strike
from loadtests.siege.watch import Readings, Watch

RECOVERY_SECONDS = 10.0
"""Time to recover once the clients are gone."""

CALM_THREADS = 0.2
"""The average of threads that work in a server of which nobody asks anything."""

ERRORS = (b'"level": "error"', b'"level": "critical"')

MOST_LOG_BYTES = 256 << 20

SPARE_SOCKETS = 4
"""Sockets of other things than clients."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the highest use, what attackers and other clients saw, and what remained afterwards.

    ``unrecovered`` names what was not back in time; ``replaced`` counts the workers that ended.
    """

    peak: Usage
    after: Usage
    report: Report
    readings: Readings
    unrecovered: list[str]
    replaced: int


@dataclass(frozen=True, slots=True)
class Siege:
    """The rounds of an attack."""

    name: str
    rounds: list[Round]
    errors: list[str]
    """What the server has logged as an error."""

    @property
    def peak(self) -> Usage:
        """The highest use of all rounds."""
        return reduce(Usage.highest, (each.peak for each in self.rounds))

    @property
    def growth_mb(self) -> float:
        """The anonymous memory that the last round added to what the one before has left."""
        before, after = (self.rounds[place].after.anonymous for place in (-2, -1)) if self.rounds[1:] else (0.0, 0.0)
        return after - before

    @property
    def outcomes(self) -> Counter[str]:
        """How often the attackers got which status, in all rounds."""
        return sum((each.report.outcomes for each in self.rounds), Counter[str]())


@dataclass
class Besieged:
    """A server, and the file that it writes its log to."""

    server: Server
    _log: IO[bytes]
    _read: int = 0

    def errors(self) -> list[str]:
        """Return the messages of errors that were logged since the last call."""
        self._log.flush()
        lines = os.pread(self._log.fileno(), MOST_LOG_BYTES, self._read)
        self._read += len(lines)
        return [
            _message(line)
            for line in lines.splitlines()
            if any(level in line for level in ERRORS) or line[:1] not in b"{"
        ]


def besiege(name: str, besieged: Besieged, watch: Watch, *, seconds: float, rounds: int) -> Siege:
    """Attack a server for ``seconds`` in all, or longer if the attack needs it."""
    server, attack = besieged.server, ATTACKS[name]
    with _files(server, attack.files):
        fought = [_round(name, server, watch, max(seconds / rounds, attack.seconds)) for _ in range(rounds)]
    return Siege(name, fought, besieged.errors())


def _message(line: bytes) -> str:
    """Return the message of a line of the log, which is JSON unless something else has written it."""
    try:
        return str(json.loads(line)["message"])
    except (ValueError, KeyError):
        return repr(line)


def _round(name: str, server: Server, watch: Watch, seconds: float) -> Round:
    calm, workers = usage(server), set(server.workers)
    with metered(server) as meter:
        watch.begin(server.port)
        report = strike(name, server.port, seconds)
        readings = watch.end()
        unrecovered = _recover(server, calm)
    return Round(meter.peak, usage(server), report, readings, unrecovered, len(meter.workers - workers))


def _recover(server: Server, calm: Usage) -> list[str]:
    """Wait until all is as before; return what is not in the end."""
    deadline = time.monotonic() + RECOVERY_SECONDS
    while missing := _not_back(server, calm):
        if time.monotonic() > deadline:
            return missing
    return []


def _not_back(server: Server, calm: Usage) -> list[str]:
    """Return what the server has not given back; takes a while to see which threads work."""
    now, busy, requests = usage(server), busy_threads(server), _under_way(server)
    return [
        *([f"{now.sockets} sockets"] if now.sockets > calm.sockets + SPARE_SOCKETS else []),
        *([f"{requests} searches"] if requests else []),
        *([f"{busy:.1f} busy threads"] if busy > CALM_THREADS else []),
    ]


def _under_way(server: Server) -> int:
    """Return how many requests hold a search slot or wait for one."""
    connection = server.connect()
    try:
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
    except OSError:
        return 0  # that the server does not answer is seen elsewhere
    finally:
        connection.close()
    counts = re.findall(r"^move_oracle_searches_(?:running|waiting) (\S+)", text, re.MULTILINE)
    return sum(int(float(count)) for count in counts)


@contextmanager
def _files(server: Server, most: int | None) -> Iterator[None]:
    """Limit the files that a worker may open while the context lasts."""
    processes = [psutil.Process(process) for process in (server.pid, *server.workers)] if most else []
    before = [process.rlimit(RLIMIT_NOFILE) for process in processes]
    for process in processes:
        process.rlimit(RLIMIT_NOFILE, (most, max(before)[1]))
    try:
        yield
    finally:
        for process, limits in zip(processes, before, strict=True):
            if process.is_running():
                process.rlimit(RLIMIT_NOFILE, limits)
