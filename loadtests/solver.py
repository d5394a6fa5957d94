"""What the search costs: nodes and seconds, other solvers beside it, two threads at once. Every answer is checked.

``python loadtests/solver.py`` prints a table for each part; ``--help`` lists what can be changed.
Sizes are rows x columns, medians are over interleaved rounds, and each search starts from an empty table.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import geometric_mean, median
from time import perf_counter, process_time

import psutil  # type: ignore[import-untyped]
from answers import Answers
from peers import PEERS, Peer, Run
from serving import cores
from solved import FIXED, FIXED_LONG, KNOWN, KNOWN_LONG, NODES, PAIR, Case, rules_of, written
from tables import Row, show_machine, show_markdown, show_title, times, verdict

from service.kernel.search import KERNEL, Search

TABLE_BYTES = 64 << 20
"""The memory of every search; the nodes that it takes depend on it."""

THREADS_BUDGET = 1.7
"""At least so many times the positions a second in two threads on two cores."""


def main() -> None:
    """Prints the parts that were asked for. Ends with a message if an answer was wrong or the search has changed."""
    options = _options()
    require_compiled()
    show_machine()
    if options.update:
        show_new_signatures(options)
        return
    for part in options.only:
        PARTS[part](options)


def _options() -> Namespace:
    parser = ArgumentParser(description="Benchmarks of the search; every answer is checked.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to run, default: all")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each part, default: 3")
    parser.add_argument("--long", action="store_true", help="also the positions that take many seconds")
    parser.add_argument("--update", action="store_true", help="instead: the table of nodes for solved.py")
    return parser.parse_args()


def show(_answers: Answers, options: Namespace) -> None:
    """Prints all parts, in as many rounds as a benchmark of everything has for searches."""
    for part in PARTS.values():
        part(Namespace(rounds=options.searches, long=options.long))


def show_positions(options: Namespace) -> None:
    """Fixed positions, whose nodes must be what ``NODES`` says."""
    cases = _chosen(FIXED, FIXED_LONG, options)
    _show_title("Fixed positions", f"Medians of {options.rounds} rounds.", "positions", options)
    runs = dict(zip(cases, interleaved([partial(solve, case) for case in cases], options.rounds), strict=True))
    show_markdown([("", "value", "nodes", "ms", "nodes/s"), *map(_position_row, runs.values(), runs)])
    _require_signatures({case.name: run.nodes for case, (run, *_) in runs.items()})


def show_values(options: Namespace) -> None:
    """Empty boards whose value is known from elsewhere."""
    cases = _chosen(KNOWN, KNOWN_LONG, options)
    _show_title("Known values", "One search each; each value is what its source says.", "values", options)
    runs = [solve(case) for case in cases]
    total = Run(sum(run.seconds for run in runs), sum(run.nodes for run in runs), "")
    rows = [_value_row(case.name, case.source, run) for case, run in zip(cases, runs, strict=True)]
    show_markdown([("", "value", "source", "nodes", "ms"), *rows, _value_row("all", "", total)])


def show_peers(options: Namespace) -> None:
    """The search beside other solvers."""
    for peer in [kind() for kind in PEERS]:
        _show_title(
            f"Beside {peer.name}",
            f"Medians of {options.rounds} interleaved rounds. Above 1x the search is faster.",
            "peers",
            options,
        )
        show_markdown(peer_rows(peer, peer.cases, options.rounds))


def show_threads(options: Namespace) -> None:
    """Two searches in two threads that share a table, beside the same one after the other.

    Whatever else keeps a core busy spoils the ratio, so that is told too.
    """
    _show_title(
        "Two threads",
        f"{' and '.join(case.name for case in PAIR)} with one table, medians of {options.rounds} interleaved rounds.",
        "threads",
        options,
    )
    began, foreign = perf_counter(), foreign_seconds()
    with ThreadPoolExecutor(len(PAIR)) as pool:
        runs = interleaved([partial(_solve_pair, map), partial(_solve_pair, pool.map)], options.rounds)
    foreign_cores = (foreign_seconds() - foreign) / (perf_counter() - began)
    in_turn, at_once = ([median(side), min(side)] for side in ([run.seconds for run in side] for side in runs))
    ratios = [one / other for one, other in zip(in_turn, at_once, strict=True)]
    budget = verdict(f">= {THREADS_BUDGET}x", holds=ratios[0] >= THREADS_BUDGET)
    show_markdown(
        [
            ("", "median, ms", "lowest, ms", "budget"),
            ("one after the other", *map(_ms, in_turn), ""),
            ("at once", *map(_ms, at_once), ""),
            ("ratio", *map(times, ratios), budget),
        ]
    )
    print(f"\nMeanwhile other processes kept {foreign_cores:.2f} of the {cores()} cores busy.")


def show_new_signatures(options: Namespace) -> None:
    """The table of nodes as it stands now, to be pasted into ``solved.py``; what was not searched stays as it was."""
    nodes = {case.name: solve(case).nodes for case in _chosen(FIXED, FIXED_LONG, options)}
    lines = (f'    "{name}": {count:_},' for name, count in {**NODES, **nodes}.items())
    print("\nNODES = {", *lines, "}", sep="\n")


def solve(case: Case, table: memoryview | None = None, poll: Callable[[], bool] | None = None) -> Run:
    """The search's answer, by default from an empty table. Ends the benchmark if it is wrong.

    Raises Stopped where ``poll`` says so.
    """
    rules, position = rules_of(case.game), case.position
    table = empty_table() if table is None else table
    began = perf_counter()
    search = Search(rules, table, poll=poll)
    score = search.score(position.mine, position.theirs)
    return judged(case, score, Run(perf_counter() - began, search.nodes, ""))


def judged(case: Case, score: int, cost: Run) -> Run:
    """A run that found this score, in the kernel's count. Ends the benchmark if it is wrong."""
    plies = case.game.cells + 1 - abs(score) if score else case.game.cells
    run = Run(cost.seconds, cost.nodes, written(score, plies - case.position.occupied.bit_count()))
    _require_value(case, run, "the search")
    return run


