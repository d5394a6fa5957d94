"""Positions whose outcome is not proven in a small limit, each with its estimate and with what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from loadtests.clock import HOURS
from loadtests.search.bitbully import BitBullyWithBook
from loadtests.strength.matches import play_out
from service.engine.oracle import BestMove, Oracle
from service.engine.result import estimate
from service.engine.work.limit import Limit
from service.games.catalogue import CONNECT_FOUR
from service.games.families.lines import LineGame, LinePosition, line_position
from service.games.position import Position

NODES = 20_000
"""The limit of an answer whose estimate is measured."""

QUICK_NODES, RESULT_NODES = 500, 3_000
"""The limit of a move on the way to a position, and of one in the game that decides it."""

RANDOM_PLIES, QUICK_PLIES = 8, 12
"""The most plies at random, and of quick play, before a position."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The estimate of an unproven position, its open lines more than the opponent's, and the result: -1, 0 or 1."""

    estimate: float
    lines: int
    result: int


def samples(game: LineGame, count: int, seed: int) -> list[Sample]:
    """Return so many samples, the same for the same seed."""
    dice, oracle = Random(f"{seed} {game.id}"), Oracle(table_mb=1)
    solver = BitBullyWithBook() if game is CONNECT_FOUR else None
    found: list[Sample] = []
    while len(found) < count:
        position, moves = _draw(game, dice, oracle)
        if position.legal_moves:
            answer = _answer(oracle, position, NODES)
            if not answer.proven:
                result = _self_play(oracle, position) if solver is None else _known(solver, game, moves)
                found.append(Sample(estimate(answer.known), _open_lines(position), result))
    return found


def _draw(game: LineGame, dice: Random, oracle: Oracle) -> tuple[LinePosition, Sequence[int]]:
    """Return a position after random moves and then quick ones, and the moves."""
    position, moves = line_position(game, 0, 0, "X"), list[int]()
    quick_from = dice.randint(0, RANDOM_PLIES)
    for ply in range(quick_from + dice.randint(0, QUICK_PLIES)):
        if position.legal_moves:
            random = ply < quick_from
            moves.append(dice.choice(position.legal_moves) if random else _move(oracle, position, QUICK_NODES))
            position = position.play(moves[-1])
    return position, moves


def _answer(oracle: Oracle, position: Position, nodes: int) -> BestMove:
    return oracle.best_move(position, limit=Limit(HOURS, nodes))


def _move(oracle: Oracle, position: Position, nodes: int) -> int:
    move = _answer(oracle, position, nodes).move
    assert move is not None
    return move


def _known(solver: BitBullyWithBook, game: LineGame, moves: Sequence[int]) -> int:
    """Return the proven result of a position of Connect Four."""
    outcome, _ = solver.case("".join(f"{game.column_of(move)}" for move in moves)).value.split()
    return {"win": 1, "draw": 0, "loss": -1}[outcome]


def _self_play(oracle: Oracle, position: LinePosition) -> int:
    """Return the result of a game of the engine against itself."""

    def play(position: Position) -> int:
        return _move(oracle, position, RESULT_NODES)

    return int(2 * play_out(position, play, play, begins=True) - 1)


def _open_lines(position: LinePosition) -> int:
    """Return how many more lines without a mark of the opponent the player to move has."""
    own = sum(not line & position.state[1] for line in position.game.line_masks)
    return own - sum(not line & position.state[0] for line in position.game.line_masks)
