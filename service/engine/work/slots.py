"""Search slots: how much long work a process does at once, and how many requests wait to begin theirs.

Most of that work is search, so it is counted in nodes: other work in those that are visited in the same time.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from math import ceil, inf
from threading import Event, Lock, get_native_id
from time import monotonic
from typing import Protocol, TypeVar

from service.engine.work.turns import TURNS

LIGHT_NODES = 2_000
"""Nodes that the work of a request may take before it needs a slot: from 2 ms (Connect Four) to 7 ms (Qubic).

It is checked when the kernel polls, every 4,096 nodes or more often, so some more may pass."""

SEARCH_NODES = 200
"""Nodes that a search counts for beside its own: what it takes to begin one."""

LOOK_SECONDS = 0.01
"""Between two looks at whether to wait on."""

UNCOUNTED_SECONDS = 0.05
"""How long a request may wait for another's search without being counted as blocked: most are over by then.

Such a wait begins only where the request can still be counted at its end."""

UNCOUNTED = 1
"""How many requests more than can be counted may wait so at once."""

NICE = 10
"""The priority of a search in a slot: beside quick answers it gets a tenth of a core, else all of it."""

RETRY_SECONDS = range(1, 11)
"""The least and the most seconds of ``Retry-After``: how long a search really takes is not known before its end."""

Found = TypeVar("Found")


class Overloaded(Exception):
    """There is no room for another long search; after so many ``seconds`` there should be."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"no room for another search; try again in {seconds} s")
        self.seconds = seconds


class LightBudgetSpent(Exception):
    """The searches of a request have taken their light budget, and it has no slot yet."""


class Tally(Protocol):
    """A number that a metric publishes."""

    def inc(self, amount: float = 1) -> None:
        """Add to it."""


class _Unwatched:
    def inc(self, amount: float = 1) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Tallies:
    """How many requests hold a slot now, how many wait for one now, and how many were refused in all."""

    running: Tally
    waiting: Tally
    refused: Tally


UNWATCHED = Tallies(_Unwatched(), _Unwatched(), _Unwatched())


class SearchSlots:
    """The search slots of one process: a pool of threads of low priority, and a bounded queue in front of it.

    ``slots`` requests hold a slot at once, and ``queued`` more wait for one in the order in which they came.
    They block at most ``waiting`` requests in all: those that hold a slot, that wait for one, and that wait
    for another's search of the same. Each takes a thread of the server, so the others stay free for quick answers.
    Beside them, a request may wait for another's search for a moment without being counted.
    No thread is started before the first search, so processes may be forked until then.
    """

    def __init__(self, slots: int, queued: int, waiting: int, tallies: Tallies = UNWATCHED) -> None:
        self._slots = slots
        self._queued = queued
        self._waiting = waiting
        self._tallies = tallies
        self.pool = ThreadPoolExecutor(slots, "search", lower_priority)
        """Runs the search of each request that holds a slot: it has one at a time, so a thread is free."""
        self._lock = Lock()
        self._running: list[Slot] = []
        self._queue: deque[Slot] = deque()
        self._blocked: set[Slot] = set()
        self._uncounted: set[Slot] = set()

    @contextmanager
    def reserve(self, nodes: int = 0) -> Iterator["Slot"]:
        """Yield what a request, which has worked for so many nodes, needs to get a slot; take that back at its end."""
        slot = Slot(self)
        slot.spend_light(nodes)
        with TURNS.turn():
            try:
                yield slot
            finally:
                self._give_back(slot)

    def block(self, slot: "Slot") -> None:
        """Count a request as blocked until its end. Raises Overloaded where too many are."""
        with self._lock:
            if slot in self._blocked or len(self._blocked) < self._waiting:
                self._blocked.add(slot)
                self._uncounted.discard(slot)
                return
        raise self.refusal()

    @contextmanager
    def uncounted(self, slot: "Slot") -> Iterator[None]:
        """Let a request wait until it is counted as blocked. Raises Overloaded where it could not be counted later."""
        with self._lock:
            counted, uncounted = len(self._blocked), len(self._uncounted)
            if slot not in self._blocked:
                if counted >= self._waiting or counted + uncounted >= self._waiting + UNCOUNTED:
                    raise self._refusal()
                self._uncounted.add(slot)
        try:
            yield
        finally:
            with self._lock:
                self._uncounted.discard(slot)

    def enter(self, slot: "Slot") -> None:
        """Grant a slot if one is free, else add the request to the queue. Raises Overloaded where that is full."""
        with self._lock:
            if len(self._running) < self._slots:
                self._grant(slot)
                return
            if len(self._queue) < self._queued:
                self._queue.append(slot)
                self._tallies.waiting.inc()
                return
        raise self.refusal()

    def refusal(self) -> Overloaded:
        """Count a refusal; return what to raise, with the seconds until the next running search must end."""
        with self._lock:
            return self._refusal()

    def _refusal(self) -> Overloaded:
        self._tallies.refused.inc()
        end = min((slot.end for slot in self._running), default=0.0)
        return Overloaded(min(max(ceil(end - monotonic()), RETRY_SECONDS[0]), RETRY_SECONDS[-1]))

    def _grant(self, slot: "Slot") -> None:
        self._running.append(slot)
        self._tallies.running.inc()
        slot.grant()

    def _give_back(self, slot: "Slot") -> None:
        with self._lock:
            self._blocked.discard(slot)
            if slot in self._queue:
                self._queue.remove(slot)
                self._tallies.waiting.inc(-1)
            if slot in self._running:
                self._running.remove(slot)
                self._tallies.running.inc(-1)
                if self._queue:
                    self._tallies.waiting.inc(-1)
                    self._grant(self._queue.popleft())


