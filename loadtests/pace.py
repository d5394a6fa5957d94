"""How long it takes to choose a move for a player of great but not perfect skill, which takes longest."""

import time
from collections.abc import Iterator
from random import Random

from ladder import rules_of

from service.engine.skill import weaker_move
from service.games.catalogue import CATALOGUE
from service.games.game import Game, grid
from service.games.position import Position

SKILL = 99
LARGE = grid(id="8x8", name="8x8, five in a row", rules="", rows=8, columns=8, in_a_row=5)
PACED = (CATALOGUE["tic-tac-toe"], CATALOGUE["connect-four"], CATALOGUE["qubic"], LARGE)


def paces(count: int) -> dict[str, list[float]]:
    """The milliseconds of processor time of so many moves of each game, in positions from random games."""
    return {game.name: [_milliseconds(position) for position in _positions(game, count)] for game in PACED}


def _milliseconds(position: Position) -> float:
    rules = rules_of(position.game)
    began = time.process_time()
    weaker_move(position, rules, skill=SKILL, seed=1)
    return (time.process_time() - began) * 1000


def _positions(game: Game, count: int) -> Iterator[Position]:
    dice = Random(game.id)
    while count:
        position = Position(game, 0, 0, "X")
        for _ in range(dice.randrange(game.cells)):
            if position.legal_moves:
                position = position.play(dice.choice(position.legal_moves))
        if position.legal_moves:
            count -= 1
            yield position
