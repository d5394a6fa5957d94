"""Traffic whose every answer is checked, while a server of its own is harmed: ``python loadtests/faults.py``.

Exits with 1 if an answer was wrong, or if more was lost than the fault excuses.
"""

import os
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlsplit

from harm import Killed, kill, spoil, workers
from questions import Question, searched_questions, tabled_questions
from serving import Server, oracle
from tables import show_thresholds
from traffic import Books, Loss, traffic

MOST_LOST = 0.005
"""The share of the requests that may be lost while workers are killed."""

FLIPPED = 2000
"""Entries of the transposition table that are spoiled at a time."""

REPLACED_SECONDS = 10.0
QUESTIONS = 1500
SMALL_TABLE = "1"
"""Megabytes of a transposition table so small that what is spoiled in it is soon asked for."""


@dataclass
class Harm:
    """What was done so far: in words, and the workers that were killed."""

    done: list[str] = field(default_factory=list)
    killed: list[Killed] = field(default_factory=list)

    def excuses(self, loss: Loss) -> bool:
        """Whether a request was under way on a connection to a worker while that was killed."""
        return any(loss.port in one.ports and loss.sent <= one.ended and one.began <= loss.ended for one in self.killed)


def kill_one(server: Server, rng: Random, harm: Harm) -> None:
    """Kills a worker, and waits until there is another in its place."""
    alive = workers(server.pid)
    killed = kill(rng.choice(alive))
    harm.killed.append(killed)
    while len(set(workers(server.pid)) - {killed.pid}) < len(alive):
        if time.monotonic() - killed.began > REPLACED_SECONDS:
            raise SystemExit("a killed worker was not replaced")
        time.sleep(0.01)
    harm.done.append(f"killed, replaced after {(time.monotonic() - killed.began) * 1000:.0f} ms")


def reload(server: Server, rng: Random, harm: Harm) -> None:  # noqa: ARG001
    """Has all workers replaced by new ones."""
    os.kill(server.pid, signal.SIGHUP)
    harm.done.append("reloaded")


def spoil_table(server: Server, rng: Random, harm: Harm) -> None:
    """Spoils entries of the transposition table."""
    harm.done.append(f"{spoil(server.pid, rng, FLIPPED)} entries spoiled")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is done, what is asked meanwhile, and under which settings."""

    do: Callable[[Server, Random, Harm], None]
    questions: Callable[[int], list[Question]]
    settings: Mapping[str, Any]


FAULTS: Mapping[str, Fault] = {
    "kill": Fault(kill_one, tabled_questions, {}),
    "reload": Fault(reload, tabled_questions, {}),
    "spoil": Fault(spoil_table, searched_questions, {"TABLE_MB": SMALL_TABLE}),
}


def main() -> int:
    """The exit code: 0 if every threshold holds."""
    options = _options()
    fault = FAULTS[options.fault]
    questions = fault.questions(QUESTIONS)
    with oracle(workers=options.workers, **fault.settings) as server:
        port = urlsplit(server.url).port or 0
        with traffic(port, questions, rate=options.rate) as books:
            harm = repeat(fault, server, seconds=options.seconds, every=options.every)
    return _print_verdict(books, harm)


def repeat(fault: Fault, server: Server, *, seconds: float, every: float) -> Harm:
    """What was done, the same thing again and again."""
    harm, rng, started = Harm(), Random(0), time.monotonic()
    for turn in range(1, int(seconds / every) + 1):
        time.sleep(max(0.0, started + (turn - 0.5) * every - time.monotonic()))
        fault.do(server, rng, harm)
    time.sleep(max(0.0, started + seconds - time.monotonic()))
    return harm


def verdicts(books: Books, harm: Harm) -> dict[str, bool]:
    """What must hold, and whether it does."""
    return {
        "no answer was wrong": not books.wrong,
        "nothing was lost but on connections to a worker while it was killed": all(map(harm.excuses, books.lost)),
        f"at most {MOST_LOST:.1%} of the requests were lost": books.lost_share <= MOST_LOST,
    }


def _options() -> Namespace:
    parser = ArgumentParser(description="Traffic whose every answer is checked, while the server is harmed.")
    parser.add_argument("--fault", choices=FAULTS, default="kill", help="what happens to it, default: kill")
    parser.add_argument("--seconds", type=float, default=60, help="how long, default: 60")
    parser.add_argument("--rate", type=float, default=200, help="requests a second, default: 200")
    parser.add_argument("--every", type=float, default=2, help="seconds from one fault to the next, default: 2")
    parser.add_argument("--workers", type=int, default=2, help="default: 2")
    return parser.parse_args()


def _print_verdict(books: Books, harm: Harm) -> int:
    print(f"{len(harm.done)} times: {', '.join(harm.done)}")
    print(f"{books.asked:,} requests, {len(books.wrong)} wrong, {len(books.lost)} lost ({books.lost_share:.3%})")
    print(f"median {books.quantile(0.5) * 1000:.1f} ms, p99 {books.quantile(0.99) * 1000:.1f} ms")
    print(f"{books.closed_idle} kept connections were closed while nothing was asked on them")
    for error, times in books.errors().most_common():
        print(f"{times} x {error}")
    for wrong in books.wrong[:5]:
        print(wrong)
    return show_thresholds(verdicts(books, harm))


if __name__ == "__main__":
    sys.exit(main())
