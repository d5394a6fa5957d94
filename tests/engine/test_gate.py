"""The gate: so many at once on the machine, so many in line, in order; and whoever dies is forgotten."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from service.engine.gate import RETRY_SECONDS, Gate, Overloaded, Tallies

SECONDS = 10
"""Much longer than anything here takes; a test that waits so long has failed."""


class Count:
    """A number that a gate keeps."""

    def __init__(self) -> None:
        self.value = 0.0

    def inc(self, amount: float = 1) -> None:
        self.value += amount


def counted() -> tuple[Count, Count, Count]:
    return Count(), Count(), Count()


def enter(gate: Gate, place: int | None = None) -> int | None:
    return gate.advance(place, SECONDS)


def wait_to_run(gate: Gate, place: int | None) -> int:
    deadline = time.monotonic() + SECONDS
    while not gate.is_running(place := enter(gate, place)):
        assert time.monotonic() < deadline, "nobody made room"
        time.sleep(0.001)
    assert place is not None
    return place


@contextmanager
def another_process(work: Callable[[], object]) -> Iterator[int]:
    """The id of a process that has done the work and stays, until it is killed."""
    done, told = os.pipe()
    child = os.fork()
    if child == 0:
        work()
        os.write(told, b"!")
        signal.pause()
        os._exit(0)
    try:
        assert os.read(done, 1) == b"!"
        yield child
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(done)
        os.close(told)


def test_as_many_run_as_there_are_places_and_the_next_ones_queue_until_that_is_full() -> None:
    gate = Gate(2, 3)
    places = [enter(gate) for _ in range(6)]
    assert [gate.is_running(place) for place in places] == [True, True, False, False, False, False]
    assert places == [0, 1, 2, 3, 4, None]


def test_who_is_nowhere_comes_in_only_at_the_end_of_the_queue() -> None:
    gate = Gate(1, 2)
    running, first, second = (enter(gate) for _ in range(3))
    gate.leave(first)
    assert enter(gate) is None  # the second could still move up
    assert enter(gate, second) == first
    assert enter(gate) == second
    assert gate.is_running(running)


@pytest.mark.parametrize("waiting", [0, 1, 5])
def test_a_place_that_was_left_can_be_taken_again(waiting: int) -> None:
    gate = Gate(1, waiting)
    for _ in range(5):
        place = enter(gate)
        assert gate.is_running(place)
        gate.leave(place)


def test_without_a_queue_there_is_a_place_to_run_or_none() -> None:
    gate = Gate(2, 0)
    assert [enter(gate) for _ in range(3)] == [0, 1, None]
    gate.leave(0)
    assert enter(gate) == 0


def test_nobody_overtakes_in_the_queue() -> None:
    gate, order = Gate(1, 4), list[int]()
    running = enter(gate)

    def wait(number: int, place: int | None) -> None:
        place = wait_to_run(gate, place)
        order.append(number)
        gate.leave(place)

    places = [enter(gate) for _ in range(4)]
    threads = [threading.Thread(target=wait, args=ticket) for ticket in reversed([*enumerate(places)])]
    for thread in threads:
        thread.start()
    time.sleep(0.02)
    assert order == []
    gate.leave(running)
    for thread in threads:
        thread.join(SECONDS)
    assert order == [0, 1, 2, 3]


def test_nobody_overtakes_in_a_queue_of_several_processes() -> None:
    gate, (done, told) = Gate(1, 4), os.pipe()

    def wait(number: int, place: int | None) -> None:
        wait_to_run(gate, place)
        os.write(told, b"%d" % number)
        os._exit(0)  # which gives the place back

    with another_process(lambda: enter(gate)):
        children = []
        for number in range(4):
            in_line, lined_up = os.pipe()
            if (child := os.fork()) == 0:
                place = enter(gate)
                os.write(lined_up, b"!")
                wait(number, place)
            assert os.read(in_line, 1) == b"!"
            children.append(child)
        assert enter(gate) is None
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert os.read(done, 100) == b"0123"
    assert gate.is_running(enter(gate))


def test_processes_share_the_places() -> None:
    gate = Gate(3, 2)
    with another_process(lambda: [enter(gate) for _ in range(2)]):
        assert [enter(gate) for _ in range(4)] == [2, 3, 4, None]


def test_a_process_that_is_killed_gives_its_places_back() -> None:
    gate = Gate(1, 2)
    with ExitStack() as stack:
        stack.enter_context(another_process(lambda: [enter(gate) for _ in range(2)]))
        mine = enter(gate)
        assert not gate.is_running(mine)
        assert enter(gate, mine) == mine
        stack.close()
        assert gate.is_running(wait_to_run(gate, mine))
    assert [enter(gate) for _ in range(2)] == [1, 2]


def test_never_do_more_run_than_may_however_many_push() -> None:
    gate, guard, inside, most = Gate(2, 3), threading.Lock(), [0], [0]

    def push() -> None:
        for _ in range(20):
            place = wait_to_run(gate, None)
            with guard:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            time.sleep(0.0005)
            with guard:
                inside[0] -= 1
            gate.leave(place)

    threads = [threading.Thread(target=push) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert most == [2]


def test_a_process_has_only_so_many_seats() -> None:
    gate = Gate(8, 8, seats=2)
    gate.take_seat()
    gate.take_seat()
    with pytest.raises(Overloaded):
        gate.take_seat()
    with another_process(gate.leave_seat), pytest.raises(Overloaded):  # those of another process are its own
        gate.take_seat()
    gate.leave_seat()
    gate.take_seat()


@pytest.mark.parametrize(("longest", "told"), [(0.5, 1), (4.5, 5), (3600, RETRY_SECONDS[-1])])
def test_who_is_refused_learns_when_the_next_search_should_end_whoever_runs_it(longest: float, told: int) -> None:
    gate = Gate(2, 0)
    with another_process(lambda: (gate.advance(None, longest), gate.advance(None, 3600))):
        assert gate.refusal().seconds == told


def test_what_goes_on_is_counted() -> None:
    running, waiting, refused = counts = counted()
    gate = Gate(1, 2, tallies=Tallies(*counts))

    def told() -> tuple[float, float, float]:
        return running.value, waiting.value, refused.value

    first, second, third = (enter(gate) for _ in range(3))
    assert told() == (1, 2, 0)
    gate.refusal()
    gate.leave(first)
    second = enter(gate, second)
    assert told() == (1, 1, 1)
    gate.leave(third)
    gate.leave(second)
    assert told() == (0, 0, 1)


def test_where_there_is_no_file_in_memory_one_without_a_name_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    gate = Gate(1, 1)
    with another_process(lambda: enter(gate)):
        assert enter(gate) == 1
