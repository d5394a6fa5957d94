"""What a search answers, whoever searches: one ``Search``, or several that work on one position."""

from collections.abc import Callable
from typing import Protocol

Poll = Callable[[], bool]
"""Says whether to stop."""


class Searcher(Protocol):
    """Who answers questions about positions of one game; see ``Search``."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        """A bound on the score of a position."""

    def look_ahead(self, mine: int, theirs: int, depth: int, alpha: int, beta: int) -> int:
        """An estimate of it."""

    def ended(self, mine: int, theirs: int) -> int | None:
        """The score of a finished game."""

    def moves(self, mine: int, theirs: int) -> list[int]:
        """The legal moves, ascending."""

    def promising_moves(self, mine: int, theirs: int) -> list[int]:
        """The same, the most promising first."""
