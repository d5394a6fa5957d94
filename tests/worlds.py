"""Games and positions for tests: written as text, found by playing, solved by the reference."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import Any, TypedDict, Unpack

import pytest
from typing_extensions import TypeIs

from loadtests.positions.remembering import Remembering
from service.book.file import RULES
from service.engine.oracle import BestMove, Oracle
from service.engine.result import Outcome, ProvenResult
from service.engine.tables.small_table import SmallTable
from service.games.boards.grid import Wrap
from service.games.catalogue import LINE_GAMES, MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import PLAYERS, LineGame, LinePosition, Player, grid, line_position, marked
from service.games.position import Position, SomeGame_co
from service.games.setup import Setup
from service.kernel.alpha_beta.reference import DRAW, LOSS, WIN, Verdict
from service.kernel.alpha_beta.search import Search

GAMES = (TIC_TAC_TOE, MISERE_TIC_TAC_TOE)
"""The games that are compared with the reference in full."""

CATALOGUED = tuple(LINE_GAMES.values())
OUTCOME_NAMES: dict[int, Outcome] = {WIN: "win", DRAW: "draw", LOSS: "loss"}

each_catalogued_game = pytest.mark.parametrize("game", CATALOGUED, ids=attrgetter("id"))
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
each_first_player = pytest.mark.parametrize("first", PLAYERS)


WIDE = {"rows": 6, "columns": 8, "in_a_row": 4, "gravity": True}
"""Connect Four on 8 columns, as a request gives it: there is no book of it, so its openings are searched for long."""


class Rules(TypedDict, total=False):
    """What may be said of a grid beyond its size and the length of its lines."""

    layers: int
    gravity: bool
    misere: bool
    wrap: Wrap


def small(rows: int, columns: int, in_a_row: int, **rules: Unpack[Rules]) -> LineGame:
    """A game outside the catalogue, named after its rules."""
    name = "-".join([f"{rows}x{columns}", f"{in_a_row}-in-a-row", *rules])
    return grid(id=name, name=name, rules=name, rows=rows, columns=columns, in_a_row=in_a_row, **rules)


def read_setup(board: str, player: Player | None = None, game: LineGame = TIC_TAC_TOE) -> Setup:
    """What the text shows: ``X``, ``O``, a dot for an empty cell; spaces between the rows do not count."""
    cells = board.replace(" ", "")
    assert len(cells) == game.cells
    x, o = (sum(1 << cell for cell, mark in enumerate(cells) if mark == player) for player in PLAYERS)
    return Setup(game, x, o, player)


def read_position(board: str, player: Player | None = None, game: LineGame = TIC_TAC_TOE) -> LinePosition:
    """The legal position that the text shows."""
    given = read_setup(board, player, game)
    assert given.violations() == []
    return line_position(game, given.x, given.o, given.player_to_move)


@cache
def reachable(game: LineGame, first: Player = "X") -> tuple[LinePosition, ...]:
    """Every position that arises when games are played, each once, fewest marks first."""
    found = frontier = {line_position(game, 0, 0, first): None}
    while frontier:
        frontier = dict.fromkeys(before.play(move) for before in frontier for move in before.legal_moves)
        found = found | frontier
    return tuple(found)


@cache
def unfinished(game: LineGame) -> tuple[LinePosition, ...]:
    """The reachable positions in which there is something to move."""
    return tuple(position for position in reachable(game) if position.legal_moves)


def canonical(position: Position[SomeGame_co]) -> Position[SomeGame_co]:
    """The least of the symmetric images of a position."""
    return replace(position, state=position.game.least_image(position.state))


def near_the_end(game: LineGame, *, empties: int, count: int) -> Iterator[LinePosition]:
    """Unfinished positions with at most so many empty cells, from games played at random; always the same ones."""
    return drawn_positions(game, range(game.cells - 1, game.cells - empties - 1, -1), count)


def drawn_positions(game: LineGame, plies: range, count: int) -> Iterator[LinePosition]:
    """Unfinished positions after so many plies, from games played at random; always the same ones."""
    dice = random.Random(game.id)
    while count:
        found = play_at_random(game, dice, dice.choice(plies))
        if found.legal_moves:
            count -= 1
            yield found


def play_at_random(game: LineGame, dice: random.Random, plies: int, first: Player = "X") -> LinePosition:
    """The position after so many random plies, or at the end of the game if that comes first."""
    position = line_position(game, 0, 0, first)
    while marked(position).bit_count() < plies and position.legal_moves:
        position = position.play(dice.choice(position.legal_moves))
    return position


@cache
def reference(game: LineGame) -> Remembering:
    """The reference for a game, asked through its memory."""
    below = [support.bit_length() - 1 if support else None for support in game.supports]
    return Remembering(game.cells, game.lines, game.misere, below)


def changed(game: LineGame, **changes: Any) -> LineGame:
    """The same game but for some of its rules."""
    return LineGame(**{**{name: getattr(game, name) for name in RULES}, **changes})


def is_line(position: Position) -> TypeIs[LinePosition]:
    """Return whether this is a position of a game of lines."""
    return isinstance(position.game, LineGame)


def verdict(position: Position) -> Verdict:
    """What the reference says about a position of a game of lines."""
    assert is_line(position)
    board = [None if mark == "." else mark == position.player for mark in str(position)]
    return reference(position.game).solve(board)


def score_from_here(position: LinePosition) -> int:
    """The reference's verdict as the score of the answer: the faster win is worth more, 0 for a draw."""
    truth = verdict(position)
    return truth.outcome * (position.game.cells + 1 - truth.plies)


def score_from_the_start(position: LinePosition) -> int:
    """The reference's verdict as the score of the search, which counts the marks on the board at the end."""
    truth = verdict(position)
    return truth.outcome * (position.game.cells + 1 - truth.plies - marked(position).bit_count())


def search(game: LineGame) -> Search:
    """A search that remembers nothing yet."""
    return Search(rules_of(game), memory())


rules_of = cache(LineGame.lay_out)
"""The rules of a game, laid out for the search."""


def memory(bits: int = 14) -> memoryview:
    """An empty table of 2 to the power of so many entries."""
    return memoryview(bytearray(16 << bits)).cast("Q")


@cache
def table(game: LineGame) -> SmallTable:
    """The complete table of a game, made once."""
    return SmallTable(game)


@cache
def oracle() -> Oracle:
    """An oracle with complete tables of the games above, made once."""
    return Oracle(GAMES)


def proven(known: object) -> ProvenResult:
    """What is known, which must be all that there is to know."""
    assert isinstance(known, ProvenResult)
    return known


def proof(answer: BestMove) -> ProvenResult:
    """What is proven by an answer, which must be."""
    return proven(answer.known)


def length(result: ProvenResult) -> int:
    """The plies to the end of the game, which must have one."""
    assert result.plies is not None
    return result.plies
