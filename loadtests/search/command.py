"""The benchmark of the search: nodes, times and other solvers beside it."""

from collections.abc import Mapping, Sequence
from functools import partial

import click

from loadtests.search.known import FIXED, FIXED_LONG, KNOWN, KNOWN_LONG, NODES, Case
from loadtests.search.peers import PEERS, Peer, Run
from loadtests.search.solve import interleaved, median_seconds, require_compiled, solve, solve_by_peer
from loadtests.tables import Row, show_machine, show_table, show_title, times

HEAD = ("", "value", "source", "nodes", "ms", "other solver", "its nodes", "its ms", "ratio")


@click.command()
@click.option("--rounds", type=int, default=3, help="Interleaved rounds.")
@click.option("--long", is_flag=True, help="Also the positions that take many seconds.")
@click.option("--update", is_flag=True, help="Instead: print the table of nodes for search/known.py.")
def command(rounds: int, long: bool, update: bool) -> None:  # noqa: FBT001
    """Solve positions of known value; fail if a value, or the nodes of the search, is another than expected."""
    require_compiled()
    show_machine()
    cases = [*FIXED, *(FIXED_LONG if long else ())]
    if update:
        _print_nodes(cases)
        return
    cases += [case for case in (*KNOWN, *(KNOWN_LONG if long else ())) if case not in cases]
    show_title(
        "The search",
        f"One thread, an empty table for each search; medians of {rounds} interleaved rounds. Each value is what its"
        " source says.\nThe ratio is the time of the search to that of the other solver.",
    )
    runs = measure(cases, rounds)
    _require_nodes({case.name: ours[0].nodes for case, (ours, _) in runs.items()})
    show_table([HEAD, *(_row(case, ours, beside) for case, (ours, beside) in runs.items())])


def measure(cases: Sequence[Case], rounds: int) -> dict[Case, tuple[list[Run], list[Run]]]:
    """Return the runs of the search and of the other solver that can solve a position, if there is one."""
    peers = {case: peer for peer in [kind() for kind in PEERS] for case in peer.cases}
    tasks = [task for case in cases for task in (partial(solve, case), partial(_solve_beside, peers.get(case), case))]
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


def _require_nodes(nodes: Mapping[str, int]) -> None:
    """End the run if the search takes other nodes than its signature says."""
    changed = [
        f"the search changed: {name}: expected {NODES[name]:,} nodes, got {count:,}"
        for name, count in nodes.items()
        if NODES.get(name, count) != count
    ]
    if changed:
        raise SystemExit("\n".join([*changed, "If that was intended: --update prints the new table."]))


def _print_nodes(cases: Sequence[Case]) -> None:
    nodes = {**NODES, **{case.name: solve(case).nodes for case in cases}}
    print("\nNODES = {", *(f'    "{name}": {count:_},' for name, count in nodes.items()), "}", sep="\n")
