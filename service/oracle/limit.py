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
        """A poll that says whether so large a share of the time is over, or the client gone."""
        end, gone = self._began + self._limit.seconds * share, self._limit.gone
        return lambda: monotonic() >= end or gone()

    def search(self, rules: Rules, memory: memoryview, share: float, most: int | None = None) -> Search:
        """A search that stops after this share of the time and of the nodes that are left, or after ``most`` nodes."""
        allowed = [max(1, int(self.nodes * share))] if self.nodes is not None else []
        limit = min([*allowed, most] if most is not None else allowed, default=0)
        self._searches.append(Search(rules, memory, poll=self.spent(share), limit=limit))
        return self._searches[-1]
