"""One thread beside two at the same position."""

from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from statistics import geometric_mean
from time import perf_counter

from pair import SEARCHES, solve_together
from peers import Run
from serving import cores
from solved import EMPTY_SIZES, Case, connect_four
from solver import foreign_seconds, interleaved, median_seconds, solve
from tables import Row, show_markdown, show_title, times

_EMPTY = {case.name: case for case in EMPTY_SIZES}

CASES = (
    _EMPTY["Connect Four 6x6"],
    connect_four("0063", "draw 38"),
    connect_four("20350", "win 37"),
    connect_four("633023", "loss 36"),
)
"""Positions that take one thread some seconds."""

CASES_LONG = (_EMPTY["Connect Four 6x7"],)


def show(options: Namespace) -> None:
    """Prints the times of both, and how busy the machine was besides, which spoils the ratios."""
    show_title(
        "### Two threads at one position\n",
        f"From an empty table that both share. Medians of {options.rounds} interleaved rounds.",
        f"connect_four.py --only threads --rounds {options.rounds}{' --long' * options.long}",
    )
    cases = [*CASES, *CASES_LONG] if options.long else [*CASES]
    began, foreign = perf_counter(), foreign_seconds()
    tasks = [partial(solver, case) for case in cases for solver in (solve, solve_together)]
    runs = interleaved(tasks, options.rounds)
    foreign_cores = (foreign_seconds() - foreign) / (perf_counter() - began)
    alone, together = runs[::2], runs[1::2]
    ratios = [median_seconds(one) / median_seconds(two) for one, two in zip(alone, together, strict=True)]
    rows = [_row(*row) for row in zip(cases, alone, together, ratios, strict=True)]
    head = ("", "value", "nodes", f"nodes, {SEARCHES} threads", "s", f"s, {SEARCHES} threads", "ratio")
    show_markdown([head, *rows, ("geometric mean", *[""] * 5, times(geometric_mean(ratios)))])
    print(f"\nMeanwhile other processes kept {foreign_cores:.2f} of the {cores()} cores busy.")


def _row(case: Case, alone: Sequence[Run], together: Sequence[Run], ratio: float) -> Row:
    nodes = (f"{sorted(run.nodes for run in runs)[len(runs) // 2]:,}" for runs in (alone, together))
    seconds = (f"{median_seconds(runs):.2f}" for runs in (alone, together))
    return case.name, case.value, *nodes, *seconds, times(ratio)
