"""The calibration of ``skill``: every tenth level against every other, what each overlooks, and what a move costs.

``python loadtests/skill.py`` prints the tables of the README, in some ten minutes of two cores; with
``--draw loadtests/skill.svg`` it draws its picture too. ``--games tic-tac-toe=100`` chooses games, and how many each
pair plays; ``--games --puzzles 0`` leaves only what a move costs. The last level is the oracle with ``ladder.NODES``
nodes a move. But for the costs, the same counts give the same figures on any machine.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from statistics import median

from curve import draw
from ladder import Scores, ratings, round_robin, score
from oversights import KINDS, Rates, oversights
from pace import SKILL, paces
from tables import show_row

from service.games.catalogue import CATALOGUE

LEVELS = range(0, 101, 10)
GAMES = ("tic-tac-toe=1000", "connect-four=300", "tic-tac-toe-4x4=1000")
PUZZLED = ("tic-tac-toe", "connect-four")
"""The games whose oversights are counted."""

PACED_MOVES = 300


def main() -> None:
    """Prints the tables, and ends with a message if strength does not grow with every level."""
    options, curves, flaws = _options(), {}, []
    with Pool(options.processes) as pool:
        for name, games in map(_count, options.games):
            scores = round_robin(pool, name, LEVELS, games)
            curves[CATALOGUE[name].name] = ratings(scores, LEVELS)
            _print_scores(name, games, scores)
            flaws += _flaws(name, scores)
        for name in PUZZLED if options.puzzles else ():
            _print_oversights(name, options.puzzles, oversights(pool, name, LEVELS[:-1], options.puzzles))
    _print_paces(paces(PACED_MOVES))
    if options.draw:
        options.draw.write_text(draw(curves))
    if flaws:
        sys.exit("\n".join(flaws))


def _options() -> Namespace:
    parser = ArgumentParser(description="The calibration of skill.")
    parser.add_argument("--games", nargs="*", default=GAMES, metavar="ID=GAMES", help="games, and how many of a pair")
    parser.add_argument("--puzzles", type=int, default=2000, help="positions of each kind, default: 2000")
    parser.add_argument("--processes", type=int, default=2, help="how many play, default: 2")
    parser.add_argument("--draw", type=Path, help="the file to draw the curves in")
    return parser.parse_args()


def _count(games: str) -> tuple[str, int]:
    name, _, count = games.partition("=")
    return name, int(count)


def _print_scores(name: str, games: int, scores: Scores) -> None:
    rated = ratings(scores, LEVELS)
    print(f"\n{CATALOGUE[name].name}, {games} games a pair\n")
    show_row("skill", "points", "rating", "against the level below")
    show_row(*["---"] * 4)
    for level in LEVELS:
        below = f"{scores[level, level - 10]:.1%}" if level else ""
        show_row(f"{level}", f"{score(scores, level):.1%}", f"{rated[level]:.0f}", below)


def _print_paces(found: Mapping[str, Sequence[float]]) -> None:
    print(f"\nMilliseconds to choose a move at skill {SKILL}, {PACED_MOVES} random positions of each game\n")
    show_row("", "median", "highest")
    show_row(*["---"] * 3)
    for name, times in found.items():
        show_row(name, f"{median(times):.2f}", f"{max(times):.2f}")


def _flaws(name: str, scores: Scores) -> list[str]:
    """Where a level does not take more of all points than the one below."""
    return [
        f"{name}: {higher} is not stronger than {lower}"
        for lower, higher in pairwise(LEVELS)
        if score(scores, higher) <= score(scores, lower)
    ]


def _print_oversights(name: str, count: int, rates: Rates) -> None:
    print(f"\n{CATALOGUE[name].name}, overlooked in {count} random positions of each kind\n")
    show_row("skill", *KINDS)
    show_row(*["---"] * (1 + len(KINDS)))
    for level, rate in rates.items():
        show_row(f"{level}", *(f"{rate[kind]:.1%}" for kind in KINDS))


if __name__ == "__main__":
    main()
