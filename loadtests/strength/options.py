"""The options of the benchmark of strength."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How much is measured, how many seconds a move of a match takes, the seed, and where the diagram goes."""

    openings: int
    pairs: int
    positions: int
    games: int
    seconds: float
    seed: int
    diagram: str | None
