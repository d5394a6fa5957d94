"""Two threads on one position: the same answers, sooner, and only where there is room."""

import threading
import time
from functools import partial

import pytest

from service.engine.admission import Admission
from service.engine.gate import Gate
from service.engine.limit import Limit
from service.engine.oracle import Oracle
from service.engine.team import Team
from service.explain.reasons import reason
from service.games.catalogue import CONNECT_FOUR_6X5
from service.games.game import Game
from service.games.position import Position
from service.kernel.search import Search, Stopped
from service.kernel.searcher import Poll
from tests.worlds import memory, near_the_end, rules_of, score_from_the_start, search, small

GAME = small(6, 6, 4, gravity=True)
"""A game that takes some seconds."""


def enlist(game: Game, poll: Poll, signals: memoryview, *, table: memoryview) -> Search:
    return Search(rules_of(game), table, poll=poll, signals=signals)


def team(game: Game, room: Admission, poll: Poll = lambda: False, bits: int = 16) -> Team:
    """A team with an empty table."""
    return Team(partial(enlist, game, table=memory(bits)), poll, room)


class Watched(Admission):
    """Room for helpers, which notes whom it lent a place."""

    def __init__(self, helpers: int, *, wanted: bool = False) -> None:
        super().__init__(helpers=helpers)
        self.lent = self.back = self.most = 0
        self.wanted = wanted
        self.threads: set[int] = set()

    def lend(self, seconds: float = 1.0) -> int | None:
        self.lent += 1
        self.most = max(self.most, self.lent - self.back)
        return super().lend(seconds)

    def take_back(self, place: int) -> None:
        self.back += 1
        super().take_back(place)

    def give_way(self) -> None:
        self.threads.add(threading.get_ident())

    def is_wanted(self) -> bool:
        return self.wanted


def test_a_team_finds_the_score_with_two_threads() -> None:
    room = Watched(1)
    together = team(GAME, room, bits=20)
    assert together.bound(0, 0, -1, 0) == -1
    assert room.lent == room.back == room.most == 1
    assert threading.get_ident() not in room.threads
    assert together.nodes > 100_000


def test_no_more_help_than_there_may_be_and_all_of_them_go() -> None:
    room = Watched(3)
    before = threading.active_count()
    together = team(GAME, room, bits=20)
    for alpha in (5, 0, -1):
        together.bound(0, 0, alpha, alpha + 1)
    assert 1 < room.most <= 3
    assert room.lent == room.back
    assert threading.active_count() == before


def test_where_the_system_has_no_more_threads_one_does_it_and_no_place_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    room = Watched(1)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert team(GAME, room, bits=20).bound(0, 0, -1, 0) == -1
    assert room.lent == room.back > 0


def test_short_questions_are_answered_by_one_thread_alone() -> None:
    room = Watched(1)
    together = team(small(4, 4, 4, gravity=True), room)
    for position in near_the_end(small(4, 4, 4, gravity=True), empties=6, count=20):
        ended = together.ended(position.mine, position.theirs)
        assert ended is None
        bound = together.bound(position.mine, position.theirs, -17, 17)
        assert bound == score_from_the_start(position)
        alone = search(position.game)
        assert together.moves(position.mine, position.theirs) == alone.moves(position.mine, position.theirs)
        assert together.promising_moves(position.mine, position.theirs) == alone.promising_moves(
            position.mine, position.theirs
        )
    assert room.lent == 0


def test_a_helper_leaves_when_its_place_is_wanted_and_the_search_goes_on() -> None:
    room = Watched(1, wanted=True)
    assert team(GAME, room, bits=20).bound(0, 0, -1, 0) == -1
    assert room.lent == room.back > 0


def test_a_team_stops_when_it_is_told_to() -> None:
    end = time.monotonic() + 0.1
    room = Watched(1)
    together = team(small(8, 8, 5), room, lambda: time.monotonic() > end)
    with pytest.raises(Stopped):
        together.bound(0, 0, 0, 1)
    assert room.lent == room.back == 1
    assert time.monotonic() < end + 10


def test_a_fault_of_who_says_when_to_stop_is_passed_on() -> None:
    def fault() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        team(small(8, 8, 5), Watched(1), fault).bound(0, 0, 0, 1)


def test_an_answer_is_the_same_with_and_without_help() -> None:
    empty = Position(CONNECT_FOUR_6X5, 0, 0, "X")
    alone = Oracle().best_move(empty)
    helped = Oracle().best_move(empty, limit=Limit(3600, admission=Admission(helpers=1)))
    assert (helped.known, helped.move, helped.pv, reason(helped)) == (alone.known, alone.move, alone.pv, reason(alone))


def test_where_nodes_count_nobody_helps() -> None:
    room = Watched(1)
    limit = Limit(3600, 50_000, admission=room)
    helped, alone = (Oracle().best_move(Position(GAME, 0, 0, "X"), limit=at) for at in (limit, Limit(3600, 50_000)))
    assert (helped.known, helped.nodes) == (alone.known, alone.nodes)
    assert room.lent == 0


def test_a_gate_lends_only_places_that_nobody_wants() -> None:
    gate = Gate(2, 1, helpers=1)
    first = gate.advance(None, 1)
    first = gate.advance(first, 1)
    assert gate.is_running(first)
    lent = gate.lend(1)
    assert gate.is_running(lent)
    assert gate.lend(1) is None  # all are taken
    waiting = gate.advance(None, 1)
    assert gate.is_wanted()
    gate.leave(lent)
    assert gate.lend(1) is None  # one is free, but somebody waits for it
    assert gate.is_running(gate.advance(waiting, 1))


def test_a_gate_without_a_queue_lends_nothing() -> None:
    assert Gate(2, 0, helpers=1).lend(1) is None


def test_who_waits_soon_has_the_place_of_a_helper() -> None:
    gate, oracle, got = Gate(2, 2, helpers=1), Oracle(table_mb=64), list[float]()

    def ask(position: Position) -> None:
        with Admission(gate) as admission:
            oracle.best_move(position, limit=Limit(3, admission=admission))
            got.append(admission.waited)

    empty = Position(small(8, 8, 5), 0, 0, "X")
    threads = [threading.Thread(target=ask, args=[position]) for position in (empty, empty.play(0))]
    threads[0].start()
    time.sleep(0.5)
    threads[1].start()
    for thread in threads:
        thread.join()
    assert len(got) == 2
    assert max(got) < 1
