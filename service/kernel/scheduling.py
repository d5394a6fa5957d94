"""Give way to other threads, and to signals. ``scheduling.pxd`` has the same in C, for the compiled kernel."""

import os
import time

SECONDS = 0.0003
"""How long a search may keep a processor to itself."""


def give_way(since: float) -> float:
    """Let another thread run if one waits for this processor; return the time by the monotonic clock.

    Do nothing and return ``since``, the time when that was done before, if it is less than ``SECONDS`` ago. A lower
    priority is not enough: Linux may let a thread that wakes up wait until the time slice of a search is over, 3 ms.
    """
    now = time.monotonic()
    if now - since < SECONDS:
        return since
    os.sched_yield()
    return now


def check_signals() -> None:
    """Handle signals that have come, as Python does by itself; compiled code has to ask. Raises KeyboardInterrupt."""
