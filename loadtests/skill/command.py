"""The calibration of skill: every tenth level against every other, and the tactics that each misses."""

import sys
from collections.abc import Sequence
from itertools import pairwise
from multiprocessing import Pool

import click

from loadtests.skill.missed_tactics import KINDS, Rates, missed_tactics
from loadtests.skill.tournament import Scores, ratings, round_robin, score
from loadtests.tables import show_table, show_title
from service.games.catalogue import CATALOGUE

LEVELS = range(0, 101, 10)
GAMES = ("tic-tac-toe=1000", "connect-four=300", "tic-tac-toe-4x4=1000")
TACTICS = ("tic-tac-toe", "connect-four")
"""The games whose missed tactics are counted."""


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME=COUNT]...")
@click.option("--puzzles", type=int, default=2000, help="Positions of each tactic; 0 for none.")
@click.option("--processes", type=int, default=2, help="How many play at the same time.")
def command(games: Sequence[str], puzzles: int, processes: int) -> None:
    """Play every tenth level against every other; fail if a level is not stronger than the one below.

    Takes some ten minutes of two cores. The same counts give the same figures on any machine.
    """
    flaws = []
    with Pool(processes) as pool:
        for name, _, count in (game.partition("=") for game in games or GAMES):
            scores = round_robin(pool, name, LEVELS, int(count))
            _show_scores(name, int(count), scores)
            flaws += _flaws(name, scores)
        for name in TACTICS if puzzles else ():
            _show_missed(name, puzzles, missed_tactics(pool, name, LEVELS[:-1], puzzles))
    if flaws:
        sys.exit("\n".join(flaws))


def _show_scores(name: str, games: int, scores: Scores) -> None:
    rated = ratings(scores, LEVELS)
    rows = [("skill", "points", "rating", "against the level below")]
    for level in LEVELS:
        below = f"{scores[level, level - 10]:.1%}" if level else ""
        rows.append((f"{level}", f"{score(scores, level):.1%}", f"{rated[level]:.0f}", below))
    show_title(CATALOGUE[name].name, f"{games} games a pair.")
    show_table(rows)


def _flaws(name: str, scores: Scores) -> list[str]:
    """List the levels that do not take a larger part of the points than the level below."""
    return [
        f"{name}: {higher} is not stronger than {lower}"
        for lower, higher in pairwise(LEVELS)
        if score(scores, higher) <= score(scores, lower)
    ]


def _show_missed(name: str, count: int, rates: Rates) -> None:
    show_title(CATALOGUE[name].name, f"Missed in {count} random positions of each kind.")
    show_table(
        [("skill", *KINDS), *((f"{level}", *(f"{rate[kind]:.1%}" for kind in KINDS)) for level, rate in rates.items())]
    )
