"""Games of every family for tests: known values, small games, positions, tables and symmetries."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice, product
from typing import Any

import pytest

from service.engine.oracle import Oracle
from service.engine.tables.family_table import FamilyTable, build
from service.games.catalogue import CATALOGUE, FAMILIES, STATE_GAMES
from service.games.families.lines import LineGame, hand_written
from service.games.families.moving.mills import PLACES
from service.games.game import Game
from service.games.position import Position
from tests.support import sampled
from tests.worlds import near_the_end, play_at_random, small

Case = tuple[str, dict[str, Any]]
"""A family, and the switches of its rules."""

SMALL: list[Case] = [
    ("wild", {"rows": 2, "columns": 3, "in_a_row": 2}),
    ("wild", {"rows": 2, "columns": 4, "in_a_row": 3, "misere": True}),
    ("order-and-chaos", {"rows": 2, "columns": 4, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3, "first": "chaos"}),
    ("order-and-chaos", {"rows": 2, "columns": 4, "in_a_row": 3, "overlines": False}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3, "first": "chaos", "overlines": False}),
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
    ("quixo", {"side": 2}),
    ("teeko", {"side": 3}),
    ("teeko", {"side": 3, "squares": "all", "centre": "not-first"}),
    ("neighbours", {"rows": 2, "columns": 3}),
    ("neighbours", {"rows": 1, "columns": 5, "apart": "other", "misere": True}),
]
"""Games with every switch, of up to 2,000 positions up to symmetry; ``numerical`` and ``mills`` have none so small."""

LINES: list[Case] = [
    ("line", {"rows": 2, "columns": 3, "in_a_row": 2}),
    ("line", {"rows": 3, "columns": 3, "in_a_row": 3, "gravity": True}),
    ("line", {"rows": 3, "columns": 3, "in_a_row": 3, "gravity": True, "misere": True}),
    ("line", {"rows": 2, "columns": 2, "in_a_row": 2, "layers": 2, "misere": True}),
    ("line", {"rows": 2, "columns": 4, "in_a_row": 3, "wrap": True}),
]
"""Games of lines of at most 2,000 positions."""

LARGER: list[Case] = [
    ("notakto", {"boards": 4, "in_a_row": 2}),
    ("numerical", {"misere": True}),
    ("vanishing", {"remove": "after", "misere": True}),
    ("vanishing", {"remove": "before-closed"}),
    ("morris", {"points": 13, "moves": "diagonals", "centre": "closed", "stuck": "draw"}),
    ("pop-out", {"rows": 3, "columns": 4, "in_a_row": 3, "both": "opponent-wins"}),
    ("exactly", {"rows": 3, "columns": 5, "in_a_row": 3, "misere": True}),
    ("dao", {"trapped_wins": False}),
    ("mills", {"marks": 3}),
    ("quixo", {"side": 3}),
]


def name_of(case: object) -> str:
    """What a parameter is called in the name of its test."""
    return " ".join(f"{key}={value}" for key, value in case.items()) or "-" if isinstance(case, Mapping) else str(case)


def fact_name(fact: Mapping[str, Any]) -> str:
    """What a known value is called in the name of its test."""
    return f"{fact['family']} {name_of(fact['rules'])}"


def game_of(family: str, rules: Mapping[str, Any]) -> Game:
    """The game with these rules."""
    return small(**rules) if family == "line" else FAMILIES[family](**rules)


def random_line_games() -> Iterator[LineGame]:
    """Games of lines of every kind in which random play reaches a nearly full board; always the same ones."""
    dice = random.Random(2026)
    while True:
        game = _written(dice) if dice.random() < 0.25 else _random_grid(dice)
        play = random.Random(0)
        full = any(play_at_random(game, play, game.cells).remaining <= 1 for _ in range(20))
        if game.cells > EMPTIES and game.lines and full:
            yield game


def _random_grid(dice: random.Random) -> LineGame:
    rows, columns, layers = 64, 64, 64
    while rows * columns * layers > 64:
        rows, columns, layers = dice.randint(1, 8), dice.randint(1, 8), dice.choice([1, 1, 1, 2, 3, 4])
    flags = {name: True for name in ("gravity", "misere", "wrap") if dice.random() < 0.4}
    return small(rows, columns, dice.randint(2, max(2, rows, columns, layers)), layers=layers, **flags)


def _written(dice: random.Random) -> LineGame:
    cells = dice.choice([6, 9, 12, 16, 25, 63, 64])
    count, longest = dice.randint(1, 40), dice.randint(3, 8)
    lines = [dice.sample(range(cells), min(cells, dice.randint(3, longest))) for _ in range(count)]
    name = f"written-{cells}-{count}-{dice.random()}"
    return hand_written(id=name, name=name, rules="", cells=cells, lines=lines, misere=dice.random() < 0.3)


EMPTIES = 5
"""Empty cells in the positions of games of lines that the reference solves."""

JOINED: list[Case] = [
    ("line", {"rows": 3, "columns": 3, "in_a_row": 3, "wrap": "moebius"}),
    ("line", {"rows": 3, "columns": 4, "in_a_row": 3, "wrap": "cylinder", "misere": True}),
    ("line", {"rows": 4, "columns": 3, "in_a_row": 3, "wrap": "moebius", "gravity": True}),
    ("line", {"rows": 2, "columns": 4, "in_a_row": 3, "wrap": "cylinder", "gravity": True}),
    ("line", {"rows": 3, "columns": 3, "in_a_row": 3, "layers": 2, "wrap": "moebius"}),
]

INLINE = {f"{family} {name_of(rules)}": game_of(family, rules) for family, rules in SMALL[1::3] + LARGER}
DRAWN = {game.id: game for game in islice(random_line_games(), sampled(20, 60))}
GAMES: dict[str, Game] = {
    **CATALOGUE,
    **INLINE,
    **{f"{family} {name_of(rules)}": game_of(family, rules) for family, rules in JOINED},
    **DRAWN,
}
"""Those of the catalogue, of rules that are used by none of these, and random games of lines."""

LINE_GAMES = {name: game for name, game in GAMES.items() if isinstance(game, LineGame)}
SOLVED = {name: game for name, game in {**STATE_GAMES, **INLINE}.items() if game.states <= 100_000}
"""Games of states whose table is made soon."""

DECIDED: dict[str, Game] = {**SOLVED, **LINE_GAMES}
"""Games of which ``decided`` positions have a known value."""


def each(games: Mapping[str, Game]) -> pytest.MarkDecorator:
    """Run a test with each of the games."""
    return pytest.mark.parametrize("game", games.values(), ids=games)


each_game, each_solved_game = each(GAMES), each(SOLVED)
each_small_game = pytest.mark.parametrize(("family", "rules"), SMALL, ids=name_of)

PLAYED = 30
MOST_PLIES = 60


def random_games(game: Game) -> Iterator[list[Position]]:
    """Games from the start to the end, or until they have taken long enough."""
    for seed in range(PLAYED):
        chance = random.Random(seed)
        played = [Position(game)]
        while played[-1].legal_moves and (len(played) < MOST_PLIES or not game.loops):
            played.append(played[-1].play(chance.choice(played[-1].legal_moves)))
        yield played


@cache
def positions(game: Game) -> tuple[Position, ...]:
    """The positions of random games, each once."""
    return tuple(dict.fromkeys(position for played in random_games(game) for position in played))


def few(found: Iterable[Position], most: int) -> list[Position]:
    """A few of the positions, spread over all of them."""
    every = list(found)
    return every[:: 1 + len(every) // most]


@cache
def decided(game: Game) -> tuple[Position, ...]:
    """A few positions whose value is known: by the reference near the end of games of lines, else by the table."""
    if isinstance(game, LineGame):
        return tuple(near_the_end(game, empties=EMPTIES, count=sampled(2, 4)))
    return tuple(few(positions(game), sampled(4, 40)))


@cache
def reachable(game: Game) -> set[Position]:
    """All positions that play leads to, whoever begins if either may."""
    found = {Position(game, turn=turn) for turn in range(1 + game.either_begins)}
    waiting = [*found]
    while waiting:
        position = waiting.pop()
        new = {position.play(move) for move in position.legal_moves} - found
        found |= new
        waiting.extend(new)
    return found


@cache
def oracle() -> Oracle:
    """An oracle that solves games once for all tests, and searches all games of lines."""
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
    """The symmetries of one board, some of many; those of Notakto and pop-out take rows to rows."""
    if isinstance(game, LineGame):
        return [list(symmetry) for symmetry in game.symmetries[:: 1 + len(game.symmetries) // 9]]
    if game.family == "ultimate":
        return [[9 * board + cell for board in turned for cell in turned] for turned in square(3, 3)]
    if game.family in ("pop-out", "notakto"):
        mirrored = [
            [row * game.columns + column for column in reversed(range(game.columns))] for row in range(game.rows)
        ]
        return [[cell for row in mirrored for cell in row]]
    if game.family == "mills":
        places = {place: point for point, place in enumerate(PLACES)}
        return [
            [places[column, row] for row, column in PLACES],
            [places[row, 4 - column] for row, column in PLACES],
            [places[(1, 0, 2, 4, 3)[row], (1, 0, 2, 4, 3)[column]] for row, column in PLACES],
        ]
    if game.rows == 1 and game.columns == 13:  # the points of the larger picaria
        return [[2, 1, 0, 5, 4, 3, 8, 7, 6, 10, 9, 12, 11]]
    return square(game.rows, game.columns)


def text_of(position: Position) -> str:
    """The text of a position, without what sets boards apart."""
    if position.game.has_rest:
        return str(position).replace("/", "") if position.game.family == "ultimate" else str(position)
    return position.contents if position.game.family == "notakto" else str(position)


def image_of(position: Position, symmetry: list[int]) -> str:
    """The text of a position as a symmetry shows it."""
    text = text_of(position)
    if position.game.family == "mills":
        points, rest = str(position).split(";")
        moved = dict(zip(symmetry, points, strict=True))
        return f"{''.join(moved[point] for point in range(len(points)))};{rest}"
    if position.game.has_rest:
        text, rest = position.contents, str(position).partition(";")[2]
        moved = dict(zip(symmetry, text, strict=True))
        forced, *owners = rest.split(";")
        forced = forced if forced == "*" else str(symmetry[9 * int(forced)] // 9)
        owned = [dict(zip([symmetry[9 * board] // 9 for board in range(9)], each, strict=True)) for each in owners]
        boards = ["".join(marks for _, marks in sorted(part.items())) for part in (moved, *owned)]
        return ";".join([boards[0], forced, *boards[1:]])
    if "/" in text:
        return re.sub(r"\d+", lambda cell: str(symmetry[int(cell[0])]), text)
    marks = dict(zip(symmetry, text, strict=True))
    return "".join(marks[cell] for cell in range(len(text)))
