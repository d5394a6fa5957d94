"""Limits in processor time, so that other work of the machine does not weaken the play."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from unittest.mock import patch

HOURS = 10_000.0
"""Seconds that never end a search whose nodes are limited, so that its result is the same on any machine."""


@contextmanager
def processor_time() -> Iterator[None]:
    """Count the seconds of the limits of the engine in processor time of the thread that searches."""
    with patch("service.engine.work.limit.monotonic", thread_time):
        yield
