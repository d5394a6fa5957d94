"""Strategy books of draws: every move of the first player is met, and both players' answers come from the book."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from service.book.builder import holding_build
from service.book.builder.check import check_strategy
from service.book.builder.holding_build import build_holding, holding_plan
from service.book.strategy import HoldingBook
from service.book.strategy_file import StrategyFile, open_book, write_holding
from service.engine.oracle import Oracle
from service.engine.result import score_bounds
from service.engine.work.limit import Limit
from service.games.boards.grid import permute
from service.games.families.lines import LinePosition, line_position, position_after
from tests.book.books import built
from tests.worlds import small

pytestmark = pytest.mark.verify

GAME = small(7, 7, 5)
"""A draw: a search of thousands of nodes finds the first replies."""

NODES = 300

SEED = 7


def build_at(path: Path) -> StrategyFile:
    """Build the book as the command does, in a thread of this process, for quick searches of few nodes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(holding_build, "LIVE_HOLDING_NODES", NODES)
        held = built(path, holding_plan(GAME), partial(build_holding, GAME))
    write_holding(path, GAME, held, live_nodes=NODES, source="a test")
    found = open_book(path)
    assert isinstance(found, StrategyFile)
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> StrategyFile:
    return build_at(tmp_path_factory.mktemp("holding") / "a.book")


@pytest.fixture(scope="module")
def book(found: StrategyFile) -> HoldingBook:
    assert isinstance(found.book, HoldingBook)
    return found.book


def best_move(book: HoldingBook, position: LinePosition) -> tuple[int | None, str, str]:
    """Return the move, the outcome and the source of an answer that has no time for a search."""
    answer = Oracle(books={GAME.digest: book}).best_move(position, limit=Limit(60, nodes=1))
    return answer.move, answer.outcome, answer.source


def test_every_move_is_met_and_the_book_is_always_the_same(found: StrategyFile, tmp_path: Path) -> None:
    assert found.positions > 5
    assert (found.source, found.live_nodes, found.game.digest) == ("a test", NODES, GAME.digest)
    assert all(sample.right for sample in check_strategy(found, found.positions, Random(SEED)))
    assert build_at(tmp_path / "b.book").checksum == found.checksum


def test_images_of_a_position_are_known_like_it_and_more_marks_of_the_holder_do_not_hurt(book: HoldingBook) -> None:
    for mine, theirs in book.held:
        for image in GAME.automorphisms:
            assert book.at_most(permute(mine, image), permute(theirs, image)) == 0
        for cell in range(GAME.cells):
            if not (mine | theirs) >> cell & 1:
                assert book.at_most(mine, theirs | 1 << cell) == 0


def test_the_book_says_nothing_where_a_reply_is_missing(book: HoldingBook) -> None:
    held = {(mine, theirs) for mine, theirs in book.held if mine}
    strays = [(mine, 1 << cell) for mine, _ in held for cell in range(GAME.cells) if not mine >> cell & 1]
    known = [book.at_most(*stray) for stray in strays if stray[0].bit_count() == 1]
    assert known.count(None) > known.count(0) > 0


def test_the_empty_board_and_every_first_move_are_a_draw_without_a_search(book: HoldingBook) -> None:
    empty = line_position(GAME, 0, 0, "X")
    assert best_move(book, empty)[1:] == ("draw", "book")
    for move in empty.legal_moves:
        reply, *said = best_move(book, empty.play(move))
        assert reply is not None
        assert said == ["draw", "book"]
        after = position_after(GAME, [move, reply])
        assert book.at_most(*after.state) == 0
        assert best_move(book, after)[1:] == ("draw", "book")


def test_every_play_against_the_book_is_held_with_a_quick_search(book: HoldingBook) -> None:
    oracle, dice = Oracle(books={GAME.digest: book}), Random(SEED)
    for _ in range(5):
        position = line_position(GAME, 0, 0, "X")
        while position.legal_moves:
            if position.turn:
                answer = oracle.best_move(position, limit=Limit(60, nodes=100_000))
                assert score_bounds(answer.known)[0] >= 0
                assert answer.move is not None
                position = position.play(answer.move)
            else:
                position = position.play(dice.choice(list(position.legal_moves)))
        assert position.winner != "X"
