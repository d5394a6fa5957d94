"""Matches of the engine against plain Monte Carlo tree search of equal time."""

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean
from typing import NamedTuple

from loadtests.budgets import Verdicts
from loadtests.clock import HOURS, processor_time
from loadtests.strength.monte_carlo import MonteCarlo, compile_rules
from loadtests.tables import show_row, show_title
from service.engine.oracle import MoveChoice, Oracle
from service.engine.result import estimate
from service.engine.work.limit import Limit
from service.games.catalogue import FIVE_IN_A_ROW_8X8, QUBIC, SCORE_FOUR, STATE_GAMES
from service.games.families.lines import LineGame, grid
from service.games.game import Game
from service.games.position import Position
from service.settings import Settings

OPENING_PLIES = 2
"""Random plies before a game: each opening is played twice, with changed sides."""

MOST_AHEAD, OPENING_NODES = 0.4, 300_000
"""The greatest estimate of an opening for either side, and the nodes of its search.

In an opening with a greater one the same side often wins both games, with either player on that side.
"""

Player = Callable[[Position], int]


def _columns(columns: int, rows: int) -> LineGame:
    name = f"Connect Four {columns}x{rows}"
    return grid(id=name, name=name, rules=name, rows=rows, columns=columns, in_a_row=4, gravity=True)


LINE_GAMES = (_columns(8, 7), _columns(9, 7), SCORE_FOUR, QUBIC, FIVE_IN_A_ROW_8X8)
GAMES: Sequence[Game] = (*LINE_GAMES, STATE_GAMES["ultimate-tic-tac-toe"])


class _Opening(NamedTuple):
    """The place of a game in GAMES, and the seed of its random moves."""

    game: int
    seed: str


def show(  # noqa: PLR0913, the options of the command
    verdicts: Verdicts,
    *,
    pairs: int,
    games: Sequence[str],
    seconds: float,
    odds: float,
    seed: int,
    **_: object,
) -> None:
    """Print a row for each game, of those with these ids or of all."""
    show_title(
        "Matches against plain Monte Carlo tree search",
        f"{pairs} random openings of {OPENING_PLIES} plies in which neither side is far ahead, each played with both"
        " sides, by one thread\neach, a game on each core."
        f" {1000 * seconds * odds:g} ms of processor time a move for the engine, {1000 * seconds:g} ms for the other.",
    )
    show_row("game", "won", "drawn", "lost", "points", "playouts a move", "budget")
    show_row("---", *["---:"] * 6)
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor() as pool:
        compile_rules(Path(folder))
        play = partial(_play, seconds=(seconds * odds, seconds), folder=Path(folder))
        for place, game in enumerate(GAMES):
            if games and game.id not in games:
                continue
            drawn = (_Opening(place, f"{seed} {game.id} {number}") for number in range(pairs))
            played = [*pool.map(play, drawn)]
            results = [points for both, _ in played for points in both]
            counts = (f"{results.count(points)}" for points in (1.0, 0.5, 0.0))
            points = 100 * mean(results)
            is_draw = game.value is not None and game.value.outcome == "draw"  # there are fewer points to win
            judged = verdicts.judge("points of draws" if is_draw else "points", points)
            playouts = mean(count for _, counts in played for count in counts)
            show_row(game.name, *counts, f"{points:.0f}%", f"{playouts:,.0f}", judged)


def _play(opening: _Opening, seconds: tuple[float, float], folder: Path) -> tuple[list[float], list[int]]:
    """Play an opening with both sides; return the points of the engine, and the playouts of the opponent's moves.

    ``seconds`` are for a move of the engine, and of the opponent.
    """
    game, dice, playouts = GAMES[opening.game], Random(opening.seed), list[int]()
    opponent, position = MonteCarlo(game, folder), _fair_opening(game, dice)

    def reply(position: Position) -> int:
        choice = opponent.choose(position, dice.getrandbits(32), seconds=seconds[1])
        playouts.append(choice.playouts)
        return choice.move

    return [play_out(position, _engine(seconds[0]), reply, begins=begins) for begins in (True, False)], playouts


def _fair_opening(game: Game, dice: Random) -> Position:
    """Return a position after random plies, before anybody can have a line, in which neither side is far ahead."""
    oracle = Oracle(table_mb=1)
    while True:
        position = Position(game)
        for _ in range(OPENING_PLIES):
            position = position.play(dice.choice(position.legal_moves))
        answer = oracle.best_move(position, limit=Limit(HOURS, OPENING_NODES))
        if abs(estimate(answer.known)) <= MOST_AHEAD:
            return position


def play_out(opening: Position, own: Player, other: Player, *, begins: bool) -> float:
    """Play a game to its end; return the points of the first player, who may be the one to begin."""
    side = opening.player if begins else "XO".replace(opening.player, "")
    position = opening
    while position.legal_moves:
        position = position.play((own if position.player == side else other)(position))
    return 0.5 if position.winner is None else float(position.winner == side)


def _engine(seconds: float) -> Player:
    """Return the engine as a player who begins with an empty table, and plays the hardest of the best moves."""
    oracle = Oracle(table_mb=Settings().table_mb)

    def choose(position: Position) -> int:
        with processor_time():
            move = oracle.best_move(position, MoveChoice(hardest=True), limit=Limit(seconds)).move
        assert move is not None
        return move

    return choose
