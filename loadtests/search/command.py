"""The benchmark of the search: values, nodes and times."""

from functools import partial

import click

from loadtests.search.known import CASES
from loadtests.search.solve import interleaved, median_seconds, require_compiled, solve
from loadtests.tables import show_machine, show_table, show_title

EFFORTS = ["short", "long", "hard"]


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
