"""How long a search may go on, and who says so while it runs."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

Poll = Callable[[], bool]
"""Says whether to stop."""

PROOF_SHARE = 0.75
"""The part of a limit that goes to the proof; if it is not found, the rest goes to looking ahead."""


def never() -> bool:
    """The client that stays."""
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """``seconds`` on the clock and, if ``nodes`` is given, that many positions searched, whichever comes first.

    An answer that only its nodes have limited is reproducible, one that the clock cut off is not.
    ``gone`` says whether whoever asked has left; a search asks it every few milliseconds.
    """

    seconds: float
    nodes: int | None = None
    gone: Poll = never


class Effort:
    """A limit from the moment at which it began to count, and what is left of it."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._began = monotonic()
        self.nodes = limit.nodes

    def spent(self, share: float) -> Poll:
        """A poll that says whether so large a share of the time is over, or the client gone."""
        end, gone = self._began + self._limit.seconds * share, self._limit.gone
        return lambda: monotonic() >= end or gone()

    def share(self, share: float) -> int:
        """So large a share of the nodes that are left, one at least; 0 where nodes do not count."""
        return 0 if self.nodes is None else max(1, int(self.nodes * share))

    def spend(self, nodes: int) -> None:
        """Takes nodes off what is left."""
        if self.nodes is not None:
            self.nodes = max(0, self.nodes - nodes)
