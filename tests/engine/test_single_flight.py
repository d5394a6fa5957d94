"""SingleFlight: one works, the others wait for its result, and nothing is left behind."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from service.engine.single_flight import SingleFlight

SECONDS = 120


def patient(other: Future[str | None]) -> str | None:
    return other.result(SECONDS)


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


def test_different_keys_do_not_wait_for_each_other() -> None:
    flights = SingleFlight[str]()

    def nested() -> str:
        return flights.run("b", lambda: "b", wait=patient, suffices=anything)[0]

    assert flights.run("a", nested, wait=patient, suffices=anything) == ("b", False)


def test_a_thread_that_gives_up_waiting_works_beside_the_other() -> None:
    flights = SingleFlight[str]()

    def nested() -> str:
        return flights.run("a", lambda: "own", wait=impatient, suffices=anything)[0]

    assert flights.run("a", nested, wait=patient, suffices=anything) == ("own", False)
    assert len(flights) == 0


def fail() -> str:
    raise ZeroDivisionError


@pytest.mark.parametrize("work", [lambda: "little", fail], ids=["too little", "a fault"])
def test_a_thread_that_waited_for_nothing_of_use_takes_the_work_over(work: Callable[[], str]) -> None:
    flights, started, waits = SingleFlight[str](), Event(), Event()

    def lead() -> str:
        started.set()
        assert waits.wait(SECONDS)
        return work()

    def wait(other: Future[str | None]) -> str | None:
        waits.set()
        return other.result(SECONDS)

    with ThreadPoolExecutor(1) as pool:
        leader = pool.submit(flights.run, "a", lead, wait=wait, suffices=anything)
        assert started.wait(SECONDS)
        found = flights.run("a", lambda: "more", wait=wait, suffices=lambda result: result == "more")
        assert found == ("more", False)
        assert (leader.exception(SECONDS) is None) == (work is not fail)
    assert len(flights) == 0


def test_a_result_is_not_kept_for_those_that_come_later() -> None:
    flights = SingleFlight[str]()
    for result in ("first", "second"):
        assert flights.run("a", [result].pop, wait=patient, suffices=anything) == (result, False)
