"""Calls in threads of their own."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
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
        self._has_ended = False
        self._end: SimpleQueue[None] = SimpleQueue()
        Thread(target=self._run, args=(function,), daemon=True).start()

    def _run(self, function: Callable[[], Answer]) -> None:
        try:
            self._future.set_result(function())
        except BaseException as error:  # noqa: BLE001, ``result`` raises it
            self._future.set_exception(error)
        self._has_ended = True
        self._end.put(None)

    def result(self, show: Callable[[], object]) -> Answer:
        """Return what the function returns, or raise what it raises; call ``show`` repeatedly until then.

        After an interrupt, call it again to wait for the end. While the call runs, this thread takes no lock of the
        future: an interrupt at the wrong moment would keep that lock for ever, and the call could not end.
        """
        while not self._has_ended:
            try:
                self._end.get(timeout=LOOK_SECONDS)
            except Empty:
                show()
        return self._future.result()
