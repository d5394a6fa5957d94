"""Games of every kind, and random play in them, for the rules that the page judges by."""

from random import Random
from typing import Any

from service.games.catalogue import LINE_GAMES, STATE_GAMES
from service.games.families.lines import PLAYERS, LineGame, hand_written, line_position
from service.games.families.moving.mills import MillsGame
from service.games.families.moving.morris import MorrisGame
from service.games.families.notakto import NotaktoGame
from service.games.families.pop_out import PopOutGame
from service.games.families.vanishing import VanishingGame
from service.games.families.wild import OrderAndChaosGame, WildGame
from service.games.game import Game
from service.games.position import Position
from tests.worlds import is_line, small

AnyGame = Game

MOST_PLIES = 70
"""Plies of a random game, for games that may never end."""


def line_game(seed: int) -> LineGame:
    """Return a line game with rules drawn at random, wrapped boards and layers among them."""
    dice = Random(seed)
    rows, columns, layers = dice.choice([(3, 3, 1), (4, 5, 1), (5, 4, 1), (6, 7, 1), (3, 3, 3), (2, 4, 3), (1, 7, 1)])
    return small(
        rows,
        columns,
        dice.choice([3, 3, 4]) if max(rows, columns) > 3 else 3,
        layers=layers,
        gravity=dice.random() < 0.5,
        misere=dice.random() < 0.4,
        wrap=dice.choice([False, True, "cylinder", "moebius"]) if layers == 1 and rows > 1 else False,
    )


OWN_LINES = hand_written(
    id="custom", name="this game", rules="", cells=7, lines=[(0, 1, 3), (2, 4, 5, 6), (1, 6, 5), (3, 2)]
)

VARIANTS: dict[str, AnyGame] = {
    **LINE_GAMES,
    "own-lines": OWN_LINES,
    **{f"random-{seed}": line_game(seed) for seed in range(24)},
    **STATE_GAMES,
    "misere-vanishing": VanishingGame(misere=True),
    "vanishing-before-closed": VanishingGame(remove="before-closed"),
    "vanishing-after": VanishingGame(remove="after"),
    "vanishing-four": VanishingGame(rows=3, columns=4, marks=4, remove="after"),
    "king": MorrisGame(moves="king", centre="not-first"),
    "fly": MorrisGame(moves="fly", centre="closed", diagonals_win=False),
    "three-by-mills": MillsGame(marks=3),
    "stuck-is-a-draw": MorrisGame(marks=4, moves="diagonals", stuck="draw"),
    "pop-out-draw": PopOutGame(rows=3, columns=4, in_a_row=3, both="draw"),
    "pop-out-opponent": PopOutGame(rows=3, columns=4, in_a_row=3, both="opponent-wins"),
    "chaos-first": OrderAndChaosGame(rows=3, columns=3, in_a_row=3, first="chaos"),
    "order-needs-exactly-two": OrderAndChaosGame(rows=3, columns=3, in_a_row=2, overlines=False),
    "order-moves-last": OrderAndChaosGame(rows=3, columns=3, in_a_row=3),
    "wild-4x4": WildGame(rows=4, columns=4, in_a_row=3),
    "notakto-two-4x3": NotaktoGame(boards=2, rows=4, columns=3),
    "notakto-two-2x3-normal": NotaktoGame(boards=2, rows=2, columns=3, misere=False),
}


def description(game: AnyGame) -> dict[str, Any]:
    """Return what the rules of the page need to know of a game, by the names of the contract."""
    shape = {"id": game.id, "name": game.name, "rules": game.rules, "rows": game.rows, "columns": game.columns}
    if not isinstance(game, LineGame):
        return shape | {"family": game.family, "players": game.players, "parameters": game.parameters}
    rules = {"in_a_row": game.in_a_row, "gravity": game.gravity, "misere": game.misere, "wrap": game.wrap}
    return {**shape, "family": "line", "layers": game.layers, **rules, "lines": None if game.in_a_row else game.lines}


def start(game: AnyGame) -> Position:
    return Position(game) if not isinstance(game, LineGame) else line_position(game, 0, 0, PLAYERS[0])


def contents(position: Position) -> str:
    """Return what stands in each cell."""
    return position.contents if not is_line(position) else str(position)


def written(game: AnyGame, move: int) -> int | str:
    """Return a move as the API writes it."""
    if not isinstance(game, LineGame):
        return game.move_name(move)
    return move % game.drop if game.drop else move


def random_game(game: AnyGame, dice: Random) -> tuple[list[int | str], list[Position]]:
    """Return the moves of a random game, and its positions from the first to the last."""
    moves, positions = list[int | str](), [start(game)]
    while (legal := positions[-1].legal_moves) and len(moves) < MOST_PLIES:
        move = dice.choice(legal)
        moves.append(written(game, move))
        positions.append(positions[-1].play(move))
    return moves, positions
