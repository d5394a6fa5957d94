"""Books are found in the files and directories that a setting names."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.book import paths
from service.book.file import InvalidBook
from service.book.paths import read_books
from service.games.catalogue import CATALOGUE, MISERE_TIC_TAC_TOE
from tests.book.books import build_at


def test_books_are_found_in_files_and_directories(tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    build_at(tmp_path / "many" / "4x4.book", CATALOGUE["tic-tac-toe-4x4"])
    build_at(tmp_path / "many" / "3d.book", CATALOGUE["tic-tac-toe-3d"])
    (tmp_path / "many" / "notes.txt").write_text("no book")
    build_at(tmp_path / "one.anything", MISERE_TIC_TAC_TOE)
    found_here = read_books(os.pathsep.join(map(str, (tmp_path / "many", tmp_path / "one.anything"))))
    assert {found.game.id for found in found_here.values()} == {
        "tic-tac-toe-4x4",
        "tic-tac-toe-3d",
        "misere-tic-tac-toe",
    }
    assert all(found.game.digest == digest for digest, found in found_here.items())


def test_a_colon_too_many_is_no_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here" / "bad.book").write_text("no book")
    build_at(tmp_path / "a.book", MISERE_TIC_TAC_TOE)
    for places in (":", f":{tmp_path / 'a.book'}", f"{tmp_path / 'a.book'}:"):
        assert set(read_books(places)) <= {MISERE_TIC_TAC_TOE.digest}


def test_where_nobody_says_where_books_are_taken_from_beside_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "HOME", tmp_path / "share")
    assert read_books("") == {}
    (tmp_path / "share").mkdir()
    assert read_books("") == {}
    build_at(tmp_path / "share" / "a.book", MISERE_TIC_TAC_TOE)
    assert list(read_books("")) == [MISERE_TIC_TAC_TOE.digest]
    assert read_books("none") == {}


def test_a_directory_without_a_book_is_named(tmp_path: Path) -> None:
    (tmp_path / "connect-four.book.part").write_text("half")
    with pytest.raises(InvalidBook, match=rf"{tmp_path} contains no book: no file name ends in \.book\."):
        read_books(str(tmp_path))


def test_two_books_of_one_game_are_refused(tmp_path: Path) -> None:
    build_at(tmp_path / "a.book", MISERE_TIC_TAC_TOE)
    build_at(tmp_path / "b.book", MISERE_TIC_TAC_TOE)
    with pytest.raises(InvalidBook, match=r"b\.book is a second book of misere-tic-tac-toe"):
        read_books(str(tmp_path))


@pytest.fixture
def nobody() -> Iterator[None]:
    """Drop the rights of the superuser, who may read anything."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    yield
    os.seteuid(before)


@pytest.mark.parametrize("mode", [0o000, 0o111], ids=["closed", "searchable"])
def test_a_directory_that_cannot_be_read_is_no_empty_one(mode: int, request: pytest.FixtureRequest) -> None:
    with TemporaryDirectory() as folder:
        places = Path(folder) / "books"
        places.mkdir(mode)
        Path(folder).chmod(0o755)
        request.getfixturevalue("nobody")
        for place in (places, places / "a.book") if mode == 0 else (places,):
            with pytest.raises(InvalidBook, match="cannot be read: Permission denied"):
                read_books(str(place))
        os.seteuid(os.getuid())


@pytest.mark.parametrize(("place", "reason"), [("x" * 300, "File name too long"), ("missing.book", "No such file")])
def test_a_book_that_cannot_be_read_is_named(place: str, reason: str) -> None:
    with pytest.raises(InvalidBook, match=rf"{place} cannot be read: {reason}"):
        read_books(place)
