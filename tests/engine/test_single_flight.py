"""SingleFlight: one works, the others wait for its result, and nothing is left behind."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest

from service.engine.work.single_flight import SingleFlight
from tests.support import HUNG_SECONDS


def patient(other: Future[str | None]) -> str | None:
    return other.result(HUNG_SECONDS)


def anything(_result: str) -> bool:
    return True


def forbidden() -> str:
    raise AssertionError("worked although another did")


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
