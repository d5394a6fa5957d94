"""Admission: light searches ask nobody, heavy ones wait or are refused, and no answer shows it."""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import inf

import pytest

from service.engine.admission import HEAVY_SECONDS, NICE, UNSEATED_SECONDS, Admission
from service.engine.gate import Gate, Overloaded, Tallies
from service.engine.limit import Budget, Effort, Limit, never
from service.engine.oracle import Oracle
from service.explain.ranking import rank
from service.explain.review import review
from service.games.catalogue import CONNECT_FOUR, CONNECT_FOUR_5X4, FOUR_IN_A_ROW_5X5, QUBIC, TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position
from tests.engine.test_gate import SECONDS, Count, counted

COUNTED = Limit(seconds=SECONDS, nodes=300_000)
"""Some 0.1 s of work for a compiled kernel: heavy, with a reproducible answer."""


class Untouched(Gate):
    """A gate of which nobody may want anything."""

    def advance(self, place: int | None, seconds: float) -> int | None:
        raise AssertionError(f"asked for a place for {seconds} s at {place}")

    def take_seat(self) -> None:
        raise AssertionError("asked for a seat")


def empty(game: Game) -> Position:
    return Position(game, 0, 0, "X")


def toil(admission: Admission) -> None:
    """Works so much that it is heavy."""
    admission.run(spin)


def spin() -> None:
    began = time.thread_time()
    while time.thread_time() - began <= HEAVY_SECONDS:
        pass


def enters(admission: Admission, *, patience: float = inf) -> bool:
    """Whether it may search on; tries no longer than ten seconds."""
    deadline = time.monotonic() + SECONDS
    try:
        return not admission.run(lambda: admission.refuses(lambda: time.monotonic() >= deadline, 1, patience=patience))
    except Overloaded:
        return False


def watched(running: int, waiting: int) -> tuple[Gate, Count]:
    """A gate, and how many wait there."""
    counts = counted()
    return Gate(running, waiting, tallies=Tallies(*counts)), counts[1]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.001)


@contextmanager
def full(gate: Gate) -> Iterator[None]:
    """Somebody has every place of the gate."""
    places = []
    while (place := gate.advance(None, SECONDS)) is not None:
        places.append(place)
    try:
        yield
    finally:
        for place in places:
            gate.leave(place)


@contextmanager
def in_thread(work: Callable[[], object]) -> Iterator[None]:
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join(SECONDS)
        assert not thread.is_alive()


# What is light, and what heavy.


def test_a_light_search_asks_nothing_of_the_gate() -> None:
    with Admission(Untouched(1, 1)) as admission:
        answer = Oracle().best_move(empty(CONNECT_FOUR_5X4), limit=Limit(SECONDS, 1000, admission=admission))
        assert answer.nodes > 0


def test_what_a_table_knows_asks_nothing_of_the_gate_however_busy_its_thread_was() -> None:
    with Admission(Untouched(1, 1)) as admission:
        toil(admission)
        assert Oracle([TIC_TAC_TOE]).best_move(empty(TIC_TAC_TOE), limit=Limit(SECONDS, admission=admission)).proven


def test_time_that_passes_without_work_makes_no_search_heavy() -> None:
    with Admission(Untouched(1, 1)) as admission:
        admission.run(lambda: time.sleep(5 * HEAVY_SECONDS))
        assert enters(admission)


def test_work_between_the_searches_makes_none_heavy() -> None:
    with Admission(Untouched(1, 1)) as admission:
        for _ in range(3):
            assert enters(admission)
            spin()  # such as for the words of an answer
        assert enters(admission)


def test_many_light_searches_are_heavy_together() -> None:
    gate, oracle, answered = Gate(1, 0), Oracle(), list[int]()

    def ask(nodes: int) -> None:
        oracle.best_move(empty(CONNECT_FOUR), limit=Limit(SECONDS, nodes, admission=admission))
        answered.append(nodes)

    with Admission(gate) as admission, full(gate), pytest.raises(Overloaded):
        deque(map(ask, range(1000, 2000)), maxlen=0)
    assert 1 < len(answered) < 999


def test_a_light_search_runs_in_the_thread_that_asks_for_it() -> None:
    with Admission(Untouched(1, 1)) as admission:
        assert {admission.run(threading.get_ident) for _ in range(3)} == {threading.get_ident()}


def test_a_search_that_becomes_heavy_begins_anew_in_a_thread_of_its_own() -> None:
    threads = []

    def search() -> bool:
        threads.append(threading.get_ident())
        spin()
        return admission.refuses(never, 1)

    with Admission(Gate(1, 0)) as admission:
        assert [admission.run(search) for _ in range(2)] == [False, False]
    mine, own, again = threads
    assert mine == threading.get_ident() != own == again


