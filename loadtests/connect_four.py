"""The benchmark of Connect Four: the search beside bitbully, the service over HTTP, batches, and labels."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http.client import HTTPConnection
from itertools import groupby, islice
from statistics import geometric_mean, quantiles
from typing import Any, NamedTuple

import click

from loadtests import batches, labels
from loadtests.budgets import ALLOWANCE, Verdicts, measure
from loadtests.search.bitbully import EMPTY, BitBully, BitBullyWithBook, random_games
from loadtests.search.known import CASES, CONNECT_FOUR, Case
from loadtests.search.solve import interleaved, median_seconds, require_compiled, solve
from loadtests.servers.processes import oracle, post
from loadtests.tables import Row, show_table, show_title, times

PLIES, CLASS = range(8, 24), 4
"""The plies of the middle games, and those of a class of them."""


def show_peer(verdicts: Verdicts, *, cases: int, rounds: int, seed: int, long: bool, **_: object) -> None:
    """Print a row for each class of middle games, and with ``long`` one for the empty board."""
    show_title(
        "Beside bitbully",
        f"{cases} random games of {PLIES[0]} to {PLIES[-1]} plies in which neither player can win at once. Both"
        f" solve from an empty\nmemory, without a book; medians of {rounds} interleaved rounds. The ratio is"
        " the time of the search to that of\nbitbully, in a class the geometric mean.",
    )
    games = sorted(random_games(cases, PLIES, seed, quiet=True), key=lambda game: (len(game), game))
    rows: list[Row] = [("plies", "positions", "nodes", "its nodes", "ms", "its ms", "ratio", "budget")]
    for number, group in groupby(map(BitBullyWithBook().case, games), lambda case: len(case.moves) // CLASS):
        name = f"{number * CLASS} to {number * CLASS + CLASS - 1}"
        rows.append(_beside_bitbully(name, [*group], rounds, "class", verdicts))
    if long:
        empty = [case for case in CASES if case.name == CONNECT_FOUR]
        rows.append(_beside_bitbully("empty board", empty, 1, "empty board", verdicts))
    show_table(rows)


def _beside_bitbully(name: str, cases: Sequence[Case], rounds: int, budget: str, verdicts: Verdicts) -> Row:
    """Solve each position with both, and return the row of the table."""
    solvers = (solve, BitBully().solve)
    runs = interleaved([partial(solver, case) for solver in solvers for case in cases], rounds)
    sides = runs[: len(cases)], runs[len(cases) :]
    seconds = [[*map(median_seconds, side)] for side in sides]
    nodes = (f"{sum(each[0].nodes for each in side):,}" for side in sides)
    ratio = geometric_mean(mine / other for mine, other in zip(*seconds, strict=True))
    milliseconds = (f"{1000 * sum(side):,.1f}" for side in seconds)
    return name, f"{len(cases)}", *nodes, *milliseconds, times(ratio), verdicts.judge(budget, ratio)


class Reply(NamedTuple):
    """The latency of the answer to the position after these moves, and its value if that is exact."""

    moves: str
    ms: float
    value: str | None


def show_http(verdicts: Verdicts, positions: int, plies: int, seed: int, **_: object) -> None:
    """Print the latencies beside their budgets, the slowest position, and how many answers are not exact."""
    drawn = random_games(10 * positions, range(plies, EMPTY.game.cells), seed)
    games = [*islice(dict.fromkeys(drawn), positions)]
    with oracle(workers=1) as server:
        show_title(
            "Connect Four over HTTP",
            f"The analysis and the best move of the empty board, then the best moves of {len(games):,} different random"
            f" positions of\n{plies} to {EMPTY.game.cells - 1} plies, each once over one connection to one"
            " worker that has just started; no limit but the\nservice's own. Another book than that of the package, or"
            " none: set BOOKS.",
        )
        connection = server.connect()
        analysis, analysis_ms = _timed(connection, "/analysis", "")
        empty, *replies = (_best_move(connection, moves) for moves in ("", *games))
        connection.close()
    _check_values([empty, *replies])
    figures = quantiles([reply.ms for reply in replies], n=100, method="inclusive")
    slowest = max(replies, key=lambda reply: reply.ms)
    inexact = sum(not move["exact"] for move in analysis["moves"])
    inexact += sum(reply.value is None for reply in (empty, *replies))
    judged = {"p50": figures[49], "p99": figures[98], "analysis": analysis_ms}
    show_table(
        [
            ("", "", "budget"),
            *((name, f"{ms:.2f} ms", verdicts.judge(f"connect-four {name}", ms)) for name, ms in judged.items()),
            (f"best move of the empty board: {empty.value or 'not exact'}", f"{empty.ms:.2f} ms", ""),
            (f"slowest: {slowest.moves}, {slowest.value or 'not exact'}", f"{slowest.ms:.2f} ms", ""),
            ("answers and moves not exact", f"{inexact:,}", verdicts.judge("connect-four not exact", inexact)),
        ]
    )


def _timed(connection: HTTPConnection, path: str, moves: str) -> tuple[Mapping[str, Any], float]:
    """Ask about the position after these moves; return the answer and its milliseconds."""
    body = json.dumps({"game": "connect-four", "moves": [*map(int, moves)]})
    began = time.perf_counter()
    content = post(connection, path, body)
    return json.loads(content), 1000 * (time.perf_counter() - began)


def _best_move(connection: HTTPConnection, moves: str) -> Reply:
    """Return the reply about the position after these moves."""
    answer, ms = _timed(connection, "/best-move", moves)
    return Reply(moves, ms, f"{answer['outcome']} {answer['plies']}" if answer["exact"] else None)


def _check_values(replies: Sequence[Reply]) -> None:
    """End the run if bitbully gives another value than an exact answer."""
    peer = BitBullyWithBook()
    for reply in replies:
        if reply.value is not None and reply.value != (expected := peer.case(reply.moves).value):
            raise SystemExit(f"{reply.moves or 'the empty board'}: {reply.value}, {expected} says bitbully")


PARTS: Mapping[str, Callable[..., None]] = {
    "peer": show_peer,
    "http": show_http,
    "batch": batches.show,
    "labels": labels.show,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--positions", type=int, default=2000, help="Random positions of http and labels.")
@click.option("--plies", type=int, default=0, help="The fewest plies of those; fewer take longer.")
@click.option("--cases", type=int, default=30, help="Middle games beside another solver.")
@click.option("--rounds", type=int, default=3, help="Rounds of batch, and of the comparison with another solver.")
@click.option("--seed", type=int, default=1, help="The seed of the random positions.")
@click.option("--long", is_flag=True, help="Also the empty board, which takes bitbully minutes.")
@ALLOWANCE
def command(parts: tuple[str, ...], allowance: float, **options: int) -> None:
    """Measure PARTS, by default all; fail if an answer is wrong or a budget is missed."""
    require_compiled()
    measure(PARTS, parts, allowance, **options)
