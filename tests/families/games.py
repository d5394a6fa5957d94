"""What tests need of games of families: known values, small games, positions, tables and symmetries."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from service.engine.oracle import Oracle
from service.engine.tables.family_table import FamilyTable, build
from service.games.catalogue import FAMILIES, STATE_GAMES
from service.games.game import Game
from service.games.position import Position

KNOWN: list[dict[str, Any]] = json.loads(Path(__file__).with_name("known_values.json").read_text(encoding="utf-8"))
"""Values, distances, best first moves and numbers of positions, by programs that share no code with the service.

Where only the value is known, the game is searched; it is too large for a table.
"""

Case = tuple[str, dict[str, Any]]
"""A family, and the switches of its rules."""

SMALL: list[Case] = [
    ("wild", {"rows": 2, "columns": 3, "in_a_row": 2}),
    ("wild", {"rows": 2, "columns": 4, "in_a_row": 3, "misere": True}),
    ("order-and-chaos", {"rows": 2, "columns": 4, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3, "first": "chaos"}),
    ("notakto", {"boards": 2, "rows": 2, "columns": 3}),
    ("notakto", {"boards": 2, "rows": 2, "columns": 3, "misere": False}),
    ("notakto", {"rows": 1, "columns": 8, "misere": False}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2, "remove": "before-closed", "misere": True}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2, "remove": "after"}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 3, "remove": "before"}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 3, "remove": "after"}),
    ("morris", {"moves": "king", "diagonals_win": False, "centre": "closed"}),
    ("morris", {"marks": 4, "moves": "king", "stuck": "draw", "centre": "not-first"}),
    ("morris", {"marks": 4, "diagonals_win": False, "stuck": "draw"}),
    ("morris", {"marks": 4, "moves": "fly", "stuck": "draw"}),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3, "both": "draw"}),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3, "both": "mover-wins"}),
    ("pop-out", {"rows": 2, "columns": 4, "in_a_row": 3, "both": "opponent-wins"}),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 2}),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 3, "misere": True}),
]
"""Games of every family but ``numerical``, with every switch, of at most 2,000 positions up to symmetry."""

LARGER: list[Case] = [
    ("notakto", {"boards": 4, "in_a_row": 2}),
    ("numerical", {"misere": True}),
    ("vanishing", {"remove": "after", "misere": True}),
    ("vanishing", {"remove": "before-closed"}),
    ("morris", {"points": 13, "moves": "diagonals", "centre": "closed", "stuck": "draw"}),
    ("pop-out", {"rows": 3, "columns": 4, "in_a_row": 3, "both": "opponent-wins"}),
    ("exactly", {"rows": 3, "columns": 5, "in_a_row": 3, "misere": True}),
]


def name_of(case: object) -> str:
    """What a parameter is called in the name of its test."""
    return " ".join(f"{key}={value}" for key, value in case.items()) or "-" if isinstance(case, Mapping) else str(case)


def fact_name(fact: Mapping[str, Any]) -> str:
    """What a known value is called in the name of its test."""
    return f"{fact['family']} {name_of(fact['rules'])}"


def game_of(family: str, rules: Mapping[str, Any]) -> Game:
    """The game with these rules."""
    return FAMILIES[family](**rules)


INLINE = {f"{family} {name_of(rules)}": game_of(family, rules) for family, rules in SMALL[1::3] + LARGER}
GAMES = {**STATE_GAMES, **INLINE}
SOLVED = {name: game for name, game in GAMES.items() if game.states <= 100_000}

each_small_game = pytest.mark.parametrize(("family", "rules"), SMALL, ids=name_of)
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
each_solved_game = pytest.mark.parametrize("game", SOLVED.values(), ids=SOLVED)

PLAYED = 30
MOST_PLIES = 60


def random_games(game: Game) -> Iterator[list[Position]]:
    """Games from the start to the end, or until they have taken long enough."""
    for seed in range(PLAYED):
        chance = random.Random(seed)
        played = [Position(game)]
        while played[-1].legal_moves and len(played) < MOST_PLIES:
            played.append(played[-1].play(chance.choice(played[-1].legal_moves)))
        yield played


@cache
def positions(game: Game) -> tuple[Position, ...]:
    """The positions of random games, each once."""
    return tuple(dict.fromkeys(position for played in random_games(game) for position in played))


@cache
def oracle() -> Oracle:
    """An oracle that solves games once for all tests."""
    return Oracle()


def table_of(game: Game) -> FamilyTable:
    """The complete table of a game; those of small ones are made once."""
    return _kept_table(game) if game.states <= 100_000 else FamilyTable(game, memoryview(build(game, 20_000_000)))


@cache
def _kept_table(game: Game) -> FamilyTable:
    return FamilyTable(game, memoryview(build(game, 20_000_000)))


def square(rows: int, columns: int) -> list[list[int]]:
    """The turns and mirror images of a board, as permutations of its cells."""
    found = []
    for turned, flipped, mirrored in product((False, True), repeat=3):
        if turned and rows != columns:
            continue
        cells = [divmod(cell, columns) for cell in range(rows * columns)]
        cells = [(column, row) if turned else (row, column) for row, column in cells]
        cells = [(rows - 1 - row if flipped else row, columns - 1 - c if mirrored else c) for row, c in cells]
        found.append([row * columns + column for row, column in cells])
    return found


def symmetries(game: Game) -> list[list[int]]:
    """The symmetries of one board; those of Notakto and pop-out take rows to rows."""
    if game.family in ("pop-out", "notakto"):
        mirrored = [
            [row * game.columns + column for column in reversed(range(game.columns))] for row in range(game.rows)
        ]
        return [[cell for row in mirrored for cell in row]]
    if game.rows == 1 and game.columns == 13:  # the points of the larger picaria
        return [[2, 1, 0, 5, 4, 3, 8, 7, 6, 10, 9, 12, 11]]
    return square(game.rows, game.columns)


def image_of(position: Position, symmetry: list[int]) -> str:
    """The text of a position as a symmetry shows it."""
    text = position.contents if position.game.family == "notakto" else str(position)
    if "/" in text:
        return re.sub(r"\d+", lambda cell: str(symmetry[int(cell[0])]), text)
    marks = dict(zip(symmetry, text, strict=True))
    return "".join(marks[cell] for cell in range(len(text)))
