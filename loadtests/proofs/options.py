"""The options of the benchmark."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """How many positions of each game by which seed, how long a proof may take, and how much longer than its budget."""

    positions: int
    seed: int
    seconds: float
    allowance: float
    against: Path | None
