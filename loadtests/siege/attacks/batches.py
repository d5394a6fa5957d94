"""Requests about up to 1,000 positions at once."""

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

from loadtests.siege.attacks.target import Target, Wire, post

MOST_POSITIONS = 1000

LIMIT = {"time_ms": 1}
"""Of each batch: hardly any."""

LEAVE_SECONDS = 1.0

FAULTY = {"game": {"rows": 8, "columns": 8, "in_a_row": 4}, "board": "Q" * 64}
"""A board with a fault in each of its cells."""

LARGE_BOARDS = ((7, 8, 1), (8, 7, 1), (8, 8, 1), (5, 10, 1), (6, 9, 1), (4, 4, 4), (3, 4, 5), (2, 5, 5))
"""Rows, columns and layers of boards with 50 to 64 cells."""

MEDIUM = ((3, 3, 4), (3, 3, 5), (2, 6, 3), (3, 4, 3), (4, 3, 3), (6, 2, 3), (4, 7, 2), (7, 4, 2), (5, 6, 2), (6, 5, 2))
"""Rows, columns and marks of vanishing games of 60,000 to 200,000 states."""

LARGE = ((2, 7, 3), (3, 5, 3), (4, 4, 3), (2, 5, 4), (2, 5, 5), (2, 8, 3), (3, 6, 3), (3, 4, 4), (4, 5, 3), (3, 7, 3))
"""The same, of 600,000 to 11 million states."""


async def own_rules(target: Target) -> None:
    """Ask about 1,000 boards with rules of their own in a batch, 24 at once, and wait for the answers."""
    await target.crowd(24, lambda number: target.ask(post("/best-moves", _own_rules(number))))


async def own_rules_left(target: Target) -> None:
    """Send the same batches, and leave after a second."""

    async def leave(number: int) -> None:
        await target.ask(post("/best-moves", _own_rules(number)), leave_after=LEAVE_SECONDS)

    await target.crowd(24, leave)


async def families(target: Target) -> None:
    """Ask about 100 games of families of up to 200,000 states in a batch, 3 at once."""
    await target.together(3, lambda number: _families(target, MEDIUM, number, 100))


async def large_families(target: Target) -> None:
    """Ask about 300 games of families of up to 11 million states in a batch."""
    await target.together(1, lambda number: _families(target, LARGE, number, 300))


async def unread(target: Target) -> None:
    """Ask about 1,000 boards with a fault in every cell in a batch, 24 at once, and read no answer."""
    request = post("/best-moves", {"positions": [FAULTY] * MOST_POSITIONS})

    async def ask(wire: Wire) -> None:
        await wire.send(request)
        await wire.read_nothing()

    await target.stay(24, ask)


def _own_rules(number: int) -> dict[str, Any]:
    games = [
        {"rows": rows, "columns": columns, "layers": layers, "in_a_row": in_a_row, "misere": misere, "wrap": wrap}
        for (rows, columns, layers), in_a_row, misere, wrap in product(
            LARGE_BOARDS, range(2, 9), (False, True), (False, True, "cylinder", "moebius")
        )
        if in_a_row <= max(rows, columns, layers) and not (layers > 1 and wrap)
    ]
    rng = Random(number)
    positions = [{"game": rng.choice(games), "board": "x"} for _ in range(MOST_POSITIONS)]
    return {"positions": positions, "limit": LIMIT}


async def _families(target: Target, boards: tuple[tuple[int, int, int], ...], number: int, count: int) -> None:
    games = list(islice(_vanishing(boards), number * count, (number + 1) * count))
    await target.ask(post("/best-moves", {"positions": [{"game": game} for game in games], "limit": LIMIT}))


def _vanishing(boards: tuple[tuple[int, int, int], ...]) -> Iterator[dict[str, Any]]:
    """Yield different vanishing games on these boards."""
    for in_a_row, remove, misere, (rows, columns, marks) in product(
        range(1, 8), ("before", "before-closed", "after"), (False, True), boards
    ):
        for turned in (rows, columns), (columns, rows):
            if in_a_row <= max(turned):
                yield {
                    "family": "vanishing",
                    "rows": turned[0],
                    "columns": turned[1],
                    "marks": marks,
                    "in_a_row": in_a_row,
                    "remove": remove,
                    "misere": misere,
                }
