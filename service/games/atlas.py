"""The rules atlas: the combinations of rules that it compares. Their values are in ``atlas.json``.

``move-oracle tablebase atlas`` solves those that are new or have changed rules.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from service.games.catalogue import FAMILIES
from service.games.rules.morris import CENTRES

FILE = Path(__file__).with_name("atlas.json")

Rules = Mapping[str, Any]
"""The rules of a game in the form of requests; ``family`` is absent for a line game."""

Entry = Mapping[str, Any]
"""The rules of a game, its value and its size."""


@cache
def read_atlas() -> Sequence[Entry]:
    """Return the entries in the order of ``atlas_rules``."""
    found: Sequence[Entry] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def atlas_rules() -> Iterator[Rules]:
    """Yield the rules of all games of the atlas."""
    yield from _marks()
    yield from _vanishing()
    yield from _morris()
    yield from _pop_out()
    yield from _exactly()
    for game in FAMILIES.values():
        for parameters in game.compared:
            yield {"family": game.family, **parameters}
    yield from _lines()


def _board(rows: int, columns: int, in_a_row: int) -> Rules:
    return {"rows": rows, "columns": columns, "in_a_row": in_a_row}


def _marks() -> Iterator[Rules]:
    """Yield the games in which players choose marks or share them."""
    for board, misere in product([(3, 3, 3), (3, 4, 3), (4, 4, 3), (4, 4, 4)], (False, True)):
        yield {"family": "wild", **_board(*board), "misere": misere}
    for boards in (1, 2, 3):
        yield {"family": "notakto", "boards": boards}
    for board in (3, 3, 2), (3, 4, 3), (4, 4, 2), (4, 4, 3), (4, 4, 4), (4, 5, 3), (4, 5, 4), (5, 5, 3):
        yield {"family": "notakto", **_board(*board)}
    for columns in range(3, 9):
        yield {"family": "notakto", **_board(1, columns, 3), "misere": False}
    for board, first in product([(3, 3, 3), (3, 4, 3), (4, 4, 3), (4, 4, 4)], ("order", "chaos")):
        yield {"family": "order-and-chaos", **_board(*board), "first": first}
    for board, first in product([(3, 4, 3), (4, 4, 3)], ("order", "chaos")):
        yield {"family": "order-and-chaos", **_board(*board), "first": first, "overlines": False}
    for misere in False, True:
        yield {"family": "numerical", "misere": misere}


def _vanishing() -> Iterator[Rules]:
    for marks, misere, remove in product((2, 3, 4), (False, True), ("before", "before-closed", "after")):
        yield {"family": "vanishing", "marks": marks, "remove": remove, "misere": misere}
    for board, remove in product([(3, 4, 3), (4, 4, 3)], ("before", "before-closed", "after")):
        yield {"family": "vanishing", **_board(*board), "marks": 3, "remove": remove}


def _morris() -> Iterator[Rules]:
    moves = ("orthogonal", "diagonals", "king", "fly")
    for way, diagonals_win, centre, stuck in product(moves, (True, False), CENTRES, ("loss", "draw")):
        rules = {"moves": way, "diagonals_win": diagonals_win, "centre": centre, "stuck": stuck}
        yield {"family": "morris", "marks": 3, **rules}
    for way, diagonals_win, stuck in product(moves, (True, False), ("loss", "draw")):
        yield {"family": "morris", "marks": 4, "moves": way, "diagonals_win": diagonals_win, "stuck": stuck}
    for way, centre in product(("diagonals", "fly"), ("open", "closed")):
        yield {"family": "morris", "points": 13, "marks": 3, "moves": way, "centre": centre}


def _pop_out() -> Iterator[Rules]:
    for board, both in product([(4, 4), (5, 4), (4, 5)], ("mover-wins", "draw", "opponent-wins")):
        yield {"family": "pop-out", "rows": board[0], "columns": board[1], "both": both}


def _exactly() -> Iterator[Rules]:
    for board, misere in product([(3, 3, 3), (3, 4, 3), (3, 5, 3), (4, 4, 3), (4, 4, 4)], (False, True)):
        yield {"family": "exactly", **_board(*board), "misere": misere}


def _lines() -> Iterator[Rules]:
    """Yield line games with joined edges, and misère ones; misère Connect Four is not proven on 6x7."""
    for board, wrap in product([(3, 3, 3), (3, 4, 3), (4, 4, 4)], (False, "cylinder", "moebius", True)):
        yield {**_board(*board), "wrap": wrap}
    for board, wrap in product([(4, 4, 4), (4, 5, 4), (5, 5, 4)], (False, "cylinder")):
        yield {**_board(*board), "gravity": True, "wrap": wrap}
    for board in (3, 3, 3), (3, 4, 3), (4, 4, 3), (4, 4, 4):
        yield {**_board(*board), "misere": True}
    for board in (4, 4, 4), (4, 5, 4), (5, 5, 4), (5, 6, 4):
        yield {**_board(*board), "gravity": True, "misere": True}
