"""SingleFlight: one works, the others wait for its result, and nothing is left behind."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from service.engine.work.single_flight import SingleFlight
from tests.support import HUNG_SECONDS


def patient(other: Future[str | None]) -> str | None:
    return other.result(HUNG_SECONDS)


def impatient(_other: Future[str | None]) -> None:
    return None


def anything(_result: str) -> bool:
    return True


def forbidden() -> str:
    raise AssertionError("worked although another did")


def test_those_that_want_the_same_have_the_result_of_the_one_that_works() -> None:
    flights, started, together = SingleFlight[str](), Event(), Barrier(4)

    def work() -> str:
        started.set()
        together.wait(HUNG_SECONDS)
        return "found"

    def wait(other: Future[str | None]) -> str | None:
        together.wait(HUNG_SECONDS)
        return other.result(HUNG_SECONDS)

    with ThreadPoolExecutor(4) as pool:
        leader = pool.submit(flights.run, "a", work, wait=wait, suffices=anything)
        assert started.wait(HUNG_SECONDS)
        others = [pool.submit(flights.run, "a", forbidden, wait=wait, suffices=anything) for _ in range(3)]
        assert leader.result(HUNG_SECONDS) == ("found", False)
        assert [other.result(HUNG_SECONDS) for other in others] == [("found", True)] * 3
    assert len(flights) == 0


@pytest.mark.parametrize(
    "second", [("b", patient), ("a", impatient)], ids=["another key", "a thread that gives up waiting"]
)
def test_a_thread_works_beside_another(second: tuple[str, Callable[..., str | None]]) -> None:
    flights, (key, wait) = SingleFlight[str](), second

    def nested() -> str:
        return flights.run(key, lambda: "own", wait=wait, suffices=anything)[0]

    assert flights.run("a", nested, wait=patient, suffices=anything) == ("own", False)
    assert len(flights) == 0


def fail() -> str:
    raise ZeroDivisionError


@pytest.mark.parametrize("work", [lambda: "little", fail], ids=["too little", "a fault"])
def test_a_thread_that_waited_for_nothing_of_use_takes_the_work_over(work: Callable[[], str]) -> None:
    flights, started, waits = SingleFlight[str](), Event(), Event()

    def lead() -> str:
        started.set()
        assert waits.wait(HUNG_SECONDS)
        return work()

    def wait(other: Future[str | None]) -> str | None:
        waits.set()
        return other.result(HUNG_SECONDS)

    with ThreadPoolExecutor(1) as pool:
        leader = pool.submit(flights.run, "a", lead, wait=wait, suffices=anything)
        assert started.wait(HUNG_SECONDS)
        found = flights.run("a", lambda: "more", wait=wait, suffices=lambda result: result == "more")
        assert found == ("more", False)
        assert (leader.exception(HUNG_SECONDS) is None) == (work is not fail)
    assert len(flights) == 0


def test_a_result_is_not_kept_for_those_that_come_later() -> None:
    flights = SingleFlight[str]()
    for result in ("first", "second"):
        assert flights.run("a", [result].pop, wait=patient, suffices=anything) == (result, False)
