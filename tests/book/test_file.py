"""A book is read as it was written, and no broken file is believed."""

import json
import os
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path

import pytest

from service.book.file import HEAD, InvalidBook, read_book, write_book
from service.games.catalogue import MISERE_TIC_TAC_TOE
from service.games.families.lines import LineGame
from tests.book.books import SIZES, book_of, entries, write_at
from tests.worlds import changed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "misere.book"
    write_at(path, MISERE_TIC_TAC_TOE)
    return path


@pytest.mark.parametrize("game", SIZES, ids=attrgetter("id"))
def test_a_book_is_read_as_it_was_written(game: LineGame, tmp_path: Path) -> None:
    found = book_of(game)
    write_book(tmp_path / "a.book", game, found.book, found.source)
    again = read_book(tmp_path / "a.book")
    assert (again.checksum, again.source, again.game.digest) == (found.checksum, found.source, game.digest)
    assert (again.plies, again.book.pv_depth) == SIZES[game]
    assert again.game.symmetries == game.symmetries
    assert all(again.book.score(*masks) == found.book.score(*masks) for masks in entries(found.book))


def test_whatever_byte_is_damaged_or_missing_the_book_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    places = [*range(HEAD.size + 100), *range(HEAD.size + 100, len(whole), 17), len(whole) - 1]
    damaged = [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in places]
    parts = [whole[:left] for left in (0, 1, HEAD.size - 1, HEAD.size, 300, -1)]
    for data in damaged + parts:
        file.write_bytes(data)
        with pytest.raises(InvalidBook, match=r"misere\.book is (not a book of Move Oracle|damaged|for|of another)"):
            read_book(file)


def test_a_book_stays_what_it_was_when_its_file_is_written_over_and_cut_off(file: Path) -> None:
    found = read_book(file)
    before = [found.book.score(*masks) for masks in entries(found.book)]
    with file.open("r+b") as same:
        same.write(bytes(file.stat().st_size))
    assert [found.book.score(*masks) for masks in entries(found.book)] == before
    file.write_bytes(b"")
    assert [found.book.score(*masks) for masks in entries(found.book)] == before


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.book")
    (tmp_path / "b.book").mkdir()
    for name in ("a.book", "b.book"):
        with pytest.raises(InvalidBook, match=f"{name} is not a book of Move Oracle"):
            read_book(tmp_path / name)


def test_a_book_whose_game_has_other_rules_here_is_refused(tmp_path: Path) -> None:
    found = book_of(MISERE_TIC_TAC_TOE)
    write_book(tmp_path / "a.book", changed(found.game, misere=False), found.book, found.source)
    with pytest.raises(InvalidBook, match="is for other rules of misere-tic-tac-toe"):
        read_book(tmp_path / "a.book")


def rewrite(path: Path, **changes: object) -> None:
    """Change the description in the file, and its checksum; None leaves a field out."""
    data = path.read_bytes()
    length = int.from_bytes(data[24:28], "little")
    about = {**json.loads(data[HEAD.size : HEAD.size + length]), **changes}
    text = json.dumps({name: value for name, value in about.items() if value is not None}).encode()
    text += b" " * (-(HEAD.size + len(text)) % 8)
    body = len(text).to_bytes(4, "little") + text + data[HEAD.size + length :]
    path.write_bytes(data[:8] + blake2b(body, digest_size=16).digest() + body)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"lines": 7}, "its parts do not have the sizes in its header"),
        ({"byte_order": "middle"}, "another version or kind of machine"),
        ({"version": 2}, "another version or kind of machine"),
        *(
            ({name: None}, f"is damaged: KeyError.*{name}")
            for name in ("version", "byte_order", "game", "shapes", "lines", "length", "lined", "source")
        ),
    ],
    ids=str,
)
def test_a_description_that_is_wrong_or_says_too_little_is_refused(
    file: Path, changes: dict[str, object], reason: str
) -> None:
    rewrite(file)
    read_book(file)
    rewrite(file, **changes)
    with pytest.raises(InvalidBook, match=reason):
        read_book(file)
