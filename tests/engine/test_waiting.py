"""Answers of searches that wait for a slot or are refused: what was found is right, and nothing else is kept."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial

import pytest

from service.engine.oracle import Oracle
from service.engine.work.limit import Budget, Effort, Limit
from service.engine.work.slots import Overloaded, SearchSlots
from service.explain.ranking import rank
from service.explain.review import review
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.families.notakto import NotaktoGame
from service.games.position import Position
from tests.engine.slots import COUNTED, Clock, Counts, empty, enter, taken
from tests.support import HUNG_SECONDS, wait_until


def test_a_refused_search_leaves_no_answer_behind() -> None:
    slots, oracle = SearchSlots(1, 0, 9), Oracle()
    with taken(slots):
        for limit in (COUNTED, Limit(HUNG_SECONDS)):
            for ask in (
                lambda limit, slot: oracle.best_move(empty(CONNECT_FOUR), limit=limit, slot=slot),
                lambda limit, slot: oracle.analyse(empty(CONNECT_FOUR), limit=limit, slot=slot),
                lambda limit, slot: review(oracle, empty(CONNECT_FOUR), [3, 10, 17], limit, slot),
            ):
                with slots.reserve() as slot, pytest.raises(Overloaded):
                    ask(limit, slot)
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


@pytest.mark.parametrize("limit", [Limit(HUNG_SECONDS), Limit(HUNG_SECONDS, 1000)])
def test_a_request_that_holds_a_slot_waits_for_a_table_too(limit: Limit) -> None:
    with SearchSlots(1, 0, 9).reserve() as slot:
        enter(slot)
        assert Oracle().best_move(Position(NotaktoGame()), limit=limit, slot=slot).exact


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


def test_a_client_that_has_gone_leaves_the_queue() -> None:
    counts, gone = Counts(), threading.Event()
    slots = SearchSlots(1, 1, 9, counts.tallies)

    def ask() -> None:
        with slots.reserve() as slot:
            Oracle().best_move(empty(QUBIC), limit=Limit(1000, stop=gone.is_set), slot=slot)

    with taken(slots), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        wait_until(partial(counts.waits, 1))
        gone.set()
        asked.result(HUNG_SECONDS)
        assert counts.now == (1, 0, 0)


def test_waiting_counts_against_a_limit_of_time_and_not_against_the_clock_of_one_of_nodes(clock: Clock) -> None:
    slots = SearchSlots(1, 1, 9)

    def give_up() -> bool:
        clock.advance(0.4)
        return True

    with taken(slots), slots.reserve() as slot:
        counted, timed = (Limit(0.3, nodes) for nodes in (100, None))
        budgets, efforts = [Budget(counted, slot), Budget(timed, slot)], [Effort(counted, slot), Effort(timed, slot)]
        enter(slot, give_up=give_up)
        assert [effort.spent(1)() for effort in efforts] == [False, True]
        assert budgets[0].part(1).seconds == pytest.approx(0.3)
        assert budgets[1].part(1).seconds == 0
