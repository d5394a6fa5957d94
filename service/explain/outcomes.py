"""Outcomes in words: the distance to the end of a game, and the outcome of best play."""

from collections.abc import Sequence

from service.engine.result import Known, plies_bounds
from service.games.position import Position

ANYBODY = ("X", "O", "first", "second")
"""Names of players that say only who begins."""


def distance(position: Position, known: Known) -> str:
    """Return the distance to the end: ``1 ply``, ``7 plies`` or the proven bounds, ``7 to 19 plies``."""
    return f"{plies_range(position, known)} {'ply' if plies_bounds(known, position)[1] == 1 else 'plies'}"


def plies_range(position: Position, known: Known) -> str:
    """Return the number of plies, or its bounds."""
    least, greatest = plies_bounds(known, position)
    return f"{least}" if least == greatest else f"{least} to {greatest}"


def counted(plies: int) -> str:
    """Return a number of plies in words."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def best_play(outcome: str, plies: int | None, players: Sequence[str], *, repetition: bool = False) -> str:
    """Return a sentence about the value of a game for the player who begins.

    ``repetition``: the game is a draw that neither player can bring to an end.
    """
    if outcome == "draw":
        return "Best play is a draw; neither player can force an end." if repetition else "Best play is a draw."
    number = 0 if outcome == "win" else 1
    name = players[number]
    ordinal = ("first", "second")[number]
    winner = f"The {ordinal} player" if name in ANYBODY else f"{name.capitalize()}, the {ordinal} player,"
    return f"{winner} wins." if plies is None else f"{winner} wins in {plies} plies."
