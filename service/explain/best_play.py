"""What best play leads to, as a sentence."""

from collections.abc import Sequence

ANYBODY = ("X", "O", "first", "second")
"""Names of players that say no more than who begins, or as little."""


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
