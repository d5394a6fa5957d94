"""A real Redis, and entries for it."""

from collections.abc import Iterator

import pytest

from service.engine.oracle import Oracle
from tests.redis_cache.cache import EMPTY, Entries
from tests.redis_cache.stores import Store
from tests.worlds import proof


@pytest.fixture(scope="package")
def running() -> Iterator[Store]:
    with Store() as store:
        yield store


@pytest.fixture
def store(running: Store) -> Store:
    running.client.flushall()
    return running


@pytest.fixture(scope="package")
def entries() -> Entries:
    """Proven entries of the empty board and of each position after one move."""
    oracle = Oracle()
    positions = [EMPTY, *(EMPTY.play(move) for move in EMPTY.legal_moves)]
    return {position: proof(oracle.best_move(position)) for position in positions}


@pytest.fixture
def empty_board(entries: Entries) -> Entries:
    """The entry of the empty board alone."""
    return {EMPTY: entries[EMPTY]}
