"""How long a search may go on, and who says so while it runs."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from service.kernel.rules import Rules
from service.kernel.search import Search

Poll = Callable[[], bool]
"""Says whether to stop."""

PROOF_SHARE = 0.75
"""The part of a limit that goes to the proof; if it is not found, the rest goes to looking ahead."""

NEAR_SHARE = 0.125
NEAR_NODES = 10_000
"""The part of a limit that goes to looking for near ends at first, and the most nodes for that."""


def never() -> bool:
    """Nothing to stop for."""
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """``seconds`` on the clock and, if ``nodes`` is given, that many positions searched, whichever comes first.

    An answer that only its nodes have limited is reproducible, one that the clock cut off is not.
    ``stop`` says whether to end it for another reason; a search asks it every few milliseconds.
    """

    seconds: float
    nodes: int | None = None
    stop: Poll = never


class Effort:
    """A limit from the moment at which it began to count: what was used of it, and what is left."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._began = monotonic()
        self._searches: list[Search] = []
        self._charged = 0

    @property
    def used(self) -> int:
        """The nodes of all searches so far."""
        return sum(search.nodes for search in self._searches)

    def charge(self, nodes: int) -> None:
        """Takes off what an answer cost that is had for nothing now, so that what follows is as it was then."""
        self._charged += nodes

    @property
    def nodes(self) -> int | None:
        """The nodes that are left; None where they do not count."""
        return None if self._limit.nodes is None else max(0, self._limit.nodes - self.used - self._charged)

    def spent(self, share: float) -> Poll:
        """A poll that says whether so large a share of the time is over, or another reason to stop has come."""
        end, stop = self._began + self._limit.seconds * share, self._limit.stop
        return lambda: monotonic() >= end or stop()

    def search(self, rules: Rules, memory: memoryview, share: float, most: int | None = None) -> Search:
        """A search that stops after this share of the time and of the nodes that are left, or after ``most`` nodes."""
        limits = [most, None if self.nodes is None else int(self.nodes * share)]
        limit = min((limit for limit in limits if limit is not None), default=None)
        self._searches.append(Search(rules, memory, poll=self.spent(share), limit=limit))
        return self._searches[-1]