def test_what_was_searched_before_it_began_anew_counts_against_no_limit_of_nodes() -> None:
    limit = Limit(SECONDS, 3_000_000)
    alone = Oracle().best_move(empty(FOUR_IN_A_ROW_5X5), limit=limit)
    with Admission(Gate(1, 0)) as admission:
        gated = Oracle().best_move(empty(FOUR_IN_A_ROW_5X5), limit=replace(limit, admission=admission))
        assert admission.run(threading.get_ident) != threading.get_ident()
    assert alone.proven
    assert gated == alone


# Places.


def test_a_heavy_request_has_one_place_until_its_end() -> None:
    running, waiting, refused = counts = counted()
    with Admission(Gate(1, 1, tallies=Tallies(*counts))) as admission:
        for _ in range(2):
            assert not Oracle().best_move(empty(QUBIC), limit=replace(COUNTED, admission=admission)).proven
            assert (running.value, waiting.value, refused.value) == (1, 0, 0)
    assert (running.value, waiting.value, refused.value) == (0, 0, 0)


def test_a_fault_gives_the_place_and_the_seat_back() -> None:
    gate = Gate(1, 0, seats=1)

    def fail() -> None:
        with Admission(gate) as admission:
            toil(admission)
            assert enters(admission)
            raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            fail()


@pytest.mark.parametrize("waiting", [0, 1])
def test_where_every_place_is_taken_the_next_is_refused(waiting: int) -> None:
    gate = Gate(1, waiting)
    with full(gate), Admission(gate) as admission:
        toil(admission)
        assert not enters(admission)
        assert not enters(admission)  # it does not try again
    with Admission(gate) as admission:
        toil(admission)
        assert enters(admission)


def test_where_no_seat_is_left_the_next_is_refused_though_there_are_places() -> None:
    gate = Gate(4, 4, seats=1)
    with Admission(gate) as first, Admission(gate) as second:
        toil(first)
        assert enters(first)
        toil(second)
        assert not enters(second)


def test_who_waits_runs_as_soon_as_there_is_room() -> None:
    gate = Gate(1, 1)
    with ExitStack() as running, Admission(gate) as waiting:
        first = running.enter_context(Admission(gate))
        toil(first)
        assert enters(first)
        toil(waiting)
        timer = threading.Timer(0.05, running.close)
        timer.start()
        assert enters(waiting)
        timer.join()
        assert 0.01 < waiting.waited < SECONDS


def test_who_gives_up_waiting_keeps_the_place_in_the_queue() -> None:
    gate = Gate(1, 1)
    running = gate.advance(None, 1)
    with Admission(gate) as admission:
        toil(admission)
        looks = iter([False, False])
        assert not admission.run(lambda: admission.refuses(lambda: next(looks, True), 1))
        assert gate.advance(None, 1) is None  # the only place of the queue is taken
        gate.leave(running)
        assert enters(admission)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_a_heavy_search_gives_way_to_others_and_the_thread_that_asked_does_not() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    mine = priority()
    with Admission(Gate(1, 0)) as admission:
        assert admission.run(priority) == mine
        toil(admission)
        assert enters(admission)
        assert admission.run(priority) == max(NICE, mine)
    with Admission(Gate(1, 0)) as another:
        assert another.run(priority) == priority() == mine


# Answers.


def test_what_is_refused_is_no_answer_and_leaves_none() -> None:
    gate, oracle = Gate(1, 0), Oracle()
    with full(gate):
        for ask in (
            lambda limit: oracle.best_move(empty(CONNECT_FOUR), limit=limit),
            lambda limit: oracle.analyse(empty(CONNECT_FOUR), limit=limit),
            lambda limit: review(oracle, empty(CONNECT_FOUR), [3, 10, 17], limit),
        ):
            for limit in (COUNTED, Limit(SECONDS)):
                with Admission(gate) as admission, pytest.raises(Overloaded):
                    ask(replace(limit, admission=admission))
    asked = oracle.best_move(empty(CONNECT_FOUR), limit=COUNTED)
    assert asked.source == "search"
    assert asked.known == Oracle().best_move(empty(CONNECT_FOUR), limit=COUNTED).known


def test_law_1_a_node_limited_answer_is_the_same_for_who_had_to_wait_longer_than_the_clock_allows() -> None:
    gate, alone = Gate(1, 1), Oracle().analyse(empty(CONNECT_FOUR), limit=COUNTED)
    with Admission(gate) as admission:
        place = gate.advance(None, 1)
        timer = threading.Timer(2.4, gate.leave, [place])
        timer.start()
        # The search alone takes far less than the limit; with the wait it takes more than the share of the proof.
        found = Oracle().analyse(empty(CONNECT_FOUR), limit=replace(COUNTED, seconds=3, admission=admission))
        timer.join()
        assert admission.waited > 2
    assert (rank(found), found.best.known) == (rank(alone), alone.best.known)


