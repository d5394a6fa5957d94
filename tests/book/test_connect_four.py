"""The book of Connect Four in the package: every position of up to twelve discs, from the database of somebody else.

``make book`` builds it again, and fails if a byte differs; here its lower layers are built.
"""

import random
from importlib.metadata import distribution

import pytest
from bitbully_databases import BitBullyDatabases  # type: ignore[import-untyped]

from service.book.builder.bitbully import PACKAGE, Database, credit, database
from service.book.builder.check import Checker
from service.book.builder.layers import LayerBuilder
from service.book.file import BookFile, read_book
from service.book.paths import PACKAGED
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.games.boards.grid import permute
from service.games.catalogue import CONNECT_FOUR
from service.games.families.lines import line_position, position_after
from tests.support import HUNG_SECONDS
from tests.worlds import drawn_positions

DISCS = 12
LOWER = 8
"""The layers up to this number of discs take a second; each one above, three times as long as the one below."""
MIRROR = next(symmetry for symmetry in CONNECT_FOUR.symmetries if symmetry[0])


FILE = PACKAGED / "connect-four.book"


@pytest.fixture(scope="module")
def found() -> BookFile:
    return read_book(FILE)


def test_the_book_says_what_it_is_and_whom_it_owes_it_to(found: BookFile) -> None:
    assert found.source == credit()
    assert "Markus Thill (MIT licence)" in found.source
    assert (found.plies, found.book.pv_depth) == (12, 6)
    assert FILE.stat().st_size < 12_000_000
    licence = next(file for file in distribution(PACKAGE).files or () if file.name == "LICENSE").read_text()
    assert licence in (PACKAGED / "LICENSE-bitbully-databases").read_text(encoding="utf-8")


def test_the_lower_layers_follow_from_those_above(found: BookFile) -> None:
    layers = found.book.layers
    builder = LayerBuilder(CONNECT_FOUR)
    shapes = builder.shapes(LOWER)
    assert [[*layer.shapes] for layer in layers[: LOWER + 1]] == shapes
    for discs in range(LOWER):
        assert builder.below(shapes[discs], layers[discs + 1]).scores == layers[discs].scores


def test_every_position_of_up_to_twelve_discs_that_play_reaches_is_in_the_book_like_its_mirror_image(
    found: BookFile,
) -> None:
    for discs in range(DISCS + 1):
        for position in drawn_positions(CONNECT_FOUR, range(discs, discs + 1), 200):
            score = found.book.score(*position.state)
            assert score is not None
            assert found.book.score(permute(position.state[0], MIRROR), permute(position.state[1], MIRROR)) == score
    for position in drawn_positions(CONNECT_FOUR, range(DISCS + 1, DISCS + 2), 10):
        assert found.book.score(*position.state) is None


@pytest.mark.verify
def test_scores_are_those_that_the_package_itself_reads(found: BookFile) -> None:
    """The package's own encoding of boards, and its own reading of records."""
    package = BitBullyDatabases("12-ply-dist")
    for position in drawn_positions(CONNECT_FOUR, range(DISCS, DISCS + 1), 500):
        mine, theirs = position.state
        cells = [1 if mine >> cell & 1 else 2 * (theirs >> cell & 1) for cell in range(42)]
        distance = package.get_book_value([cells[row : row + 7] for row in range(0, 42, 7)])
        if distance is None:
            assert found.book.score(mine, theirs) == CONNECT_FOUR.cells - DISCS  # won by the next move
        else:
            plies = 100 - abs(distance)
            assert found.book.score(mine, theirs) == (43 - DISCS - plies) * ((distance > 0) - (distance < 0))


def test_entries_hold_against_the_kernel(found: BookFile) -> None:
    checker = Checker(found, random.Random(7))
    tried = [*checker.last(12), *checker.before(400), *checker.lines(4)]
    assert len(tried) > 412
    assert [sample for sample in tried if not sample.right] == []


def test_the_database_is_read_whole_and_knows_nothing_else() -> None:
    assert len(database()) == 4_200_899
    assert database().score(0, 0) is None
    assert Database(b"").score(0, 0) is None


def test_the_empty_board_is_answered_and_analysed_without_a_search(found: BookFile) -> None:
    oracle, start = Oracle(books={CONNECT_FOUR.digest: found.book}), line_position(CONNECT_FOUR, 0, 0, "X")
    limit = Limit(HUNG_SECONDS, nodes=1)
    best, analysis = oracle.best_move(start, limit=limit), oracle.analyse(start, limit=limit)
    assert (best.move, best.outcome, best.plies, len(best.pv), best.source) == (38, "win", 41, 41, "book")
    assert position_after(CONNECT_FOUR, best.pv).winner == "X"
    assert analysis.nodes == 0
    # What everybody knows counts the discs that the winner has left, and one more: -2, -1, 0, 1, 0, -1, -2.
    assert {move.move - 35: move.score for move in rank(analysis)} == dict(enumerate([-3, -1, 0, 2, 0, -1, -3]))
    assert all(len(move.pv) == move.plies for move in rank(analysis))
