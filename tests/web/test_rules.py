"""The rules that the page judges by are those of the service: random games of every kind, move by move."""

from collections.abc import Iterator
from math import ceil
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from service.families.catalogue import FAMILY_GAMES
from service.families.game import FamilyGame
from service.families.morris import MorrisGame
from service.families.notakto import NotaktoGame
from service.families.order_and_chaos import OrderAndChaosGame
from service.families.pop_out import PopOutGame
from service.families.position import FamilyPosition
from service.families.vanishing import VanishingGame
from service.families.wild import WildGame
from service.games.catalogue import CATALOGUE
from service.games.game import Game, grid, hand_written
from service.games.position import Position
from tests.support import sampled, some
from tests.web.page import Open

pytestmark = pytest.mark.verify

MOST_PLIES = 70
"""Plies of a random game, for games that may never end."""

FOLLOW = """async ({ description, games }) => {
  const { rulesOf } = await import("/page/families.js");
  const rules = rulesOf(description);
  return games.map((moves) => {
    let state = rules.start();
    const told = () => ({
      cells: state.cells.map((mark) => mark ?? ".").join(""),
      player: rules.players[state.turn],
      status: state.status,
      winner: state.winner,
      line: state.line,
      legal: rules.legal(state),
    });
    return [told(), ...moves.map((move) => { state = rules.play(state, move); return told(); })];
  });
}"""
"""JavaScript that plays games by the page's own rules and tells each position."""


def line_game(seed: int) -> Game:
    """Return a line game with rules drawn at random, wrapped boards and layers among them."""
    dice = Random(seed)
    rows, columns, layers = dice.choice([(3, 3, 1), (4, 5, 1), (5, 4, 1), (6, 7, 1), (3, 3, 3), (2, 4, 3), (1, 7, 1)])
    return grid(
        id="custom",
        name="this game",
        rules="",
        rows=rows,
        columns=columns,
        layers=layers,
        in_a_row=dice.choice([3, 3, 4]) if max(rows, columns) > 3 else 3,
        gravity=dice.random() < 0.5,
        misere=dice.random() < 0.4,
        wrap=dice.choice([False, True, "cylinder", "moebius"]) if layers == 1 and rows > 1 else False,
    )


OWN_LINES = hand_written(
    id="custom", name="this game", rules="", cells=7, lines=[(0, 1, 3), (2, 4, 5, 6), (1, 6, 5), (3, 2)]
)

LINE_GAMES = {**CATALOGUE, "own-lines": OWN_LINES, **{f"random-{seed}": line_game(seed) for seed in range(24)}}

FAMILY_VARIANTS: dict[str, FamilyGame] = {
    **FAMILY_GAMES,
    "misere-vanishing": VanishingGame(misere=True),
    "vanishing-before-closed": VanishingGame(remove="before-closed"),
    "vanishing-after": VanishingGame(remove="after"),
    "vanishing-four": VanishingGame(rows=3, columns=4, marks=4, remove="after"),
    "king": MorrisGame(moves="king", centre="not-first"),
    "fly": MorrisGame(moves="fly", centre="closed", diagonals_win=False),
    "pop-out-draw": PopOutGame(rows=3, columns=4, in_a_row=3, both="draw"),
    "pop-out-opponent": PopOutGame(rows=3, columns=4, in_a_row=3, both="opponent-wins"),
    "chaos-first": OrderAndChaosGame(rows=3, columns=3, in_a_row=3, first="chaos"),
    "wild-4x4": WildGame(rows=4, columns=4, in_a_row=3),
    "notakto-two-4x3": NotaktoGame(boards=2, rows=4, columns=3),
    "notakto-two-2x3-normal": NotaktoGame(boards=2, rows=2, columns=3, misere=False),
}

GAMES = sampled(20, ceil(10_000 / len([*LINE_GAMES, *FAMILY_VARIANTS])))
"""Random games of each set of rules."""


def line_description(game: Game) -> dict[str, Any]:
    shape = {"rows": game.rows, "columns": game.columns, "layers": game.layers}
    rules = {"in_a_row": game.in_a_row, "gravity": game.gravity, "misere": game.misere, "wrap": game.wrap}
    return {**shape, **rules, "lines": None if game.in_a_row else game.lines}


def line_games(game: Game, dice: Random) -> Iterator[tuple[list[int], list[dict[str, Any]]]]:
    """Yield random games: their moves as the API writes them, and each position."""

    def written(cell: int) -> int:
        return cell % game.drop if game.drop else cell

    def told(position: Position) -> dict[str, Any]:
        legal = sorted(written(cell) for cell in position.legal_moves)
        x, o = (position.mine, position.theirs) if position.player == "X" else (position.theirs, position.mine)
        cells = "".join("X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(game.cells))
        return record(cells, position, legal)

    for _ in range(GAMES):
        position = Position(game, 0, 0, "X")
        moves, positions = [], [told(position)]
        while position.legal_moves:
            cell = dice.choice(position.legal_moves)
            moves.append(written(cell))
            position = position.play(cell)
            positions.append(told(position))
        yield moves, positions


def family_games(game: FamilyGame, dice: Random) -> Iterator[tuple[list[int | str], list[dict[str, Any]]]]:
    def told(position: FamilyPosition) -> dict[str, Any]:
        return record(position.contents, position, [game.move_name(move) for move in position.legal_moves])

    for _ in range(GAMES):
        position = FamilyPosition(game)
        moves, positions = list[int | str](), [told(position)]
        while position.legal_moves and len(moves) < MOST_PLIES:
            move = dice.choice(position.legal_moves)
            moves.append(game.move_name(move))
            position = position.play(move)
            positions.append(told(position))
        yield moves, positions


def record(cells: str, position: Position | FamilyPosition, legal: list[Any]) -> dict[str, Any]:
    line = position.winning_line
    told = {"status": position.status, "winner": position.winner, "line": list(line) if line else None}
    return {"cells": cells, "player": position.player, **told, "legal": legal}


def followed(page: Page, description: dict[str, Any], games: list[list[Any]]) -> Any:
    return page.evaluate(FOLLOW, {"description": description, "games": games})


def test_line_games_are_judged_as_by_the_service(open_page: Open) -> None:
    page = open_page("/")
    for name, game in LINE_GAMES.items():
        moves, positions = zip(*line_games(game, Random(name)), strict=True)
        assert followed(page, line_description(game), list(moves)) == list(positions), name


@pytest.mark.parametrize("name", some(FAMILY_VARIANTS, 14))
def test_games_of_families_are_judged_as_by_the_service(open_page: Open, name: str) -> None:
    game = FAMILY_VARIANTS[name]
    moves, positions = zip(*family_games(game, Random(name)), strict=True)
    described = {"family": game.family, "rows": game.rows, "columns": game.columns, "players": game.players}
    page = open_page("/")
    found = followed(page, {**described, "parameters": game.parameters}, list(moves))
    for played, told, expected in zip(moves, found, positions, strict=True):
        assert told == expected, played