def empty_table(size: int = TABLE_BYTES) -> memoryview:
    """A table of zeros. It is a copy, so that its memory is there before the clock starts, not when first touched."""
    return memoryview(bytearray(bytes(size))).cast("Q")


def interleaved(tasks: Sequence[Callable[[], Run]], rounds: int) -> list[list[Run]]:
    """The runs of each task. All take their turn in every round, so that whatever else the machine does hits all."""
    in_rounds = [[task() for task in tasks] for _ in range(rounds)]
    return [list(runs) for runs in zip(*in_rounds, strict=True)]


def _solve_pair(each: Callable[[Callable[[Case], Run], Sequence[Case]], Iterable[Run]]) -> Run:
    """Both positions of the pair as one run, with a table that they share; ``each`` is a kind of ``map``."""
    table = empty_table()
    began = perf_counter()
    runs = list(each(partial(solve, table=table), PAIR))
    return Run(perf_counter() - began, sum(run.nodes for run in runs), "")


def foreign_seconds() -> float:
    """The processor time of all other processes, in seconds since the machine started."""
    used = psutil.cpu_times()
    return float(used.user + used.nice + used.system) - process_time()


def _ask(peer: Peer, case: Case) -> Run:
    """The peer's answer. Ends the benchmark if it is not what the search is held to."""
    run = peer.solve(case)
    _require_value(case, run, peer.name)
    return run


def require_compiled() -> None:
    """Ends the benchmark if the kernel is interpreted."""
    if KERNEL != "compiled":
        raise SystemExit(f"The kernel is {KERNEL}; what it costs is worth knowing only where it is compiled.")


def _require_value(case: Case, run: Run, solver: str) -> None:
    if run.value != case.value:
        raise SystemExit(f"{case.name}: {case.value} expected ({case.source}), {run.value} says {solver}.")


def _require_signatures(nodes: Mapping[str, int]) -> None:
    changed = [
        f"the search changed: {name}: expected {NODES.get(name, 0):,} nodes, got {count:,}"
        for name, count in nodes.items()
        if NODES.get(name) != count
    ]
    if changed:
        raise SystemExit("\n".join([*changed, "If that was meant: --update prints the new table."]))


def _chosen(cases: Sequence[Case], long_cases: Sequence[Case], options: Namespace) -> list[Case]:
    return [*cases, *(long_cases if options.long else ())]


def _position_row(runs: Sequence[Run], case: Case) -> Row:
    seconds, nodes = median_seconds(runs), runs[0].nodes
    return case.name, case.value, f"{nodes:,}", _ms(seconds), f"{nodes / seconds:,.0f}"


def _value_row(name: str, source: str, run: Run) -> Row:
    return name, run.value, source, f"{run.nodes:,}", _ms(run.seconds)


def peer_rows(peer: Peer, cases: Sequence[Case], rounds: int) -> list[Row]:
    """A row for each position, one for the sums of their medians, and one for the mean of their ratios."""
    tasks = [task for case in cases for task in (partial(solve, case), partial(_ask, peer, case))]
    runs = interleaved(tasks, rounds)
    ours, theirs = runs[::2], runs[1::2]
    rows = [_peer_row(*row) for row in zip(cases, ours, theirs, strict=True)]
    seconds, their_seconds = ([median_seconds(side) for side in sides] for sides in (ours, theirs))
    ratios = [other / mine for mine, other in zip(seconds, their_seconds, strict=True)]
    title = ("", "value", "nodes", f"nodes, {peer.name}", "ms", f"ms, {peer.name}", "ratio")
    sums = ("sum", "", "", "", *_beside(sum(seconds), sum(their_seconds)))
    return [title, *rows, sums, ("geometric mean", *[""] * 5, times(geometric_mean(ratios)))]


def _peer_row(case: Case, ours: Sequence[Run], theirs: Sequence[Run]) -> Row:
    nodes = (f"{runs[0].nodes:,}" for runs in (ours, theirs))
    return case.name, case.value, *nodes, *_beside(median_seconds(ours), median_seconds(theirs))


def _beside(ours: float, theirs: float) -> Row:
    return _ms(ours), _ms(theirs), times(theirs / ours)


def median_seconds(runs: Iterable[Run]) -> float:
    """The median of the seconds that the runs took."""
    return median(run.seconds for run in runs)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.3f}"


def _show_title(title: str, conditions: str, part: str, options: Namespace) -> None:
    arguments = f"--only {part} --rounds {options.rounds}{' --long' if options.long else ''}"
    show_title(f"### {title}\n", conditions, f"solver.py {arguments}")


PARTS = {"positions": show_positions, "values": show_values, "peers": show_peers, "threads": show_threads}
"""What a run shows, by the names that ``--only`` takes."""

if __name__ == "__main__":
    main()
