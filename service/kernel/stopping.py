"""How a search is told to stop, and what it raises then.

This module is never compiled, so that the compiled and the interpreted search raise the same exceptions.
"""

from collections.abc import Callable

Poll = Callable[[], bool]
"""Returns whether to stop."""


class Stopped(Exception):
    """The search was stopped, or has used up its nodes, before it had an answer."""


class ContradictoryBoundsError(Exception):
    """Two bounds on one score exclude each other, so one of them is false. Discard everything that was found."""
