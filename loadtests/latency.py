"""How long one worker of the service takes for random positions of Connect Four, asked over one connection."""

import json
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection
from statistics import quantiles
from typing import Any, NamedTuple

import psutil  # type: ignore[import-untyped]
from drops import EMPTY, random_games
from serving import LOOPBACK, Server, cores, oracle
from solver import foreign_seconds
from tables import Row, at_most, show_markdown, show_title

BUDGETS_MS = {50: 5, 99: 100}
"""With a book, so many of a hundred answers come within so many milliseconds."""

SLOWEST = 5
"""So many are told by their moves."""


class Reply(NamedTuple):
    """An answer to the position after these moves: where it came from, and its value if proven.

    ``cpu_ms`` is the processor time of the worker, which the system tells in steps of 10 ms; unlike ``ms`` it hardly
    depends on what else the machine does.
    """

    moves: str
    ms: float
    cpu_ms: float
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
        began, foreign = time.perf_counter(), foreign_seconds()
        empty, *replies = ask(server, ["", *games])
        used = sum(reply.cpu_ms for reply in (empty, *replies)) / 1000
        foreign_cores = (foreign_seconds() - foreign - used) / (time.perf_counter() - began)
    show_markdown([("", "ms", "budget", "processor, ms"), *_figures(empty, replies, has_book=bool(books))])
    sources = Counter(reply.source for reply in replies)
    print(f"\nFrom {', '.join(f'{source}: {count:,}' for source, count in sources.most_common())}; ", end="")
    print(f"not proven within the limit: {sum(reply.value is None for reply in replies):,}.\n")
    slowest = sorted(replies, key=lambda reply: -reply.ms)[:SLOWEST]
    show_markdown(
        [("slowest, by its columns from 0", "plies", "value", "from", "ms", "processor, ms"), *map(_slow_row, slowest)]
    )
    print(f"\nThe worker took {used:.1f} s of processor time. Meanwhile other processes kept {foreign_cores:.2f} of")
    print(f"the {cores()} cores busy; heavy searches stand back before them.")


def ask(server: Server, games: Sequence[str]) -> Iterator[Reply]:
    """The answers to the positions after these moves, one after the other."""
    connection = _connect(server)
    (worker,) = psutil.Process(server.pid).children()
    for moves in games:
        body = json.dumps({"game": "connect-four", "moves": [int(column) for column in moves]})
        used, began = _cpu_ms(worker), time.perf_counter()
        connection.request("POST", "/best-move", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        ms = 1000 * (time.perf_counter() - began)
        if response.status != 200:
            raise SystemExit(f"POST /best-move answered {response.status} to {body}")
        value = f"{answer['outcome']} {answer['plies']}" if answer["proven"] else None
        yield Reply(moves, ms, _cpu_ms(worker) - used, response.headers["Server-Timing"].partition(";")[0], value)
    connection.close()


def _cpu_ms(process: psutil.Process) -> float:
    times = process.cpu_times()
    return 1000 * float(times.user + times.system)


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
    times, cpu_times = [reply.ms for reply in replies], [reply.cpu_ms for reply in replies]
    for percent, budget in BUDGETS_MS.items():
        ms, cpu_ms = (quantiles(each, n=100, method="inclusive")[percent - 1] for each in (times, cpu_times))
        held = at_most(ms, budget, " ms") if has_book else f"<= {budget} ms with a book"
        yield f"p{percent}", f"{ms:.2f}", held, f"{cpu_ms:.0f}"
    yield "worst", f"{max(times):.2f}", "", f"{max(cpu_times):.0f}"
    yield f"the empty board: {empty.value or 'not proven'}", f"{empty.ms:.2f}", "", f"{empty.cpu_ms:.0f}"


def _slow_row(reply: Reply) -> Row:
    value, times = reply.value or "not proven", (f"{reply.ms:.1f}", f"{reply.cpu_ms:.0f}")
    return reply.moves, f"{len(reply.moves)}", value, reply.source, *times
