"""The empty boards of Connect Four in all sizes whose value is known, each within a limit of time."""

from time import perf_counter

from loadtests.budgets import Verdicts
from loadtests.connect_four.options import Options
from loadtests.search.known import EMPTY_SIZES, KNOWN, Case
from loadtests.search.solve import empty_table, solve
from loadtests.tables import Row, show_row, show_title
from service.kernel.search import Stopped


def show(options: Options, _verdicts: Verdicts) -> None:
    """Print a row for each size as soon as it is solved."""
    cases = EMPTY_SIZES if options.long else [case for case in EMPTY_SIZES if case in KNOWN]
    show_title(
        "Sizes",
        f"Rows x columns. One search each, in one thread, from an empty table of {options.table_mb} MB, given up after"
        f" {options.limit:g} s.\nEach value is what {cases[0].source} says.",
    )
    show_row("", "value", "nodes", "s")
    show_row("---", "---:", "---:", "---:")
    for case in cases:
        show_row(case.name.removeprefix("Connect Four "), *_cost(case, options))


def _cost(case: Case, options: Options) -> Row:
    table, end = empty_table(options.table_mb << 20), perf_counter() + options.limit
    try:
        run = solve(case, table, lambda: perf_counter() > end)
    except Stopped:
        return f"not solved in {options.limit:g} s", "", ""
    return run.value, f"{run.nodes:,}", f"{run.seconds:.2f}"
