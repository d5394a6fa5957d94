"""Answers that are not proven: the error of their estimates."""

from collections.abc import Iterator, Sequence
from math import tanh
from random import Random
from statistics import mean

import click

from loadtests.budgets import ALLOWANCE, Verdicts, measure
from loadtests.search.bitbully import BitBullyWithBook
from loadtests.search.solve import require_compiled
from loadtests.tables import Row, show_table, show_title
from service.engine.oracle import Oracle
from service.engine.result import estimate
from service.engine.work.limit import Limit
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.families.lines import LineGame, LinePosition, grid, line_position

NODES, QUICK_NODES, RESULT_NODES = 20_000, 500, 3_000
"""The limits of an answer whose estimate is measured, of a move on the way there, and of one in the game after it."""

RANDOM_PLIES, QUICK_PLIES = 8, 12
"""The most plies at random, and of quick play, before a position whose estimate is measured."""

HOURS = 10_000.0
"""Seconds that never end a search, so that the figures are the same on any machine."""

SCALES = [2.0 ** (step / 10) for step in range(-30, 31)]
"""What the guess by open lines divides their number by; the best counts."""

GAMES = (
    CONNECT_FOUR,
    *(
        grid(id=name, name=name, rules=name, rows=7, columns=columns, in_a_row=4, gravity=True)
        for columns, name in ((8, "Connect Four 8x7"), (9, "Connect Four 9x7"))
    ),
    QUBIC,
    grid(id="8x8", name="Five in a row on 8x8", rules="", rows=8, columns=8, in_a_row=5),
)


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(["estimates"]))
@click.option("--positions", type=int, default=600, help="Positions of each game for the estimates.")
@click.option("--seed", type=int, default=1, help="The seed of all that is drawn.")
@ALLOWANCE
def command(parts: tuple[str, ...], allowance: float, **options: int) -> None:
    """Measure the error of the estimates; fail if a budget is missed."""
    require_compiled()
    measure({"estimates": show_estimates}, parts, allowance, **options)


def show_estimates(verdicts: Verdicts, positions: int, seed: int) -> None:
    """Print the Brier score of the estimates for each game, beside that of simpler guesses."""
    show_title(
        "Estimates of positions that are not proven",
        f"{positions} positions of each game, from random and quick play, that {NODES:,} nodes do not prove."
        " The result is the\nproven outcome in Connect Four, else that of the engine against itself. The Brier"
        " score is the mean\nsquare of the difference between result and estimate, both from 0 to 1.",
    )
    rows: list[Row] = [("game", "Brier score", "constant", "open lines", "budget")]
    for game in GAMES:
        estimates, lines, results = zip(*_samples(game, positions, seed), strict=True)
        own, constant = _brier(estimates, results), _brier([mean(results)] * len(results), results)
        by_lines = min(_brier([tanh(number / scale) for number in lines], results) for scale in SCALES)
        verdict = verdicts.judge("estimates", own / min(constant, by_lines))
        rows.append((game.name, *(f"{score:.3f}" for score in (own, constant, by_lines)), verdict))
    show_table(rows)


def _brier(expected: Sequence[float], results: Sequence[int]) -> float:
    """Return the mean square of the differences, of numbers from -1 to 1 that are taken to be from 0 to 1."""
    return mean(((one - other) / 2) ** 2 for one, other in zip(expected, results, strict=True))


def _samples(game: LineGame, count: int, seed: int) -> Iterator[tuple[float, int, int]]:
    """Yield so many estimates of unproven positions, each with its surplus of open lines and the result, -1 to 1."""
    dice, oracle = Random(f"{seed} {game.id}"), Oracle(table_mb=1)
    solver = BitBullyWithBook() if game is CONNECT_FOUR else None
    while count:
        position, moves = _draw(game, dice, oracle)
        answer = oracle.best_move(position, limit=Limit(HOURS, NODES)) if position.legal_moves else None
        if answer is not None and not answer.proven:
            count -= 1
            if solver is not None:
                value = solver.case("".join(f"{game.column_of(move)}" for move in moves)).value
                result = {"win": 1, "draw": 0, "loss": -1}[value.split()[0]]
            else:
                result = _result_of_play(oracle, position)
            mine, theirs = (sum(not line & marks for line in game.line_masks) for marks in position.words)
            yield estimate(answer.known), theirs - mine, result


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


def _move(oracle: Oracle, position: LinePosition, nodes: int) -> int:
    move = oracle.best_move(position, limit=Limit(HOURS, nodes)).move
    assert move is not None
    return move


def _result_of_play(oracle: Oracle, position: LinePosition) -> int:
    """Return the result of a game of the engine against itself, for the player to move."""
    player = position.player
    while position.legal_moves:
        position = position.play(_move(oracle, position, RESULT_NODES))
    return 0 if position.winner is None else 1 if position.winner == player else -1
