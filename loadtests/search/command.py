"""The benchmark of the search: nodes, times and other solvers beside it."""

from collections.abc import Sequence
from functools import partial

import click

from loadtests.search.known import CASES, Case
from loadtests.search.peers import PEERS, Peer, Run
from loadtests.search.solve import interleaved, median_seconds, require_compiled, solve, solve_by_peer
from loadtests.tables import Row, show_machine, show_table, show_title, times

HEAD = ("", "value", "source", "nodes", "ms", "other solver", "its nodes", "its ms", "ratio")
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
        " source says.\nThe ratio is the time of the search to that of the other solver.",
    )
    cases = [case for case in CASES if case.effort in EFFORTS[: EFFORTS.index(effort) + 1]]
    runs = measure(cases, rounds)
    show_table([HEAD, *(_row(case, ours, beside) for case, (ours, beside) in runs.items())])
    _require_nodes({case: ours[0].nodes for case, (ours, _) in runs.items()})


def measure(cases: Sequence[Case], rounds: int) -> dict[Case, tuple[list[Run], list[Run]]]:
    """Return the runs of the search and of the other solver that can solve a position, if there is one."""
    peers = [kind() for kind in PEERS]
    beside = [next((peer for peer in peers if peer.can_solve(case)), None) for case in cases]
    tasks = [
        task
        for case, peer in zip(cases, beside, strict=True)
        for task in (partial(solve, case), partial(_solve_beside, peer, case))
    ]
    runs = interleaved(tasks, rounds)
    return dict(zip(cases, zip(runs[::2], runs[1::2], strict=True), strict=True))


def _solve_beside(peer: Peer | None, case: Case) -> Run:
    return solve_by_peer(peer, case) if peer else Run(0.0, 0, "")


def _row(case: Case, ours: Sequence[Run], beside: Sequence[Run]) -> Row:
    seconds, other = median_seconds(ours), median_seconds(beside)
    own = case.name, case.value, case.source, f"{ours[0].nodes:,}", f"{1000 * seconds:,.1f}"
    if not beside[0].value:
        return *own, "", "", "", ""
    return *own, beside[0].solver, f"{beside[0].nodes:,}", f"{1000 * other:,.1f}", times(seconds / other)


def _require_nodes(nodes: dict[Case, int]) -> None:
    """End the run if the search takes other nodes than its signature says."""
    changed = [
        f"the search changed: {case.name}: expected {case.nodes:,} nodes, got {count:,}"
        for case, count in nodes.items()
        if case.nodes not in (None, count)
    ]
    if changed:
        raise SystemExit("\n".join([*changed, "If that was intended, change search/known.csv."]))
