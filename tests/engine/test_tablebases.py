"""The tables of a process: made once, read from files, made again where these are damaged."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path
from threading import Event, Thread

import pytest

from service.engine.oracle import Oracle
from service.engine.tables import table_maker, tablebases
from service.engine.tables.family_table import build, read_rules, write_table
from service.engine.tables.table_folder import TableFolder, table_path
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.games.catalogue import STATE_GAMES
from service.games.families.morris import MorrisGame
from service.games.families.notakto import NotaktoGame
from service.games.game import Game
from service.games.position import Position
from service.kernel.states.retrograde import TooLargeError
from service.kernel.stopping import Poll, Stopped
from tests.engine.tables import found
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
    outputs = [process.communicate("\n", timeout=60)[0].split("\n") for process in asking]
    assert sum(output.count("made") for output in outputs) == 1
    assert {output[-2] for output in outputs} == {"win 11"}
    assert len(list(tmp_path.glob("*.table"))) == 1


def test_a_file_is_read_while_another_large_table_is_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert value(shared(tmp_path)) == ("win", 11)
    begun, may_end = Event(), Event()

    def hold(game: Game, most: int, poll: Poll) -> bytearray:
        begun.set()
        while not may_end.is_set():
            assert not poll()
        return build(game, most)

    monkeypatch.setattr(tablebases, "QUICK_STATES", 0)
    monkeypatch.setattr(tablebases, "build", hold)
    tables = shared(tmp_path)
    other = Thread(target=found, args=(tables, STATE_GAMES["tapatan"]))
    other.start()
    assert begun.wait(HUNG_SECONDS)
    assert value(tables) == ("win", 11)
    assert other.is_alive()
    may_end.set()
    other.join(HUNG_SECONDS)
    assert not other.is_alive()


def changed(place: int) -> Callable[[bytes], bytes]:
    """Return what changes a bit of the byte at this place."""
    return lambda whole: bytes(byte ^ (number == place % len(whole)) for number, byte in enumerate(whole))


@pytest.mark.parametrize(
    "damage",
    [*map(changed, (0, 10, 60, 5_000, -1)), *(lambda whole, kept=kept: whole[:kept] for kept in (0, 20, 1_000))],
)
def test_a_file_that_was_damaged_or_cut_off_is_made_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = table_path(tmp_path, GAME)
    assert value(shared(tmp_path)) == ("win", 11)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert value(shared(tmp_path)) == ("win", 11)
    assert path.read_bytes() == whole


def test_a_table_of_a_folder_that_cannot_be_written_any_more_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert value(shared(tmp_path)) == ("win", 11)
    tables = shared(tmp_path)
    monkeypatch.setattr(tablebases, "build", lambda *_: pytest.fail("the table was made again"))
    monkeypatch.setattr(os, "utime", lambda *_, **__: (_ for _ in ()).throw(PermissionError))
    assert value(tables) == ("win", 11)


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


def test_what_is_being_made_counts_among_the_positions_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tablebases(most=GAME.states)
    first = found(tables, NotaktoGame())
    assert found(tables, NotaktoGame()) is first
    kept = []

    def count(game: Game, most: int, poll: Poll) -> bytearray:
        kept.append(tables.kept_states)
        return build(game, most, poll)

    monkeypatch.setattr(tablebases, "build", count)
    found(tables, GAME)
    assert kept == [0]


def test_a_client_that_does_not_wait_starts_one_thread_and_leaves_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Game] = []
    over = Event()

    def make(game: Game, _most: int, poll: Poll) -> bytearray:
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
