"""Single-flight: if several threads want the same result, one works and the others wait."""

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Result = TypeVar("Result")


class SingleFlight(Generic[Result]):
    """Runs at most one shared piece of work per key at a time; keeps no results."""

    def __init__(self) -> None:
        self._running: dict[Hashable, Future[Result | None]] = {}

    def __len__(self) -> int:
        return len(self._running)

    def run(
        self,
        key: Hashable,
        work: Callable[[], Result],
        *,
        wait: Callable[[Future[Result | None]], Result | None],
        suffices: Callable[[Result], bool],
    ) -> tuple[Result, bool]:
        """Return the result for a key, and whether another thread has found it.

        If another thread works on the key, ``wait`` for its future, and return the result if it ``suffices``. If it
        does not, or if the other thread raises an exception, take over the work. If ``wait`` returns None before the
        other thread is done, do the work in parallel.
        """
        mine: Future[Result | None] = Future()
        while (running := self._running.setdefault(key, mine)) is not mine:
            result = wait(running)
            if result is not None and suffices(result):
                return result, True
            if not running.done():
                return work(), False
        result = None
        try:
            result = work()
        finally:
            del self._running[key]
            mine.set_result(result)
        return result, False
