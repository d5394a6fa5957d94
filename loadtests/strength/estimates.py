"""Estimates against results: their error, beside that of simpler guesses."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import tanh
from statistics import mean

from loadtests.budgets import Verdicts
from loadtests.strength.matches import LINE_GAMES
from loadtests.strength.sampling import NODES, Sample, samples
from loadtests.tables import Row, show_table, show_title
from service.games.catalogue import CONNECT_FOUR
from service.games.families.lines import LineGame

GAMES = (CONNECT_FOUR, *LINE_GAMES)

SCALES = [2.0 ** (step / 10) for step in range(-30, 31)]
"""What the guess by open lines divides their number by; the best counts."""


def show(verdicts: Verdicts, *, positions: int, seed: int, **_: object) -> None:
    """Print a row for each game."""
    show_title(
        "Estimates of positions that are not proven",
        f"{positions} positions of each game, from random and quick play, that {NODES:,} nodes do not prove."
        " The result is the\nproven outcome in Connect Four, else that of the engine against itself. The Brier"
        " score is the mean\nsquare of the difference between result and estimate, both from 0 to 1.",
    )
    with ProcessPoolExecutor() as pool:
        drawn = pool.map(partial(_samples, count=positions, seed=seed), range(len(GAMES)))
        rows = [_row(game, found, verdicts) for game, found in zip(GAMES, drawn, strict=True)]
    show_table([("game", "Brier score", "constant", "open lines", "budget"), *rows])


def _samples(place: int, count: int, seed: int) -> Sequence[Sample]:
    """Return samples of the game in this place."""
    return samples(GAMES[place], count, seed)


def _row(game: LineGame, found: Sequence[Sample], verdicts: Verdicts) -> Row:
    results = [sample.result for sample in found]
    own = brier([sample.estimate for sample in found], results)
    constant = brier([mean(results)] * len(found), results)
    by_lines = min(brier([tanh(sample.lines / scale) for sample in found], results) for scale in SCALES)
    verdict = verdicts.judge("estimates", own / min(constant, by_lines))
    return game.name, *(f"{score:.3f}" for score in (own, constant, by_lines)), verdict


def brier(expected: Sequence[float], results: Sequence[int]) -> float:
    """Return the mean square of the differences, of numbers from -1 to 1 that are taken to be from 0 to 1."""
    return mean(((one - other) / 2) ** 2 for one, other in zip(expected, results, strict=True))
