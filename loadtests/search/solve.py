"""Runs of the search, every value of which is checked, and the command that compares values, nodes and times."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from statistics import median
from time import perf_counter

import click

from loadtests.search.known import CASES, Case, written
from loadtests.tables import show_machine, show_table, show_title
from service.games.families.lines import LineGame, marked
from service.kernel.alpha_beta.search import KERNEL, Search

rules_of = cache(LineGame.lay_out)
"""The rules of a game, laid out for the search."""

TABLE_BYTES = 64 << 20
"""The table of every search; its nodes depend on it."""

EFFORTS = ["short", "long", "hard"]


@dataclass(frozen=True, slots=True)
class Run:
    """One answer: its seconds, its nodes, the value, and the solver that gave it."""

    seconds: float
    nodes: int
    value: str
    solver: str = "the search"


def solve(case: Case) -> Run:
    """Solve a position with the search, from an empty table. Ends the run if the value is wrong.

    The clock starts once the object that searches is there, as for other solvers.
    """
    rules, position = rules_of(case.game), case.position
    table = memoryview(bytearray(bytes(TABLE_BYTES))).cast("Q")  # a copy, so that its memory is there before that
    search = Search(rules, table)
    began = perf_counter()
    score = search.score(*position.state)
    seconds = perf_counter() - began
    end = case.game.cells + 1 - abs(score) if score else case.game.cells
    return checked(case, Run(seconds, search.nodes, written(score, end - marked(position).bit_count())))


def checked(case: Case, run: Run) -> Run:
    """Return a run. Ends the benchmark if the value is wrong."""
    if run.value != case.value:
        raise SystemExit(f"{case.name}: {case.value} expected ({case.source}), {run.value} says {run.solver}.")
    return run


def interleaved(tasks: Sequence[Callable[[], Run]], rounds: int) -> list[list[Run]]:
    """Return the runs of each task; every round runs each task once."""
    in_rounds = [[task() for task in tasks] for _ in range(rounds)]
    return [list(runs) for runs in zip(*in_rounds, strict=True)]


def median_seconds(runs: Iterable[Run]) -> float:
    """Return the median of the seconds."""
    return median(run.seconds for run in runs)


def require_compiled() -> None:
    """End the run if the kernel is interpreted."""
    if KERNEL != "compiled":
        raise SystemExit(f"The kernel is {KERNEL}; only the times of a compiled one are worth measuring.")


@click.command()
@click.option("--rounds", type=int, default=3, help="Interleaved rounds.")
@click.option("--effort", type=click.Choice(EFFORTS), default="short", help="Up to which effort to solve positions.")
def command(rounds: int, effort: str) -> None:
    """Solve positions of known value; fail if a value, or the nodes of the search, is another than expected."""
    require_compiled()
    show_machine()
    show_title(
        "The search",
        f"One thread, an empty table for each search; medians of {rounds} interleaved rounds. Each value is what its"
        " source says.",
    )
    cases = [case for case in CASES if case.effort in EFFORTS[: EFFORTS.index(effort) + 1]]
    solved = [*zip(cases, interleaved([partial(solve, case) for case in cases], rounds), strict=True)]
    rows = [
        (case.name, case.value, case.source, f"{runs[0].nodes:,}", f"{1000 * median_seconds(runs):,.1f}")
        for case, runs in solved
    ]
    show_table([("", "value", "source", "nodes", "ms"), *rows])
    changed = [
        f"the search changed: {case.name}: expected {case.nodes:,} nodes, got {runs[0].nodes:,}"
        for case, runs in solved
        if case.nodes not in (None, runs[0].nodes)
    ]
    if changed:
        raise SystemExit("\n".join([*changed, "If that was intended, change search/known.csv."]))
