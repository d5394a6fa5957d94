"""Load tests: locust's users against a server that is started for them, briefly or for long."""

import json
import logging
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import IO

import click
from locust import User, events, stats
from locust.env import Environment
from locust.stats import RequestStats, print_stats

from loadtests.locustfile import USERS, OpeningUser
from loadtests.positions.questions import UNSEEN
from loadtests.servers.processes import MAX_GROWTH, Server, oracle, post
from loadtests.tables import show_checks
from loadtests.users.long_searches import SearchUser, StreamUser
from service.cores import cores

SHOWN_LINES = 10

WARM_SHARE = 1 / 3
"""The part of a soak that is not compared: caches of searches fill, and p99 settles."""

FILL_REQUESTS, FILL_NODES = 20_000, 300
"""Analyses and searches after which the caches of all workers are full, if each gets its share."""

SETTLED_SECONDS, SHORT_GROWTH = 300, 0.25
"""A run shorter than this may grow by so much: caches of searches fill more slowly."""

CLIENTS, REQUESTS_PER_CONNECTION = 16, 100

MAX_SLOWDOWN, SLACK_MS = 2.0, 100.0
"""The p99 of the second half may be so many times that of the first, plus the slack: machines vary."""

SLOW_BY_INTENT = {"long search", "stream"}
"""Requests whose latency is no measure."""


@click.command()
@click.option("--seconds", type=float, default=30, envvar="LOAD_SECONDS", help="How long.")
@click.option("--users", type=int, default=16, help="Users at a time.")
@click.option("--p99-ms", type=float, default=500, help="The highest p99 allowed; users and server share the machine.")
def load(seconds: float, users: int, p99_ms: float) -> None:
    """Run mixed load of which every reply is checked. A server elsewhere: locust -f loadtests/locustfile.py."""
    with tempfile.TemporaryFile() as log:
        with oracle(workers=cores(), log=log) as server:
            print(f"{users} users for {seconds:g} s, {cores()} workers at {server.url}\n", flush=True)
            with _calling(server.url, USERS, users) as measured:
                time.sleep(seconds)
        logged = [*_logged_errors(log)]
    _show_statistics(measured)
    print(*logged[:SHOWN_LINES], sep="\n", end="\n" if logged else "")
    total = measured.total
    p99 = total.get_response_time_percentile(0.99)
    print(f"{total.num_requests:,} replies, {total.total_rps:,.0f} requests/s, {total.num_failures} failures")
    print(f"median {total.get_response_time_percentile(0.5)} ms, p99 {p99} ms\n")
    holds = {
        "every reply passed its check": total.num_requests > 0 and total.num_failures == 0,
        f"p99 is at most {p99_ms:g} ms": p99 <= p99_ms,
        "the server logged no error": not logged,
    }
    sys.exit(show_checks(holds))


@contextmanager
def _calling(url: str, classes: Sequence[type[User]], users: int) -> Iterator[RequestStats]:
    """Let so many users call a server; yield the statistics of locust."""
    environment = Environment(user_classes=[*classes], events=events, host=url)
    runner = environment.create_local_runner()
    runner.start(users, spawn_rate=users)
    yield environment.stats
    runner.quit()


def _logged_errors(log: IO[bytes]) -> Iterator[str]:
    """Yield the lines of the log that tell of an error or are not JSON."""
    log.seek(0)
    for line in log:
        try:
            level = json.loads(line)["level"]
        except (ValueError, KeyError):
            level = "none"
        if level not in {"info", "warning"}:
            yield line.decode().rstrip()


def _show_statistics(measured: RequestStats) -> None:
    """Print the table of locust, narrow enough for a terminal, and the most frequent errors."""
    logger = logging.getLogger("locust.stats_logger")
    logger.addHandler(logging.StreamHandler(sys.stdout))
    logger.setLevel(logging.INFO)
    stats.STATS_AUTORESIZE, stats.STATS_NAME_WIDTH = False, 44
    print_stats(measured, current=False)
    _show_errors(measured)


