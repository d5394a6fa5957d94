"""Calls in threads of their own."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Generic, TypeVar

Answer = TypeVar("Answer")

LOOK_SECONDS = 0.1
"""The seconds between two looks at a running call."""


class Call(Generic[Answer]):
    """A call in another thread, so that this thread can show its progress and can be interrupted.

    A running call does not keep the process from ending.
    """

    def __init__(self, function: Callable[[], Answer]) -> None:
        self._future: Future[Answer] = Future()
        Thread(target=self._run, args=(function,), daemon=True).start()

    def _run(self, function: Callable[[], Answer]) -> None:
        try:
            self._future.set_result(function())
        except BaseException as error:  # noqa: BLE001, ``result`` raises it
            self._future.set_exception(error)

    def result(self, show: Callable[[], object]) -> Answer:
        """Return what the function returns, or raise what it raises; call ``show`` repeatedly until then."""
        while not wait([self._future], LOOK_SECONDS).done:
            show()
        return self._future.result()
