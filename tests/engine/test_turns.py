"""Of the threads that answer requests one runs Python; those that wait or hold a search slot keep no other waiting."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Thread

import pytest

from service.app import create_app
from service.engine.work.limit import Effort, Limit
from service.engine.work.slots import LIGHT_NODES, SearchSlots, Slot
from service.engine.work.turns import TURNS, Turns
from service.settings import Settings
from tests.engine.slots import enter
from tests.support import HUNG_SECONDS, wait_until


def waits(turns: Turns, threads: int) -> bool:
    return turns.waiting == threads


def wait_for_another(slot: Slot) -> None:
    slot.wait_for(Future(), lambda: True, HUNG_SECONDS)


@pytest.mark.parametrize("wait", [enter, wait_for_another], ids=["in a slot", "for another's search"])
def test_a_request_has_the_turn_until_it_waits(wait: Callable[[Slot], object]) -> None:
    with TURNS.turn(), SearchSlots(1, 0, 1).reserve() as slot:
        assert TURNS.is_mine
        wait(slot)
        assert not TURNS.is_mine
    assert not TURNS.is_mine


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


def test_others_have_their_turn_after_each_step_of_long_work() -> None:
    had = list[str]()

    def take() -> None:
        with TURNS.turn():
            had.append("other")

    others = [Thread(target=take) for _ in range(2)]

    def steps() -> Iterator[int]:
        for other in others:
            yield LIGHT_NODES + 1
            assert TURNS.is_mine
            other.start()
            wait_until(partial(waits, TURNS, 1))
            had.append("step")
        yield 0

    with SearchSlots(1, 0, 1).reserve() as slot:
        Effort(Limit(HUNG_SECONDS), slot).work(steps())
        assert had == ["step", "other"] * 2


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
