"""The folder of tables: private, bounded, free of what killed workers leave, and no harm to anybody who reads it."""

import errno
import os
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from struct import pack_into

import pytest

from service.engine.tables.family_table import HEAD, FamilyTable, build, read_table, solved, table_in
from service.engine.tables.table_files import SMALL_BYTES, TEMPORARY, NewFile
from service.engine.tables.table_folder import TableFolder, UnusableFolder, table_folder, table_path, temporary_folder
from service.games.catalogue import STATE_GAMES
from service.games.families.notakto import NotaktoGame
from service.games.game import Game
from service.games.position import Position
from service.kernel.states.packed_table import blocks_of

GAME = STATE_GAMES["achi"]
STATES = solved(GAME, 10_000).graph.states
BLOCKS = blocks_of(STATES)
FIRSTS, ENTRIES = 4, 4 + BLOCKS
"""Where the first ranks and the entries of the blocks begin among the words of a table."""


class Builder:
    """Builds tables, and counts them."""

    def __init__(self) -> None:
        self.built = 0

    def __call__(self, game: Game = GAME) -> bytearray:
        self.built += 1
        return build(game, 10_000)


@pytest.fixture
def builder() -> Builder:
    return Builder()


def made(folder: TableFolder, builder: Builder, game: Game = GAME) -> FamilyTable:
    table = folder.read(game) or folder.make(game, lambda: builder(game))
    assert table is not None
    return table


def is_right(table: FamilyTable) -> bool:
    return table.value(Position(table.game)) == ("win", 11)


def temporary(folder: Path, game: Game = GAME) -> Path:
    return Path(f"{table_path(folder, game)}{TEMPORARY}")


def test_a_folder_holds_nothing_but_tables(tmp_path: Path, builder: Builder) -> None:
    folder = TableFolder(tmp_path / "new" / "tables")
    assert is_right(made(folder, builder))
    assert list((tmp_path / "new" / "tables").iterdir()) == [table_path(tmp_path / "new" / "tables", GAME)]
    assert is_right(made(folder, builder))
    assert builder.built == 1
    assert (tmp_path / "new" / "tables").stat().st_mode & 0o77 == 0
    assert table_path(tmp_path / "new" / "tables", GAME).stat().st_mode & 0o77 == 0