def _show_errors(measured: RequestStats) -> None:
    for error in sorted(measured.errors.values(), key=lambda error: -error.occurrences)[:SHOWN_LINES]:
        print(f"{error.occurrences} x {error.method} {error.name}: {error.error}")


@dataclass(frozen=True, slots=True)
class Sample:
    """The requests since the last sample, ``at`` seconds after the start; latencies without the long searches."""

    at: float
    requests: int
    failures: int
    p99_ms: float
    memory: dict[int, float]

    def __str__(self) -> str:
        memory = "  ".join(f"{megabytes:6.1f} MB" for megabytes in self.memory.values())
        counts = f"{self.requests:7,} requests {self.failures:3} failed"
        return f"{self.at:6.0f} s {counts}, p99 {self.p99_ms:6.1f} ms  {memory}"


@click.command()
@click.option("--seconds", type=float, default=600, envvar="SOAK_SECONDS", help="How long.")
@click.option("--every", type=float, default=10, help="Seconds from one sample to the next.")
@click.option("--users", type=int, default=16, help="Users at a time.")
def soak(seconds: float, every: float, users: int) -> None:
    """Run mixed load for long; fail if memory or latency grows."""
    samples = []
    with oracle(workers=cores()) as server:
        with ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(partial(_fill_caches, server), range(0, FILL_REQUESTS, REQUESTS_PER_CONNECTION)))
        started = time.monotonic()
        with _calling(server.url, [*USERS, SearchUser, StreamUser], users) as measured:
            for _ in range(int(seconds / every)):
                time.sleep(every)
                samples.append(_sample(measured, server, time.monotonic() - started))
                print(samples[-1], flush=True)
                measured.clear_all()
    sys.exit(show_checks(_checks(samples)))


def _fill_caches(server: Server, start: int) -> None:
    connection, rng = server.connect(), Random(start)
    openings = [question.body for question in OpeningUser.questions if question.body]
    for number in range(start, start + REQUESTS_PER_CONNECTION):
        post(connection, "/analysis", rng.choice(openings) + format(number, "b").translate(UNSEEN).encode())
        search = {"game": "qubic", "moves": rng.sample(range(64), 4), "limit": {"nodes": FILL_NODES}}
        post(connection, "/best-move", json.dumps(search))
    connection.close()


def _sample(measured: RequestStats, server: Server, at: float) -> Sample:
    _show_errors(measured)
    counts: Counter[float] = Counter()
    for (name, _), entry in measured.entries.items():
        if name not in SLOW_BY_INTENT:
            counts.update(entry.response_times)
    latencies = sorted(counts.elements()) or [0.0]
    p99, total = latencies[len(latencies) * 99 // 100], measured.total
    return Sample(at, total.num_requests, total.num_failures, p99, server.private_memory())


def _checks(samples: Sequence[Sample]) -> dict[str, bool]:
    """Return what must hold, and whether it does."""
    warm = samples[int(len(samples) * WARM_SHARE) :]
    half = len(warm) // 2
    before, after = (statistics.median(sample.p99_ms for sample in part) for part in (warm[:half], warm[half:]))
    growth = [_growth(warm, worker) for worker in samples[0].memory]
    most = MAX_GROWTH if samples[-1].at >= SETTLED_SECONDS else SHORT_GROWTH
    shares = ", ".join(f"{share:+.1%}" for share in growth)
    return {
        "every reply passed its check": sum(sample.failures for sample in samples) == 0 < samples[-1].requests,
        "no worker was replaced": all(sample.memory.keys() == samples[0].memory.keys() for sample in samples),
        f"no worker grew by more than {most:.0%} once warm: {shares}": max(growth) <= most,
        f"p99 did not grow: {before:.0f} ms, then {after:.0f} ms": after <= before * MAX_SLOWDOWN + SLACK_MS,
    }


def _growth(samples: Sequence[Sample], worker: int) -> float:
    """Return the share by which a worker grew, by linear regression."""
    megabytes = [sample.memory.get(worker, float("nan")) for sample in samples]
    slope, start = statistics.linear_regression(range(len(megabytes)), megabytes)
    return slope * (len(megabytes) - 1) / start
