"""Searches in two phases: light ones need no slot, long ones go on in one, and no answer shows it."""

import gc
import os
import sys
import threading
from collections.abc import Iterator
from functools import partial
from weakref import ref

import pytest

from service.engine.oracle import Oracle
from service.engine.work.limit import Effort, Limit
from service.engine.work.slots import LIGHT_NODES, NICE, Overloaded, SearchSlots
from service.explain.ranking import rank
from service.games.catalogue import CONNECT_FOUR, CONNECT_FOUR_5X4, FOUR_IN_A_ROW_5X5, QUBIC, TIC_TAC_TOE
from service.games.game import Game
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_memory
from tests.engine.slots import COUNTED, LARGE_STATES, STATES, empty, enter, looks, searching
from tests.support import HUNG_SECONDS


def no_room() -> SearchSlots:
    """Slots that nothing may take."""
    return SearchSlots(1, 0, 0)


def test_a_light_search_needs_no_slot_and_runs_in_the_thread_that_asks_and_a_table_never_needs_one() -> None:
    with no_room().reserve() as slot:
        limit = Limit(HUNG_SECONDS, 1000)
        assert Oracle().best_move(empty(CONNECT_FOUR_5X4), limit=limit, slot=slot).nodes > 0
        assert Effort(limit, slot).run(threading.get_ident) == threading.get_ident()
        slot.spend_light(LIGHT_NODES)
        assert Oracle([TIC_TAC_TOE]).best_move(empty(TIC_TAC_TOE), slot=slot).exact
        assert not slot.entered


def test_many_light_searches_of_one_request_need_a_slot_together() -> None:
    oracle, asked = Oracle(), iter(range(300, 1300))
    limits = (Limit(HUNG_SECONDS, nodes) for nodes in asked)
    with no_room().reserve() as slot, pytest.raises(Overloaded):
        all(oracle.best_move(empty(CONNECT_FOUR), limit=limit, slot=slot) for limit in limits)
    assert 302 < next(asked) <= 301 + LIGHT_NODES // 300


def test_a_search_that_becomes_long_goes_on_in_the_pool_and_so_do_all_that_follow() -> None:
    threads = []
    with SearchSlots(1, 0, 1).reserve() as slot:
        effort = Effort(Limit(HUNG_SECONDS), slot)
        slot.check_light(LIGHT_NODES)

        def search() -> None:
            threads.append(threading.get_ident())
            slot.check_light(LIGHT_NODES + 1)  # stops it until a slot was asked for

        effort.run(search)
        effort.run(search)
    mine, second_phase, later = threads
    assert mine == threading.get_ident() != second_phase == later


@pytest.mark.parametrize("game", [FOUR_IN_A_ROW_5X5, STATES], ids=["lines", "states"])
def test_where_time_is_the_limit_the_second_phase_finds_what_the_first_has_stored(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = searching(table_mb=16).best_move(empty(game))
    monkeypatch.setattr("service.engine.work.slots.LIGHT_NODES", alone.nodes * 3 // 4)
    with SearchSlots(1, 0, 1).reserve() as slot:
        two_phases = searching(table_mb=16).best_move(empty(game), slot=slot)
        assert slot.entered
    assert two_phases.known == alone.known
    assert two_phases.nodes < alone.nodes * 1.5


@pytest.mark.parametrize("game", [CONNECT_FOUR, QUBIC, FOUR_IN_A_ROW_5X5, LARGE_STATES], ids=lambda game: game.id)
def test_law_1_a_node_limited_answer_is_the_same_wherever_the_first_phase_ends_and_whatever_was_asked_before(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, used = searching().analyse(empty(game), limit=COUNTED), searching()
    used.best_move(empty(game), limit=Limit(HUNG_SECONDS, stop=looks(8)))
    for nodes in (-1, LIGHT_NODES, 10 * LIGHT_NODES):
        monkeypatch.setattr("service.engine.work.slots.LIGHT_NODES", nodes)
        with SearchSlots(1, 0, 1).reserve() as slot:
            found = used.analyse(empty(game), limit=COUNTED, slot=slot)
            assert slot.entered
        assert (rank(found), found.best) == (rank(alone), alone.best), nodes


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_a_search_in_a_slot_has_a_low_priority_and_the_thread_that_asks_keeps_its_own() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    mine = priority()
    with SearchSlots(1, 0, 1).reserve() as slot:
        assert enter(slot)
        assert slot.run(priority) == max(NICE, mine)
    assert priority() == mine


# Work in steps, which is no search.


def test_steps_need_a_slot_once_they_are_no_longer_light_and_stay_in_their_thread() -> None:
    held, threads = list[bool](), set[int]()
    with SearchSlots(1, 0, 1).reserve() as slot:

        def steps() -> Iterator[int]:
            for nodes in (1, LIGHT_NODES - 1, 1, 1):
                yield nodes
                held.append(slot.entered)
                threads.add(threading.get_ident())

        Effort(Limit(HUNG_SECONDS), slot).work(steps())
    assert held == [False, False, True, True]
    assert threads == {threading.get_ident()}


def test_the_memory_of_the_searches_of_a_request_is_free_at_its_end_without_the_garbage_collector() -> None:
    gc.disable()
    try:
        with SearchSlots(1, 0, 1).reserve() as slot:
            effort = Effort(COUNTED, slot)
            search, steps = effort.search(partial(Search, QUBIC.lay_out(), private_memory(0)), 1), effort.steps()
            gone = ref(effort)
            del effort, search, steps
            assert gone() is None
    finally:
        gc.enable()
