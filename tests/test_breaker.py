"""The circuit breaker, with a clock that the tests turn on."""

import pytest

from service.breaker import Breaker


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    """A breaker that has just opened."""
    breaker = Breaker(3, 5.0, clock)
    for opens in (False, False, True):
        assert breaker.allows()
        assert not breaker.is_open
        assert breaker.failed() is opens
    assert breaker.is_open
    assert not breaker.allows()
    return breaker


def test_a_success_in_between_starts_the_count_anew() -> None:
    breaker = Breaker(3, 5.0, Clock())
    for _ in range(10):
        assert [breaker.failed(), breaker.failed(), breaker.succeeded()] == [False, False, False]
        assert breaker.allows()


def test_while_it_is_open_one_try_is_allowed_in_each_span(breaker: Breaker, clock: Clock) -> None:
    clock.now += 4.9
    assert not breaker.allows()
    for _ in range(3):
        clock.now += 5
        assert [breaker.allows() for _ in range(4)] == [True, False, False, False]
        assert not breaker.failed()  # which is no new opening


def test_a_try_that_succeeds_closes_it(breaker: Breaker, clock: Clock) -> None:
    clock.now += 5
    assert breaker.allows()
    assert breaker.succeeded()
    assert not breaker.is_open
    assert all(breaker.allows() for _ in range(4))
