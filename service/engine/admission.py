"""Admission: the way of one request through the gate."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import get_native_id
from time import monotonic, sleep, thread_time
from types import TracebackType
from typing import Self, TypeVar

from service.engine.gate import Gate, Overloaded

HEAVY_SECONDS = 0.01
"""Processor time that a request's searches may take without asking the gate."""

LOOK_SECONDS = 0.002
"""Between two looks at whether the queue has moved."""

FULL_SECONDS = 0.01
"""A queue is full if its last place stays taken for so long, and not only until others have moved up."""

NICE = 10
"""How far a heavy search gives way to quick answers: beside them it gets a tenth of a core, else all of it."""

UNSEATED_SECONDS = 0.05
"""How long a request may wait for another's search of the same without a seat: most are over by then."""

Found = TypeVar("Found")


class Admission:
    """A request's place at the gate, given back at its end; without a gate every search is admitted.

    Searches are light until together they have taken ``HEAVY_SECONDS`` of the processor's time, which a busy
    machine does not change. Up to there nothing is asked of the gate, and they run in the thread that asks. One
    that becomes heavy there begins anew in a thread of the request's own, which gives way to others: that cannot
    be undone, so a thread that answers others later must not do it. It costs 10 ms at most, and only heavy ones:
    a thread for each would cost light ones more than they take themselves.

    So many ``helpers`` as the gate allows may help a search that has a place; without a gate, as many as are given.
    """

    def __init__(self, gate: Gate | None = None, *, helpers: int = 0) -> None:
        self.helpers = helpers if gate is None else gate.helpers
        self._gate = gate
        self._thread: ThreadPoolExecutor | None = None
        self._outgrown = False
        self._place: int | None = None
        self._seated = False
        self._refusal: Overloaded | None = None
        self._worked = 0.0
        self._works_since: float | None = None
        self._waited = 0.0
        self._waits_since: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._gate is not None and self._place is not None:
            self._gate.leave(self._place)
        if self._gate is not None and self._seated:
            self._gate.leave_seat()
        if self._thread is not None:
            self._thread.shutdown(wait=False)
        self._place, self._seated, self._thread = None, False, None

    @property
    def waited(self) -> float:
        """Seconds that the request has waited so far, for a place or for another's search."""
        return self._waited + (0 if self._waits_since is None else monotonic() - self._waits_since)

    def run(self, search: Callable[[], Found]) -> Found:
        """What a search finds. Raises Overloaded if there was no room for all of it: what it found then is nothing.

        It is called a second time where it becomes heavy: what it found first is nothing either.
        """
        if self._gate is None:
            return search()
        if self._thread is None:
            found = self._work(search)
            if not self._outgrown:
                return found
            self._thread = ThreadPoolExecutor(1)
        found = self._thread.submit(self._work, search).result()
        if self._refusal is not None:
            raise self._refusal
        return found

    def stop_waiting(self) -> None:
        """Says that a wait is over."""
        self._waited = self.waited
        self._waits_since = None

    def refuses(self, give_up: Callable[[], bool], seconds: float, *, patience: float = inf) -> bool:
        """Whether a search must end because there is no room for it; where it is heavy by now, waits for a place.

        In the thread that asks it must end too, to begin anew in another. It waits until ``give_up``, and then goes on
        without; the place in the queue remains. After so much ``patience`` it is refused. ``seconds`` is how long it
        will run at most.
        """
        if self._gate is not None and self._refusal is None and self._needs_place(self._gate):
            if self._thread is None:
                self._outgrown = True
                return True
            try:
                self._queue(self._gate, give_up, seconds, patience)
            except Overloaded as refusal:
                self._refusal = refusal
            finally:
                self.stop_waiting()
        return self._refusal is not None

    def lend(self, seconds: float = 1.0) -> int | None:
        """A place for a thread that helps, which may take so long; None where there is none."""
        if self._gate is None:
            return 0
        return self._gate.lend(seconds) if self._gate.is_running(self._place) else None

    def take_back(self, place: int) -> None:
        """Gives the place of a helper back."""
        if self._gate is not None:
            self._gate.leave(place)

    def is_wanted(self) -> bool:
        """Whether somebody waits for the place of a helper."""
        return self._gate is not None and self._gate.is_wanted()

    def give_way(self) -> None:
        """Lets everything else on the machine go before this thread, if there may be anything else."""
        if self._gate is not None:
            _give_way()

    def tires(self, *, patience: float = inf) -> bool:
        """Whether to wait no longer for another's search of the same; asked now and then while it waits.

        Who has a place, or one in the queue, does not wait: the other could be waiting for just that. Raises
        Overloaded where it takes longer and no seat is left, or more than all the patience.
        """
        if self._gate is None or self._place is not None:
            return self._place is not None
        self._start_waiting()
        if self.waited >= UNSEATED_SECONDS:
            self._take_seat(self._gate)
        if self.waited >= patience:
            raise self._gate.refusal()
        return False

    def _needs_place(self, gate: Gate) -> bool:
        """Whether the searches are heavy, and have no running place yet."""
        if self._works_since is None or gate.is_running(self._place):
            return False
        return self._worked + thread_time() - self._works_since > HEAVY_SECONDS

    def _queue(self, gate: Gate, give_up: Callable[[], bool], seconds: float, patience: float) -> None:
        self._take_seat(gate)
        self._start_waiting()
        full_at = monotonic() + FULL_SECONDS
        while not give_up():
            self._place = gate.advance(self._place, seconds)
            if gate.is_running(self._place):
                _give_way()
                return
            full = self._place is None and monotonic() >= full_at and gate.is_full()
            if full or self.waited >= patience:
                raise gate.refusal()
            sleep(LOOK_SECONDS)

    def _take_seat(self, gate: Gate) -> None:
        if not self._seated:
            gate.take_seat()
            self._seated = True

    def _start_waiting(self) -> None:
        if self._waits_since is None:
            self._waits_since = monotonic()

    def _work(self, search: Callable[[], Found]) -> Found:
        self._works_since = began = thread_time()
        try:
            return search()
        finally:
            self._worked += thread_time() - began
            self._works_since = None


def _give_way() -> None:
    """Lets everything else on the machine go before this thread, for good."""
    if sys.platform == "linux":  # where a thread has a priority of its own
        thread = get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(NICE, os.getpriority(os.PRIO_PROCESS, thread)))
