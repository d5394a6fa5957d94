"""Parts of one task, done by several threads."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 16
"""Parts that a pool may have begun before the first of them is used."""


def in_order(function: Callable[[Item], Result], items: Iterable[Item], pool: Executor | None) -> Generator[Result]:
    """Yield the result of a function for each item, in their order; without a pool, each when it is asked for.

    The pool begins no more of them when the iterator is closed.
    """
    if pool is None:
        yield from map(function, items)
        return
    ahead = deque[Future[Result]]()
    try:
        for item in items:
            ahead.append(_begun(function, item, pool))
            if len(ahead) > AHEAD:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        for future in ahead:
            future.cancel()


def _begun(function: Callable[[Item], Result], item: Item, pool: Executor) -> Future[Result]:
    """Begin a part; do it here if the system starts no further thread."""
    try:
        return pool.submit(function, item)
    except RuntimeError:
        future = Future[Result]()
        future.set_result(function(item))
        return future
