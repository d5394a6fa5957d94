"""The options of the benchmark of strength."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How much is measured, how many seconds a move of a match takes, and the seed."""

    openings: int
    pairs: int
    positions: int
    seconds: float
    seed: int
