"""Limits of searches, and accounts of the time and nodes used."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any, Protocol, TypeVar
from weakref import proxy

from service.engine.solver import Solver
from service.engine.work.progress import Counted, Progress
from service.engine.work.slots import LOOK_SECONDS, SEARCH_NODES, Found, LightBudgetSpent, Slot
from service.engine.work.turns import TURNS
from service.games.position import Position
from service.kernel.stopping import Poll, Stopped

SomeSearch = TypeVar("SomeSearch", bound=Counted)
NewSearch_co = TypeVar("NewSearch_co", bound=Counted, covariant=True)


class NewSearch(Protocol[NewSearch_co]):
    """A function that makes a search; the search ends when ``poll`` returns True, or after ``limit`` nodes."""

    def __call__(self, *, poll: Poll, limit: int | None) -> NewSearch_co:
        """Return the search."""


PROOF_SHARE = 0.75
"""The part of a limit after which further work on a proof rarely completes it."""

STEP_NODES = 25
"""The nodes that a search visits in the time of one step of other work: about 50 microseconds."""

POLL_NODES = 16 * STEP_NODES
"""The nodes between two polls of work that is counted in steps."""


def never() -> bool:
    """Return False: never stop."""
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in ``seconds`` of the clock and, if given, in ``nodes`` searched; the first one reached ends the search.

    An answer limited only by nodes is reproducible; an answer that the clock cut off is not. ``stop`` ends the search
    for another reason: a search calls it every few milliseconds, and once it has returned True, it always does.
    ``progress`` publishes the results so far. With ``outcome``, the search ends as soon as the outcome is proven, with
    a move that keeps it.
    """

    seconds: float
    nodes: int | None = None
    stop: Poll = never
    progress: Progress | None = None
    outcome: bool = False


def tighter(one: Limit, other: Limit) -> Limit:
    """Return the first limit, with its seconds and nodes reduced to those of the second one."""
    counted = [nodes for nodes in (one.nodes, other.nodes) if nodes is not None]
    return replace(one, seconds=min(one.seconds, other.seconds), nodes=min(counted, default=None))


def _now(limit: Limit, slot: Slot | None) -> float:
    """Return the time of the clock that counts for a limit, in seconds.

    With a limit of nodes, the clock stands still while the request waits.
    """
    return monotonic() - (0 if slot is None or limit.nodes is None else slot.waited)


class Budget:
    """A limit shared by the successive searches of a request."""

    def __init__(self, limit: Limit, slot: Slot | None = None) -> None:
        self._limit = limit
        self._slot = slot
        self._end = _now(limit, slot) + limit.seconds
        self._nodes = limit.nodes
        self._whole = Effort(limit, slot)
        self.is_over = self._whole.spent(1)
        """A poll that returns whether the time is over, or ``stop`` returns True."""

    def work(self, steps: Iterator[int]) -> None:
        """Run work in steps, as ``Effort.work`` does, within the whole limit. Raises Overloaded."""
        self._whole.work(steps)

    @property
    def left(self) -> float:
        """The rest of the limit: in nodes if it has a limit of nodes, else in seconds."""
        return max(0.0, self._end - _now(self._limit, self._slot)) if self._nodes is None else self._nodes

    def part(self, share: float) -> Limit:
        """Return the limit of the next search: this share of the rest."""
        nodes = None if self._nodes is None else int(self._nodes * share)
        # With a limit of nodes, the clock only protects the service.
        seconds = max(0.0, self._end - _now(self._limit, self._slot)) * (share if nodes is None else 1)
        return replace(self._limit, seconds=seconds, nodes=nodes)

    def spend(self, nodes: int) -> None:
        """Subtract the cost of a search."""
        if self._nodes is not None:
            self._nodes = max(0, self._nodes - nodes)


class Steps:
    """A count of work other than searches, in nodes; a poll ends the work."""

    def __init__(self, poll: Poll) -> None:
        self.nodes = 0
        self._poll = poll

    def count(self) -> None:
        """Count a step. Raises Stopped at the limit."""
        self.nodes += STEP_NODES
        if self.nodes % POLL_NODES == 0 and self._poll():
            raise Stopped


