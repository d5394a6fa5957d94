"""How long a search may go on, and who says so while it runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import monotonic

from service.engine.admission import Admission, Found
from service.engine.progress import Progress
from service.engine.solver import Solver
from service.engine.team import Team
from service.games.position import Position
from service.kernel.rules import Rules
from service.kernel.search import Search
from service.kernel.searcher import Poll, Searcher

PROOF_SHARE = 0.75
"""The part of a limit that goes to the proof; if it is not found, the rest goes to looking ahead."""

SETTLE_SHARE = 0.9
"""The part of a limit that goes to the scores of all moves; the rest goes to their principal variations."""

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
    ``progress`` is told what the search finds out on the way. ``admission`` is asked whether there is room for it.
    """

    seconds: float
    nodes: int | None = None
    stop: Poll = never
    progress: Progress | None = None
    admission: Admission = field(default_factory=Admission, compare=False)

    def now(self) -> float:
        """The clock that the seconds are counted on. Where nodes are the limit, it stands still while one waits."""
        return monotonic() if self.nodes is None else monotonic() - self.admission.waited

    @property
    def patience(self) -> float:
        """Seconds that a request may wait before it is refused: no end of them where the clock runs all the while."""
        return inf if self.nodes is None else self.seconds


def tighter(one: Limit, other: Limit) -> Limit:
    """The first limit, where the second is not closer."""
    counted = [nodes for nodes in (one.nodes, other.nodes) if nodes is not None]
    seconds, nodes = min(one.seconds, other.seconds), min(counted, default=None)
    return Limit(seconds, nodes, one.stop, one.progress, one.admission)


class Budget:
    """A limit that several searches share, one after the other."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._end = limit.now() + limit.seconds
        self._nodes = limit.nodes

    def part(self, share: float) -> Limit:
        """The limit of the next search: this share of what is left."""
        nodes = None if self._nodes is None else int(self._nodes * share)
        # Where nodes are shared out, the clock is only there to keep the service alive.
        seconds = max(0.0, self._end - self._limit.now()) * (share if nodes is None else 1)
        return Limit(seconds, nodes, self._limit.stop, self._limit.progress, self._limit.admission)

    def spend(self, nodes: int) -> None:
        """Takes off what a search has cost."""
        if self._nodes is not None:
            self._nodes = max(0, self._nodes - nodes)


class Effort:
    """A limit from the moment at which it began to count: what was used of it, and what is left."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._began = limit.now()
        self._searches: list[Searcher] = []
        self._charged = 0

    @property
    def used(self) -> int:
        """The nodes of all searches so far."""
        return sum(search.nodes for search in self._searches)

    @property
    def cost(self) -> int:
        """The nodes that count against the limit: those used, and those that were charged for."""
        return self.used + self._charged

    def charge(self, nodes: int) -> None:
        """Takes off what an answer cost that is had for nothing now, so that what follows is as it was then."""
        self._charged += nodes

    @property
    def nodes(self) -> int | None:
        """The nodes that are left; None where they do not count."""
        return None if self._limit.nodes is None else max(0, self._limit.nodes - self.cost)

    def spent(self, share: float) -> Poll:
        """A poll that says whether so large a share of the time is over, or another reason to stop has come."""
        limit, end = self._limit, self._began + self._limit.seconds * share
        return lambda: limit.now() >= end or limit.stop()

    def tires(self) -> bool:
        """Whether to wait no longer for another's search of the same. Raises Overloaded where too many wait."""
        return self.spent(1)() or self._limit.admission.tires(patience=self._limit.patience)

    def stop_waiting(self) -> None:
        """Says that what another has searched for is known, or not waited for any longer."""
        self._limit.admission.stop_waiting()

    def run(self, search: Callable[[], Found]) -> Found:
        """What a search with this effort finds. Raises Overloaded if there was no room for it."""
        begun = len(self._searches)

        def anew() -> Found:
            if self._limit.nodes is not None:  # or what it can do would depend on how soon it became heavy
                del self._searches[begun:]
            return search()

        return self._limit.admission.run(anew)

    def watch(self, position: Position, solver: Solver) -> None:
        """Lets those who follow the progress on this very position see what its solver knows from now on."""
        progress = self._limit.progress
        if progress is not None and progress.position == position:
            progress.solver = solver

    def search(self, rules: Rules, memory: memoryview, share: float, most: int | None = None) -> Searcher:
        """A search that stops after this share of the time and of the nodes that are left, or after ``most`` nodes.

        Where nodes don't count others may help it, so that it ends sooner.
        """
        limits = [most, None if self.nodes is None else int(self.nodes * share)]
        limit = min((limit for limit in limits if limit is not None), default=None)
        poll = self._poll(share)
        if poll():
            limit = 0  # a search polls only now and then
        search: Searcher
        if limit is None and self._limit.admission.helpers:
            enlist = partial(_enlist, rules, memory)
            search = Team(enlist, poll, self._limit.admission)
        else:
            search = Search(rules, memory, poll=poll, limit=limit)
        self._searches.append(search)
        if self._limit.progress is not None:
            self._limit.progress.searches.append(search)
        return search

    def _poll(self, share: float) -> Poll:
        """What a search asks: besides, whether there is room for it, and waits where there will be."""
        spent, limit = self.spent(share), self._limit
        refuses = partial(limit.admission.refuses, spent, limit.seconds, patience=limit.patience)
        return lambda: refuses() or spent()


def _enlist(rules: Rules, memory: memoryview, poll: Poll, signals: memoryview) -> Search:
    return Search(rules, memory, poll=poll, signals=signals)