def test_a_folder_that_others_can_change_or_that_cannot_be_made_is_refused_and_files_of_others_are_not_read(
    tmp_path: Path, builder: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for mode in (0o777, 0o770, 0o702, 0o1777):
        tmp_path.chmod(mode)
        with pytest.raises(UnusableFolder, match="can be written by other users"):
            TableFolder(tmp_path)
    tmp_path.chmod(0o700)
    (tmp_path / "a file").write_text("")
    for place in ("/proc/nowhere", "a file/tables"):
        with pytest.raises(UnusableFolder, match="cannot be made"):
            TableFolder(tmp_path / place)
    folder, other = TableFolder(tmp_path), os.geteuid() + 1
    made(folder, builder)
    monkeypatch.setattr(os, "geteuid", lambda: other)
    assert folder.read(GAME) is None
    with pytest.raises(UnusableFolder, match="belongs to another user"):
        TableFolder(tmp_path)


@pytest.mark.parametrize("path_of", [table_path, temporary])
def test_no_symbolic_link_is_followed(tmp_path: Path, builder: Builder, path_of: Callable[..., Path]) -> None:
    tables, precious = tmp_path / "tables", tmp_path / "precious"
    folder = TableFolder(tables)
    precious.write_bytes(build(GAME, 10_000))
    before = precious.read_bytes()
    path_of(tables, GAME).symlink_to(precious)
    assert is_right(made(folder, builder))
    assert builder.built == 1
    assert precious.read_bytes() == before


def test_of_processes_that_make_the_same_table_one_makes_it(tmp_path: Path, builder: Builder) -> None:
    folder, other = TableFolder(tmp_path), TableFolder(tmp_path)
    with NewFile(table_path(tmp_path, GAME)):
        assert folder.make(GAME, builder) is None
    assert is_right(made(folder, builder))
    assert is_right(made(other, builder))
    assert other.make(GAME, builder) is not None  # it was written after the look
    assert builder.built == 1
    assert list(tmp_path.iterdir()) == [table_path(tmp_path, GAME)]


def test_what_a_killed_worker_has_left_is_removed_at_the_start_and_when_a_table_is_written(
    tmp_path: Path, builder: Builder
) -> None:
    temporary(tmp_path).write_bytes(b"half a table")
    with NewFile(table_path(tmp_path, NotaktoGame())):  # another server is just writing it
        folder = TableFolder(tmp_path, most_bytes=1 << 20)
        assert list(tmp_path.iterdir()) == [temporary(tmp_path, NotaktoGame())]
    assert list(tmp_path.iterdir()) == []
    temporary(tmp_path, NotaktoGame()).write_bytes(b"half a table")
    made(folder, builder)
    assert list(tmp_path.iterdir()) == [table_path(tmp_path, GAME)]


def test_beyond_the_largest_size_the_tables_that_were_used_longest_ago_are_removed(
    tmp_path: Path, builder: Builder
) -> None:
    games = [NotaktoGame(), NotaktoGame(in_a_row=2), NotaktoGame(rows=2, columns=4)]
    paths = [table_path(tmp_path, game) for game in games]
    folder = TableFolder(tmp_path, sum(len(build(game, 10_000)) for game in games) - 1)
    for age, game in enumerate(games[:2]):
        made(folder, builder, game)
        os.utime(table_path(tmp_path, game), (age, age))
    assert TableFolder(tmp_path).read(games[0]) is not None  # used again
    made(folder, builder, games[2])
    assert [path.exists() for path in paths] == [True, False, True]


def denied(*_: object) -> bool:
    raise PermissionError(errno.EACCES, "Permission denied")


def full(*_: object) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def with_a_file_that_has_gone(folder: Path, names: Callable[[Path], Iterator[Path]] = Path.iterdir) -> Iterator[Path]:
    return iter([folder / "gone.table", *names(folder)])


@pytest.mark.parametrize(
    "broken",
    [
        {"pathlib.Path.iterdir": with_a_file_that_has_gone},
        {"pathlib.Path.iterdir": denied, "pathlib.Path.is_file": denied},
        {"os.write": full},
    ],
    ids=["a file that another worker removes", "a folder that cannot be read any more", "a full disk"],
)
def test_a_fault_of_the_folder_costs_no_second_solution_and_leaves_nothing_behind(
    tmp_path: Path, builder: Builder, monkeypatch: pytest.MonkeyPatch, broken: dict[str, object]
) -> None:
    folder = TableFolder(tmp_path, most_bytes=1)
    for name, fault in broken.items():
        monkeypatch.setattr(name, fault)
    assert is_right(made(folder, builder))
    assert builder.built == 1
    monkeypatch.undo()
    assert [*tmp_path.iterdir()] == [path for path in tmp_path.glob("*.table") if table_path(tmp_path, GAME) == path]


def test_a_small_table_survives_when_its_file_is_cut_off(tmp_path: Path, builder: Builder) -> None:
    folder = TableFolder(tmp_path)
    made(folder, builder)
    table = made(folder, builder)
    assert table_path(tmp_path, GAME).stat().st_size <= SMALL_BYTES
    os.truncate(table_path(tmp_path, GAME), 100)
    assert is_right(table)


def crafted(change: Callable[[bytearray], object] = len, **head: int) -> bytes:
    """The table of the game with some bytes or numbers of its head changed, and a checksum that is right again."""
    data = build(GAME, 10_000)
    change(data)
    magic, version, digest, _, states, words = HEAD.unpack_from(data)
    checksum = blake2b(data[HEAD.size :], digest_size=16).digest()
    counts = {"states": states, "words": words, **head}
    HEAD.pack_into(data, 0, magic, version, digest, checksum, *counts.values())
    return bytes(data)


def word(number: int, value: int) -> Callable[[bytearray], object]:
    """Change a word of the packed table."""
    return lambda data: pack_into("<Q", data, HEAD.size + 8 * number, value)


@pytest.mark.parametrize(
    "data",
    [
        crafted(words=0),
        crafted(states=0, words=1),
        crafted(states=0, words=0),
        crafted(words=1 << 62),
        crafted(states=(1 << 64) - 1, words=(1 << 64) - 1),
        crafted(states=1),
        crafted(word(FIRSTS, 1 << 63)),
        crafted(word(FIRSTS + 1, 0)),
        crafted(word(ENTRIES, 1 << 16)),
        crafted(word(ENTRIES, 59 << 8)),
        crafted(word(ENTRIES, 9)),
        crafted(word(ENTRIES, (1 << 64) - 1)),
        crafted(word(ENTRIES + 1, 0)),
        crafted(word(ENTRIES + BLOCKS, (1 << 64) - 1)),
        crafted(word(ENTRIES + BLOCKS, 0)),
        crafted(lambda data: data.extend(b"more")),
        crafted(lambda data: data.pop()),
        crafted(lambda data: data.__setitem__(-1, 0)),
        b"",
        b"\x89Table\r\n",
        bytes(HEAD.size),
    ],
)
def test_a_crafted_table_is_no_table(tmp_path: Path, builder: Builder, data: bytes) -> None:
    assert table_in(GAME, memoryview(data)) is None
    folder = TableFolder(tmp_path)
    table_path(tmp_path, GAME).write_bytes(data)
    assert folder.read(GAME) is None
    assert read_table(GAME, table_path(tmp_path, GAME)) is None
    assert is_right(made(folder, builder))
    assert builder.built == 1
    untouched = table_in(GAME, memoryview(crafted()))
    assert untouched is not None
    assert is_right(untouched)
    assert untouched.states == STATES


def test_the_folder_is_that_of_the_setting_or_the_cache_of_the_user_or_a_private_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (table_folder("none"), table_folder("/tables")) == (None, Path("/tables"))
    for cache, expected in ("cache", "cache/move-oracle"), ("file", None), (None, ".cache/move-oracle"):
        if cache:
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / cache))
        else:
            monkeypatch.delenv("XDG_CACHE_HOME")
        assert table_folder("") == (expected and tmp_path / expected)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "cache"))
    private = temporary_folder()
    assert private is not None
    assert {folder.stat().st_mode & 0o77 for folder in (private, tmp_path / "cache" / "move-oracle")} == {0}
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    assert temporary_folder() is None
