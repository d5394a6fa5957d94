"""A soak: mixed load for ten minutes, and whether memory, latency and errors stay what they were.

``python loadtests/soak.py`` starts a server of its own and exits with 1 if anything grows. With ``--picture`` it draws
what it saw.
"""

import os
import statistics
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

from family import random_opening
from invalid import JSON
from locust import User, events
from locust.env import Environment
from locustfile import OPENINGS, Analyst, Explorer, Opener, Player, Vandal
from notation import as_body
from residents import MOST_GROWTH, Residents, residents
from serving import LOOPBACK, Server, cores, oracle
from tables import show_thresholds
from thinkers import Searcher, Watcher

WARM_SHARE = 1 / 3
"""The part of the time that is not compared: caches of searches fill, and p99 settles."""

FILLED = 20_000
"""Large answers, and searches, after which every worker remembers as much as it ever will, if each gets its share."""

SETTLED_SECONDS, SHORT_GROWTH = 300, 0.25
"""What is remembered of searches fills up more slowly: a run shorter than this may grow by so much."""

CALLERS = 16
ON_ONE_CONNECTION = 100

MOST_SLOWER = 2.0
"""How many times the p99 of the first half after that it may be in the second: machines have moods."""

BLANKS = str.maketrans("01", " \t")
"""Digits as white space, which makes a body another one and changes nothing."""

SLACK_MS = 100.0
"""What p99 may grow by in any case."""

LONG = {"long search", "stream"}
"""What takes its time by intent, so that its latency is no measure."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen in so many ``seconds`` up to ``at``; latencies in milliseconds, without the long searches."""

    at: float
    requests: int
    failures: int
    p50_ms: float
    p99_ms: float
    weights: Residents


class Watch:
    """Hears of every request, and sums them up from time to time."""

    def __init__(self, server: Server) -> None:
        self.samples: list[Sample] = []
        self.faults: list[str] = []
        self._server = server
        self._started = time.monotonic()
        self._clear()
        events.request.add_listener(self._hear)  # type: ignore[no-untyped-call]

    def sample(self) -> Sample:
        """What was seen since the last time."""
        cuts = statistics.quantiles(self._taken or [0.0, 0.0], n=100)
        found = Sample(
            time.monotonic() - self._started,
            self._requests,
            self._failures,
            cuts[49],
            cuts[98],
            residents(self._server),
        )
        self._clear()
        self.samples.append(found)
        return found

    def _clear(self) -> None:
        self._taken: list[float] = []
        self._requests = self._failures = 0

    def _hear(self, name: str, response_time: float, exception: object = None, **_: Any) -> None:
        self._requests += 1
        if exception:
            self._failures += 1
            self.faults.append(f"{name}: {exception}")
        if name not in LONG:
            self._taken.append(response_time)


def main() -> int:
    """The exit code: 0 if every threshold holds."""
    options = _options()
    with oracle(workers=options.workers) as server:
        fill_caches(server)
        watch = Watch(server)
        for sample in soak(server, watch, options):
            print(_line(sample), flush=True)
    for fault in watch.faults[:5]:
        print(fault)
    if options.picture:
        draw(watch.samples, options.picture)
    return show_thresholds(verdicts(watch.samples))


def _options() -> Namespace:
    parser = ArgumentParser(description="Mixed load for long, and whether anything grows.")
    seconds = os.environ.get("SOAK_SECONDS") or "600"
    parser.add_argument("--seconds", type=float, default=seconds, help="default: $SOAK_SECONDS or 600")
    parser.add_argument("--every", type=float, default=10, help="seconds from one sample to the next, default: 10")
    parser.add_argument("--users", type=int, default=16, help="callers at a time, default: 16")
    parser.add_argument("--workers", type=int, default=cores(), help="default: one per core")
    parser.add_argument("--picture", type=Path, help="a PNG to draw what was seen into")
    return parser.parse_args()


