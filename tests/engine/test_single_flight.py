"""SingleFlight: one thread works, the others wait, and no flight is left behind."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from service.engine.single_flight import SingleFlight

SECONDS = 10


def test_of_several_threads_that_want_the_same_result_one_works_at_a_time() -> None:
    flights, inside, may_leave = SingleFlight[str](), Semaphore(0), Semaphore(0)


def impatient(_other: Future[str | None]) -> None:
    return None


def anything(_result: str) -> bool:
    return True


class Worker:
    """Work that begins with ``started`` and ends when ``go_on`` is set."""

    def __init__(self, result: str) -> None:
        self.started, self.go_on, self.result = Event(), Event(), result

    def __call__(self) -> str:
        self.started.set()
        assert self.go_on.wait(SECONDS)
        return self.result


def forbidden() -> str:
    raise AssertionError("worked although another did")


def test_those_that_want_the_same_have_the_result_of_the_one_that_works() -> None:
    flights, work, together = SingleFlight[str](), Worker("found"), Barrier(4)

    def wait(other: Future[str | None]) -> str | None:
        together.wait(SECONDS)
        return other.result(SECONDS)

    with ThreadPoolExecutor(4) as pool:
        leader = pool.submit(flights.run, "a", work, wait=patient, suffices=anything)
        assert work.started.wait(SECONDS)
        others = [pool.submit(flights.run, "a", forbidden, wait=wait, suffices=anything) for _ in range(3)]
        together.wait(SECONDS)
        work.go_on.set()
        assert leader.result(SECONDS) == ("found", False)
        assert [other.result(SECONDS) for other in others] == [("found", True)] * 3
    assert len(flights) == 0


def test_threads_that_want_different_results_do_not_wait_for_each_other() -> None:
    flights = SingleFlight[str]()

    def nested() -> str:
        return flights.run("b", lambda: "b", wait=patient, suffices=anything)[0]

    assert flights.run("a", nested, wait=patient, suffices=anything) == ("b", False)


def test_a_thread_that_gives_up_goes_on_without_the_lock() -> None:
    flights = SingleFlight[str]()

    def nested() -> str:
        return flights.run("a", lambda: "own", wait=impatient, suffices=anything)[0]

    assert flights.run("a", nested, wait=patient, suffices=anything) == ("own", False)
    assert len(flights) == 0


def test_an_exception_releases_the_lock() -> None:
    flights = SingleFlight[str]()
    with pytest.raises(ValueError, match="fault"), flights.join("a", lambda: False):
        raise ValueError("fault")
    assert len(flights) == 0


def test_a_result_is_handed_to_the_threads_that_waited_and_to_no_later_one() -> None:
    flights = SingleFlight[str]()

    def wait() -> str | None:
        with flights.join("a", lambda: False) as flight:
            return flight.found

    with ThreadPoolExecutor(1) as thread, flights.join("a", lambda: False) as flight:
        waiting = thread.submit(wait)
        wait_until(lambda: flight.users == 2)
        flight.found = "something"
    assert waiting.result(SECONDS) == "something"
    with flights.join("a", lambda: False) as flight:
        assert flight.found is None


def test_an_exception_of_the_callback_leaves_no_flight_behind() -> None:
    flights = SingleFlight[str]()

    def fault() -> bool:
        raise KeyboardInterrupt

    with flights.join("a", lambda: False), pytest.raises(KeyboardInterrupt), flights.join("a", fault):
        pass
    assert len(flights) == 0