class Effort:
    """The account of a limit from the moment at which it starts to count.

    With a ``slot``, searches begin on the light budget and take the slot when they become long; without, they just run.
    ``lines`` says whether lines of best play are wanted: they need more searches than scores and best moves.
    ``outcome`` says whether a proven outcome suffices.
    """

    def __init__(self, limit: Limit, slot: Slot | None = None, *, lines: bool = True) -> None:
        self.lines = lines
        self.outcome = limit.outcome
        self._limit = limit
        self._unwatched = replace(limit, progress=None)  # the progress has the searches, which have this in their polls
        self._slot = slot
        self._began = _now(limit, slot)
        self._searches: list[Counted] = []
        self._charged = 0
        self._used_before = 0

    @property
    def used(self) -> int:
        """The nodes of all searches, of this and earlier calls of ``run``."""
        return sum(search.nodes for search in self._searches)

    @property
    def used_now(self) -> int:
        """The nodes of all searches in the current call of ``run``."""
        return self.used - self._used_before

    @property
    def cost(self) -> int:
        """The nodes that count against the limit: those used, and those charged for cached results."""
        return self.used + self._charged

    @property
    def nodes(self) -> int | None:
        """The nodes left; None without a limit of nodes."""
        return None if self._limit.nodes is None else max(0, self._limit.nodes - self.cost)

    @property
    def most_waited(self) -> float:
        """The maximum seconds in the queue before the request is refused; infinite without a limit of nodes.

        In that case the clock of the limit runs while the request waits.
        """
        return inf if self._limit.nodes is None else self._limit.seconds

    def at_most(self, nodes: int) -> int:
        """Return ``nodes``, or a quarter of the nodes left if that is less."""
        return nodes if self.nodes is None else min(nodes, self.nodes // 4)

    def charge(self, nodes: int) -> None:
        """Subtract the original cost of a cached result, so that the same limit is left as without the cache."""
        self._charged += nodes

    def spent(self, share: float) -> Poll:
        """Return a poll that returns True when this share of the time is over, or when ``stop`` returns True."""
        limit, slot = self._unwatched, self._slot
        end = self._began + limit.seconds * share
        return lambda: _now(limit, slot) >= end or limit.stop()

    def wait(self, other: Future[Found | None]) -> Found | None:
        """Return the result of another thread's search for the same result; None if this request stops waiting.

        Raises Overloaded if too many requests wait.
        """
        return self._wait(other, self.spent(1), self.most_waited)

    def wait_for_table(self, made: Future[Found | None]) -> Found | None:
        """Wait for a table; return None if it takes longer than the limit.

        The clock runs, even with a limit of nodes, which says nothing about this time. All waits of a request together
        last no longer than its limit. A request that holds a slot waits too: tables are made without slots. Raises
        Overloaded if too many requests wait.
        """
        limit, slot, end = self._limit, self._slot, monotonic() + self._limit.seconds

        def counted_over() -> bool:
            waited = 0 if slot is None else slot.waited
            return monotonic() >= end or waited >= limit.seconds or limit.stop()

        over = self.spent(1) if limit.nodes is None else counted_over
        return self._wait(made, over, inf, within=True)

    def _wait(
        self, other: Future[Found | None], over: Poll, most_waited: float, *, within: bool = False
    ) -> Found | None:
        if self._slot is not None:
            return self._slot.wait_for(other, over, most_waited, within=within)
        while not over():
            with suppress(TimeoutError):
                return other.result(LOOK_SECONDS)
        return None

    def run(self, search: Callable[[], Found]) -> Found:
        """Return the result of a search. Raises Overloaded if it is long and gets no slot.

        The search has two phases: it runs in this thread until the light budget of the request is used up, then in the
        slot of the request. The second phase calls ``search`` again. Without a limit of nodes, it uses the shared table
        that the first phase has filled. With a limit of nodes it starts over: it uses its own table, and the nodes of
        the first phase do not count. So the bytes of the answer do not depend on whether there was a first phase.
        """
        slot = self._slot
        if slot is None:
            return search()
        if not slot.entered:
            begun, self._used_before = len(self._searches), self.used
            try:
                slot.check_light(0)
                return search()
            except LightBudgetSpent:
                if self._limit.nodes is not None:
                    self._forget_searches(begun)
            finally:
                slot.spend_light(self.used_now + SEARCH_NODES)
        self._acquire(slot)
        return slot.run(search)

    def work(self, steps: Iterator[int]) -> None:
        """Run other work than a search in steps. Raises Overloaded if it is long and gets no slot.

        Before each step ``steps`` yields the nodes that the step counts for; it checks ``spent`` itself. When the light
        budget of the request is used up, the work waits for the slot. It stays in this thread: steps hold the
        interpreter's lock, and a thread of low priority would block others with it. After each step other requests have
        their turn.
        """
        slot = self._slot
        for nodes in steps:
            if slot is not None:
                slot.spend_light(nodes)
                if not slot.is_light:
                    self._acquire(slot)
                    TURNS.take()

    def _acquire(self, slot: Slot) -> None:
        slot.acquire(self._limit.seconds, self.spent(1), self.most_waited)

    def watch(self, position: Position, solver: Solver[Any]) -> None:
        """Publish the bounds of a solver from now on, if the progress on this position is followed."""
        progress = self._limit.progress
        if progress is not None and progress.position == position:
            progress.solver = solver

    def search(self, new: NewSearch[SomeSearch], share: float, most: int | None = None) -> SomeSearch:
        """Return a search that stops after this share of the time and of the nodes left, or after ``most`` nodes."""
        search = new(poll=self._poll(share), limit=self._most_nodes(share, most))
        self._searches.append(search)
        if self._limit.progress is not None:
            self._limit.progress.searches.append(search)
        return search

    def _most_nodes(self, share: float, most: int | None) -> int | None:
        """Return the limit of a search in nodes: ``most``, or this share of the nodes left; 0 if the time is over."""
        if self.spent(share)():
            return 0  # without it, the search would run until its first poll
        limits = [most, None if self.nodes is None else int(self.nodes * share)]
        return min((limit for limit in limits if limit is not None), default=None)

    def steps(self) -> "Steps":
        """Return a count of steps of work other than searches, which ends the work when the whole limit is used."""
        poll, effort = self._poll(1), proxy(self)
        steps = Steps(lambda: effort.nodes == 0 or poll())
        self._searches.append(steps)
        return steps

    def _forget_searches(self, begun: int) -> None:
        """Discard the searches from this index on, and their counts."""
        if self._limit.progress is not None:
            self._limit.progress.forget(self._searches[begun:])
        del self._searches[begun:]

    def _poll(self, share: float) -> Poll:
        """Return the poll of a search. It raises LightBudgetSpent if the search needs a slot first."""
        spent, slot = self.spent(share), self._slot
        if slot is None:
            return spent
        effort = proxy(self)  # a cycle with its searches would keep megabytes until the next garbage collection

        def poll() -> bool:
            if spent():
                return True
            slot.check_light(effort.used_now)
            return False

        return poll
