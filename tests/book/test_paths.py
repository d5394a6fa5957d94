"""Books are found in the files and directories that a setting names."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.book import paths
from service.book.file import InvalidBook, read_book, write_book
from service.book.paths import read_books
from service.games.catalogue import LINE_GAMES, MISERE_TIC_TAC_TOE
from tests.book.books import write_at


def test_books_are_found_in_files_and_directories(tmp_path: Path) -> None:
    games = [LINE_GAMES["tic-tac-toe-4x4"], LINE_GAMES["tic-tac-toe-3d"], MISERE_TIC_TAC_TOE]
    (tmp_path / "many").mkdir()
    for game, name in zip(games, ("many/4x4.book", "many/3d.book", "one.anything"), strict=True):
        write_at(tmp_path / name, game)
    (tmp_path / "many" / "notes.txt").write_text("no book")
    found_here = read_books(os.pathsep.join(map(str, (tmp_path / "many", tmp_path / "one.anything"))))
    assert {digest: found.game.id for digest, found in found_here.items()} == {game.digest: game.id for game in games}


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one book, and no directory of the environment's own books."""
    monkeypatch.setattr(paths, "PACKAGED", tmp_path / "package")
    monkeypatch.setattr(paths, "HOME", tmp_path / "share")
    (tmp_path / "package").mkdir()
    write_at(tmp_path / "package" / "a.book", MISERE_TIC_TAC_TOE)
    (tmp_path / "package" / "LICENSE-of-somebody").write_text("no book")
    return tmp_path / "package"


def test_by_default_the_books_of_the_package_and_of_the_environment_are_read(packaged: Path) -> None:
    assert list(read_books("")) == [MISERE_TIC_TAC_TOE.digest]
    paths.HOME.mkdir()
    assert list(read_books("")) == [MISERE_TIC_TAC_TOE.digest]
    write_at(paths.HOME / "b.book", LINE_GAMES["tic-tac-toe-4x4"])
    assert set(read_books("")) == {MISERE_TIC_TAC_TOE.digest, LINE_GAMES["tic-tac-toe-4x4"].digest}
    assert read_books("none") == {}
    assert list(read_books(str(packaged))) == [MISERE_TIC_TAC_TOE.digest]


def test_a_book_of_the_environment_comes_before_that_of_the_package(packaged: Path) -> None:
    kept = read_book(packaged / "a.book")
    paths.HOME.mkdir()
    write_book(paths.HOME / "a.book", MISERE_TIC_TAC_TOE, kept.book, "somebody")
    assert [used.source for used in read_books("").values()] == ["somebody"]
    assert read_books(str(packaged))[MISERE_TIC_TAC_TOE.digest].source == kept.source


def test_a_directory_without_a_book_a_second_book_of_a_game_and_a_file_that_cannot_be_read_are_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "connect-four.book.part").write_text("half")
    with pytest.raises(InvalidBook, match=rf"{tmp_path} contains no book: no file name ends in \.book\."):
        read_books(str(tmp_path))
    for name in ("a.book", "b.book"):
        write_at(tmp_path / name, MISERE_TIC_TAC_TOE)
    with pytest.raises(InvalidBook, match=r"b\.book is a second book of misere-tic-tac-toe"):
        read_books(str(tmp_path))
    for place, reason in (("x" * 300, "File name too long"), ("missing.book", "No such file")):
        with pytest.raises(InvalidBook, match=rf"{place} cannot be read: {reason}"):
            read_books(place)


@pytest.mark.parametrize("mode", [0o000, 0o111], ids=["closed", "searchable"])
def test_a_directory_that_cannot_be_read_is_no_empty_one(mode: int) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "books").mkdir(mode)
        Path(folder).chmod(0o755)
        before = os.geteuid()
        os.seteuid(before or 65534)  # the superuser may read anything
        try:
            with pytest.raises(InvalidBook, match="cannot be read: Permission denied"):
                read_books(f"{folder}/books")
        finally:
            os.seteuid(before)
