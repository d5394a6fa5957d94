"""Files of earlier versions: today's code reads them rightly, or refuses them in words and makes them again.

Who changes a format without raising its version, and so would misread what is stored, finds out here.
"""

import json
from pathlib import Path

import pytest

import service
from service.book.file import InvalidBook, read_book
from service.cli.game.saved_game import FileFault, read_game
from service.engine.oracle import Oracle
from service.engine.tables.family_table import build, read_table, write_table
from service.games.position import Position
from tests.golden.files import (
    BOOK,
    BOOK_GAME,
    ENTRY,
    FOLDER,
    MOVES,
    SAVED,
    SEALED,
    START,
    TABLE,
    TABLE_GAME,
    VERSIONS,
    Kept,
)
from tests.worlds import proof, reachable, score_from_the_start

each_version = pytest.mark.parametrize("version", VERSIONS)


def test_the_files_of_this_version_are_kept() -> None:
    assert service.__version__ in VERSIONS


@each_version
def test_a_book_is_read_or_to_be_built_again(version: str) -> None:
    try:
        found = read_book(FOLDER / version / BOOK)
    except InvalidBook as error:
        assert "build it again" in str(error)  # noqa: PT017, either is right
        return
    assert found.game.digest == BOOK_GAME.digest
    for position in reachable(BOOK_GAME)[::20]:
        assert found.book.score(*position.state) in (None, score_from_the_start(position))


@each_version
def test_a_table_is_read_or_made_again(version: str, tmp_path: Path) -> None:
    write_table(tmp_path / TABLE, build(TABLE_GAME, most=1000))
    found, again = (read_table(TABLE_GAME, folder / TABLE) for folder in (FOLDER / version, tmp_path))
    assert again is not None
    if found is None:
        return
    frontier = {Position(TABLE_GAME)}
    while frontier:
        assert [found.value(position) for position in frontier] == [again.value(position) for position in frontier]
        frontier = {position.play(move) for position in frontier for move in position.legal_moves}


@each_version
def test_a_saved_game_is_read_or_refused_in_words(version: str) -> None:
    path = FOLDER / version / SAVED
    try:
        saved, (positions, _) = read_game(path)
    except FileFault as fault:
        assert str(path) in fault.message  # noqa: PT017, either is right
        return
    assert (saved.play_as, saved.skill, saved.moves) == ("O", 60, [*MOVES])
    assert str(positions[-1]) == f"{'.' * 28}...O...{'..XXO..'}"


@each_version
def test_an_entry_of_the_shared_cache_is_found_or_not_looked_for(version: str) -> None:
    kept = {key: bytes.fromhex(value) for key, value in json.loads((FOLDER / version / ENTRY).read_text()).items()}
    (entry,) = Kept(kept, SEALED).look_up([START], all_best=False)
    assert entry in (None, proof(Oracle().best_move(START)))
