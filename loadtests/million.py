"""A million requests about 3x3, asked before and never before, and what the workers weigh meanwhile.

``python loadtests/million.py`` exits with 1 if a worker died or grew. It takes some minutes, and wrk.
"""

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, field
from itertools import cycle

from answers import all_answers
from residents import MOST_GROWTH, Residents, residents
from serving import missing, oracle
from tables import show_thresholds
from throughput import PROGRAMS, SEEN, UNSEEN, Load, Run, prepare, written, wrk


@dataclass(slots=True)
class Count:
    """The requests so far, and what the workers weighed when so many had been answered."""

    requests: int = 0
    failed: int = 0
    weighed: list[tuple[int, Residents]] = field(default_factory=list)

    def add(self, run: Run, weights: Residents) -> None:
        """Counts a run, and what the workers weigh after it."""
        self.requests += run.requests
        self.failed += run.refused + run.broken
        self.weighed.append((self.requests, weights))

    def growth(self, after: int) -> float:
        """The greatest share by which a worker has grown since so many requests; infinite if one has died."""
        before = next(weights for requests, weights in self.weighed if requests >= after)
        last = self.weighed[-1][1]
        if before.keys() != last.keys():
            return float("inf")
        return max(last[worker] / before[worker] - 1 for worker in last)


def main() -> int:
    """The exit code: 0 if every threshold holds."""
    options = _options()
    for program in missing(PROGRAMS):
        raise SystemExit(f"{program} is not installed")
    count = _ask(options)
    holds = {
        "every request was answered with 200": count.failed == 0,
        f"no worker has died, or grown by more than {MOST_GROWTH:.0%} since {options.warm:,} requests": (
            count.growth(options.warm) <= MOST_GROWTH
        ),
    }
    growth = f"growth since {options.warm:,}: {count.growth(options.warm):+.2%}"
    print(f"{count.requests:,} requests, {count.failed} failed, {growth}")
    return show_thresholds(holds)


def _options() -> Namespace:
    parser = ArgumentParser(description="A million requests about 3x3, and what the workers weigh meanwhile.")
    parser.add_argument("--requests", type=int, default=1_000_000, help="how many at least, default: 1,000,000")
    parser.add_argument("--warm", type=int, default=100_000, help="from how many on growth counts, default: 100,000")
    parser.add_argument("--seconds", type=int, default=5, help="between two weighings, default: 5")
    parser.add_argument("--workers", type=int, default=2, help="default: 2")
    return parser.parse_args()


def _ask(options: Namespace) -> Count:
    """What came of the requests, half of them in texts that were asked before, half in ones that never were."""
    count, answers = Count(), all_answers()
    with oracle(workers=options.workers) as server, written(answers) as files:
        prepare(server, answers, files, connections=16)
        for kind in cycle([UNSEEN, SEEN]):
            run = wrk(server, files, Load(16, options.seconds), unseen=kind == UNSEEN)
            count.add(run, residents(server))
            weights = ", ".join(f"{weight:.1f} MB" for weight in count.weighed[-1][1].values())
            print(f"{count.requests:>9,} requests, {kind}: {run.rate:,.0f}/s, p99 {run.p99_ms:.1f} ms; {weights}")
            if count.requests >= options.requests:
                return count
    raise AssertionError


if __name__ == "__main__":
    sys.exit(main())
