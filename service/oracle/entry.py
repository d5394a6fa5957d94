"""What can be known of a position: an entry where all of it is proven, bounds where it is not."""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is proven about one position, for the player to move.

    ``score`` is 0 for a draw, ``cells + 1 - plies`` for a win, its negative for a loss. ``best_moves``
    are ascending, and may stop at the first where nobody asked for more; ``pv`` takes the lowest at
    every ply. Both are empty when the game is over.
    """

    outcome: Outcome
    plies: int
    score: int
    best_moves: tuple[int, ...]
    pv: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known about a position that could not be solved: between what its outcome lies, and a ``move``.

    The move is one that the lower bound holds for; among several, the one that looked best.
    """

    at_least: Outcome
    at_most: Outcome
    move: int


def outcome_of(score: int) -> Outcome:
    """The outcome that a score stands for."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def make_entry(cells: int, score: int, best_moves: tuple[int, ...], pv: tuple[int, ...]) -> Entry:
    """The entry of a position whose score is counted from the far end of the game, as the kernel counts it."""
    sign = (score > 0) - (score < 0)
    return Entry(outcome_of(score), len(pv), sign * (cells + 1 - len(pv)), best_moves, pv)
