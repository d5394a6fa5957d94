"""The latency of random positions of Connect Four over HTTP, and whether each answer keeps its promise."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from statistics import quantiles
from typing import Any, NamedTuple

from loadtests.budgets import Verdicts
from loadtests.connect_four.bitbully import BitBullyWithBook
from loadtests.connect_four.random_games import EMPTY, Options, random_games
from loadtests.search.known import connect_four
from loadtests.servers.processes import Server, oracle, post
from loadtests.tables import Row, show_table, show_title
from service.games.families.lines import OPPONENT, LinePosition

SIGN = {"win": 1, "draw": 0, "loss": -1}


class Reply(NamedTuple):
    """The latency of the answer to the position after these moves, and its value if that is exact."""

    moves: str
    ms: float
    value: str | None


def show(options: Options, verdicts: Verdicts) -> None:
    """Print the latencies beside their budgets, the slowest position, and how many answers are not exact."""
    games = different_games(options.positions, range(options.plies, EMPTY.game.cells), options.seed)
    with oracle(workers=1) as server:
        show_title(
            "Connect Four over HTTP",
            f"The analysis and the best move of the empty board, then the best moves of {len(games):,} different random"
            f" positions of\n{options.plies} to {EMPTY.game.cells - 1} plies, each once over one connection to one"
            " worker that has just started; no limit but the\nservice's own. Another book than that of the package, or"
            " none: set BOOKS.",
        )
        analysis_ms, inexact = analyse_empty_board(server)
        empty, *replies = ask(server, ["", *games])
    check_values([empty, *replies])
    figures = quantiles([reply.ms for reply in replies], n=100, method="inclusive")
    slowest = max(replies, key=lambda reply: reply.ms)
    inexact += sum(reply.value is None for reply in (empty, *replies))
    show_table(
        [
            ("", "", "budget"),
            *(_row(f"p{percent}", figures[percent - 1], verdicts) for percent in (50, 99)),
            _row("analysis", analysis_ms, verdicts),
            (f"best move of the empty board: {empty.value or 'not exact'}", f"{empty.ms:.2f} ms", ""),
            (f"slowest: {slowest.moves}, {slowest.value or 'not exact'}", f"{slowest.ms:.2f} ms", ""),
            ("answers and moves not exact", f"{inexact:,}", verdicts.judge("connect-four not exact", inexact)),
        ]
    )


def different_games(count: int, plies: Sequence[int], seed: int) -> list[str]:
    """Return so many different random games, or as many as ``10 * count`` games hold."""
    return list(islice(dict.fromkeys(random_games(10 * count, plies, seed)), count))


def analyse_empty_board(server: Server) -> tuple[float, int]:
    """Return the milliseconds of the analysis of the empty board, and the number of moves without an exact value."""
    connection = server.connect()
    began = time.perf_counter()
    content = post(connection, "/analysis", json.dumps({"game": "connect-four", "moves": []}))
    ms = 1000 * (time.perf_counter() - began)
    connection.close()
    return ms, sum(not move["exact"] for move in json.loads(content)["moves"])


def check_values(replies: Sequence[Reply]) -> None:
    """End the run if bitbully gives another value than an exact answer."""
    peer = BitBullyWithBook()
    for reply in replies:
        if reply.value is not None and reply.value != (expected := peer.case(reply.moves).value):
            raise SystemExit(f"{reply.moves or 'the empty board'}: {reply.value}, {expected} says bitbully")


def ask(server: Server, games: Sequence[str]) -> Iterator[Reply]:
    """Yield the replies about the positions after these moves. Ends the run if an answer breaks its promise."""
    connection = server.connect()
    for moves in games:
        body = json.dumps({"game": "connect-four", "moves": [int(column) for column in moves]})
        began = time.perf_counter()
        content = post(connection, "/best-move", body)
        ms = 1000 * (time.perf_counter() - began)
        answer = json.loads(content)
        wrong = list(broken_promises(answer, connect_four(moves).position))
        if wrong:
            raise SystemExit(f"POST /best-move answers {body} wrongly: {'; '.join(wrong)}")
        yield Reply(moves, ms, f"{answer['outcome']} {answer['plies']}" if answer["exact"] else None)
    connection.close()


def broken_promises(answer: Mapping[str, Any], position: LinePosition) -> Iterator[str]:
    """Yield how an exact answer contradicts itself: its score, and the game that its line of best play leads to."""
    if not answer["exact"]:
        return
    outcome, plies, pv = answer["outcome"], answer["plies"], answer["pv"]
    if answer["score"] != SIGN[outcome] * (position.game.cells + 1 - plies):
        yield f"the score of a {outcome} in {plies} plies is not {answer['score']}"
    if pv[:1] != [answer["move"]] or len(pv) != plies:
        yield f"the line {pv} does not begin with {answer['move']} or is not {plies} plies long"
    winner = {"win": position.player, "draw": None, "loss": OPPONENT[position.player]}[outcome]
    for move in pv:
        if move not in position.legal_moves:
            yield f"the line {pv} plays {move}, which is illegal"
            return
        position = position.play(move)
    if position.status == "in_progress" or position.winner != winner:
        yield f"the line {pv} does not lead to a {outcome}"


def _row(name: str, ms: float, verdicts: Verdicts) -> Row:
    return name, f"{ms:.2f} ms", verdicts.judge(f"connect-four {name}", ms)
