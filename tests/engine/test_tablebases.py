"""The tables of a process: made once, read from files, made again where these are damaged."""

import os
import subprocess
import sys
import threading
from concurrent.futures import Executor
from itertools import product
from pathlib import Path
from threading import Event

import pytest

from service.cores import cores
from service.engine.oracle import Oracle
from service.engine.tables import family_table, table_maker, tablebases
from service.engine.tables.family_table import build, read_rules, write_table
from service.engine.tables.table_folder import TableFolder, table_path
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.engine.work.slots import NICE
from service.games.catalogue import STATE_GAMES
from service.games.families.moving.morris import MorrisGame
from service.games.families.notakto import NotaktoGame
from service.games.game import Game
from service.games.position import Position
from service.kernel.states.family import Family
from service.kernel.states.graph import Graph, TooLargeError
from service.kernel.stopping import Poll, Stopped
from service.oracles import make_tablebases
from service.settings import Settings
from tests.engine.tables import found
from tests.games.games import table_of
from tests.support import HUNG_SECONDS, wait_until

GAME = STATE_GAMES["achi"]

ASK = """
import sys
from pathlib import Path
from service.engine.tables import tablebases
from service.engine.tables.table_folder import TableFolder
from service.games.catalogue import STATE_GAMES
from service.games.position import Position

build, game = tablebases.build, STATE_GAMES["achi"]
tablebases.build = lambda *given: print("made") or build(*given)
input()
tables = tablebases.Tablebases(TableFolder(Path(sys.argv[1])))
print(*tables.find(game, lambda made: made.result(60)).value(Position(game)))
"""


def shared(folder: Path) -> Tablebases:
    return Tablebases(TableFolder(folder))


def value(tables: Tablebases) -> object:
    return found(tables, GAME).value(Position(GAME))


@pytest.mark.verify
def test_processes_that_need_a_table_at_once_make_one_file_together(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ASK, str(tmp_path)]
    asking = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [process.communicate("\n", timeout=HUNG_SECONDS)[0].split() for process in asking]
    assert sorted(outputs) == [["made", "win", "11"], ["win", "11"], ["win", "11"]]
    assert len(list(tmp_path.glob("*.table"))) == 1


def test_a_game_that_is_too_large_is_answered_from_a_table_built_beforehand(tmp_path: Path) -> None:
    tables, path = Tablebases(most=50, built=tmp_path), table_path(tmp_path, GAME)
    with pytest.raises(TooLargeError):
        found(tables, GAME)
    write_table(path, build(GAME, 10_000))
    assert value(tables) == ("win", 11)
    with pytest.raises(TooLargeError):
        found(tables, MorrisGame())
    rules, states = read_rules(path) or ({}, 0)
    assert rules == {"family": "morris", **GAME.parameters}
    assert 500 < states <= GAME.states
    for damaged in (path.read_bytes()[:-1], b"no table"):
        path.write_bytes(damaged)
        assert read_rules(path) is None


def test_a_client_that_does_not_wait_starts_one_thread_and_leaves_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Game] = []
    over = Event()

    def make(game: Game, _most: int, poll: Poll, _threads: int) -> bytearray:
        begun.append(game)
        while not poll() and not over.wait(0.001):
            pass
        raise Stopped

    monkeypatch.setattr(tablebases, "build", make)
    monkeypatch.setattr(tablebases, "QUICK_STATES", 0)
    monkeypatch.setattr(table_maker, "ASKED_AGAIN_SECONDS", 0)
    before, tables = threading.active_count(), Tablebases()
    oracle = Oracle(tablebases=tables)
    for rows, columns, misere in product(range(2, 5), range(2, 6), (False, True)):
        game = NotaktoGame(rows=rows, columns=columns, in_a_row=2, misere=misere)
        assert not oracle.best_move(Position(game), limit=Limit(0.0005)).exact
        assert threading.active_count() <= before + 1
    left = len(begun)

    def wait(_: object) -> None:
        wait_until(lambda: GAME in begun)

    tables.find(GAME, wait)
    over.set()
    assert begun.index(GAME) <= left + 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_the_threads_that_help_to_make_a_table_have_the_low_priority_of_its_maker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    priorities = list[int]()

    def graph(rules: Family, most: int, poll: Poll, pool: Executor) -> Graph:
        for _ in range(2):
            priorities.append(pool.submit(priority).result())
        return Graph(rules, most, poll, pool)

    monkeypatch.setattr(family_table, "Graph", graph)
    assert value(Tablebases(threads=2)) == ("win", 11)
    assert priorities == [max(NICE, priority())] * 2


@pytest.mark.parametrize("slots", [1, 1024])
def test_a_table_is_made_by_as_many_threads_as_the_operator_allows_searches_but_not_more_than_there_are_cores(
    slots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = list[int]()

    def counted(game: Game, most: int, poll: Poll, number: int) -> bytearray:
        threads.append(number)
        return build(game, most, poll, number)

    monkeypatch.setattr(tablebases, "build", counted)
    assert value(make_tablebases(Settings(max_searches=slots), None)) == ("win", 11)
    assert threads == [min(slots, cores())]


def priority() -> int:
    """That of this thread."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_tables_that_were_not_asked_for_longest_are_dropped() -> None:
    games = [NotaktoGame(), NotaktoGame(in_a_row=2), NotaktoGame(rows=2, columns=4)]
    tables = Tablebases(most=sum(table_of(game).states for game in games) - 1)
    first, second = (found(tables, game) for game in games[:2])
    assert found(tables, games[0]) is first
    last = found(tables, games[2])
    assert found(tables, games[0]) is first
    assert found(tables, games[2]) is last
    assert found(tables, games[1]) is not second


def test_a_table_that_could_not_be_made_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tablebases()
    with monkeypatch.context() as broken:
        broken.setattr(tablebases, "build", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            value(tables)
    assert value(tables) == ("win", 11)
