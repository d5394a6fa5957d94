"""Outcomes in words: how far off the end of a game is, and what best play leads to."""

from collections.abc import Sequence

from service.engine.result import Known, plies_bounds
from service.games.position import Position

ANYBODY = ("X", "O", "first", "second")
"""Names of players that say no more than who begins, or as little."""


def distance(position: Position, known: Known) -> str:
    """Return the plies to the end: ``1 ply``, ``7 plies`` or, as far as proven, ``7 to 19 plies``."""
    return f"{plies_range(position, known)} {'ply' if plies_bounds(known, position)[1] == 1 else 'plies'}"


def plies_range(position: Position, known: Known) -> str:
    """Return the number of plies, or the least and the greatest."""
    least, greatest = plies_bounds(known, position)
    return f"{least}" if least == greatest else f"{least} to {greatest}"


def counted(plies: int) -> str:
    """Return a number of plies in words."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def best_play(outcome: str, plies: int | None, players: Sequence[str], *, repetition: bool = False) -> str:
    """Return what the value of a game for the player who begins means, in a sentence.

    ``repetition``: it is a draw that neither player can bring to an end.
    """
    if outcome == "draw":
        return "Best play is a draw; neither player can force an end." if repetition else "Best play is a draw."
    number = 0 if outcome == "win" else 1
    name = players[number]
    ordinal = ("first", "second")[number]
    winner = f"The {ordinal} player" if name in ANYBODY else f"{name.capitalize()}, the {ordinal} player,"
    return f"{winner} wins." if plies is None else f"{winner} wins in {plies} plies."
