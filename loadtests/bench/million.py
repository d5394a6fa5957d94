"""A million requests about 3x3, and whether the workers grow meanwhile."""

import sys
from dataclasses import dataclass, field
from itertools import cycle

import click

from loadtests.bench.wrk import PROGRAM, Load, Run, answers_and_bodies, check_and_warm_up, wrk
from loadtests.positions.answers import all_answers
from loadtests.servers.memory import MAX_GROWTH, Memory, private_memory
from loadtests.servers.processes import missing, oracle
from loadtests.tables import show_checks

CONNECTIONS = 16


@dataclass(slots=True)
class Count:
    """The requests so far, and the memory of the workers after so many of them."""

    requests: int = 0
    failed: int = 0
    memory: list[tuple[int, Memory]] = field(default_factory=list)

    def add(self, run: Run, memory: Memory) -> None:
        """Count a run, and the memory after it."""
        self.requests += run.requests
        self.failed += run.refused + run.broken
        self.memory.append((self.requests, memory))

    def growth(self, after: int) -> float:
        """Return the largest share by which a worker has grown since so many requests; infinite if one has died."""
        before = next(memory for requests, memory in self.memory if requests >= after)
        last = self.memory[-1][1]
        if before.keys() != last.keys():
            return float("inf")
        return max(last[worker] / before[worker] - 1 for worker in last)


@click.command()
@click.option("--requests", type=int, default=1_000_000, help="How many at least.")
@click.option("--warm", type=int, default=100_000, help="From how many on growth counts.")
@click.option("--seconds", type=int, default=5, help="Seconds between two measurements of memory.")
@click.option("--workers", type=int, default=2, help="Processes of the server.")
def command(requests: int, warm: int, seconds: int, workers: int) -> None:
    """Send a million requests about 3x3, half of them in bodies never seen; fail if a worker grows."""
    if missing([PROGRAM]):
        raise SystemExit(f"{PROGRAM} is not installed")
    count = _ask(requests, Load(CONNECTIONS, seconds), workers)
    growth = count.growth(warm)
    print(f"{count.requests:,} requests, {count.failed} failed, growth since {warm:,}: {growth:+.2%}")
    holds = {
        "every request was answered with 200": count.failed == 0,
        f"no worker has died, or grown by more than {MAX_GROWTH:.0%} since {warm:,} requests": growth <= MAX_GROWTH,
    }
    sys.exit(show_checks(holds))


def _ask(requests: int, load: Load, workers: int) -> Count:
    """Send the requests, in turn with bodies never seen and seen before."""
    count, answers = Count(), all_answers()
    with oracle(workers=workers) as server, answers_and_bodies(answers) as files:
        check_and_warm_up(server, answers, files, load.connections)
        for unseen in cycle([True, False]):
            run = wrk(server, files, load, unseen=unseen)
            count.add(run, private_memory(server))
            memory = ", ".join(f"{megabytes:.1f} MB" for megabytes in count.memory[-1][1].values())
            kind = "never seen" if unseen else "seen before"
            print(f"{count.requests:>9,} requests, {kind}: {run.rate:,.0f}/s, p99 {run.p99_ms:.1f} ms; {memory}")
            if count.requests >= requests:
                break
    return count
