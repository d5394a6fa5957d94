"""Calls in a thread of their own."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Generic, TypeVar

Answer = TypeVar("Answer")

LOOK_SECONDS = 0.1
"""How often a call that runs is looked after."""


class Call(Generic[Answer]):
    """A function that runs in another thread, so that this one can tell how it goes, and can be interrupted.

    The thread does not keep the process from ending.
    """

    def __init__(self, function: Callable[[], Answer]) -> None:
        self._future: Future[Answer] = Future()
        Thread(target=self._run, args=(function,), daemon=True).start()

    def _run(self, function: Callable[[], Answer]) -> None:
        try:
            self._future.set_result(function())
        except BaseException as error:  # noqa: BLE001, it is raised where the result is asked for
            self._future.set_exception(error)

    def result(self, tell: Callable[[], object]) -> Answer:
        """Return what the function returns, or raise what it raises; call ``tell`` again and again until then."""
        while not wait([self._future], LOOK_SECONDS).done:
            tell()
        return self._future.result()
