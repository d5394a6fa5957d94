"""Strategy books of wins: what is in one, that every defence is refuted, and that answers come from it."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from service.book.builder import strategy_build
from service.book.builder.check import check_strategy
from service.book.builder.strategy_build import build_strategy, plan_data
from service.book.file import InvalidBook
from service.book.paths import PACKAGED
from service.book.strategy import StrategyBook
from service.book.strategy_file import StrategyFile, open_book, write_strategy
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.games.boards.grid import permute
from service.games.catalogue import QUBIC, TIC_TAC_TOE
from service.games.families.lines import LineGame, hand_written, line_position, position_after
from tests.book.books import built
from tests.engine.slots import looks
from tests.worlds import changed, small

pytestmark = pytest.mark.verify

GAME = small(5, 6, 4)
"""The first player wins, which takes 20,000 nodes."""

QUICK = small(4, 4, 3)
"""The first player wins within a few moves."""

LINES = hand_written(id="custom", name="lines", rules="those of the quick game", cells=QUICK.cells, lines=QUICK.lines)

NODES = 30

SEED = 7


def build_at(path: Path, game: LineGame, nodes: int) -> StrategyFile:
    """Build a strategy book as the command does, in a thread of this process, for quick searches of few nodes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(strategy_build, "LIVE_NODES", nodes)
        lost = built(path, plan_data(game), partial(build_strategy, game))
    write_strategy(path, game, lost, live_nodes=nodes, source="a test")
    found = open_book(path)
    assert isinstance(found, StrategyFile)
    return found


def won(found: StrategyFile) -> StrategyBook:
    assert isinstance(found.book, StrategyBook)
    return found.book


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> StrategyFile:
    return build_at(tmp_path_factory.mktemp("strategy") / "a.book", GAME, NODES)


@pytest.fixture(scope="module")
def packaged() -> StrategyFile:
    book = open_book(PACKAGED / "qubic.book")
    assert isinstance(book, StrategyFile)
    return book


def test_every_defence_against_the_book_is_refuted_and_images_of_a_position_are_known_like_it(
    found: StrategyFile,
) -> None:
    assert found.positions > 1
    assert all(sample.right for sample in check_strategy(found, found.positions, Random(SEED)))
    for (mine, theirs), plies in won(found).lost.items():
        for image in GAME.automorphisms:
            assert won(found).lost_in(permute(mine, image), permute(theirs, image)) == plies


@pytest.mark.parametrize("game", [QUICK, LINES], ids=["grid", "lines"])
def test_a_strategy_book_is_read_as_it_was_written_and_is_always_the_same(game: LineGame, tmp_path: Path) -> None:
    first, second = (build_at(tmp_path / name, game, 2) for name in ("a.book", "b.book"))
    assert (tmp_path / "a.book").read_bytes() == (tmp_path / "b.book").read_bytes()
    assert won(first).lost == won(second).lost
    assert (first.game.digest, first.source, first.live_nodes) == (game.digest, "a test", 2)


def test_a_changed_file_and_a_book_for_other_rules_of_a_game_are_refused(found: StrategyFile, tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    write_strategy(path, GAME, won(found).lost, live_nodes=NODES, source="a test")
    whole = path.read_bytes()
    changes = {(b"X", b"O"): "checksum", (b"book 1", b"book 2"): "not a book", (b"\n", b"\r\n"): "checksum"}
    for (old, new), reason in changes.items():
        path.write_bytes(whole.replace(old, new))
        with pytest.raises(InvalidBook, match=reason):
            open_book(path)
    other = changed(GAME, id=TIC_TAC_TOE.id)
    write_strategy(path, other, won(found).lost, live_nodes=NODES, source="a test")
    with pytest.raises(InvalidBook, match=r"a\.book is for other rules of tic-tac-toe"):
        open_book(path)


def test_an_answer_comes_from_the_strategy_without_a_search(found: StrategyFile) -> None:
    oracle, empty = Oracle(books={GAME.digest: found.book}), line_position(GAME, 0, 0, "X")
    answer = oracle.best_move(empty, limit=Limit(60, nodes=1))
    assert answer.move is not None
    after = empty.play(answer.move)
    lost = oracle.best_move(after, limit=Limit(60, nodes=1))
    assert [(each.outcome, each.source) for each in (answer, lost)] == [("win", "book"), ("loss", "book")]
    assert won(found).lost_in(*after.state) == lost.plies_bounds[1] == answer.plies_bounds[1] - 1


def test_the_book_of_qubic_is_small_and_wins_and_some_defences_are_refuted(packaged: StrategyFile) -> None:
    """``make book`` replays every defence in all positions."""
    assert (PACKAGED / "qubic.book").stat().st_size < 20_000
    oracle = Oracle(books={QUBIC.digest: packaged.book})
    answer = oracle.best_move(line_position(QUBIC, 0, 0, "X"), limit=Limit(60, nodes=1000))
    assert (answer.outcome, answer.proven, answer.exact) == ("win", True, False)
    assert answer.plies_bounds[1] == 1 + max(won(packaged).lost.values())
    assert all(sample.right for sample in check_strategy(packaged, 2, Random(SEED)))


@pytest.mark.parametrize("moves", [[], [0, 25], [0]], ids=str)
def test_law_1_an_answer_from_the_book_of_qubic_is_the_same_whatever_was_asked_before(
    packaged: StrategyFile, moves: list[int]
) -> None:
    oracle, position = Oracle(books={QUBIC.digest: packaged.book}), position_after(QUBIC, moves)
    first = oracle.best_move(position)
    for move in position.legal_moves[:20]:
        oracle.best_move(position.play(move), limit=Limit(60, stop=looks(20)))
    assert oracle.best_move(position).known == first.known
