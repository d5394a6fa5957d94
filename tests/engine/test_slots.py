"""Search slots: light searches need none, long ones wait or are refused, and no answer shows it."""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from math import inf

import pytest

from service.engine.limit import Budget, Effort, Limit, never
from service.engine.oracle import Oracle
from service.engine.slots import (
    LIGHT_NODES,
    NICE,
    RETRY_SECONDS,
    LightBudgetSpent,
    Overloaded,
    SearchSlots,
    Slot,
    Tallies,
    reserve,
)
from service.explain.ranking import rank
from service.explain.review import review
from service.games.catalogue import CONNECT_FOUR, CONNECT_FOUR_5X4, FOUR_IN_A_ROW_5X5, QUBIC, TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position

SECONDS = 10
"""Much longer than anything here takes; a test that waits so long has failed."""

COUNTED = Limit(seconds=SECONDS, nodes=300_000)
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


def no_room() -> SearchSlots:
    """Slots that nothing may take."""
    return SearchSlots(1, 0, 0)


def empty(game: Game) -> Position:
    return Position(game, 0, 0, "X")


def enter(slot: Slot, *, give_up: Callable[[], bool] = never, seconds: float = 1, most_waited: float = inf) -> bool:
    """Whether a slot is acquired; waits no longer than ten seconds."""
    deadline = time.monotonic() + SECONDS
    slot.acquire(seconds, lambda: give_up() or time.monotonic() >= deadline, most_waited)
    return slot.run(threading.get_ident) != threading.get_ident()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.001)


@contextmanager
def taken(slots: SearchSlots) -> Iterator[ExitStack]:
    """One request holds a slot until the end, or until the stack is closed."""
    with ExitStack() as stack:
        assert enter(stack.enter_context(slots.reserve()))
        yield stack


# Two phases.


def test_a_light_search_needs_no_slot_and_runs_in_the_thread_that_asks() -> None:
    with no_room().reserve() as slot:
        limit = Limit(SECONDS, 1000)
        assert Oracle().best_move(empty(CONNECT_FOUR_5X4), limit=limit, slot=slot).nodes > 0
        assert Effort(limit, slot).run(threading.get_ident) == threading.get_ident()
        assert not slot.entered


def test_a_position_of_a_complete_table_needs_no_slot_however_much_was_searched_before() -> None:
    with no_room().reserve() as slot:
        slot.spend_light(LIGHT_NODES)
        assert Oracle([TIC_TAC_TOE]).best_move(empty(TIC_TAC_TOE), slot=slot).proven


def test_many_light_searches_of_one_request_need_a_slot_together() -> None:
    oracle, answered = Oracle(), list[int]()
    with no_room().reserve() as slot:

        def ask(nodes: int) -> None:
            oracle.best_move(empty(CONNECT_FOUR), limit=Limit(SECONDS, nodes), slot=slot)
            answered.append(nodes)

        with pytest.raises(Overloaded):
            deque(map(ask, range(300, 1300)), maxlen=0)
    assert 1 < len(answered) <= LIGHT_NODES // 300


def test_a_search_that_becomes_long_goes_on_in_the_pool_and_so_do_all_that_follow() -> None:
    threads = []
    with SearchSlots(1, 0, 1).reserve() as slot:
        effort = Effort(Limit(SECONDS), slot)

        def search() -> None:
            threads.append(threading.get_ident())
            slot.check_light(LIGHT_NODES + 1)

        effort.run(search)
        effort.run(search)
    mine, second_phase, later = threads
    assert mine == threading.get_ident() != second_phase == later


def test_where_time_is_the_limit_the_second_phase_finds_what_the_first_has_stored() -> None:
    oracle, position = Oracle(table_mb=16), empty(FOUR_IN_A_ROW_5X5)
    alone = Oracle(table_mb=16).best_move(position)
    with SearchSlots(1, 0, 1).reserve() as slot:
        two_phases = oracle.best_move(position, slot=slot)
        assert slot.entered
    assert two_phases.known == alone.known
    assert two_phases.nodes < alone.nodes * 1.5


