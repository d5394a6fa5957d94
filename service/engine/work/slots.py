"""Search slots: the bound on concurrent long work of a process, and the queue in front of it.

Most of the work is search, so all work is counted in nodes. Other work counts as many nodes as a search visits in the
same time.
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
from service.kernel.stopping import Poll

LIGHT_NODES = 2_000
"""The light budget: nodes that a request may use without a slot, from 2 ms (Connect Four) to 7 ms (Qubic).

It is checked when the kernel polls, first after at most 4,096 nodes, so a request can exceed it by 4,096 nodes.
"""

SEARCH_NODES = 200
"""The cost of starting a search, in nodes; it is added to the nodes that the search visits."""

LOOK_SECONDS = 0.01
"""The seconds between two checks of a waiting request."""

SHORT_SECONDS = 0.0005
"""The seconds that a request waits for its search in the pool before it works on: most searches are done by then."""

UNCOUNTED_SECONDS = 0.05
"""The seconds that a request waits for another request's search before it counts as blocked; most waits are shorter.

A request only starts to wait if it could be counted as blocked at that moment.
"""

UNCOUNTED = 1
"""The number of requests beyond ``waiting`` that may wait uncounted."""

NICE = 10
"""The nice value of a search in a slot: beside quick answers it gets a tenth of a core, otherwise all of it."""

RETRY_SECONDS = range(1, 11)
"""The range of ``Retry-After`` in seconds: the duration of a search is not known before its end."""

Found = TypeVar("Found")


class Overloaded(Exception):
    """No search slot and no place in the queue is free; there should be one after ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"no room for another search; try again in {seconds} s")
        self.seconds = seconds


class LightBudgetSpent(Exception):
    """The searches of a request have used up its light budget, and it has no slot yet."""


class Tally(Protocol):
    """A number that a metric publishes."""

    def inc(self, amount: float = 1) -> None:
        """Add ``amount`` to the number."""


class _Unwatched:
    def inc(self, amount: float = 1) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Tallies:
    """The numbers of requests that hold a slot, that wait for one, and that were refused."""

    running: Tally
    waiting: Tally
    refused: Tally


UNWATCHED = Tallies(_Unwatched(), _Unwatched(), _Unwatched())


