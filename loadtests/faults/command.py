"""Faults of a running server under traffic whose every answer is checked."""

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import click
import psutil  # type: ignore[import-untyped]

from loadtests.drive.traffic import Loss, Results, traffic
from loadtests.faults.inject import Killed, corrupt_table, kill
from loadtests.positions.questions import Question, searched_questions, tabled_questions
from loadtests.servers.processes import STOP_SECONDS, Server, oracle, require
from loadtests.servers.redis import PROGRAM, Redis
from loadtests.tables import show_checks

MAX_LOST = 0.005
"""The share of the requests that may be lost while workers are killed."""

CORRUPTED = 2000
"""Entries of the transposition table that are corrupted at a time."""

REPLACE_SECONDS = 20.0
QUESTIONS = 1500
SMALL_TABLE = {"TABLE_MB": "2", "BOOKS": "none"}
"""Settings of a transposition table so small that its corrupted entries are soon probed.

Yet it is larger than any other memory that the workers share, by which it is found.
"""


@dataclass
class Target:
    """A server, and the faults done to it so far; ``master`` is the process that its signals go to."""

    server: Server
    redis: Redis = field(default_factory=Redis)
    rng: Random = field(default_factory=lambda: Random(0))
    done: list[str] = field(default_factory=list)
    killed: list[Killed] = field(default_factory=list)
    master: int = 0

    def __post_init__(self) -> None:
        self.master = self.master or self.server.pid

    def workers(self) -> list[int]:
        """List the processes of the workers."""
        return [child.pid for child in psutil.Process(self.master).children()]

    def excuses(self, loss: Loss) -> bool:
        """Return whether a request was under way on a connection to a worker while that was killed."""
        return any(
            loss.port in one.ports and loss.began <= one.ended and one.began <= loss.ended for one in self.killed
        )


def kill_worker(target: Target) -> None:
    """Kill a worker, and wait until it is replaced."""
    before = target.workers()
    killed = kill(target.rng.choice(before))
    target.killed.append(killed)
    _wait_for(lambda: len(set(target.workers()) - {killed.pid}) >= len(before), "a killed worker was not replaced")
    target.done.append(f"killed, replaced after {(time.monotonic() - killed.began) * 1000:.0f} ms")


def corrupt(target: Target) -> None:
    """Corrupt entries of the transposition table."""
    target.done.append(f"{corrupt_table(target.master, target.rng, CORRUPTED)} entries corrupted")


def toggle_redis(target: Target) -> None:
    """Stop the Redis of the shared cache, or start it again."""
    (target.redis.stop if target.redis.process else target.redis.start)()
    target.done.append(f"Redis {'started' if target.redis.process else 'stopped'}")


def upgrade(target: Target) -> None:
    """Start a second server on the same socket, and stop the first when the second has its workers."""
    old, workers = psutil.Process(target.master), target.workers()

    def is_ready() -> bool:
        os.kill(target.master, signal.SIGUSR2)  # ignored while a second server starts, or the one before it ends
        return _successors(old, workers) != []

    _wait_for(is_ready, "no second server came up", pause=0.2)
    (target.master,) = _successors(old, workers)
    old.terminate()
    _wait_for(lambda: not old.is_running() or old.status() == psutil.STATUS_ZOMBIE, "the first server did not end")
    target.done.append("upgraded in place")


def _successors(master: psutil.Process, workers: list[int]) -> list[int]:
    """List the children of a server that are no workers but have workers of their own, as many as the server."""
    others = [child for child in master.children() if child.pid not in workers]
    return [child.pid for child in others if len(child.children()) >= len(workers)]


def _wait_for(condition: Callable[[], bool], failure: str, pause: float = 0.01) -> None:
    deadline = time.monotonic() + REPLACE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(failure)
        time.sleep(pause)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is done, the requests meanwhile, and the settings of the server."""

    inject: Callable[[Target], None]
    questions: Callable[[int], list[Question]]
    settings: Mapping[str, str] = field(default_factory=dict)


FAULTS: Mapping[str, Fault] = {
    "kill": Fault(kill_worker, tabled_questions),
    "upgrade": Fault(upgrade, tabled_questions),
    "corrupt": Fault(corrupt, searched_questions, SMALL_TABLE),
    "redis": Fault(toggle_redis, searched_questions),
}


@click.command()
@click.option("--fault", type=click.Choice(list(FAULTS)), default="kill", help="What is done to the server.")
@click.option("--seconds", type=float, default=60, help="How long.")
@click.option("--rate", type=float, default=200, help="Requests a second.")
@click.option("--every", type=float, default=2, help="Seconds from one fault to the next.")
def command(fault: str, seconds: float, rate: float, every: float) -> None:
    """Do the same fault again and again under traffic; fail if an answer is wrong or too much is lost."""
    chosen, redis = FAULTS[fault], Redis()
    questions, settings = chosen.questions(QUESTIONS), dict[str, Any](chosen.settings)
    if fault == "redis":
        require(PROGRAM)
        settings["CACHE_URL"] = redis.url
        redis.start()
    try:
        with oracle(workers=2, **settings) as server:
            target = Target(server, redis)
            try:
                with traffic(server.port, questions, rate=rate) as results:
                    _repeat(chosen, target, seconds=seconds, every=every)
            finally:
                if target.master != server.pid:  # the server of the last upgrade
                    successor = psutil.Process(target.master)
                    successor.terminate()
                    successor.wait(STOP_SECONDS)
    finally:
        redis.stop()
    sys.exit(_show(results, target))


def _repeat(fault: Fault, target: Target, *, seconds: float, every: float) -> None:
    """Do a fault at a fixed rate."""
    started = time.monotonic()
    for number in range(int(seconds / every)):
        time.sleep(max(0.0, started + (number + 0.5) * every - time.monotonic()))
        fault.inject(target)
    time.sleep(max(0.0, started + seconds - time.monotonic()))


def _show(results: Results, target: Target) -> int:
    print(f"{len(target.done)} times: {', '.join(target.done)}")
    print(f"{results.sent:,} requests, {len(results.wrong)} wrong, {len(results.lost)} lost ({results.lost_share:.3%})")
    print(f"median {results.quantile(0.5) * 1000:.1f} ms, p99 {results.quantile(0.99) * 1000:.1f} ms")
    print(f"{results.closed_idle} kept connections were closed while nothing was asked on them")
    for error, times in Counter(loss.error for loss in results.lost).most_common():
        print(f"{times} x {error}")
    print(*results.wrong[:5], sep="\n", end="\n" if results.wrong else "")
    lost_elsewhere = [loss for loss in results.lost if not target.excuses(loss)]
    holds = {
        "no answer was wrong": not results.wrong,
        "nothing was lost but on connections to a worker while it was killed": not lost_elsewhere,
        f"at most {MAX_LOST:.1%} of the requests were lost": results.lost_share <= MAX_LOST,
    }
    return show_checks(holds)
