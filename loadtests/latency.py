"""How long one worker of the service takes for random positions of Connect Four, asked over one connection."""

import json
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection
from statistics import quantiles
from typing import Any, NamedTuple

from drops import EMPTY, random_games
from serving import LOOPBACK, Server, cores, oracle
from solver import foreign_seconds
from tables import Row, at_most, show_markdown, show_title

P50_BUDGET_MS, P99_BUDGET_MS = 5, 100
"""With a book."""

SLOWEST = 5
"""So many are told by their moves."""


class Reply(NamedTuple):
    """An answer to the position after these moves: how long it took, where it came from, and its value if proven."""

    moves: str
    ms: float
    source: str
    value: str | None


def show(options: Namespace) -> None:
    """Prints the latencies, with a book beside their budgets, and the slowest positions."""
    games = list(dict.fromkeys(random_games(options.positions, range(options.plies, EMPTY.game.cells), options.seed)))
    with oracle(workers=1) as server:
        books = _books(server)
        show_title(
            "### POST /best-move over HTTP\n",
            f"{len(games):,} positions played at random, of {options.plies} to {EMPTY.game.cells - 1} plies,"
            " each asked once over one connection\nof one worker that has just started, the empty board first;"
            f" no limit but the service's own. Books: {', '.join(books) or 'none'}.\n"
            "Another book, or none: set BOOKS.",
            f"connect_four.py --only http --positions {options.positions} --plies {options.plies}"
            f" --seed {options.seed}",
        )
        used, began, foreign = server.cpu_seconds(), time.perf_counter(), foreign_seconds()
        empty, *replies = ask(server, ["", *games])
        seconds, used = time.perf_counter() - began, server.cpu_seconds() - used
        foreign_cores = (foreign_seconds() - foreign - used) / seconds
    show_markdown([("", "ms", "budget"), *_figures(empty, replies, has_book=bool(books))])
    sources = Counter(reply.source for reply in replies)
    print(f"\nFrom {', '.join(f'{source}: {count:,}' for source, count in sources.most_common())}; ", end="")
    print(f"not proven within the limit: {sum(reply.value is None for reply in replies):,}.\n")
    slowest = sorted(replies, key=lambda reply: -reply.ms)[:SLOWEST]
    show_markdown([("slowest, by its columns from 0", "plies", "value", "from", "ms"), *map(_slow_row, slowest)])
    print(
        f"\nIn all {seconds:.0f} s, of which the service took {used:.0f} s of processor time; meanwhile other processes"
    )
    print(f"kept {foreign_cores:.2f} of the {cores()} cores busy, before which heavy searches stand back.")


def ask(server: Server, games: Sequence[str]) -> Iterator[Reply]:
    """The answers to the positions after these moves, one after the other."""
    connection = _connect(server)
    for moves in games:
        body = json.dumps({"game": "connect-four", "moves": [int(column) for column in moves]})
        began = time.perf_counter()
        connection.request("POST", "/best-move", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        ms = 1000 * (time.perf_counter() - began)
        if response.status != 200:
            raise SystemExit(f"POST /best-move answered {response.status} to {body}")
        value = f"{answer['outcome']} {answer['plies']}" if answer["proven"] else None
        yield Reply(moves, ms, response.headers["Server-Timing"].partition(";")[0], value)
    connection.close()


def _books(server: Server) -> list[str]:
    """What the service says about books of the game."""
    connection = _connect(server)
    connection.request("GET", "/version")
    version: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    books = [book for book in version.get("books", []) if book["game"] == "connect-four"]
    return [f"connect-four up to {book['plies']} discs" for book in books]


def _connect(server: Server) -> HTTPConnection:
    return HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=60)


def _figures(empty: Reply, replies: Sequence[Reply], *, has_book: bool) -> Iterator[Row]:
    times = quantiles((reply.ms for reply in replies), n=100, method="inclusive")
    for name, ms, budget in (("p50", times[49], P50_BUDGET_MS), ("p99", times[98], P99_BUDGET_MS)):
        yield name, f"{ms:.2f}", at_most(ms, budget, " ms") if has_book else f"<= {budget} ms with a book"
    yield "worst", f"{max(reply.ms for reply in replies):.2f}", ""
    yield f"the empty board: {empty.value or 'not proven'}", f"{empty.ms:.2f}", ""


def _slow_row(reply: Reply) -> Row:
    return reply.moves, f"{len(reply.moves)}", reply.value or "not proven", reply.source, f"{reply.ms:.1f}"
