"""The options of a benchmark."""

from dataclasses import dataclass

from loadtests.drive.wrk import Load
from loadtests.positions.questions import Answers


@dataclass(frozen=True, slots=True)
class Options:
    """How often and how hard to measure, and the right answers."""

    answers: Answers
    rounds: int
    seconds: int
    connections: int
    workers: int

    @property
    def load(self) -> Load:
        """The load of each run of wrk."""
        return Load(self.connections, self.seconds)
