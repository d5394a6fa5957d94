"""What the tests of search slots share: counters, a clock, and requests that take a slot."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from typing import Any, TypeVar

from service.engine.oracle import Oracle
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit, never
from service.engine.work.slots import SearchSlots, Slot, Tallies
from service.games.families.wild import OrderAndChaosGame
from service.games.game import Game
from service.games.position import Position
from service.kernel.stopping import Poll
from tests.support import HUNG_SECONDS

AnyGame = TypeVar("AnyGame", bound=Game)

COUNTED = Limit(seconds=HUNG_SECONDS, nodes=300_000)
"""Some 0.1 s of work for a compiled kernel: long, with a reproducible answer."""


class Count:
    """A tally that can be read."""

    def __init__(self) -> None:
        self.value = 0.0

    def inc(self, amount: float = 1) -> None:
        self.value += amount


class Counts:
    """The three tallies of search slots."""

    def __init__(self) -> None:
        self.running, self.waiting, self.refused = Count(), Count(), Count()
        self.tallies = Tallies(self.running, self.waiting, self.refused)

    @property
    def now(self) -> tuple[float, float, float]:
        return self.running.value, self.waiting.value, self.refused.value

    def waits(self, requests: int) -> bool:
        return self.waiting.value == requests


class Clock:
    """A clock that stands still until it is advanced."""

    def __init__(self) -> None:
        self._now = 1000.0

    def __call__(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds


def looks(times: int) -> Poll:
    """Return a poll that ends a search when it has looked so often."""
    left = iter([False] * times)
    return lambda: next(left, True)


STATES = OrderAndChaosGame(rows=4, columns=4, in_a_row=4)
LARGE_STATES = OrderAndChaosGame(rows=6, columns=6, in_a_row=5)
"""Games that are no games of lines; the first is proven by a search within a second."""


def searching(**options: Any) -> Oracle:
    """An oracle that makes no tables of states."""
    return Oracle(tablebases=Tablebases(most=1), **options)


def empty(game: AnyGame) -> Position[AnyGame]:
    return Position(game)


def enter(slot: Slot, *, give_up: Callable[[], bool] = never, seconds: float = 1, most_waited: float = inf) -> bool:
    """Whether a slot is acquired; does not wait for ever."""
    deadline = time.monotonic() + HUNG_SECONDS
    slot.acquire(seconds, lambda: give_up() or time.monotonic() >= deadline, most_waited)
    return slot.run(threading.get_ident) != threading.get_ident()


@contextmanager
def taken(slots: SearchSlots) -> Iterator[ExitStack]:
    """One request holds a slot until the end, or until the stack is closed."""
    with ExitStack() as stack:
        assert enter(stack.enter_context(slots.reserve()))
        yield stack
