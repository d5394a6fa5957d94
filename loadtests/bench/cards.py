"""Cards of links: what one costs, and the latency of 3x3 while a crowd asks for many."""

import resource
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle, islice
from statistics import median

from loadtests.bench.options import Options
from loadtests.bench.steady import RATE, REQUESTS, Latency, ask_steadily
from loadtests.budgets import Verdicts
from loadtests.positions.answers import Answers
from loadtests.servers.processes import Server, oracle
from loadtests.tables import show_table, show_title, spread, times
from service.cores import cores
from service.games.catalogue import CATALOGUE
from service.games.position import Position
from service.picture.card import card
from service.picture.picture import Picture
from service.picture.png import draw

GAMES = ("tic-tac-toe", "connect-four", "qubic")

CLIENTS = 16
"""Connections of the crowd, each of which asks for another card as soon as it has an answer."""

PAUSE_SECONDS = 0.05
"""Before a client of the crowd asks again after a refusal: sooner than the service tells it to."""


def show(answers: Answers, options: Options, verdicts: Verdicts) -> None:
    """Print what a card costs, then the latencies."""
    show_title("A card", f"One image of 1200x630 in a process of its own, {options.rounds} times of each game.")
    rows = [_cost(game, options.rounds) for game in GAMES]
    show_table([("game", "ms", "processor ms", "kB"), *rows])
    show_title(
        "3x3 while a crowd asks for cards",
        f"POST /best-move, one connection at {RATE} requests/s, {options.rounds} rounds of {REQUESTS}, in turn idle and"
        f" beside\n{CLIENTS} clients that ask for cards never drawn; median (lowest to highest) in milliseconds.",
    )
    idle, busy, statuses = measure(answers, options.rounds)
    slower = median(each.p99_ms for each in busy) / median(each.p99_ms for each in idle)
    sides = (idle, busy)
    p50, p99 = ([spread((each[place] for each in side), 2) for side in sides] for place in range(2))
    show_table(
        [
            ("", "idle", "crowd", "ratio", "budget"),
            ("p50", *p50, "", ""),
            ("p99", *p99, times(slower), verdicts.judge("cards", slower)),
        ]
    )
    print(f"\nOf the crowd, {statuses[200]} got a card and {statuses[503]} were refused.")
    if set(statuses) - {200, 503}:
        raise SystemExit(f"Cards had other statuses than 200 and 503: {dict(statuses)}")


def _cost(name: str, rounds: int) -> tuple[str, ...]:
    """Return a row of the table: the name of a game; time, processor time and bytes of its card."""
    svg, took, used, image = card(Picture(Position(CATALOGUE[name], 1, 2, "X"))), [], [], b""
    for _ in range(rounds):
        began, before = time.perf_counter(), _processor_seconds()
        image = draw(svg)
        took.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (_processor_seconds() - before))
    return name, spread(took), spread(used), f"{len(image) / 1000:.0f}"


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(answers: Answers, rounds: int) -> tuple[list[Latency], list[Latency], Counter[int]]:
    """Return the latencies of the rounds on one server, alone and beside the crowd, and what the crowd got."""
    boards = list(islice(cycle(answers), REQUESTS))
    statuses: Counter[int] = Counter()
    with oracle(workers=cores()) as server:
        ask_steadily(server, boards)  # so that both sides find the answers cached
        found = []
        for number in range(rounds):
            idle = ask_steadily(server, boards)
            with _crowd(server, number * CLIENTS, statuses):
                found.append((idle, ask_steadily(server, boards)))
    return [idle for idle, _ in found], [busy for _, busy in found], statuses


@contextmanager
def _crowd(server: Server, first: int, statuses: Counter[int]) -> Iterator[None]:
    """Keep clients asking for cards of positions that nobody else asks for."""
    over = threading.Event()

    def ask(client: int) -> None:
        connection = server.connect()
        for number in range(1 << 20):
            if over.is_set():
                break
            status = _card(connection, client, number)
            statuses[status] += 1
            if status != 200:
                over.wait(PAUSE_SECONDS)
        connection.close()

    clients = [threading.Thread(target=ask, args=(first + client,)) for client in range(CLIENTS)]
    for thread in clients:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in clients:
            thread.join()


def _card(connection: HTTPConnection, client: int, number: int) -> int:
    """Ask for a card by two numbers; return the status."""
    cells = [client % 64, (client + 1 + client // 64) % 64]
    cells += [cell for cell in (number % 64, number // 64 % 64) if cell not in cells]
    moves = ",".join(map(str, dict.fromkeys(cells)))
    connection.request("GET", f"/position.png?game=qubic&moves={moves}")
    response = connection.getresponse()
    response.read()
    return response.status
