"""Random positions of all phases, each score held against bitbully's: the outcome and the plies."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import NamedTuple

from drops import EMPTY, random_games
from peers import BitBully, Run
from solved import connect_four
from solver import solve
from tables import Row, show_markdown, show_title

from service.kernel.memory import shared_memory
from service.settings import Settings

BOOK, BOOK_PLIES = "12-ply-dist", 12
"""The book of bitbully's that knows the distances, and the most discs for which it is asked."""

PHASE = 7
"""Plies that make a row of the table."""


class WithResult(NamedTuple):
    """A game whose score both found to be the same, and what it cost each."""

    moves: str
    ours: Run
    theirs: Run


class Judge:
    """Bitbully: with its book where its searches take minutes, and without it where the book has nothing to say."""

    def __init__(self) -> None:
        self._searching, self._reading = BitBully(), BitBully(BOOK)

    def run(self, moves: str) -> Run:
        """Its answer about the position after these moves."""
        solver = self._searching if len(moves) > BOOK_PLIES else self._reading
        return solver.solve(connect_four(moves))


def show(options: Namespace) -> None:
    """Prints how many positions were the same, by phase."""
    table_mb = Settings().table_mb
    games = set(random_games(options.positions, range(options.plies, EMPTY.game.cells), options.seed))
    show_title(
        "### WithResult by bitbully\n",
        f"{options.positions:,} games played at random, of {options.plies} to {EMPTY.game.cells - 1} plies in turn:"
        f" {len(games):,} different ones.\nOne search in one thread, in a table of {table_mb} MB that all share,"
        f" as in the service; the latest positions first.\nbitbully has its book {BOOK} up to {BOOK_PLIES} discs,"
        " and none after that.",
        f"connect_four.py --only judge --positions {options.positions} --plies {options.plies} --seed {options.seed}",
    )
    found = list(judged(sorted(games, key=lambda game: (-len(game), game)), table_mb))
    head = ("plies", "the same", "nodes", "median, ms", "worst, ms", "bitbully: median, ms", "worst, ms")
    show_markdown([head, *_rows(found)])


def judged(games: Sequence[str], table_mb: int) -> Iterator[WithResult]:
    """Both answers about each game. Ends the benchmark at the first that differ."""
    judge, table = Judge(), shared_memory(table_mb)
    for moves in games:
        theirs = judge.run(moves)
        yield WithResult(moves, solve(connect_four(moves, theirs.value), table), theirs)


def _rows(found: Sequence[WithResult]) -> Iterator[Row]:
    for phase, group in groupby(reversed(found), lambda each: len(each.moves) // PHASE):
        yield _row(f"{phase * PHASE} to {phase * PHASE + PHASE - 1}", list(group))
    yield _row("all", found)


def _row(name: str, found: Sequence[WithResult]) -> Row:
    nodes = sum(each.ours.nodes for each in found)
    sides = [each.ours for each in found], [each.theirs for each in found]
    seconds = (pick(run.seconds for run in side) for side in sides for pick in (median, max))
    return name, f"{len(found):,}", f"{nodes:,}", *(f"{1000 * each:,.2f}" for each in seconds)