class Slot:
    """The way of one request to a search slot, which it holds from then on until its whole answer is done.

    ``end`` is when the search that was running as the slot was granted must end, on the clock of ``monotonic``.
    """

    def __init__(self, slots: SearchSlots) -> None:
        self.end = inf
        self._slots = slots
        self._granted = Event()
        self.entered = False
        """Whether the request holds a slot or waits for one."""
        self._seconds = 0.0
        self._light_nodes = 0
        self._waited = 0.0
        self._waits_since: float | None = None

    @property
    def waited(self) -> float:
        """Seconds that the request has waited so far, for a slot or for another's search."""
        return self._waited + (0 if self._waits_since is None else monotonic() - self._waits_since)

    def grant(self) -> None:
        """Hand the slot over."""
        self.end = monotonic() + self._seconds
        self._granted.set()

    @property
    def is_granted(self) -> bool:
        """Whether the request holds a slot."""
        return self._granted.is_set()

    @property
    def is_light(self) -> bool:
        """Whether the request has not asked for a slot, and may go on without one."""
        return not self.entered and self._light_nodes <= LIGHT_NODES

    def check_light(self, nodes: int) -> None:
        """Raise LightBudgetSpent if so many more nodes are too many for a request that has not asked for a slot."""
        if not self.entered and self._light_nodes + nodes > LIGHT_NODES:
            raise LightBudgetSpent

    def spend_light(self, nodes: int) -> None:
        """Take nodes off the light budget."""
        self._light_nodes += nodes

    def enter(self, seconds: float) -> None:
        """Take a slot, or a place in the queue, for work of at most ``seconds``. Raises Overloaded without room."""
        if not self.entered:
            self._slots.block(self)
            self._seconds = seconds
            self._slots.enter(self)
            self.entered = True

    def acquire(self, seconds: float, give_up: Callable[[], bool], most_waited: float) -> None:
        """Take a slot for a search of at most ``seconds``, or wait for one until ``give_up``.

        After giving up the request keeps its place in the queue, for its next search.
        Raises Overloaded where there is no room, and after ``most_waited`` seconds of waiting.
        """
        self.enter(seconds)
        TURNS.give_back()
        with self._waiting():
            while not self.is_granted and not give_up():
                self._check(most_waited)
                self._granted.wait(LOOK_SECONDS)

    def run(self, work: Callable[[], Found]) -> Found:
        """Return what work gives: in a thread of the pool, or in this one after giving up."""
        return self._slots.pool.submit(work).result() if self.is_granted else work()

    def wait_for(
        self, other: Future[Found], give_up: Callable[[], bool], most_waited: float, *, within: bool = False
    ) -> Found | None:
        """Return what another request's search finds; None on giving up.

        A request that holds a slot or a place in the queue gives up at once: the other could be waiting for just
        that. It waits ``within`` its slot for what needs none. Raises Overloaded where too many requests are blocked,
        and after ``most_waited`` seconds of waiting.
        """
        if self.entered and not within:
            return None
        if other.done():
            return other.result()
        with self._slots.uncounted(self), self._waiting():
            TURNS.give_back()
            while not give_up():
                with suppress(TimeoutError):
                    return other.result(LOOK_SECONDS)
                self._check(most_waited)
                if self.waited > UNCOUNTED_SECONDS:
                    self._slots.block(self)
        return None

    def _check(self, most_waited: float) -> None:
        if self.waited >= most_waited:
            raise self._slots.refusal()

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        self._waits_since = monotonic()
        try:
            yield
        finally:
            self._waited, self._waits_since = self.waited, None


def reserve(slots: SearchSlots | None, nodes: int = 0) -> AbstractContextManager[Slot | None]:
    """Return the context of a request that may need a slot, after work of so many nodes; of nothing without slots."""
    return nullcontext() if slots is None else slots.reserve(nodes)


def lower_priority() -> None:
    """Let everything else on the machine go before this thread; that cannot be undone."""
    if sys.platform == "linux":  # elsewhere threads have no priority of their own
        thread = get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(NICE, os.getpriority(os.PRIO_PROCESS, thread)))
