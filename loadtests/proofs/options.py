"""The options of the benchmark."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """How many positions of each game by which seed, and how long a proof may take."""

    positions: int
    seed: int
    seconds: float
    against: Path | None