def test_a_node_limited_search_is_refused_where_it_would_have_to_wait_too_long() -> None:
    gate = Gate(1, 1)
    place = gate.advance(None, 1)
    with Admission(gate) as admission, pytest.raises(Overloaded):
        Oracle().best_move(empty(QUBIC), limit=Limit(1, 10**7, admission=admission))
    gate.leave(place)


def test_who_waits_until_the_time_is_over_answers_what_is_known() -> None:
    gate = Gate(1, 1)
    place = gate.advance(None, 1)
    with Admission(gate) as admission:
        answer = Oracle().best_move(empty(QUBIC), limit=Limit(1, admission=admission))
        assert not answer.proven
        assert answer.move in empty(QUBIC).legal_moves
        assert admission.waited > 0.1
    gate.leave(place)


def test_a_client_that_has_gone_leaves_the_queue() -> None:
    (gate, waiting), gone = watched(1, 1), threading.Event()
    place = gate.advance(None, 1)
    limit = Limit(1000, stop=gone.is_set)

    def ask() -> None:
        with Admission(gate) as admission:
            Oracle().best_move(empty(QUBIC), limit=replace(limit, admission=admission))

    with in_thread(ask):
        wait_until(lambda: waiting.value == 1)
        gone.set()
    assert waiting.value == 0
    gate.leave(place)


def test_a_limit_counts_what_was_waited_only_where_the_clock_is_the_limit() -> None:
    gate = Gate(1, 1)
    place = gate.advance(None, 1)
    with Admission(gate) as admission:
        counted, timed = (Limit(1, nodes, admission=admission) for nodes in (100, None))
        budgets, efforts = [Budget(counted), Budget(timed)], [Effort(counted), Effort(timed)]
        toil(admission)
        began = time.monotonic()
        admission.run(lambda: admission.refuses(lambda: time.monotonic() - began > 1, 1))
        assert [effort.spent(1)() for effort in efforts] == [False, True]
        assert budgets[0].part(1).seconds > 0.5
        assert budgets[1].part(1).seconds == 0
    gate.leave(place)


# Those who wait for another's search of the same.


def test_who_waits_for_another_search_has_a_seat_once_it_takes_long() -> None:
    gate = Gate(1, 1, seats=1)
    with Admission(gate) as first, Admission(gate) as second:
        assert not first.tires()
        assert not second.tires()
        time.sleep(UNSEATED_SECONDS)
        assert not first.tires()
        with pytest.raises(Overloaded):
            second.tires()


def test_who_has_a_place_or_stands_in_the_queue_waits_for_nobody() -> None:
    gate = Gate(1, 1)
    with Admission(gate) as running, Admission(gate) as queued:
        toil(running)
        assert enters(running)
        assert running.tires()
        toil(queued)
        looks = iter([False])
        queued.run(lambda: queued.refuses(lambda: next(looks, True), 1))
        assert queued.tires()


def test_two_that_could_wait_for_each_other_both_get_their_answer() -> None:
    """One holds the only place and wants what the other searches for, who waits for that very place."""
    (gate, waiting), oracle = watched(1, 1), Oracle()
    limit = Limit(1000, 300_000)
    answers = []
    with Admission(gate) as holder:
        toil(holder)
        assert enters(holder)

        def ask() -> None:
            with Admission(gate) as admission:
                answers.append(oracle.best_move(empty(QUBIC), limit=replace(limit, admission=admission)))

        asking = threading.Thread(target=ask)
        asking.start()
        wait_until(lambda: waiting.value == 1)
        answers.append(oracle.best_move(empty(QUBIC), limit=replace(limit, admission=holder)))
    asking.join(SECONDS)
    assert len(answers) == 2
    assert answers[0].known == answers[1].known


def test_who_waits_for_one_that_is_refused_is_not_given_its_silence() -> None:
    gate, oracle, told = Gate(1, 0, seats=8), Oracle(), list[str]()
    place = gate.advance(None, 1)

    def ask() -> None:
        try:
            with Admission(gate) as admission:
                told.append(oracle.best_move(empty(QUBIC), limit=replace(COUNTED, admission=admission)).source)
        except Overloaded:
            told.append("refused")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert told == ["refused"] * 4
    gate.leave(place)


def test_without_a_gate_everything_is_admitted() -> None:
    with Admission() as admission:
        assert admission.run(threading.get_ident) == threading.get_ident()
        assert not admission.refuses(never, 1)
        assert not admission.tires()
        assert admission.waited == 0
