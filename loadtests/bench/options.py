"""The options of a benchmark."""

from dataclasses import dataclass
from pathlib import Path

from loadtests.drive.wrk import Load


@dataclass(frozen=True, slots=True)
class Options:
    """How often, how hard and against which checkout to measure."""

    rounds: int
    seconds: int
    connections: int
    workers: int
    against: Path | None

    @property
    def load(self) -> Load:
        """The load of each run of wrk."""
        return Load(self.connections, self.seconds)
