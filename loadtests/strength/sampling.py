"""Positions whose outcome is not proven in a small limit, each with its estimate and with what came of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from random import Random

from loadtests.strength.matches import result
from service.engine.limit import Limit
from service.engine.oracle import BestMove, Oracle
from service.engine.result import estimate
from service.games.catalogue import CONNECT_FOUR
from service.games.game import Game
from service.games.position import Position

NODES = 20_000
"""The limit of an answer whose estimate is measured."""

QUICK_NODES, RESULT_NODES = 500, 3_000
"""The limit of a move on the way to a position, and of one in the game that decides it."""

RANDOM_PLIES, QUICK_PLIES = 8, 12
"""The most plies at random, and of quick play, before a position."""

HOURS = 10_000.0
"""Seconds that never end a search, so that the figures are the same on any machine."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The estimate of an unproven position, its open lines more than the opponent's, and the result: -1, 0 or 1."""

    estimate: float
    lines: int
    result: int


def samples(game: Game, count: int, seed: int) -> list[Sample]:
    """Return so many samples, the same for the same seed."""
    dice, oracle = Random(f"{seed} {game.id}"), Oracle(table_mb=1)
    truth = _bitbully() if game is CONNECT_FOUR else _self_play(oracle)
    found: list[Sample] = []
    while len(found) < count:
        position = _draw(game, dice, oracle)
        if position.legal_moves:
            answer = _answer(oracle, position, NODES)
            if not answer.proven:
                found.append(Sample(estimate(answer.known), _open_lines(position), truth(position)))
    return found


def _draw(game: Game, dice: Random, oracle: Oracle) -> Position:
    """Return a position after random moves and then quick ones."""
    position = Position(game, 0, 0, "X")
    for _ in range(dice.randint(0, RANDOM_PLIES)):
        if position.legal_moves:
            position = position.play(dice.choice(position.legal_moves))
    for _ in range(dice.randint(0, QUICK_PLIES)):
        if position.legal_moves:
            position = position.play(_move(oracle, position, QUICK_NODES))
    return position


def _answer(oracle: Oracle, position: Position, nodes: int) -> BestMove:
    return oracle.best_move(position, limit=Limit(HOURS, nodes))


def _move(oracle: Oracle, position: Position, nodes: int) -> int:
    move = _answer(oracle, position, nodes).move
    assert move is not None
    return move


def _self_play(oracle: Oracle) -> Callable[[Position], int]:
    """Return what decides a position by a game of the engine against itself."""

    def play(position: Position) -> int:
        return _move(oracle, position, RESULT_NODES)

    return lambda position: int(2 * result(position, play, play, begins=True) - 1)


def _bitbully() -> Callable[[Position], int]:
    """Return what decides a position of Connect Four: its proven outcome."""
    bitbully = import_module("bitbully")
    solver = bitbully.BitBully(opening_book="12-ply")

    def outcome(position: Position) -> int:
        score = solver.mtdf(bitbully.Board(list(_rows(position))))
        return int((score > 0) - (score < 0))

    return outcome


def _rows(position: Position) -> Iterator[list[int]]:
    """Yield the rows from the top as bitbully reads them: 0 for an empty cell, 1 for the player who began, and 2."""
    signs = {".": 0, "X": 1, "O": 2}
    cells, columns = [signs[sign] for sign in str(position)], position.game.columns
    for begin in range(0, len(cells), columns):
        yield cells[begin : begin + columns]


def _open_lines(position: Position) -> int:
    """Return how many more lines without a mark of the opponent the player to move has."""
    own = sum(not line & position.theirs for line in position.game.line_masks)
    return own - sum(not line & position.mine for line in position.game.line_masks)
