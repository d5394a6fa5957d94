"""Searches that are tried again where they contradict themselves: part of what their table holds is false then."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from service.kernel.stopping import ContradictoryBoundsError

Result = TypeVar("Result")


def ignore(_position: object) -> None:
    """Do nothing."""


def first_consistent(attempts: Iterable[Callable[[], Result]], report: Callable[[], None]) -> Result | None:
    """Return what the first attempt finds that meets no contradictory bounds; None if each of them does.

    ``report`` is called after each that does.
    """
    for attempt in attempts:
        try:
            return attempt()
        except ContradictoryBoundsError:
            report()
    return None
