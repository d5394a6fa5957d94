"""Runs of the search and of other solvers; every value is checked."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from statistics import median
from time import perf_counter

from loadtests.search.known import Case, written
from loadtests.search.peers import Peer, Run
from service.kernel.layout import lay_out
from service.kernel.search import KERNEL, Search

rules_of = cache(lay_out)
"""The rules of a game, laid out for the search."""

TABLE_BYTES = 64 << 20
"""The table of every search; its nodes depend on it."""


def solve(case: Case, table: memoryview | None = None, poll: Callable[[], bool] | None = None) -> Run:
    """Solve a position with the search, by default from an empty table. Ends the run if the value is wrong.

    The clock starts once the object that searches is there, as for other solvers. Raises Stopped where ``poll`` returns
    True.
    """
    rules, position = rules_of(case.game), case.position
    search = Search(rules, empty_table() if table is None else table, poll=poll)
    began = perf_counter()
    score = search.score(position.mine, position.theirs)
    seconds = perf_counter() - began
    end = case.game.cells + 1 - abs(score) if score else case.game.cells
    run = Run(seconds, search.nodes, written(score, end - position.occupied.bit_count()))
    return _checked(case, run)


def solve_by_peer(peer: Peer, case: Case) -> Run:
    """Solve a position with another solver. Ends the run if the value is wrong."""
    return _checked(case, peer.solve(case))


def empty_table(size: int = TABLE_BYTES) -> memoryview:
    """Return a table of zeros, a copy, so that its memory is there before the clock starts."""
    return memoryview(bytearray(bytes(size))).cast("Q")


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


def _checked(case: Case, run: Run) -> Run:
    if run.value != case.value:
        raise SystemExit(f"{case.name}: {case.value} expected ({case.source}), {run.value} says {run.solver}.")
    return run
