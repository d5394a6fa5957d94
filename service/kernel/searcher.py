"""The contract of a search."""

from collections.abc import Callable
from typing import Protocol

Poll = Callable[[], bool]
"""Says whether to stop."""


class Stopped(Exception):
    """The search was stopped, or has used up its nodes, before it had an answer."""


class ContradictoryBoundsError(Exception):
    """Two bounds on one score exclude each other, so one of them is false. Discard everything that was found."""


class Searcher(Protocol):
    """Answers questions about positions of one game; see ``Search``."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        """Return a bound on the score of a position."""

    def look_ahead(self, mine: int, theirs: int, depth: int, alpha: int, beta: int) -> int:
        """Return an estimate of it."""

    def ended(self, mine: int, theirs: int) -> int | None:
        """Return the score of a finished game."""

    def moves(self, mine: int, theirs: int) -> list[int]:
        """Return the legal moves, ascending."""

    def promising_moves(self, mine: int, theirs: int) -> list[int]:
        """Return the same, the most promising first."""
