"""Games of ultimate tic-tac-toe: the share of positions whose outcome is proven, by ply."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial, reduce
from random import Random

from loadtests.clock import processor_time
from loadtests.tables import Row, show_table, show_title
from service.engine.oracle import MoveChoice, Oracle
from service.engine.work.limit import Limit
from service.games.catalogue import STATE_GAMES
from service.games.position import Position
from service.settings import Settings

GAME = STATE_GAMES["ultimate-tic-tac-toe"]

SKILLS = (60, 70, 80, 90, 99)
"""The skills of the players; both of a game have the same."""

STEP = 4
"""Every such ply is asked about."""


def show(*, positions: int, seconds: float, seed: int, **_: object) -> None:
    """Print a row for each ply, until so many positions are asked about."""
    show_title(
        f"Proven outcomes of {GAME.name}",
        f"{positions} positions of games of the engine against itself, at skills of {SKILLS[0]} to {SKILLS[-1]}, each"
        f" asked of a fresh engine\nin {1000 * seconds:g} ms of processor time.",
    )
    found: dict[int, list[bool]] = defaultdict(list)
    lines = [*_lines(Random(seed), positions)]
    with ProcessPoolExecutor() as pool:
        for line, is_proven in zip(lines, pool.map(partial(_proves, seconds=seconds), lines), strict=True):
            found[len(line)].append(is_proven)
    rows: list[Row] = [("ply", "positions", "outcome proven")]
    rows += [(f"{ply}", f"{len(each)}", f"{sum(each) / len(each):.0%}") for ply, each in sorted(found.items())]
    show_table(rows)


def _proves(line: Sequence[int], seconds: float) -> bool:
    """Return whether the outcome after these moves is proven in time."""
    position = reduce(Position.play, line, Position(GAME))
    with processor_time():
        return Oracle(table_mb=Settings().table_mb).best_move(position, limit=Limit(seconds, outcome=True)).proven


def _lines(dice: Random, count: int) -> Iterator[Sequence[int]]:
    """Yield the moves of games until every fourth ply, unless the game is over."""
    oracle = Oracle(table_mb=1)
    while count > 0:
        position, skill, line = Position(GAME), dice.choice(SKILLS), list[int]()
        while position.legal_moves and count > 0:
            if len(line) % STEP == 0 and line:
                yield tuple(line)
                count -= 1
            move = oracle.best_move(position, MoveChoice(dice.getrandbits(32), skill), limit=Limit(1, 1)).move
            assert move is not None
            position = position.play(move)
            line.append(move)
