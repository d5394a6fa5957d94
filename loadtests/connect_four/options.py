"""The options of the benchmark of Connect Four."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How many positions of which kind, and how often."""

    positions: int | None
    plies: int
    cases: int
    rounds: int
    seed: int
    long: bool