class SearchSlots:
    """The search slots of a process: a pool of threads of low priority, with a bounded queue.

    At most ``slots`` requests hold a slot, and ``queued`` more wait for one in order of arrival. At most ``waiting``
    requests block a thread: they hold a slot, wait for one, or wait for the search of another request. The other
    threads of the server stay free for quick answers. In addition, a request may wait briefly for the search of another
    request without being counted. Threads start with the first search, so processes may be forked before.
    """

    def __init__(self, slots: int, queued: int, waiting: int, tallies: Tallies = UNWATCHED) -> None:
        self._slots = slots
        self._queued = queued
        self._waiting = waiting
        self._tallies = tallies
        self.pool = ThreadPoolExecutor(slots, "search", lower_priority)
        """The threads for the searches of requests with a slot: each has one search at a time, so a thread is free."""
        self._lock = Lock()
        self._running: list[Slot] = []
        self._queue: deque[Slot] = deque()
        self._blocked: set[Slot] = set()
        self._uncounted: set[Slot] = set()

    @contextmanager
    def reserve(self, nodes: int = 0) -> Iterator["Slot"]:
        """Yield the ``Slot`` of a request that has used ``nodes`` already; release it at the end of the request."""
        slot = Slot(self)
        slot.spend_light(nodes)
        with TURNS.turn():
            try:
                yield slot
            finally:
                self._give_back(slot)

    def block(self, slot: "Slot") -> None:
        """Count a request as blocked until it ends. Raises Overloaded if too many are blocked."""
        with self._lock:
            if slot in self._blocked or len(self._blocked) < self._waiting:
                self._blocked.add(slot)
                self._uncounted.discard(slot)
                return
        raise self.refusal()

    @contextmanager
    def uncounted(self, slot: "Slot") -> Iterator[None]:
        """Let a request wait without counting it. Raises Overloaded if it could not be counted as blocked now."""
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
        """Grant a slot if one is free, else add the request to the queue. Raises Overloaded if the queue is full."""
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
        """Count a refusal; return the exception with the seconds until the next running search must end."""
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
    """The claim of a request to a search slot, which it holds until its whole answer is done.

    ``end`` is the deadline of the search that ran when the slot was granted, on the clock of ``monotonic``.
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
        self._meanwhile: Callable[[Poll], None] = _nothing

    @property
    def waited(self) -> float:
        """The seconds that the request has waited, for a slot or for another's search."""
        return self._waited + (0 if self._waits_since is None else monotonic() - self._waits_since)

    def grant(self) -> None:
        """Grant the slot."""
        self.end = monotonic() + self._seconds
        self._granted.set()

    @property
    def is_granted(self) -> bool:
        """Whether the request holds a slot."""
        return self._granted.is_set()

    @property
    def is_light(self) -> bool:
        """Whether the request is still on its light budget."""
        return not self.entered and self._light_nodes <= LIGHT_NODES

    def check_light(self, nodes: int) -> None:
        """Raise LightBudgetSpent if ``nodes`` more exceed the light budget of a request without a slot."""
        if not self.entered and self._light_nodes + nodes > LIGHT_NODES:
            raise LightBudgetSpent

    def spend_light(self, nodes: int) -> None:
        """Subtract nodes from the light budget."""
        self._light_nodes += nodes

    def enter(self, seconds: float) -> None:
        """Take a slot or a place in the queue, for work of at most ``seconds``. Raises Overloaded if both are full."""
        if not self.entered:
            self._slots.block(self)
            self._seconds = seconds
            self._slots.enter(self)
            self.entered = True

    def acquire(self, seconds: float, give_up: Callable[[], bool], most_waited: float) -> None:
        """Take a slot for a search of at most ``seconds``; wait for one until ``give_up``.

        After giving up, the request keeps its place in the queue for its next search. Raises Overloaded if the queue is
        full, or after ``most_waited`` seconds of waiting.
        """
        self.enter(seconds)
        TURNS.give_back()
        with self._waiting():
            while not self.is_granted and not give_up():
                self._check(most_waited)
                self._granted.wait(LOOK_SECONDS)

    def run(self, work: Callable[[], Found]) -> Found:
        """Return the result of work, run in a thread of the pool if the request holds a slot, else in this thread.

        If it takes long in the pool, this thread does the work of ``meanwhile`` before it waits.
        """
        if not self.is_granted:
            return work()
        search = self._slots.pool.submit(work)
        with suppress(TimeoutError):
            return search.result(SHORT_SECONDS)
        self._meanwhile(search.done)
        return search.result()

    @contextmanager
    def meanwhile(self, work: Callable[[Poll], None]) -> Iterator[None]:
        """Call ``work`` while a long search of the request runs in the pool; its poll returns True after the search."""
        self._meanwhile = work
        try:
            yield
        finally:
            self._meanwhile = _nothing

    def wait_for(
        self, other: Future[Found], give_up: Callable[[], bool], most_waited: float, *, within: bool = False
    ) -> Found | None:
        """Return the result of another request's search; None once ``give_up`` returns True.

        A request that holds a slot or a place in the queue returns None at once, because the other search may need that
        slot. With ``within`` it waits all the same; the other work then needs no slot. Raises Overloaded if too many
        requests are blocked, and after ``most_waited`` seconds of waiting.
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


def _nothing(_is_done: Poll) -> None:
    """Do nothing while a search runs in the pool."""


def reserve(slots: SearchSlots | None, nodes: int = 0) -> AbstractContextManager[Slot | None]:
    """Return the context of a request that has used ``nodes`` already; it yields a Slot, or None without ``slots``."""
    return nullcontext() if slots is None else slots.reserve(nodes)


def lower_priority() -> None:
    """Give this thread a nice value of at least ``NICE`` for good; do nothing on systems other than Linux."""
    if sys.platform == "linux":  # other systems have no priorities of threads
        thread = get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(NICE, os.getpriority(os.PRIO_PROCESS, thread)))