@pytest.mark.parametrize("game", [CONNECT_FOUR, QUBIC, FOUR_IN_A_ROW_5X5], ids=lambda game: game.id)
@pytest.mark.parametrize("nodes", [-1, LIGHT_NODES, 10 * LIGHT_NODES])
def test_law_1_a_node_limited_answer_is_the_same_wherever_the_first_phase_ends(
    game: Game, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = Oracle().analyse(empty(game), limit=COUNTED)
    monkeypatch.setattr("service.engine.slots.LIGHT_NODES", nodes)
    with SearchSlots(1, 0, 1).reserve() as slot:
        found = Oracle().analyse(empty(game), limit=COUNTED, slot=slot)
        assert slot.entered
    assert (rank(found), found.best) == (rank(alone), alone.best)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_a_search_in_a_slot_has_a_low_priority_and_the_thread_that_asks_keeps_its_own() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    mine = priority()
    with SearchSlots(1, 0, 1).reserve() as slot:
        assert enter(slot)
        assert slot.run(priority) == max(NICE, mine)
    assert priority() == mine


def test_without_slots_every_search_just_runs() -> None:
    with reserve(None) as slot:
        assert slot is None
        assert Effort(Limit(SECONDS), slot).run(threading.get_ident) == threading.get_ident()


# Slots and the queue.


def test_a_request_holds_one_slot_from_its_first_long_search_to_its_end() -> None:
    counts = Counts()
    with SearchSlots(1, 1, 2, counts.tallies).reserve() as slot:
        for _ in range(2):
            assert not Oracle().best_move(empty(QUBIC), limit=COUNTED, slot=slot).proven
            assert counts.now == (1, 0, 0)
    assert counts.now == (0, 0, 0)


def test_a_fault_gives_the_slot_back() -> None:
    slots = SearchSlots(1, 0, 1)

    def fail() -> None:
        with slots.reserve() as slot:
            assert enter(slot)
            slot.run(lambda: 1 // 0)

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            fail()


@pytest.mark.parametrize("queued", [0, 1])
def test_where_slots_and_queue_are_full_the_next_is_refused_at_once(queued: int) -> None:
    counts = Counts()
    slots = SearchSlots(1, queued, 9, counts.tallies)
    with taken(slots), ExitStack() as stack:
        for _ in range(queued):
            assert not enter(stack.enter_context(slots.reserve()), give_up=lambda: True)
        with slots.reserve() as slot, pytest.raises(Overloaded):
            enter(slot)
        assert counts.now == (1, queued, 1)
    with slots.reserve() as slot:
        assert enter(slot)


@pytest.mark.parametrize(("seconds", "told"), [(0.2, RETRY_SECONDS[0]), (4.5, 5), (1000, RETRY_SECONDS[-1])])
def test_a_refusal_says_when_the_next_running_search_must_end(seconds: float, told: int) -> None:
    slots = SearchSlots(2, 0, 9)
    with slots.reserve() as first, slots.reserve() as second, slots.reserve() as third:
        assert enter(first, seconds=seconds)
        assert enter(second, seconds=seconds + 100)
        with pytest.raises(Overloaded) as refused:
            enter(third)
    assert refused.value.seconds == told


def test_where_too_many_threads_are_blocked_the_next_is_refused_though_slots_are_free() -> None:
    slots = SearchSlots(4, 4, 1)
    with taken(slots), slots.reserve() as slot, pytest.raises(Overloaded):
        enter(slot)


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


# Answers.


def test_a_refused_search_leaves_no_answer_behind() -> None:
    slots, oracle = SearchSlots(1, 0, 9), Oracle()
    with taken(slots):
        for limit in (COUNTED, Limit(SECONDS)):
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


def test_law_1_a_node_limited_answer_is_the_same_after_a_wait_longer_than_the_clock_allows() -> None:
    slots, alone = SearchSlots(1, 1, 9), Oracle().analyse(empty(CONNECT_FOUR), limit=COUNTED)
    with taken(slots) as running, slots.reserve() as slot:
        timer = threading.Timer(2.4, running.close)
        timer.start()
        # The search alone takes far less than the limit; with the wait it takes more than the share of the proof.
        found = Oracle().analyse(empty(CONNECT_FOUR), limit=replace(COUNTED, seconds=3), slot=slot)
        timer.join()
        assert slot.waited > 2
    assert (rank(found), found.best.known) == (rank(alone), alone.best.known)


def test_a_node_limited_search_is_refused_where_it_would_have_to_wait_too_long() -> None:
    slots = SearchSlots(1, 1, 9)
    with taken(slots), slots.reserve() as slot, pytest.raises(Overloaded):
        Oracle().best_move(empty(QUBIC), limit=Limit(0.3, 10**7), slot=slot)


def test_a_search_whose_time_ends_in_the_queue_is_answered_with_what_is_known() -> None:
    slots = SearchSlots(1, 1, 9)
    with taken(slots), slots.reserve() as slot:
        answer = Oracle().best_move(empty(QUBIC), limit=Limit(0.3), slot=slot)
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
        asked.result(SECONDS)
        assert counts.now == (1, 0, 0)


def test_waiting_counts_against_a_limit_of_time_and_not_against_the_clock_of_one_of_nodes() -> None:
    slots = SearchSlots(1, 1, 9)
    with taken(slots), slots.reserve() as slot:
        counted, timed = (Limit(0.3, nodes) for nodes in (100, None))
        budgets, efforts = [Budget(counted, slot), Budget(timed, slot)], [Effort(counted, slot), Effort(timed, slot)]
        began = time.monotonic()
        enter(slot, give_up=lambda: time.monotonic() - began > 0.3)
        assert [effort.spent(1)() for effort in efforts] == [False, True]
        assert budgets[0].part(1).seconds > 0.1
        assert budgets[1].part(1).seconds == 0


# Waiting for another's search of the same.


def test_a_request_that_waits_long_for_another_search_is_counted_as_blocked() -> None:
    slots, other = SearchSlots(1, 1, 1), Future[str]()
    with taken(slots), slots.reserve() as slot:
        with pytest.raises(Overloaded):
            slot.wait_for(other, never, inf)
        other.set_result("found")
        assert slot.wait_for(other, never, inf) == "found"


def test_a_request_that_holds_a_slot_or_stands_in_the_queue_waits_for_no_other() -> None:
    slots, other = SearchSlots(1, 1, 9), Future[str]()
    with slots.reserve() as running, slots.reserve() as queued:
        assert enter(running)
        assert running.wait_for(other, never, inf) is None
        assert not enter(queued, give_up=lambda: True)
        assert queued.wait_for(other, never, inf) is None


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
        assert asked.result(SECONDS) == found


def test_requests_that_wait_for_one_that_is_refused_are_refused_themselves() -> None:
    slots, oracle = SearchSlots(1, 0, 9), Oracle()

    def ask(_number: int) -> str:
        try:
            with slots.reserve() as slot:
                return oracle.best_move(empty(QUBIC), limit=COUNTED, slot=slot).source
        except Overloaded:
            return "refused"

    with taken(slots), ThreadPoolExecutor(4) as crowd:
        assert [*crowd.map(ask, range(4))] == ["refused"] * 4


def test_a_search_beyond_the_light_budget_is_stopped_until_a_slot_was_asked_for() -> None:
    with SearchSlots(1, 0, 1).reserve() as slot:
        slot.check_light(LIGHT_NODES)
        with pytest.raises(LightBudgetSpent):
            slot.check_light(LIGHT_NODES + 1)
        assert enter(slot)
        slot.check_light(LIGHT_NODES + 1)
