"""The search beside bitbully in the middle of Connect Four, no book on either side."""

from argparse import Namespace

from drops import random_games
from peers import BitBully
from solved import KNOWN_LONG, Case, connect_four
from solver import peer_rows
from tables import show_markdown, show_title
from verdicts import Judge

PLIES = range(8, 25)
"""How long the games are."""


def show(options: Namespace) -> None:
    """Prints a row for each position, and with ``--long`` a table for the empty board."""
    _show(
        f"{options.cases} games of {PLIES[0]} to {PLIES[-1]} plies, played at random, in which neither player can win"
        " at once.",
        _cases(options.cases, options.seed),
        options.rounds,
        f"--cases {options.cases} --rounds {options.rounds} --seed {options.seed}{' --long' * options.long}",
    )
    if options.long:
        empty = [case for case in KNOWN_LONG if case.name == "Connect Four 6x7"]
        _show("The empty board.", empty, 1, "--long")


def _cases(count: int, seed: int) -> list[Case]:
    judge = Judge()
    games = sorted(random_games(count, PLIES, seed, quiet=True), key=lambda game: (len(game), game))
    return [connect_four(moves, judge.run(moves).value) for moves in games]


def _show(what: str, cases: list[Case], rounds: int, arguments: str) -> None:
    peer = BitBully()
    show_title(
        f"### Beside {peer.name}\n",
        f"{what} Both from scratch, without a book.\n"
        f"Medians of {rounds} interleaved rounds. Above 1x the search is faster.",
        f"connect_four.py --only peer {arguments}",
    )
    show_markdown(peer_rows(peer, cases, rounds))
