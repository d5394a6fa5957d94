"""Requests that are expensive to answer, a different one for each number."""

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any
from urllib.parse import urlencode

from loadtests.siege.attacks.target import call, get, post

MOST_POSITIONS = 1000

HARD = {"game": {"rows": 6, "columns": 8, "in_a_row": 4, "gravity": True}, "moves": "1", "limit": {"time_ms": 30_000}}

FAULTY = {"game": {"rows": 8, "columns": 8, "in_a_row": 4}, "board": "Q" * 64}
"""A board with a fault in each of its cells."""

HARDLY_ANY = {"time_ms": 1}

LARGE_BOARDS = ((7, 8, 1), (8, 7, 1), (8, 8, 1), (5, 10, 1), (6, 9, 1), (4, 4, 4), (3, 4, 5), (2, 5, 5))
"""Rows, columns and layers of boards with 50 to 64 cells."""

MEDIUM = ((3, 3, 4), (3, 3, 5), (2, 6, 3), (3, 4, 3), (4, 3, 3), (6, 2, 3), (4, 7, 2), (7, 4, 2), (5, 6, 2), (6, 5, 2))
"""Rows, columns and marks of vanishing games of 60,000 to 200,000 states."""

LARGE = ((2, 7, 3), (3, 5, 3), (4, 4, 3), (2, 5, 4), (2, 5, 5), (2, 8, 3), (3, 6, 3), (3, 4, 4), (4, 5, 3), (3, 7, 3))
"""The same, of 600,000 to 11 million states."""


def puzzle(seed: int) -> bytes:
    """Ask for a puzzle that is never found: all nodes are spent on drawing candidates."""
    rules = {"rows": 8, "columns": 8, "in_a_row": 5, "wrap": "true", "goal": "hold", "plies": 2, "nodes": 10_000_000}
    return get(f"/puzzles?{urlencode(rules)}&seed={seed}")


def picture(number: int) -> bytes:
    """Ask for the picture of a random position."""
    return get(f"/position.png?game=qubic&moves={','.join(map(str, Random(number).sample(range(64), 9)))}")


def own_rules(number: int) -> bytes:
    """Ask about 1,000 boards with rules of their own in a batch."""
    names = ("rows", "columns", "layers", "in_a_row", "misere", "wrap")
    games = [
        dict(zip(names, (*board, in_a_row, misere, wrap), strict=True))
        for board, in_a_row, misere, wrap in product(
            LARGE_BOARDS, range(2, 9), (False, True), (False, True, "cylinder", "moebius")
        )
        if in_a_row <= max(board) and not (board[2] > 1 and wrap)
    ]
    rng = Random(number)
    return _batch([{"game": rng.choice(games), "board": "x"} for _ in range(MOST_POSITIONS)])


def families(boards: tuple[tuple[int, int, int], ...], count: int, number: int) -> bytes:
    """Ask about different vanishing games on these boards in a batch."""
    return _batch([{"game": game} for game in islice(_vanishing(boards), number * count, (number + 1) * count)])


def own_lines(number: int) -> bytes:
    """Ask about a game with 1,024 lines of its own."""
    rng = Random(number)
    lines = [sorted(rng.sample(range(64), rng.randint(4, 8))) for _ in range(1024)]
    game = {"cells": 64, "lines": lines}
    return post("/best-move", {"game": game, "moves": rng.sample(range(64), 6), "limit": {"nodes": 500}})


def any_search(number: int) -> bytes:
    """Ask for an analysis, a review, a proof or a stream of some game."""
    rng = Random(number)
    rows, columns = rng.randint(4, 8), rng.randint(4, 8)
    game = {"rows": rows, "columns": columns, "in_a_row": rng.randint(3, 4), "misere": rng.random() < 0.3}
    document = {"game": game, "moves": rng.sample(range(rows * columns), 5), "limit": {"time_ms": 10_000}}
    routes = ("/best-move", "/analysis", "/analysis/stream", "/review", "/proof")
    events = post("/analysis/stream", document, "Accept: text/event-stream")
    tool = call("tools/call", number, name="analyze_position", arguments=document)
    return rng.choice([*(post(route, document) for route in routes), events, tool])


def _batch(positions: list[dict[str, Any]]) -> bytes:
    return post("/best-moves", {"positions": positions, "limit": HARDLY_ANY})


def _vanishing(boards: tuple[tuple[int, int, int], ...]) -> Iterator[dict[str, Any]]:
    """Yield different vanishing games on these boards."""
    names = ("rows", "columns", "marks", "in_a_row", "remove", "misere")
    for in_a_row, remove, misere, (rows, columns, marks) in product(
        range(1, 8), ("before", "before-closed", "after"), (False, True), boards
    ):
        for turned in (rows, columns), (columns, rows):
            if in_a_row <= max(turned):
                yield {
                    "family": "vanishing",
                    **dict(zip(names, (*turned, marks, in_a_row, remove, misere), strict=True)),
                }
