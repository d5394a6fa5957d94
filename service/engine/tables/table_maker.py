"""The thread that makes tables: one after the other, at low priority, while requests wait for them."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from threading import Condition, Thread
from time import monotonic

from service.engine.tables.family_table import FamilyTable
from service.engine.work.slots import LOOK_SECONDS, UNWATCHED, Overloaded, Tally, lower_priority
from service.games.game import Game
from service.kernel.stopping import Poll, Stopped

ASKED_AGAIN_SECONDS = 2
"""The seconds for which work on a table goes on after its last request stopped waiting, while others are queued.

Clients ask for it again.
"""

IDLE_SECONDS = 10
"""The seconds without work after which the thread ends."""

RETRY_SECONDS = 5
"""The ``Retry-After`` of a refused request, in seconds."""

MadeTable = Future[FamilyTable | None]
"""A table in the making; the result is never None."""


class Making:
    """A table in the making or in the queue, and the number of requests that wait for it.

    ``left`` is the time, on the clock of ``monotonic``, at which a request last stopped waiting.
    """

    def __init__(self, game: Game, *, quick: bool) -> None:
        self.game = game
        self.quick = quick
        self.made: MadeTable = Future()
        self.waiting = 0
        self.left = 0.0


class TableMaker:
    """Makes the tables of a process in one thread, which starts on demand and ends when idle.

    ``make`` returns the table of a game, or None while another process makes it; it calls a poll to know when to stop.
    ``is_quick`` returns whether a table is made in a second or two; such tables are made during a poll of a slower one.
    At most ``queued`` slow tables wait in the queue. A queued table leaves the queue with the last request that waits
    for it. The table in progress is finished for later requests, unless all waiting requests want other tables.
    ``refused`` counts refused requests.
    """

    def __init__(
        self,
        make: Callable[[Game, Poll], FamilyTable | None],
        is_quick: Callable[[Game], bool],
        *,
        queued: int,
        refused: Tally = UNWATCHED.refused,
    ) -> None:
        self._make_table = make
        self._is_quick = is_quick
        self._queued = queued
        self._refused = refused
        self._changed = Condition()
        self._makings: dict[bytes, Making] = {}
        self._queue: list[Making] = []
        self._thread: Thread | None = None

    @contextmanager
    def wanted(self, game: Game) -> Iterator[MadeTable]:
        """Yield the future of a game's table; within the context, the request waits for it. Raises Overloaded."""
        making = self._join(game, quick=self._is_quick(game))
        try:
            yield making.made
        finally:
            self._leave(making)

    def _join(self, game: Game, *, quick: bool) -> Making:
        with self._changed:
            making = self._makings.get(game.digest)
            if making is None:
                making = self._add(Making(game, quick=quick))
            making.waiting += 1
            return making

    def _add(self, making: Making) -> Making:
        if not making.quick and sum(not other.quick for other in self._makings.values()) > self._queued:
            raise self._refusal()
        self._start_thread()
        self._makings[making.game.digest] = making
        self._queue.append(making)
        self._changed.notify_all()
        return making

    def _start_thread(self) -> None:
        if self._thread is None:
            thread = Thread(target=self._run, name="tables", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system refuses to start a thread
                raise self._refusal() from None
            self._thread = thread

    def _refusal(self) -> Overloaded:
        self._refused.inc()
        return Overloaded(RETRY_SECONDS)

    def _leave(self, making: Making) -> None:
        with self._changed:
            making.waiting -= 1
            making.left = monotonic()
            if not making.waiting and making in self._queue:
                self._queue.remove(making)
                del self._makings[making.game.digest]

    def _run(self) -> None:
        lower_priority()
        while (making := self._next()) is not None:
            if not self._make(making):
                self._wait_for_another_process()

    def _next(self) -> Making | None:
        """Return the next table of the queue; None after ``IDLE_SECONDS`` with an empty queue, when the thread ends."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._queue, IDLE_SECONDS):
                self._thread = None
                return None
            return self._queue.pop(0)

    def _wait_for_another_process(self) -> None:
        with self._changed:
            self._changed.wait(LOOK_SECONDS)

    def _make(self, making: Making) -> bool:
        """Make a table for all waiting requests; return False if another process makes it, so it is queued again."""
        try:
            table = self._make_table(making.game, partial(self._must_stop, making))
        except Stopped:
            return True
        except MemoryError:
            self._end(making).set_exception(self._refusal())
        except BaseException as error:  # noqa: BLE001, the waiting requests raise it
            self._end(making).set_exception(error)
        else:
            if table is None:
                self._put_back(making)
                return False
            self._end(making).set_result(table)
        return True

    def _end(self, making: Making) -> MadeTable:
        with self._changed:
            del self._makings[making.game.digest]
        return making.made

    def _put_back(self, making: Making) -> None:
        with self._changed:
            if making.waiting:
                self._queue.append(making)
            else:
                del self._makings[making.game.digest]

    def _must_stop(self, making: Making) -> bool:
        """Make the quick tables in the queue; return whether to stop the current one.

        If it is to stop, remove it first.
        """
        if not making.quick:
            for other in self._take_quick():
                self._make(other)
        with self._changed:
            wanted = making.waiting or not self._queue or monotonic() < making.left + ASKED_AGAIN_SECONDS
            if wanted:
                return False
            del self._makings[making.game.digest]
            return True

    def _take_quick(self) -> list[Making]:
        with self._changed:
            quick = [making for making in self._queue if making.quick]
            self._queue = [making for making in self._queue if not making.quick]
            return quick
