"""The reasons that end a search early: its limit of nodes, its caller, or a contradiction."""

import cython

from service.kernel import scheduling
from service.kernel.stopping import ContradictoryBoundsError, Poll, Stopped

POLL_NODES = 4096
"""The maximum nodes before the first poll."""

POLL_CALLS = 128
"""The maximum calls before the first poll; some calls need no node."""

POLL_STEPS = 500_000 if cython.compiled else 2_500
"""The maximum cells of lines visited before the first poll: a few milliseconds in any game."""

CHECKS = 8
"""The checks until the first poll. At a check the search may give way to other threads."""

MOST_CHECKS = 8 * CHECKS
"""The most checks between two polls; their number doubles with each poll.

Every poll needs the interpreter's lock, and delays other threads that wait for it.
"""

NO_LIMIT = cython.declare(cython.const_longlong, 1 << 62)


class Limits:
    """Counts the nodes of a search and decides when it stops.

    ``poll`` is called regularly and returns whether to stop; ``limit`` is the maximum of nodes, None for no limit.
    ``steps`` is the work of one node, in cells of lines.
    """

    def __init__(self, poll: Poll | None, limit: int | None, steps: int) -> None:
        self.nodes = 0
        self.stopped = False
        self._contradicted = False
        self._limit = NO_LIMIT if limit is None else limit
        self._interval = max(1, min(POLL_NODES, POLL_STEPS // max(1, steps)) // CHECKS)
        self._next_check = min(self._limit + 1, self._interval)
        self._checks = self._checks_left = CHECKS
        self._gave_way = 0.0
        self._poll = poll
        self._raised: BaseException | None = None
        self.paused = False
        self._allowed = NO_LIMIT

    def allow(self, nodes: cython.longlong) -> None:
        """Pause the search after ``nodes`` more nodes; ``resume`` continues it."""
        self._allowed = self.nodes + nodes
        self._next_check = min(self._next_check, self._allowed + 1)

    def resume(self) -> cython.bint:
        """End the allowance of ``allow``, so that the search can continue; return whether it was paused."""
        paused: cython.bint = self.paused
        self.paused = False
        self._allowed = NO_LIMIT
        if paused:
            self.stopped = False
        return paused

    def count_call(self) -> None:
        """Count a call of the search. Raises as ``raise_if_stopped`` does."""
        self._next_check -= max(1, CHECKS * self._interval // POLL_CALLS)
        if self.nodes >= self._next_check:
            self._check()
            self.raise_if_stopped()

    def raise_if_stopped(self) -> None:
        """Raise Stopped, ContradictoryBoundsError or the exception of ``poll`` if the search must not go on.

        A signal that came since the last poll is handled first. Else compiled code would handle it while it makes the
        traceback of Stopped, and drop the KeyboardInterrupt.
        """
        if self.stopped:
            scheduling.check_signals()
        if self._raised is not None:
            # A stored exception would refer to its frames, and so to this search and its tables: a cycle.
            raised, self._raised = self._raised, None
            try:
                raise raised
            finally:
                del raised
        if self._contradicted:
            self._contradicted = self.stopped = False
            raise ContradictoryBoundsError
        if self.stopped:
            raise Stopped

    def count_node(self) -> cython.bint:
        """Count a node; return whether to stop."""
        self.nodes += 1
        if self.nodes >= self._next_check:
            self._check()
        return self.stopped

    def count_long_node(self, length: cython.int) -> cython.bint:
        """Count one node, and bring the next check nearer by ``length`` nodes; return whether to stop."""
        self._next_check -= length - 1
        return self.count_node()

    def contradict(self) -> None:
        """Stop the search, because two bounds on one score exclude each other."""
        self._contradicted = self.stopped = True

    def _check(self) -> None:
        self._next_check = min(self._limit + 1, self._allowed + 1, self.nodes + self._interval)
        if self.nodes > self._limit:
            self.nodes = self._limit
            self.stopped = True
        elif self.nodes > self._allowed:
            self.nodes = self._allowed
            self.stopped = self.paused = True
        else:
            self._gave_way = scheduling.give_way(self._gave_way)
            self._checks_left -= 1
            if not self._checks_left and self._poll is not None:
                with cython.gil:
                    self._checks = self._checks_left = min(2 * self._checks, MOST_CHECKS)
                    self._call_poll(self._poll)

    def _call_poll(self, poll: Poll) -> None:
        # A function of its own: while C code may catch an exception, it holds the interpreter's lock.
        try:
            self.stopped = bool(poll())
        except BaseException as error:  # noqa: BLE001, raise_if_stopped raises it, because C cannot
            self._raised = error
            self.stopped = True
