"""SingleFlight: one works, the others wait, and nothing is left behind."""

import threading
import time

import pytest

from service.engine.single_flight import SingleFlight

SECONDS = 10


def test_of_several_that_want_the_same_only_one_works_at_a_time() -> None:
    flights, inside, most = SingleFlight[str](), [0], [0]

    def work() -> None:
        with flights.join("a", lambda: False):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.002)
            inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert most == [1]
    assert len(flights) == 0


def test_different_things_do_not_wait_for_each_other() -> None:
    flights = SingleFlight[str]()
    with flights.join("a", lambda: False), flights.join("b", lambda: False):
        assert len(flights) == 2


def test_who_gives_up_goes_on_without_a_turn() -> None:
    flights = SingleFlight[str]()
    with flights.join("a", lambda: False):
        with flights.join("a", lambda: True):
            assert len(flights) == 1
        assert len(flights) == 1
        with flights.join("a", lambda: True):
            pass
    assert len(flights) == 0


def test_a_fault_gives_the_turn_back() -> None:
    flights = SingleFlight[str]()
    with pytest.raises(ValueError, match="fault"), flights.join("a", lambda: False):
        raise ValueError("fault")
    assert len(flights) == 0
    with flights.join("a", lambda: False):
        pass


def test_what_one_leaves_is_there_for_those_who_waited_and_for_nobody_later() -> None:
    flights, seen, started = SingleFlight[str](), [""], threading.Event()

    def wait() -> None:
        started.set()
        with flights.join("a", lambda: False) as flight:
            seen[0] = flight.found or "nothing"

    waiting = threading.Thread(target=wait)
    with flights.join("a", lambda: False) as flight:
        waiting.start()
        started.wait(SECONDS)
        while flight.users < 2:
            time.sleep(0.001)
        flight.found = "something"
    waiting.join(SECONDS)
    assert seen == ["something"]
    with flights.join("a", lambda: False) as flight:
        assert flight.found is None


def test_a_fault_of_who_says_to_give_up_leaves_nothing_behind() -> None:
    flights = SingleFlight[str]()

    def fault() -> bool:
        raise KeyboardInterrupt

    with flights.join("a", lambda: False), pytest.raises(KeyboardInterrupt), flights.join("a", fault):
        pass
    assert len(flights) == 0