def fill_caches(server: Server) -> None:
    """Asks each worker for so much that what it remembers of answers reaches its bounds."""
    turns = range(0, FILLED, ON_ONE_CONNECTION)
    with ThreadPoolExecutor(CALLERS) as callers:
        list(callers.map(partial(_ask_some, server), turns))


def _ask_some(server: Server, start: int) -> None:
    connection, rng = HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=60), Random(start)
    for number in range(start, start + ON_ONE_CONNECTION):
        body = as_body({"board": rng.choice(OPENINGS).board}) + format(number, "b").translate(BLANKS).encode()
        connection.request("POST", "/analysis", body, {"Content-Type": JSON})
        connection.getresponse().read()
        connection.request("GET", random_opening(rng)[0])
        connection.getresponse().read()
    connection.close()


def soak(server: Server, watch: Watch, options: Namespace) -> Iterator[Sample]:
    """A sample each time, while users call the server."""
    users: list[type[User]] = [Opener, Player, Analyst, Explorer, Vandal, Searcher, Watcher]
    runner = Environment(user_classes=users, events=events, host=server.url).create_local_runner()
    runner.start(options.users, spawn_rate=options.users)
    for _ in range(int(options.seconds / options.every)):
        time.sleep(options.every)
        yield watch.sample()
    runner.quit()


def verdicts(samples: Sequence[Sample]) -> dict[str, bool]:
    """What must hold, and whether it does."""
    warm = samples[int(len(samples) * WARM_SHARE) :]
    half = len(warm) // 2
    before, after = (statistics.median(sample.p99_ms for sample in part) for part in (warm[:half], warm[half:]))
    growth = {worker: _growth(warm, worker) for worker in samples[0].weights}
    told = ", ".join(f"{share:+.1%}" for share in growth.values())
    most = MOST_GROWTH if samples[-1].at >= SETTLED_SECONDS else SHORT_GROWTH
    return {
        "every reply passed its check": sum(sample.failures for sample in samples) == 0 < samples[-1].requests,
        "no worker was replaced": all(sample.weights.keys() == samples[0].weights.keys() for sample in samples),
        f"no worker grew by more than {most:.0%} after its beginnings: {told}": max(growth.values()) <= most,
        f"p99 did not grow: {before:.0f} ms, then {after:.0f} ms": after <= before * MOST_SLOWER + SLACK_MS,
    }


def _growth(samples: Sequence[Sample], worker: int) -> float:
    """The share by which a worker grew, by the line that fits its weights best."""
    weights = [sample.weights.get(worker, float("nan")) for sample in samples]
    slope, start = statistics.linear_regression(range(len(weights)), weights)
    return slope * (len(weights) - 1) / start


def _line(sample: Sample) -> str:
    weights = "  ".join(f"{weight:6.1f} MB" for weight in sample.weights.values())
    return (
        f"{sample.at:6.0f} s  {sample.requests:7,} requests  {sample.failures:3} failed  "
        f"p50 {sample.p50_ms:5.1f} ms  p99 {sample.p99_ms:6.1f} ms  {weights}"
    )


def draw(samples: Sequence[Sample], path: Path) -> None:
    """Draws memory and latency over time."""
    from matplotlib.figure import Figure  # noqa: PLC0415, takes a second, and only pictures need it

    figure = Figure(figsize=(8, 6), layout="constrained")
    memory, latency = figure.subplots(2, sharex=True)
    at = [sample.at for sample in samples]
    for number, worker in enumerate(samples[0].weights, 1):
        memory.plot(at, [sample.weights.get(worker) for sample in samples], label=f"worker {number}")
    latency.plot(at, [sample.p50_ms for sample in samples], label="p50")
    latency.plot(at, [sample.p99_ms for sample in samples], label="p99")
    memory.set(ylabel="private memory, MB", ylim=(0, None))
    latency.set(ylabel="latency, ms", xlabel="seconds", ylim=(0, None))
    for axes in (memory, latency):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    sys.exit(main())
