"""The files of tables: shared, made again where they are damaged, bounded, and never needed."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from service.engine import tablebases
from service.engine.family_table import build, read_rules, write_table
from service.engine.table_folder import table_folder, temporary_folder
from service.engine.tablebases import Tablebases, table_path
from service.families.catalogue import FAMILY_GAMES
from service.families.game import FamilyGame
from service.families.morris import MorrisGame
from service.families.notakto import NotaktoGame
from service.families.position import FamilyPosition
from service.kernel.retrograde import TooLargeError

GAME = FAMILY_GAMES["achi"]

ASK = """
import sys
from pathlib import Path
from service.engine import tablebases
from service.families.catalogue import FAMILY_GAMES
from service.families.position import FamilyPosition

build, game = tablebases.build, FAMILY_GAMES["achi"]
tablebases.build = lambda *given: print("made") or build(*given)
input()
table = tablebases.Tablebases(Path(sys.argv[1])).begin(game).result()
print(*table.value(FamilyPosition(game)))
"""


def value(tables: Tablebases) -> object:
    table = tables.begin(GAME).result(60)
    assert table is not None
    return table.value(FamilyPosition(GAME))


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
    assert value(Tablebases(tmp_path)) == ("win", 11)
    begun, may_end = Event(), Event()

    def hold(game: FamilyGame, most: int) -> bytearray:
        begun.set()
        may_end.wait(60)
        return build(game, most)

    monkeypatch.setattr(tablebases, "QUICK_STATES", 0)
    monkeypatch.setattr(tablebases, "build", hold)
    tables = Tablebases(tmp_path)
    other = tables.begin(FAMILY_GAMES["tapatan"])
    assert begun.wait(60)
    assert value(tables) == ("win", 11)
    assert not other.done()
    may_end.set()
    assert other.result(60) is not None


@pytest.mark.parametrize("place", [0, 10, 60, 5_000, -1])
def test_a_damaged_file_is_made_again(tmp_path: Path, place: int) -> None:
    path = table_path(tmp_path, GAME)
    assert value(Tablebases(tmp_path)) == ("win", 11)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[place] ^= 1
    path.write_bytes(damaged)
    assert value(Tablebases(tmp_path)) == ("win", 11)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("kept", [0, 20, 1_000])
def test_a_file_that_was_cut_off_is_made_again(tmp_path: Path, kept: int) -> None:
    path = table_path(tmp_path, GAME)
    assert value(Tablebases(tmp_path)) == ("win", 11)
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    assert value(Tablebases(tmp_path)) == ("win", 11)
    assert path.read_bytes() == whole


def test_where_no_file_can_be_written_the_game_is_answered_too(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("")
    assert value(Tablebases(blocked / "tables")) == ("win", 11)


def test_a_table_of_a_folder_that_cannot_be_written_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert value(Tablebases(tmp_path)) == ("win", 11)
    monkeypatch.setattr("service.engine.tablebases.build", lambda *_: pytest.fail("the table was made again"))
    monkeypatch.setattr(Path, "touch", lambda *_: (_ for _ in ()).throw(PermissionError))
    assert value(Tablebases(tmp_path)) == ("win", 11)


def test_beyond_the_largest_size_the_tables_that_were_used_longest_ago_are_removed(tmp_path: Path) -> None:
    games = [NotaktoGame(), NotaktoGame(in_a_row=2), NotaktoGame(rows=2, columns=4)]
    paths = [table_path(tmp_path, game) for game in games]
    tables = Tablebases(tmp_path, most_bytes=sum(len(build(game, 10_000)) for game in games) - 1)
    for age, game in enumerate(games[:2]):
        assert tables.begin(game).result(60) is not None
        os.utime(table_path(tmp_path, game), (age, age))
    assert Tablebases(tmp_path).begin(games[0]).result(60) is not None  # used again
    assert tables.begin(games[2]).result(60) is not None
    assert [path.exists() for path in paths] == [True, False, True]


def test_a_table_larger_than_the_folder_may_be_is_kept_alone(tmp_path: Path) -> None:
    for game in NotaktoGame(), GAME:
        assert Tablebases(tmp_path, most_bytes=1).begin(game).result(60) is not None
    assert list(tmp_path.glob("*.table")) == [table_path(tmp_path, GAME)]


def test_a_game_that_is_too_large_is_answered_from_a_table_built_beforehand(tmp_path: Path) -> None:
    tables = Tablebases(most=50, built=tmp_path)
    with pytest.raises(TooLargeError):
        tables.begin(GAME)
    write_table(table_path(tmp_path, GAME), build(GAME, 10_000))
    assert value(tables) == ("win", 11)
    with pytest.raises(TooLargeError):
        tables.begin(MorrisGame())


def test_a_file_tells_the_rules_of_its_game(tmp_path: Path) -> None:
    write_table(tmp_path / "a", build(GAME, 10_000))
    (tmp_path / "b").write_bytes((tmp_path / "a").read_bytes()[:-1])
    (tmp_path / "c").write_text("no table")
    rules, states = read_rules(tmp_path / "a") or ({}, 0)
    assert rules == {"family": "morris", **GAME.parameters}
    assert 500 < states <= GAME.states
    assert read_rules(tmp_path / "b") is None
    assert read_rules(tmp_path / "c") is None


def test_the_folder_is_that_of_the_setting_or_the_cache_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert table_folder("none") is None
    assert table_folder("/tables") == Path("/tables")
    assert table_folder("") == tmp_path / "cache" / "move-oracle"
    assert (tmp_path / "cache" / "move-oracle").stat().st_mode & 0o77 == 0
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert table_folder("") is None
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert table_folder("") == tmp_path / ".cache" / "move-oracle"


def test_a_temporary_folder_belongs_to_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = temporary_folder()
    assert found is not None
    assert found.stat().st_mode & 0o77 == 0
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    assert temporary_folder() is None


def test_a_table_that_cannot_be_written_whole_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("os.fchmod", full)
    assert value(Tablebases(tmp_path)) == ("win", 11)
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock"]
