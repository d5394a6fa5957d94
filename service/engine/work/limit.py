"""How long a search may go on, and what was used of that."""

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
    """Makes a search that ends when ``poll`` says so, or after ``limit`` nodes."""

    def __call__(self, *, poll: Poll, limit: int | None) -> NewSearch_co:
        """Return the search."""


PROOF_SHARE = 0.75
"""The part of a limit after which little more is proven."""

STEP_NODES = 25
"""Nodes that a search visits in the time of a step of other work: some 50 microseconds."""

POLL_NODES = 16 * STEP_NODES
"""Between two polls of work that is counted in steps."""


def never() -> bool:
    """Return False: there is nothing to stop for."""
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """``seconds`` on the clock and, if ``nodes`` is given, that many positions searched, whichever comes first.

    An answer that only its nodes have limited is reproducible, one that the clock cut off is not.
    ``stop`` says whether to end it for another reason; a search asks it every few milliseconds, and once true it
    stays true. ``progress`` shows what the search finds out on the way.
    """

    seconds: float
    nodes: int | None = None
    stop: Poll = never
    progress: Progress | None = None


def tighter(one: Limit, other: Limit) -> Limit:
    """Return the first limit, narrowed where the second is closer."""
    counted = [nodes for nodes in (one.nodes, other.nodes) if nodes is not None]
    return replace(one, seconds=min(one.seconds, other.seconds), nodes=min(counted, default=None))


def _now(limit: Limit, slot: Slot | None) -> float:
    """Return the clock on which the seconds of a limit are counted, in seconds.

    Where nodes are the limit it stands still while the request waits.
    """
    return monotonic() - (0 if slot is None or limit.nodes is None else slot.waited)


class Budget:
    """A limit that several searches of a request share, one after the other."""

    def __init__(self, limit: Limit, slot: Slot | None = None) -> None:
        self._limit = limit
        self._slot = slot
        self._end = _now(limit, slot) + limit.seconds
        self._nodes = limit.nodes
        self._whole = Effort(limit, slot)
        self.is_over = self._whole.spent(1)
        """Says whether the time is over, or another reason to stop has come."""

    def work(self, steps: Iterator[int]) -> None:
        """Do work in steps as an ``Effort`` does, within the whole limit. Raises Overloaded."""
        self._whole.work(steps)

    @property
    def left(self) -> float:
        """What is left: nodes, if these are shared out, else seconds."""
        return max(0.0, self._end - _now(self._limit, self._slot)) if self._nodes is None else self._nodes

    def part(self, share: float) -> Limit:
        """Return the limit of the next search: this share of what is left."""
        nodes = None if self._nodes is None else int(self._nodes * share)
        # Where nodes are shared out, the clock is only there to keep the service alive.
        seconds = max(0.0, self._end - _now(self._limit, self._slot)) * (share if nodes is None else 1)
        return Limit(seconds, nodes, self._limit.stop, self._limit.progress)

    def spend(self, nodes: int) -> None:
        """Take off what a search has cost."""
        if self._nodes is not None:
            self._nodes = max(0, self._nodes - nodes)


class Steps:
    """Work beside that of searches, counted in nodes, and ended by a poll."""

    def __init__(self, poll: Poll) -> None:
        self.nodes = 0
        self._poll = poll

    def count(self) -> None:
        """Count a step. Raises Stopped where the limit is reached."""
        self.nodes += STEP_NODES
        if self.nodes % POLL_NODES == 0 and self._poll():
            raise Stopped


