"""Answers of searches that wait for a slot or are refused: what was found is right, and nothing else is kept."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial

import pytest

from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.engine.work.slots import Overloaded, SearchSlots
from service.explain.ranking import rank
from service.games.catalogue import CONNECT_FOUR, QUBIC
from tests.engine.slots import COUNTED, Clock, Counts, empty, taken
from tests.support import HUNG_SECONDS, wait_until


def test_a_refused_search_leaves_no_answer_behind() -> None:
    slots, oracle = SearchSlots(1, 0, 9), Oracle()
    with taken(slots):
        for limit in (COUNTED, Limit(HUNG_SECONDS)):
            for ask in (oracle.best_move, oracle.analyse):
                with slots.reserve() as slot, pytest.raises(Overloaded):
                    ask(empty(CONNECT_FOUR), limit=limit, slot=slot)
    asked = oracle.best_move(empty(CONNECT_FOUR), limit=COUNTED)
    assert asked.source == "search"
    assert asked.known == Oracle().best_move(empty(CONNECT_FOUR), limit=COUNTED).known


@contextmanager
def later(work: Callable[[], None], counts: Counts) -> Iterator[None]:
    """Does that as soon as a request waits for a slot, in another thread."""

    def watch() -> None:
        wait_until(partial(counts.waits, 1))
        work()

    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(watch)
        yield
        watching.result()


def test_law_1_a_node_limited_answer_is_the_same_after_a_wait_longer_than_the_clock_allows(clock: Clock) -> None:
    counts, alone = Counts(), Oracle().analyse(empty(CONNECT_FOUR), limit=COUNTED)
    slots = SearchSlots(1, 1, 9, counts.tallies)
    with taken(slots) as running, slots.reserve() as slot:

        def free() -> None:
            clock.advance(2.4)  # more than the share of the proof
            running.close()

        with later(free, counts):
            found = Oracle().analyse(empty(CONNECT_FOUR), limit=replace(COUNTED, seconds=3), slot=slot)
        assert slot.waited == pytest.approx(2.4)
    assert (rank(found), found.best.known) == (rank(alone), alone.best.known)


@pytest.mark.parametrize("nodes", [10**7, None])
def test_after_too_long_a_wait_a_node_limited_search_is_refused_and_any_other_answers_with_what_is_known(
    clock: Clock, nodes: int | None
) -> None:
    counts = Counts()
    slots = SearchSlots(1, 1, 9, counts.tallies)
    refused = nullcontext() if nodes is None else pytest.raises(Overloaded)
    with taken(slots), slots.reserve() as slot, later(partial(clock.advance, 0.4), counts), refused:
        answer = Oracle().best_move(empty(QUBIC), limit=Limit(0.3, nodes), slot=slot)
        assert not answer.proven
        assert answer.move in empty(QUBIC).legal_moves
        assert slot.waited > 0.1
