"""The options of the benchmark of Connect Four."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How many positions of which kind, how often, and within which limits."""

    positions: int
    plies: int
    cases: int
    rounds: int
    limit: float
    table_mb: int
    seed: int
    long: bool
