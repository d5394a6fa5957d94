"""The thread that makes tables: one, of low priority, with a bounded queue that only holds what is waited for."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.engine.tables import table_maker
from service.engine.tables.family_table import FamilyTable, build
from service.engine.tables.table_maker import MadeTable, TableMaker
from service.engine.work.slots import NICE, Overloaded
from service.games.families.notakto import NotaktoGame
from service.games.game import Game
from service.kernel.stopping import Poll, Stopped
from tests.engine.slots import Count
from tests.support import HUNG_SECONDS, wait_until

SMALL = [NotaktoGame(in_a_row=length) for length in (1, 2, 3)]
LARGE = [NotaktoGame(rows=2, columns=columns, in_a_row=2) for columns in (2, 3, 4, 5)]


class Maker:
    """A maker of tables that are done only when the test says so; each has its game's first polls behind it."""

    def __init__(self) -> None:
        self.begun: list[Game] = []
        self.stopped: list[Game] = []
        self.ended: set[Game] = set()
        self.elsewhere: set[Game] = set()
        self.threads: set[int] = set()
        self.priority = 0
        self.refused = Count()
        self.makes = TableMaker(self.make, SMALL.__contains__, queued=2, refused=self.refused)

    def make(self, game: Game, poll: Poll) -> FamilyTable | None:
        if game in self.elsewhere:
            return None
        self.begun.append(game)
        self.threads.add(threading.get_ident())
        self.priority = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        while game not in self.ended:
            if poll():
                self.stopped.append(game)
                raise Stopped
        return FamilyTable(game, memoryview(build(game, 10_000)))

    def end(self, *games: Game) -> None:
        self.ended.update(games)

    def begins(self, game: Game) -> bool:
        return wait_until(lambda: game in self.begun)


def game_of(made: MadeTable) -> Game:
    """The game of a table, when it is made."""
    table = made.result(HUNG_SECONDS)
    assert table is not None
    return table.game


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Maker]:
    monkeypatch.setattr(table_maker, "ASKED_AGAIN_SECONDS", 0)
    maker = Maker()
    yield maker
    maker.end(*SMALL, *LARGE)


@pytest.fixture
def waiting() -> Iterator[ExitStack]:
    """The requests that wait."""
    with ExitStack() as stack:
        yield stack


def test_one_thread_of_low_priority_makes_all_tables(maker: Maker) -> None:
    maker.end(*SMALL, *LARGE)
    for game in (*SMALL, *LARGE):
        with maker.makes.wanted(game) as made:
            assert game_of(made) is game
    assert len(maker.threads) == 1
    assert threading.get_ident() not in maker.threads
    assert maker.priority >= NICE


def test_a_table_that_nobody_waits_for_any_more_leaves_the_queue(maker: Maker, waiting: ExitStack) -> None:
    waiting.enter_context(maker.makes.wanted(LARGE[0]))
    assert maker.begins(LARGE[0])
    with maker.makes.wanted(LARGE[1]):
        pass
    last = waiting.enter_context(maker.makes.wanted(LARGE[2]))
    maker.end(*LARGE)
    last.result(HUNG_SECONDS)
    assert maker.begun == [LARGE[0], LARGE[2]]


def test_a_table_that_nobody_waits_for_gives_way_to_one_that_is_waited_for(maker: Maker, waiting: ExitStack) -> None:
    with maker.makes.wanted(LARGE[0]):
        assert maker.begins(LARGE[0])
        other = waiting.enter_context(maker.makes.wanted(LARGE[1]))
        assert not other.done()
    assert maker.begins(LARGE[1])
    assert maker.stopped == [LARGE[0]]
    again = waiting.enter_context(maker.makes.wanted(LARGE[0]))
    maker.end(*LARGE)
    assert game_of(other) is LARGE[1]
    assert game_of(again) is LARGE[0]


def test_beyond_the_queue_large_tables_are_refused_at_once_and_quick_ones_are_made_before_them(
    maker: Maker, waiting: ExitStack
) -> None:
    large = [waiting.enter_context(maker.makes.wanted(game)) for game in LARGE[:3]]
    assert maker.begins(LARGE[0])
    with pytest.raises(Overloaded) as refusal, maker.makes.wanted(LARGE[3]):
        pytest.fail("it was not refused")
    assert refusal.value.seconds > 0
    assert maker.refused.value == 1
    maker.end(*SMALL)
    for game in SMALL:
        assert game_of(waiting.enter_context(maker.makes.wanted(game))) is game
    assert not any(made.done() for made in large)
    assert waiting.enter_context(maker.makes.wanted(LARGE[1])) is large[1]
    assert len(maker.threads) == 1


def test_a_thread_that_cannot_be_started_is_started_by_the_next_request(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    maker.end(*LARGE)
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        for _ in range(2):
            with pytest.raises(Overloaded), maker.makes.wanted(LARGE[0]):
                pytest.fail("it was not refused")
    with maker.makes.wanted(LARGE[0]) as made:
        assert game_of(made) is LARGE[0]


def test_while_another_process_makes_a_table_others_are_made(maker: Maker, waiting: ExitStack) -> None:
    maker.elsewhere.add(LARGE[0])
    awaited = waiting.enter_context(maker.makes.wanted(LARGE[0]))
    maker.end(*LARGE)
    assert game_of(waiting.enter_context(maker.makes.wanted(LARGE[1]))) is LARGE[1]
    assert not awaited.done()
    maker.elsewhere.clear()
    assert game_of(awaited) is LARGE[0]


def test_a_table_for_which_there_is_no_memory_is_refused_for_now() -> None:
    def too_large(*_: object) -> FamilyTable:
        raise MemoryError

    makes = TableMaker(too_large, SMALL.__contains__, queued=0)
    for _ in range(2):
        with makes.wanted(LARGE[0]) as made, pytest.raises(Overloaded):
            made.result(HUNG_SECONDS)
