"""Searches and the making of tables give way to other threads, again and again.

``python -m loadtests bench saturation`` shows that the compiled ones do.
"""

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import NoReturn

import pytest

from service.games.families.notakto import NotaktoGame
from service.kernel import scheduling
from service.kernel.alpha_beta.search import Search
from service.kernel.stopping import Stopped
from tests.interpreted import interpreted_families, interpreted_search
from tests.worlds import memory, rules_of, small

SEARCH = interpreted_search()
CATALOGUE, GRAPH, RETROGRADE, _ = interpreted_families()


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Sequence[float]:
    """The times since when a search says that it has not given way; each call is one second later."""
    calls = list[float]()

    def give_way(since: float) -> float:
        calls.append(since)
        return float(len(calls))

    monkeypatch.setattr(scheduling, "give_way", give_way)
    return calls


def test_a_processor_is_given_away_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    yielded = list[float]()
    monkeypatch.setattr("os.sched_yield", lambda: yielded.append(time.monotonic()))
    since = scheduling.give_way(0.0)
    assert 0 < since <= yielded[0]
    monkeypatch.setattr("time.monotonic", lambda: since + scheduling.SECONDS / 2)
    assert scheduling.give_way(since) == since
    assert len(yielded) == 1


def test_the_compiled_kernel_waits_as_long() -> None:
    in_c = Path(scheduling.__file__).with_suffix(".pxd").read_text()
    assert f"if (now - since < {scheduling.SECONDS}) return since;" in in_c


def test_a_search_gives_way_many_times_between_two_polls(given: Sequence[float]) -> None:
    polls = list[int]()
    with suppress(Stopped):
        SEARCH.Search(rules_of(small(8, 8, 5)), memory(), poll=lambda: polls.append(len(given)), limit=600).score(0, 0)
    assert [*given] == [float(call) for call in range(len(given))]
    assert len(polls) > 1
    assert min(later - before for before, later in zip([0, *polls], polls, strict=False)) >= 8


def test_the_making_of_a_table_gives_way(given: Sequence[float]) -> None:
    graph = GRAPH.Graph(CATALOGUE.FAMILIES[NotaktoGame.family](boards=2).play, 10_000)
    found = len(given)
    RETROGRADE.Retrograde(graph)
    assert found >= graph.states // 32
    assert len(given) > found
    assert all(since <= call for call, since in enumerate(given))
    assert any(given)


def test_an_interrupt_that_comes_after_the_last_poll_ends_the_search() -> None:
    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    search = Search(rules_of(small(8, 8, 5)), memory(), limit=1_000_000)  # without polls
    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        Timer(0.02, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(KeyboardInterrupt):
            search.score(0, 0)
    finally:
        signal.signal(signal.SIGUSR1, before)
