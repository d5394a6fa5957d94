"""What ends a search early: its limit of nodes, its caller, or a contradiction."""

import cython

from service.kernel.stopping import ContradictoryBoundsError, Poll, Stopped

POLL_NODES = 4096
"""The most nodes before the first poll."""

POLL_CALLS = 128
"""The most calls before the first poll; some need no node."""

POLL_STEPS = 500_000 if cython.compiled else 2_500
"""The most cells of lines that are looked at before the first poll: a few milliseconds, whatever the game."""

MOST_LONGER = 8
"""How many times as long the time between two polls becomes; it doubles with each.

Every poll needs the interpreter's lock, and keeps other threads waiting that want it.
"""

NO_LIMIT = cython.declare(cython.longlong, 1 << 62)


class Limits:
    """Counts the nodes of a search and decides when it stops.

    ``poll`` is called now and then and says whether to stop; ``limit`` is the most nodes, None for any number.
    ``steps`` is the work of one node, in cells of lines.
    """

    def __init__(self, poll: Poll | None, limit: int | None, steps: int) -> None:
        self.nodes = 0
        self.stopped = False
        self._contradicted = False
        self._limit = NO_LIMIT if limit is None else limit
        self._interval = max(1, min(POLL_NODES, POLL_STEPS // max(1, steps)))
        self._longest = MOST_LONGER * self._interval
        self._next_poll = min(self._limit + 1, self._interval)
        self._poll = poll
        self._raised: BaseException | None = None
        self.paused = False
        self._allowed = NO_LIMIT

    def allow(self, nodes: cython.longlong) -> None:
        """Pause the search after so many more nodes; ``resume`` ends that."""
        self._allowed = self.nodes + nodes
        self._next_poll = min(self._next_poll, self._allowed + 1)

    def resume(self) -> cython.bint:
        """Let the search go on; return whether it was paused."""
        paused: cython.bint = self.paused
        self.paused = False
        self._allowed = NO_LIMIT
        if paused:
            self.stopped = False
        return paused

    def count_call(self) -> None:
        """Count a call of the search. Raises as ``raise_if_stopped`` does."""
        self._next_poll -= max(1, self._interval // POLL_CALLS)
        if self.nodes >= self._next_poll:
            self._check()
            self.raise_if_stopped()

    def raise_if_stopped(self) -> None:
        """Raise Stopped, ContradictoryBoundsError or what ``poll`` has raised if the search must not go on."""
        if self._raised is not None:
            # Kept, it would hold the frames that it passes, and with them this search and its tables: in a cycle.
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
        if self.nodes >= self._next_poll:
            self._check()
        return self.stopped

    def count_long_node(self, length: cython.int) -> cython.bint:
        """Count a node that takes as long as so many others; return whether to stop."""
        self._next_poll -= length - 1
        return self.count_node()

    def contradict(self) -> None:
        """Stop the search, for two bounds on one score exclude each other."""
        self._contradicted = self.stopped = True

    def _check(self) -> None:
        self._next_poll = min(self._limit + 1, self._allowed + 1, self.nodes + self._interval)
        if self.nodes > self._limit:
            self.nodes = self._limit
            self.stopped = True
        elif self.nodes > self._allowed:
            self.nodes = self._allowed
            self.stopped = self.paused = True
        elif self._poll is not None:
            self._interval = min(2 * self._interval, self._longest)
            with cython.gil:
                self._call_poll(self._poll)

    def _call_poll(self, poll: Poll) -> None:
        # Apart from the function above: where an exception is caught, C holds the interpreter's lock throughout.
        try:
            self.stopped = bool(poll())
        except BaseException as error:  # noqa: BLE001, C cannot pass it on: raise_if_stopped does
            self._raised = error
            self.stopped = True