class Effort:
    """A limit from the moment at which it began to count: what was used of it, and what is left.

    With a ``slot`` its searches are light at first and take the slot when they become long; without, they just run.
    ``lines`` says whether lines of best play are wanted: they take more searches than scores and best moves.
    """

    def __init__(self, limit: Limit, slot: Slot | None = None, *, lines: bool = True) -> None:
        self.lines = lines
        self._limit = limit
        self._slot = slot
        self._began = _now(limit, slot)
        self._searches: list[Counted] = []
        self._charged = 0
        self._used_before = 0

    @property
    def used(self) -> int:
        """The nodes of all searches so far."""
        return sum(search.nodes for search in self._searches)

    @property
    def used_now(self) -> int:
        """The nodes of all searches since the call of ``run``."""
        return self.used - self._used_before

    @property
    def cost(self) -> int:
        """The nodes that count against the limit: those used, and those that were charged for."""
        return self.used + self._charged

    @property
    def nodes(self) -> int | None:
        """The nodes that are left; None where they do not count."""
        return None if self._limit.nodes is None else max(0, self._limit.nodes - self.cost)

    @property
    def most_waited(self) -> float:
        """Seconds that the request may wait before it is refused: any number where the clock runs meanwhile."""
        return inf if self._limit.nodes is None else self._limit.seconds

    def at_most(self, nodes: int) -> int:
        """Return so many nodes, or a quarter of those that are left if that is fewer."""
        return nodes if self.nodes is None else min(nodes, self.nodes // 4)

    def charge(self, nodes: int) -> None:
        """Take off what a cached answer cost when it was found, so that what follows is the same again."""
        self._charged += nodes

    def spent(self, share: float) -> Poll:
        """Return a poll that says whether so large a share of the time is over, or another reason to stop has come."""
        limit, slot = replace(self._limit, progress=None), self._slot  # the progress holds the searches that ask this
        end = self._began + limit.seconds * share
        return lambda: _now(limit, slot) >= end or limit.stop()

    def wait(self, other: Future[Found | None]) -> Found | None:
        """Return what another's search of the same finds; None if that is not to be waited for any longer.

        Raises Overloaded where too many requests wait.
        """
        return self._wait(other, self.spent(1), self.most_waited)

    def wait_for_table(self, made: Future[Found | None]) -> Found | None:
        """Return what is made for all requests; None if it takes longer than the limit.

        The clock counts, even where nodes are the limit: they say nothing of how long it takes. All waits of a request
        together are no longer than its limit. One that holds a slot waits too, since tables are made without one.
        Raises Overloaded where too many requests wait.
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
        """Return what a search finds. Raises Overloaded if it is long and there is no room for it.

        It runs in two phases: in this thread until the light budget of the request is spent, then in its slot. The
        second phase calls ``search`` again. Without a limit of nodes it continues with the shared table that the
        first has filled. With one it begins anew, with memory of its own, and nothing that the first phase
        has counted: so its answer is the same to the byte whether there was a first phase or not.
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
        """Do the steps of other work than a search. Raises Overloaded if they are long and there is no room for them.

        Before each step ``steps`` yields the nodes that are visited in its time; it looks at ``spent`` itself. Once the
        light budget of the request is spent, it goes on when the request holds a slot. All of it runs in this thread:
        steps hold the interpreter's lock, for which others would wait long if a thread of low priority had it.
        After each of them other requests have their turn.
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
        """Show what a solver knows from now on, if the progress on this very position is followed."""
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
        """Return the most nodes of a search: ``most``, or this share of those left; none if the time is over."""
        if self.spent(share)():
            return 0  # a search polls only now and then
        limits = [most, None if self.nodes is None else int(self.nodes * share)]
        return min((limit for limit in limits if limit is not None), default=None)

    def steps(self) -> "Steps":
        """Return a count of other work than searches, which goes on until the whole limit is spent."""
        poll, effort = self._poll(1), proxy(self)
        steps = Steps(lambda: effort.nodes == 0 or poll())
        self._searches.append(steps)
        return steps

    def _forget_searches(self, begun: int) -> None:
        """Discard the searches from this one on, and what they have counted."""
        if self._limit.progress is not None:
            self._limit.progress.forget(self._searches[begun:])
        del self._searches[begun:]

    def _poll(self, share: float) -> Poll:
        """Return what a search asks. Raises LightBudgetSpent if the search needs a slot first."""
        spent, slot = self.spent(share), self._slot
        if slot is None:
            return spent
        effort = proxy(self)  # it holds its searches, which hold this: megabytes that only the collector could free

        def poll() -> bool:
            if spent():
                return True
            slot.check_light(effort.used_now)
            return False

        return poll
