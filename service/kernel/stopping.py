"""Stopping a search: the poll that it calls, and the exceptions that it raises.

This module is never compiled, so that the compiled and the interpreted search raise the same exceptions.
"""

from collections.abc import Callable

Poll = Callable[[], bool]
"""A function without arguments that a search calls regularly; it returns True to stop the search."""


class Stopped(Exception):
    """The search was stopped, or reached its limit of nodes, before it had a result."""


class ContradictoryBoundsError(Exception):
    """Two bounds on one score exclude each other, so one of them is false. Discard all results."""
