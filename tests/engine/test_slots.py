"""Search slots: long searches hold one, wait for one in a queue, or are refused."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from math import inf
from threading import Event

import pytest

from service.app import _search_slots
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit, never
from service.engine.work.slots import RETRY_SECONDS, SHORT_SECONDS, UNCOUNTED_SECONDS, Overloaded, SearchSlots
from service.games.catalogue import QUBIC
from service.kernel.stopping import Poll
from service.metrics import Metrics
from service.settings import Settings
from tests.engine.slots import COUNTED, Clock, Counts, empty, enter, taken
from tests.support import HUNG_SECONDS, wait_until


def test_a_request_holds_one_slot_from_its_first_long_search_to_its_end_and_gives_it_back_after_a_fault() -> None:
    counts = Counts()
    slots = SearchSlots(1, 1, 2, counts.tallies)

    def fail() -> None:
        with slots.reserve() as slot:
            for _ in range(2):
                assert not Oracle().best_move(empty(QUBIC), limit=COUNTED, slot=slot).proven
                assert counts.now == (1, 0, 0)
            slot.run(lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        fail()
    assert counts.now == (0, 0, 0)


@pytest.mark.parametrize(
    ("running", "queued", "blocked"),
    [(1, 0, 9), (1, 1, 9), (4, 4, 1)],
    ids=["no queue", "a full queue", "too many blocked threads"],
)
def test_where_there_is_no_room_the_next_is_refused_at_once(running: int, queued: int, blocked: int) -> None:
    counts = Counts()
    slots = SearchSlots(running, queued, blocked, counts.tallies)
    waiting = min(queued, blocked - 1)
    with taken(slots), ExitStack() as stack:
        for _ in range(waiting):
            assert not enter(stack.enter_context(slots.reserve()), give_up=lambda: True)
        with slots.reserve() as slot, pytest.raises(Overloaded):
            enter(slot)
        assert counts.now == (1, waiting, 1)


@pytest.mark.parametrize(("seconds", "told"), [(0.2, RETRY_SECONDS[0]), (5.0, 5), (5.2, 6), (1000, RETRY_SECONDS[-1])])
def test_a_refusal_says_when_the_next_running_search_must_end(clock: Clock, seconds: float, told: int) -> None:
    slots = SearchSlots(2, 0, 9)
    with slots.reserve() as first, slots.reserve() as second, slots.reserve() as third:
        assert enter(first, seconds=seconds)
        assert enter(second, seconds=seconds + 100)
        clock.advance(0.1)
        with pytest.raises(Overloaded) as refused:
            enter(third)
    assert refused.value.seconds == told


def test_slots_are_granted_in_the_order_in_which_requests_came() -> None:
    counts, order = Counts(), list[int]()
    slots = SearchSlots(1, 3, 9, counts.tallies)

    def ask(number: int) -> None:
        with slots.reserve() as slot:
            assert enter(slot)
            order.append(number)

    with ThreadPoolExecutor(3) as crowd, taken(slots):
        for number in range(3):
            crowd.submit(ask, number)
            wait_until(partial(counts.waits, number + 1))
    assert order == [0, 1, 2]
    assert counts.now == (0, 0, 0)


def test_a_request_works_meanwhile_only_while_a_long_search_of_it_runs_in_the_pool() -> None:
    seen, begun = list[bool](), Event()

    def work(is_done: Poll) -> None:
        seen.append(is_done())
        begun.set()
        wait_until(is_done)

    with SearchSlots(1, 0, 1).reserve() as slot:
        with slot.meanwhile(work):
            assert slot.run(begun.is_set) is False
        assert enter(slot)
        with slot.meanwhile(work):
            assert slot.run(lambda: begun.wait(HUNG_SECONDS))
        assert not slot.run(lambda: Event().wait(10 * SHORT_SECONDS))
    assert seen == [False]


def test_a_request_that_gives_up_waiting_keeps_its_place_in_the_queue_until_its_end() -> None:
    counts = Counts()
    slots = SearchSlots(1, 1, 9, counts.tallies)
    with taken(slots) as running, slots.reserve() as slot:
        assert not enter(slot, give_up=lambda: True)
        assert counts.now == (1, 1, 0)
        running.close()
        assert enter(slot)
        assert counts.now == (1, 0, 0)
    assert counts.now == (0, 0, 0)


# Waiting for another's search of the same.


def test_a_request_that_waits_long_for_another_search_is_counted_as_blocked(clock: Clock) -> None:
    slots, other = SearchSlots(1, 1, 1), Future[str]()

    def wait() -> bool:
        clock.advance(UNCOUNTED_SECONDS)
        return False

    with slots.reserve() as first, slots.reserve() as second:
        assert first.wait_for(other, lambda: wait() or clock() > 1001, inf) is None
        with pytest.raises(Overloaded):
            second.wait_for(other, wait, inf)


def test_where_as_many_are_blocked_as_may_be_the_next_waits_for_no_other_not_even_for_a_moment(clock: Clock) -> None:
    """The clock stands still, so a request that is not refused at once waits for ever."""
    counts, other = Counts(), Future[str]()
    slots = SearchSlots(1, 0, 1, counts.tallies)
    with taken(slots):
        before = clock()
        for refused in range(1, 600):
            with slots.reserve() as slot, pytest.raises(Overloaded):
                slot.wait_for(other, never, inf)
            assert counts.now == (1, 0, refused)
        assert clock() == before
    other.set_result("found")
    with taken(slots), slots.reserve() as slot:
        assert slot.wait_for(other, never, inf) == "found"


def test_two_threads_of_a_worker_are_free_of_searches_and_one_of_a_crowd_that_wants_the_same(clock: Clock) -> None:
    """The clock stands still: two of four requests could be counted as blocked, and one more waits for a moment."""
    slots = _search_slots(Settings(workers=1, threads=4, max_searches=4, max_queued=4), Metrics())
    with taken(slots), taken(slots), slots.reserve() as third, pytest.raises(Overloaded):
        enter(third)
    other, refused, began = Future[str](), list[int](), clock()

    def ask(number: int) -> str:
        with slots.reserve() as slot:
            try:
                return str(slot.wait_for(other, never, inf))
            except Overloaded:
                refused.append(number)
                return "refused"

    with ThreadPoolExecutor(4) as crowd:
        asked = [crowd.submit(ask, number) for number in range(4)]
        wait_until(lambda: refused)
        other.set_result("found")
        assert sorted(each.result(HUNG_SECONDS) for each in asked) == ["found"] * 3 + ["refused"]
    assert clock() == began


def test_a_request_that_holds_a_slot_or_stands_in_the_queue_waits_only_for_what_needs_none() -> None:
    slots, other = SearchSlots(1, 1, 9), Future[str]()
    with slots.reserve() as running, slots.reserve() as queued, ThreadPoolExecutor(1) as pool:
        assert enter(running)
        assert running.wait_for(other, never, inf) is None
        assert not enter(queued, give_up=lambda: True)
        assert queued.wait_for(other, never, inf) is None
        asked = pool.submit(running.wait_for, other, never, inf, within=True)
        other.set_result("made")
        assert asked.result(HUNG_SECONDS) == "made"


def test_two_requests_that_could_wait_for_each_other_both_get_their_answer() -> None:
    """One holds the only slot and wants what the other searches for, which waits for that very slot."""
    counts, oracle, limit = Counts(), Oracle(), Limit(1000, 300_000)
    slots = SearchSlots(1, 1, 9, counts.tallies)

    def ask() -> object:
        with slots.reserve() as slot:
            return oracle.best_move(empty(QUBIC), limit=limit, slot=slot).known

    with ThreadPoolExecutor(1) as pool:
        with slots.reserve() as holder:
            assert enter(holder)
            asked = pool.submit(ask)
            wait_until(partial(counts.waits, 1))
            found = oracle.best_move(empty(QUBIC), limit=limit, slot=holder).known
        assert asked.result(HUNG_SECONDS) == found
