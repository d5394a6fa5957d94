"""A soak test: mixed load for long, and whether memory, latency and errors stay constant."""

import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

import click
from locust.stats import RequestStats

from loadtests.locustfile import USERS, OpeningUser
from loadtests.servers.memory import MAX_GROWTH, Memory, private_memory
from loadtests.servers.processes import Server, oracle, post
from loadtests.tables import show_checks
from loadtests.users.load import calling
from loadtests.users.long_searches import SearchUser, StreamUser
from service.cores import cores

WARM_SHARE = 1 / 3
"""The part of the time that is not compared: caches of searches fill, and p99 settles."""

FILL_REQUESTS, FILL_NODES = 20_000, 300
"""Analyses and searches after which the caches of all workers are full, if each gets its share."""

SETTLED_SECONDS, SHORT_GROWTH = 300, 0.25
"""A run shorter than this may grow by so much: caches of searches fill more slowly."""

CLIENTS = 16
REQUESTS_PER_CONNECTION = 100

MAX_SLOWDOWN, SLACK_MS = 2.0, 100.0
"""The p99 of the second half may be so many times that of the first, plus the slack: machines vary."""

WHITE_SPACE = str.maketrans("01", " \t")
"""Digits as white space, which makes a body a different one and changes nothing else."""

SLOW_BY_INTENT = {"long search", "stream"}
"""Requests whose latency is no measure."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The requests since the last sample, ``at`` seconds after the start; latencies without the long searches."""

    at: float
    requests: int
    failures: int
    p50_ms: float
    p99_ms: float
    memory: Memory


@click.command()
@click.option("--seconds", type=float, default=600, envvar="SOAK_SECONDS", help="How long.")
@click.option("--every", type=float, default=10, help="Seconds from one sample to the next.")
@click.option("--users", type=int, default=16, help="Users at a time.")
@click.option("--workers", type=int, default=cores(), help="Processes of the server.")
def command(seconds: float, every: float, users: int, workers: int) -> None:
    """Run mixed load for long; fail if memory or latency grows."""
    with oracle(workers=workers) as server:
        fill_caches(server)
        samples = []
        for sample in soak(server, count=int(seconds / every), every=every, users=users):
            samples.append(sample)
            print(_line(sample), flush=True)
    sys.exit(show_checks(checks(samples)))


def fill_caches(server: Server) -> None:
    """Ask so much that the caches of every worker are full."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(partial(_ask_some, server), range(0, FILL_REQUESTS, REQUESTS_PER_CONNECTION)))


def _ask_some(server: Server, start: int) -> None:
    connection, rng = server.connect(), Random(start)
    openings = [question.body for question in OpeningUser.questions if question.body]
    for number in range(start, start + REQUESTS_PER_CONNECTION):
        post(connection, "/analysis", rng.choice(openings) + format(number, "b").translate(WHITE_SPACE).encode())
        search = {"game": "qubic", "moves": rng.sample(range(64), 4), "limit": {"nodes": FILL_NODES}}
        post(connection, "/best-move", json.dumps(search))
    connection.close()


def soak(server: Server, *, count: int, every: float, users: int) -> Iterator[Sample]:
    """Yield so many samples while users call the server."""
    started = time.monotonic()
    with calling(server.url, [*USERS, SearchUser, StreamUser], users) as stats:
        for _ in range(count):
            time.sleep(every)
            yield _sample(stats, server, time.monotonic() - started)
            stats.clear_all()


def _sample(stats: RequestStats, server: Server, at: float) -> Sample:
    for error in stats.errors.values():
        print(f"{error.occurrences} x {error.name}: {error.error}")
    counts: Counter[float] = Counter()
    for (name, _), entry in stats.entries.items():
        if name not in SLOW_BY_INTENT:
            counts.update(entry.response_times)
    latencies = sorted(counts.elements()) or [0.0]
    p50, p99 = (latencies[len(latencies) * percent // 100] for percent in (50, 99))
    return Sample(at, stats.total.num_requests, stats.total.num_failures, p50, p99, private_memory(server))


def checks(samples: Sequence[Sample]) -> dict[str, bool]:
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


def _line(sample: Sample) -> str:
    memory = "  ".join(f"{megabytes:6.1f} MB" for megabytes in sample.memory.values())
    return (
        f"{sample.at:6.0f} s  {sample.requests:7,} requests  {sample.failures:3} failed  "
        f"p50 {sample.p50_ms:5.1f} ms  p99 {sample.p99_ms:6.1f} ms  {memory}"
    )
