"""The search beside bitbully on classes of middle games, neither with a book."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from statistics import geometric_mean

from loadtests.budgets import Verdicts
from loadtests.connect_four.bitbully import BitBully, BitBullyWithBook
from loadtests.connect_four.random_games import Options, random_games
from loadtests.search.known import CASES, CONNECT_FOUR, Case
from loadtests.search.solve import Run, interleaved, median_seconds, solve
from loadtests.tables import Row, show_table, show_title, times

PLIES = range(8, 24)
CLASS = 4
"""The plies of a class."""

Runs = tuple[list[Run], list[Run]]
"""The runs of the search and of bitbully for one position."""


def show(options: Options, verdicts: Verdicts) -> None:
    """Print a row for each class, and with ``long`` one for the empty board."""
    show_title(
        "Beside bitbully",
        f"{options.cases} random games of {PLIES[0]} to {PLIES[-1]} plies in which neither player can win at once. Both"
        f" solve from an empty\nmemory, without a book; medians of {options.rounds} interleaved rounds. The ratio is"
        " the time of the search to that of\nbitbully, in a class the geometric mean.",
    )
    rows: list[Row] = [("plies", "positions", "nodes", "its nodes", "ms", "its ms", "ratio", "budget")]
    for number, group in groupby(_cases(options), lambda case: len(case.moves) // CLASS):
        runs = measure(list(group), options.rounds)
        rows.append(_row(f"{number * CLASS} to {number * CLASS + CLASS - 1}", runs, "class", verdicts))
    if options.long:
        empty = [case for case in CASES if case.name == CONNECT_FOUR]
        rows.append(_row("empty board", measure(empty, 1), "empty board", verdicts))
    show_table(rows)


def _cases(options: Options) -> list[Case]:
    peer = BitBullyWithBook()
    games = sorted(random_games(options.cases, PLIES, options.seed, quiet=True), key=lambda game: (len(game), game))
    return [peer.case(moves) for moves in games]


def measure(cases: Sequence[Case], rounds: int) -> list[Runs]:
    """Return the runs for each position."""
    tasks = [task for case in cases for task in (partial(solve, case), partial(BitBully().solve, case))]
    runs = interleaved(tasks, rounds)
    return list(zip(runs[::2], runs[1::2], strict=True))


def _row(name: str, runs: Sequence[Runs], budget: str, verdicts: Verdicts) -> Row:
    ours, theirs = ([median_seconds(pair[side]) for pair in runs] for side in (0, 1))
    nodes, their_nodes = (sum(pair[side][0].nodes for pair in runs) for side in (0, 1))
    ratio = geometric_mean(mine / other for mine, other in zip(ours, theirs, strict=True))
    milliseconds = (f"{1000 * sum(side):,.1f}" for side in (ours, theirs))
    counts = f"{len(runs)}", f"{nodes:,}", f"{their_nodes:,}"
    return name, *counts, *milliseconds, times(ratio), verdicts.judge(budget, ratio)
