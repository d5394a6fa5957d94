"""What a book says is what the kernel says, it is read as it was written, and no broken one is believed."""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.book import paths
from service.book.book import NOTHING
from service.book.file import HEAD, InvalidBook, read_book, write_book
from service.book.paths import read_books
from service.book.variation import principal_variation
from service.games.catalogue import CATALOGUE, CONNECT_FOUR_5X4, MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.game import Game, permute
from service.games.position import Position
from service.kernel.search import Search
from tests.books import SIZES, book_of, build_at, entries
from tests.worlds import memory, reachable, rules_of, score_from_the_start, search

each_booked_game = pytest.mark.parametrize("game", SIZES, ids=attrgetter("id"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "misere.book"
    build_at(path, MISERE_TIC_TAC_TOE)
    return path


@each_booked_game
def test_every_score_in_a_book_is_the_one_that_the_kernel_finds(game: Game) -> None:
    book, kernel, known = book_of(game).book, search(game), 0
    for mine, theirs in entries(book):
        score = book.score(mine, theirs)
        if score is None:
            assert kernel.ended(theirs, mine)  # the player to move has a line, so the game was over before
        else:
            known += 1
            assert score == kernel.score(mine, theirs)
    assert known > 0.7 * book_of(game).positions


@pytest.mark.parametrize("game", [TIC_TAC_TOE, MISERE_TIC_TAC_TOE], ids=attrgetter("id"))
def test_every_score_in_a_book_is_the_one_that_the_reference_finds(game: Game) -> None:
    found = book_of(game)
    for position in reachable(game):
        if position.occupied.bit_count() <= found.plies:
            assert found.book.score(position.mine, position.theirs) == score_from_the_start(position)


@each_booked_game
def test_a_book_knows_every_position_of_few_marks_and_none_of_more(game: Game) -> None:
    found, known = book_of(game), set[bool]()
    dice = random.Random(1)
    for _ in range(300):
        position = Position(game, 0, 0, "X")
        while position.legal_moves:
            few = position.occupied.bit_count() <= found.plies
            assert (found.book.score(position.mine, position.theirs) is not None) == few
            known.add(few)
            position = position.play(dice.choice(position.legal_moves))
    assert True in known


@each_booked_game
def test_symmetric_positions_have_the_same_score(game: Game) -> None:
    book = book_of(game).book
    for mine, theirs in entries(book):
        for symmetry in game.symmetries[:8]:
            assert book.score(permute(mine, symmetry), permute(theirs, symmetry)) == book.score(mine, theirs)


def test_a_symmetry_that_keeps_a_shape_does_not_mix_up_what_stands_on_it() -> None:
    book = book_of(CATALOGUE["tic-tac-toe-4x4"]).book
    corners, kernel = (1 << 0, 1 << 3, 1 << 12, 1 << 15), search(CATALOGUE["tic-tac-toe-4x4"])
    for mine in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        own = sum(corners[corner] for corner in mine)
        assert book.score(own, sum(corners) - own) == kernel.score(own, sum(corners) - own)


def test_counts_that_cannot_be_are_not_known() -> None:
    book = book_of(TIC_TAC_TOE).book
    assert book.score(0b1, 0) is None
    assert book.score(0b11, 0) is None
    assert book.score(0, 0b11) is None


@each_booked_game
def test_every_line_in_a_book_is_best_play_to_the_end_the_lowest_move_at_every_ply(game: Game) -> None:
    found = book_of(game)
    masks, kernel = found.book.lines.masks, search(game)
    assert (found.lines > 0) == (found.plies < game.cells)
    for place in range(found.lines):
        mine, theirs = masks[2 * place], masks[2 * place + 1]
        score = found.book.score(mine, theirs)
        assert score is not None
        assert found.book.line(mine, theirs) == list(principal_variation(kernel, NOTHING, mine, theirs, score))


@each_booked_game
def test_positions_of_few_marks_have_their_whole_lines_without_a_search(game: Game) -> None:
    book, empty = book_of(game).book, Position(game, 0, 0, "X")
    nothing = Search(rules_of(game), memory(4), limit=0)
    for position in [empty, *map(empty.play, empty.legal_moves)][: 1 + 9 * book.lined]:
        score = book.score(position.mine, position.theirs)
        assert score is not None
        line = list(principal_variation(nothing, book, position.mine, position.theirs, score))
        assert line == list(principal_variation(search(game), NOTHING, position.mine, position.theirs, score))


@each_booked_game
def test_a_book_is_read_as_it_was_written(game: Game, tmp_path: Path) -> None:
    found = book_of(game)
    write_book(tmp_path / "a.book", game, found.book, found.source)
    again = read_book(tmp_path / "a.book")
    assert (again.checksum, again.source, again.game.digest) == (found.checksum, found.source, game.digest)
    assert (again.plies, again.book.lined) == SIZES[game]
    assert again.game.symmetries == game.symmetries
    assert all(again.book.score(*masks) == found.book.score(*masks) for masks in entries(found.book))


def test_the_same_book_makes_the_same_file(tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in ("a.book", "b.book"))
    build_at(first, CONNECT_FOUR_5X4)
    build_at(second, CONNECT_FOUR_5X4)
    assert first.read_bytes() == second.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.book", "b.book"]


def test_whatever_byte_is_damaged_the_book_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for place in [*range(HEAD.size + 100), *range(HEAD.size + 100, len(whole), 17), len(whole) - 1]:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(InvalidBook, match=r"misere\.book: it is "):
            read_book(file)


@pytest.mark.parametrize("left", [0, 1, HEAD.size - 1, HEAD.size, 300, -1])
def test_a_part_of_a_book_is_refused(file: Path, left: int) -> None:
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(InvalidBook, match=r"it is (no book of Move Oracle|damaged or incomplete)"):
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
        with pytest.raises(InvalidBook, match=f"{name}: it is no book of Move Oracle"):
            read_book(tmp_path / name)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.book").write_text("Once upon a time there was a board of three by three.\n" * 9)
    with pytest.raises(InvalidBook, match="it is no book of Move Oracle"):
        read_book(tmp_path / "a.book")


def test_a_book_of_another_version_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.book.file.VERSION", 2)
    with pytest.raises(InvalidBook, match="another version or kind of machine"):
        read_book(file)


def test_a_book_whose_game_has_other_rules_here_is_refused(tmp_path: Path) -> None:
    found = book_of(MISERE_TIC_TAC_TOE)
    write_book(tmp_path / "a.book", replace(found.game, misere=False), found.book, found.source)
    with pytest.raises(InvalidBook, match="its game is called misere-tic-tac-toe, but has other rules"):
        read_book(tmp_path / "a.book")


def rewrite(path: Path, **changes: object) -> None:
    """Changes what the file says of its book; None leaves it out. The checksum is right again."""
    data = path.read_bytes()
    length = int.from_bytes(data[24:28], "little")
    about = {**json.loads(data[HEAD.size : HEAD.size + length]), **changes}
    text = json.dumps({name: value for name, value in about.items() if value is not None}).encode()
    text += b" " * (-(HEAD.size + len(text)) % 8)
    body = len(text).to_bytes(4, "little") + text + data[HEAD.size + length :]
    path.write_bytes(data[:8] + blake2b(body, digest_size=16).digest() + body)


def test_a_book_whose_parts_have_other_sizes_is_refused(file: Path) -> None:
    rewrite(file, lines=7)
    with pytest.raises(InvalidBook, match="its parts do not have the sizes that it states"):
        read_book(file)


@pytest.mark.parametrize("name", ["version", "byte_order", "game", "shapes", "lines", "length", "lined", "source"])
def test_a_description_that_says_too_little_is_refused(file: Path, name: str) -> None:
    rewrite(file)
    read_book(file)
    rewrite(file, **{name: None})
    with pytest.raises(InvalidBook, match=f"it is damaged: KeyError.*{name}"):
        read_book(file)


def test_a_book_of_another_kind_of_machine_is_refused(file: Path) -> None:
    rewrite(file, byte_order="middle")
    with pytest.raises(InvalidBook, match="another version or kind of machine"):
        read_book(file)


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
    with pytest.raises(InvalidBook, match=rf"{tmp_path}: there is no book in it, no file whose name ends in \.book\."):
        read_books(str(tmp_path))


def test_two_books_of_one_game_are_refused(tmp_path: Path) -> None:
    build_at(tmp_path / "a.book", MISERE_TIC_TAC_TOE)
    build_at(tmp_path / "b.book", MISERE_TIC_TAC_TOE)
    with pytest.raises(InvalidBook, match=r"b\.book: there is another book of the same game, misere-tic-tac-toe"):
        read_books(str(tmp_path))


@pytest.fixture
def nobody() -> Iterator[None]:
    """Takes the rights of the superuser away, who may read anything."""
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
            with pytest.raises(InvalidBook, match="it cannot be read: Permission denied"):
                read_books(str(place))
        os.seteuid(os.getuid())


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(InvalidBook, match="it cannot be read: File name too long"):
        read_books("x" * 300)


def test_a_book_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidBook, match=r"missing\.book: it cannot be read: No such file"):
        read_books(str(tmp_path / "missing.book"))
