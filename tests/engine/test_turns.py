"""Of the threads that answer requests one runs Python; those that wait or hold a search slot keep no other waiting."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

import pytest

from service.app import create_app
from service.engine.limit import never
from service.engine.slots import Overloaded, SearchSlots, Slot
from service.engine.turns import TURNS, Turns
from service.settings import Settings
from tests.engine.slots import enter
from tests.support import HUNG_SECONDS


def wait_for_another(slot: Slot) -> None:
    slot.wait_for(Future(), lambda: True, HUNG_SECONDS)


@pytest.mark.parametrize("wait", [enter, wait_for_another], ids=["in a slot", "for another's search"])
def test_a_request_has_the_turn_until_it_waits(wait: Callable[[Slot], object]) -> None:
    with TURNS.turn(), SearchSlots(1, 0, 1).reserve() as slot:
        assert TURNS.is_mine
        wait(slot)
        assert not TURNS.is_mine
    assert not TURNS.is_mine


def test_a_request_that_is_refused_still_has_the_turn() -> None:
    with SearchSlots(1, 0, 0).reserve() as slot:
        with suppress(Overloaded):
            slot.acquire(1, never, 1)
        assert TURNS.is_mine


def test_threads_have_the_turn_one_after_the_other_and_a_fault_gives_it_back() -> None:
    turns, inside, most = Turns(), list[int](), list[int]()

    def take(number: int) -> None:
        with suppress(RuntimeError), turns.turn(), turns.turn():
            inside.append(number)
            most.append(len(inside))
            inside.remove(number)
            raise RuntimeError

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(take, range(200)))
    assert (len(most), max(most), turns.is_mine) == (200, 1, False)


def test_requests_of_the_service_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = list[int](), list[int]()

    def linger() -> None:
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.005)  # noqa: TID251, others may go on meanwhile
        inside.pop()

    monkeypatch.setattr("service.app._note_route", linger)
    app = create_app(Settings())
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(app.test_client().get, "/games") for _ in range(12)]
        assert [each.result().status_code for each in asked] == [200] * 12
    assert most == [1] * 12
