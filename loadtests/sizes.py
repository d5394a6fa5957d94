"""The empty boards of Connect Four in all sizes whose value is known, each within a limit of time."""

from argparse import Namespace
from time import perf_counter

from peers import Run
from solved import EMPTY_SIZES, KNOWN, Case
from solver import empty_table, solve
from tables import Row, show_row, show_title

from service.kernel.search import Stopped


def show(options: Namespace) -> None:
    """Prints a row for each size as soon as it is there."""
    asked = f"--limit {options.limit:g} --table-mb {options.table_mb}{' --long' * options.long}"
    cases = EMPTY_SIZES if options.long else [case for case in EMPTY_SIZES if case in KNOWN]
    show_title(
        "### Sizes\n",
        f"Rows x columns. One search each, in one thread, from an empty table of {options.table_mb} MB, given up after"
        f" {options.limit:g} s.\nEach value found is what {cases[0].source} says.",
        f"connect_four.py --only sizes {asked}",
    )
    show_row("", "value", "nodes", "s")
    show_row("---", "---:", "---:", "---:")
    for case in cases:
        show_row(*_row(case, options.limit, options.table_mb))


def _row(case: Case, limit: float, table_mb: int) -> Row:
    run = _solve(case, limit, table_mb)
    size = case.name.removeprefix("Connect Four ")
    return (size, *((f"not solved in {limit:g} s", "", "") if run is None else _cost(run)))


def _solve(case: Case, limit: float, table_mb: int) -> Run | None:
    """The search's answer, None if it takes longer. Ends the benchmark if it is wrong."""
    table, end = empty_table(table_mb << 20), perf_counter() + limit
    try:
        return solve(case, table, lambda: perf_counter() > end)
    except Stopped:
        return None


def _cost(run: Run) -> Row:
    return run.value, f"{run.nodes:,}", f"{run.seconds:.2f}"
