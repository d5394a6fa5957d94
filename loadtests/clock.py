"""Limits in processor time, so that other work of the machine does not weaken the play."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from unittest.mock import patch


@contextmanager
def processor_time() -> Iterator[None]:
    """Count the seconds of the limits of the engine in processor time of the thread that searches."""
    with patch("service.engine.work.limit.monotonic", thread_time):
        yield
