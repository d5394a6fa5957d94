"""What a book says is what the kernel and plain minimax say."""

import random
from operator import attrgetter

import pytest

from service.book.book import NOTHING
from service.book.variation import principal_variation
from service.games.boards.grid import permute
from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import LineGame, line_position, marked
from tests.book.books import SIZES, book_of, entries
from tests.worlds import reachable, score_from_the_start, search

pytestmark = pytest.mark.verify

each_booked_game = pytest.mark.parametrize("game", SIZES, ids=attrgetter("id"))


@each_booked_game
def test_every_score_in_a_book_is_the_one_that_the_kernel_finds_in_every_symmetric_position(game: LineGame) -> None:
    book, kernel, known = book_of(game).book, search(game), 0
    for mine, theirs in entries(book):
        score = book.score(mine, theirs)
        if score is None:
            assert kernel.ended(theirs, mine)  # the player to move has a line, so the game was over before
        else:
            known += 1
            assert score == kernel.score(mine, theirs)
        for symmetry in game.symmetries[:8]:
            assert book.score(permute(mine, symmetry), permute(theirs, symmetry)) == score
    assert known > 0.7 * book_of(game).positions


@pytest.mark.parametrize("game", [TIC_TAC_TOE, MISERE_TIC_TAC_TOE], ids=attrgetter("id"))
def test_every_score_in_a_book_is_the_one_that_the_reference_finds(game: LineGame) -> None:
    found = book_of(game)
    for position in reachable(game):
        if marked(position).bit_count() <= found.plies:
            assert found.book.score(*position.state) == score_from_the_start(position)


@each_booked_game
def test_a_book_knows_every_position_of_few_marks_and_none_of_more(game: LineGame) -> None:
    found, known = book_of(game), set[bool]()
    dice = random.Random(1)
    for _ in range(300):
        position = line_position(game, 0, 0, "X")
        while position.legal_moves:
            few = marked(position).bit_count() <= found.plies
            assert (found.book.score(*position.state) is not None) == few
            known.add(few)
            position = position.play(dice.choice(position.legal_moves))
    assert True in known


@each_booked_game
def test_every_line_in_a_book_is_best_play_to_the_end_the_lowest_move_at_every_ply(game: LineGame) -> None:
    found = book_of(game)
    masks, kernel = found.book.lines.masks, search(game)
    assert (found.lines > 0) == (found.plies < game.cells)
    for place in range(found.lines):
        mine, theirs = masks[2 * place], masks[2 * place + 1]
        score = found.book.score(mine, theirs)
        assert score is not None
        assert found.book.line(mine, theirs) == list(principal_variation(kernel, NOTHING, mine, theirs, score))
