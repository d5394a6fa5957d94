"""The value of each first move on 7 columns of 6, from scratch."""

from argparse import Namespace
from collections.abc import Mapping
from types import MappingProxyType

from convention import usual_score
from drops import EMPTY
from peers import Run
from solved import connect_four
from solver import empty_table, solve
from tables import Row, show_markdown, show_title

KNOWN: Mapping[int, tuple[str, int]] = MappingProxyType(
    {-2: ("loss", 40), -1: ("loss", 42), 0: ("draw", 42), 1: ("win", 41)}
)
"""What each usual score stands for: the outcome for who plays first, and the ply on which the game ends."""

SCORES = (-2, -1, 0, 1, 0, -1, -2)
"""The usual score of each first move, from the documentation of bitbully; the outcomes are those of Allis, 1988."""

AFTER = {"win": "loss", "draw": "draw", "loss": "win"}


def show(_options: Namespace) -> None:
    """Prints the values, and what each took."""
    show_title(
        "### First moves\n",
        "The columns in turn, from one table that is empty at first; no book. Outcomes are the first player's,\n"
        "the game ends on the last ply told. The usual score counts the discs that the winner has left.",
        "connect_four.py --only openings",
    )
    table = empty_table()
    runs = [solve(connect_four(f"{column}", _value(score)), table) for column, score in enumerate(SCORES)]
    rows = [_row(column, run) for column, run in enumerate(runs)]
    total = f"{sum(run.nodes for run in runs):,}", f"{sum(run.seconds for run in runs):.1f}"
    show_markdown([("column", "usual score", "outcome", "last ply", "nodes", "s"), *rows, ("all", *[""] * 3, *total)])


def _value(score: int) -> str:
    """A usual score of a first move as the value for who moves then."""
    outcome, end = KNOWN[score]
    return f"{AFTER[outcome]} {end - 1}"


def _row(column: int, run: Run) -> Row:
    outcome, plies = run.value.split()
    mine, end = AFTER[outcome], int(plies) + 1
    score = usual_score(mine, end, EMPTY.game.cells)
    return f"{column + 1}", f"{score:+}" if score else "0", mine, f"{end}", f"{run.nodes:,}", f"{run.seconds:.1f}"
