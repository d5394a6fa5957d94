"""What door and search cost, side by side with the least that Flask can do, a FastAPI twin and other solvers.

``python loadtests/bench.py`` prints a table for each part; ``--help`` lists what can be changed.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import batch
import calm
import cold
import cost
import fleet
import matrix
import proxy
import solver
import startup
import streams
import throughput
from answers import Answers, all_answers
from serving import cores, missing
from tables import show_machine


@dataclass(frozen=True, slots=True)
class Part:
    """What prints the figures of a part, and the programs that it needs beside Python packages."""

    show: Callable[[Answers, Namespace], None]
    programs: tuple[str, ...] = ()


PARTS: Mapping[str, Part] = {
    "cost": Part(cost.show),
    "start": Part(startup.show),
    "throughput": Part(throughput.show, throughput.PROGRAMS),
    "proxy": Part(proxy.show, proxy.PROGRAMS),
    "batch": Part(batch.show),
    "streams": Part(streams.show),
    "calm": Part(calm.show),
    "cold": Part(cold.show),
    "fleet": Part(fleet.show, fleet.PROGRAMS),
    "solver": Part(solver.show),
}
"""What a run shows, by the names that ``--only`` takes."""

MATRIX: Mapping[str, Part] = {"matrix": Part(matrix.show, throughput.PROGRAMS)}
"""What ``--workers-matrix`` shows instead."""


def main() -> int:
    """The exit code: 1 if a program is missing and all were required, else 0."""
    options = _options()
    show_machine()
    answers = all_answers()
    parts = MATRIX if options.workers_matrix else {name: PARTS[name] for name in options.only}
    shown = [_show(name, part, answers, options) for name, part in parts.items()]
    return int(options.require_all and not all(shown))


def _show(name: str, part: Part, answers: Answers, options: Namespace) -> bool:
    """Whether the part could be shown."""
    lacking = missing(part.programs)
    if lacking:
        print(f"\n{name}: not measured; not installed: {', '.join(lacking)}.")
    else:
        part.show(answers, options)
    return not lacking


def _options() -> Namespace:
    parser = ArgumentParser(description="Benchmarks, interleaved round by round; every answer is checked.")
    add = parser.add_argument
    add("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to run, default: all")
    add("--batches", type=int, default=61, help="rounds of the cost in process, default: 61")
    add("--rounds", type=int, default=6, help="rounds of the throughput, default: 6")
    add("--searches", type=int, default=3, help="rounds of the search, default: 3")
    add("--streams", type=int, default=20, help="streams that are left, default: 20")
    add("--long", action="store_true", help="also the searches that take many seconds")
    add("--seconds", type=int, default=1, help="seconds of each run of wrk, default: 1")
    add("--connections", type=int, default=16, help="connections of wrk, default: 16")
    add("--workers", type=int, default=cores(), help="processes of each server, default: one per core")
    add("--require-all", action="store_true", help="exit with 1 if a program is missing that a part needs")
    add("--workers-matrix", action="store_true", help="instead: the service under several servers")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
