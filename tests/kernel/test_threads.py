"""Work of several threads on parts of one task."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread, current_thread

import pytest

from service.kernel.threads import AHEAD, in_order


@pytest.fixture(params=[1, 2, 5])
def pool(request: pytest.FixtureRequest) -> Iterator[ThreadPoolExecutor | None]:
    """No pool for one thread."""
    if request.param == 1:
        yield None
        return
    with ThreadPoolExecutor(request.param) as threads:
        yield threads


def test_results_come_in_the_order_of_the_items(pool: ThreadPoolExecutor | None) -> None:
    assert [*in_order(hex, range(100), pool)] == [*map(hex, range(100))]
    assert [*in_order(hex, [], pool)] == []


def test_where_the_system_starts_no_thread_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    with ThreadPoolExecutor(2) as pool:
        assert [*in_order(lambda number: (number, current_thread()), range(40), pool)] == [
            (number, current_thread()) for number in range(40)
        ]


def test_an_item_is_taken_only_when_few_results_wait(pool: ThreadPoolExecutor | None) -> None:
    taken = list[int]()

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = in_order(abs, items(), pool)
    for number in range(3):
        assert next(results) == number
        assert len(taken) == number + 1 + (AHEAD if pool else 0)


def test_an_error_ends_the_work_where_it_occurred(pool: ThreadPoolExecutor | None) -> None:
    results = in_order(lambda number: 1 // (3 - number), range(10), pool)
    assert [next(results) for _ in range(3)] == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_work_that_has_not_begun_is_given_up_when_the_iterator_is_closed() -> None:
    closed, done = Event(), list[int]()

    def work(number: int) -> None:
        assert number == 0 or closed.wait(timeout=10)
        done.append(number)

    with ThreadPoolExecutor(1) as pool:
        results = in_order(work, range(100), pool)
        next(results)
        results.close()
        closed.set()
    assert done in ([0], [0, 1])
