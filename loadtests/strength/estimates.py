"""Estimates against results: their error, beside simpler guesses, and how they are calibrated."""

from collections.abc import Sequence
from math import atanh, tanh
from pathlib import Path
from statistics import mean

from loadtests.budgets import Verdicts
from loadtests.strength.diagram import draw
from loadtests.strength.matches import GAMES
from loadtests.strength.options import Options
from loadtests.strength.sampling import NODES, Sample, samples
from loadtests.tables import Row, show_table, show_title
from service.engine.estimate import scale_of
from service.games.catalogue import CONNECT_FOUR
from service.games.game import Game

STEPS = range(-30, 31)
"""Scales that a fit tries: a tenth of an octave apart, three octaves up and down."""

CERTAIN = 0.9999999
"""An estimate beyond this counts as this, so that it can be turned back into a value."""


def show(options: Options, verdicts: Verdicts) -> None:
    """Print a row for each game, and draw the diagram where one is asked for."""
    show_title(
        "Estimates of positions that are not proven",
        f"{options.positions} positions of each game, from random and quick play, that {NODES:,} nodes do not prove."
        " The result is the\nproven outcome in Connect Four, else that of the engine against itself. The Brier"
        " score is the mean\nsquare of the difference between result and estimate, both from 0 to 1.",
    )
    rows: list[Row] = [("game", "Brier score", "constant", "open lines", "scale", "best scale", "budget")]
    found = {game: samples(game, options.positions, options.seed) for game in (CONNECT_FOUR, *GAMES)}
    rows += [_row(game, sampled, verdicts) for game, sampled in found.items()]
    show_table(rows)
    if options.diagram:
        pairs = {game.name: [(sample.estimate, sample.result) for sample in found[game]] for game in found}
        Path(options.diagram).write_text(draw(pairs))


def _row(game: Game, found: Sequence[Sample], verdicts: Verdicts) -> Row:
    results = [sample.result for sample in found]
    own = brier([sample.estimate for sample in found], results)
    constant = brier([mean(results)] * len(found), results)
    lines = [sample.lines for sample in found]
    by_lines = min(brier(_scaled(lines, 2.0 ** (step / 10)), results) for step in STEPS)
    used = scale_of(game)
    best = best_scale([used * atanh(max(-CERTAIN, min(CERTAIN, sample.estimate))) for sample in found], results, used)
    verdict = verdicts.judge("estimates", own / min(constant, by_lines))
    return (
        game.name,
        *(f"{score:.3f}" for score in (own, constant, by_lines)),
        f"{used:.0f}",
        f"{best:.0f}",
        verdict,
    )


def brier(expected: Sequence[float], results: Sequence[int]) -> float:
    """Return the mean square of the differences, of numbers from -1 to 1 that are taken to be from 0 to 1."""
    return mean(((one - other) / 2) ** 2 for one, other in zip(expected, results, strict=True))


def best_scale(values: Sequence[float], results: Sequence[int], near: float) -> float:
    """Return the scale by which values give the estimates of the least Brier score."""
    return min((near * 2 ** (step / 10) for step in STEPS), key=lambda scale: brier(_scaled(values, scale), results))


def _scaled(values: Sequence[float], scale: float) -> list[float]:
    return [tanh(value / scale) for value in values]
