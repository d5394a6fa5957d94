"""The book of Connect Four in the package: every position of up to twelve discs, from the database of somebody else.

``make thorough`` builds it again, which takes a minute; ``make test`` builds its lower layers.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO

import pytest
from bitbully_databases import BitBullyDatabases  # type: ignore[import-untyped]

from service.book.builder.bitbully import PACKAGE, Database, credit, database
from service.book.builder.build import make_plan
from service.book.builder.check import Checker
from service.book.builder.layers import LayerBuilder
from service.book.builder.tasks import solve_scores
from service.book.file import BookFile, read_book
from service.book.paths import PACKAGED
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.games.boards.grid import permute
from service.games.catalogue import CONNECT_FOUR
from service.games.families.lines import LinePosition, line_position, position_after
from tests.support import HUNG_SECONDS, ROOT, UNMEASURED
from tests.worlds import drawn_positions

DISCS = 12
LOWER = 8
"""The layers up to this number of discs take a second; each one above, three times as long as the one below."""
SECONDS = 900
MIRROR = next(symmetry for symmetry in CONNECT_FOUR.symmetries if symmetry[0])


FILE = PACKAGED / "connect-four.book"


@pytest.fixture(scope="module")
def found() -> BookFile:
    return read_book(FILE)


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> BookFile:
    """The book as the command builds it, but with fewer lines: those of the empty board and of each first move."""
    path = tmp_path_factory.mktemp("book") / "connect-four.book"
    command = [sys.executable, "-m", "service", "book", "build", "connect-four", "--lined", "1", "-o", str(path)]
    environment = {**os.environ, **UNMEASURED}  # or it would take minutes
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    return read_book(path)


def random_positions(discs: int, count: int) -> Iterator[LinePosition]:
    """Unfinished positions of so many discs, from games played at random."""
    return drawn_positions(CONNECT_FOUR, range(discs, discs + 1), count)


def test_the_book_says_what_it_is_and_whom_it_owes_it_to(found: BookFile) -> None:
    assert found.source == credit()
    assert "Markus Thill (MIT licence)" in found.source
    assert (found.plies, found.book.line_depth) == (12, 6)
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


@pytest.mark.thorough
def test_the_book_is_what_the_command_builds(found: BookFile, rebuilt: BookFile) -> None:
    """Every score, and the lines of the first moves; ``make book`` compares the whole file."""
    assert (rebuilt.source, rebuilt.plies) == (found.source, found.plies)
    for made, kept in zip(rebuilt.book.layers, found.book.layers, strict=True):
        assert (made.shapes, made.scores) == (kept.shapes, kept.scores)
    lines = rebuilt.book.lines
    ends = [lines.position(index) for index in range(len(lines))]
    assert ends
    assert [found.book.line(*end) for end in ends] == [rebuilt.book.line(*end) for end in ends]


def test_the_scores_of_the_first_moves_are_those_that_everybody_knows(found: BookFile) -> None:
    empty = line_position(CONNECT_FOUR, 0, 0, "X")
    scores = [-(found.book.score(0, 1 << move) or 0) for move in empty.legal_moves]
    # The custom counts the discs that the winner has left, and one more.
    usual = [(abs(score) + 1) // 2 * ((score > 0) - (score < 0)) for score in scores]
    assert usual == [-2, -1, 0, 1, 0, -1, -2]
    assert found.book.score(0, 0) == 2  # a win on the 41st of 42 cells


def test_every_position_of_up_to_twelve_discs_that_play_reaches_is_in_the_book_like_its_mirror_image(
    found: BookFile,
) -> None:
    for discs in range(DISCS + 1):
        for position in random_positions(discs, 200):
            score = found.book.score(*position.words)
            assert score is not None
            assert found.book.score(permute(position.words[0], MIRROR), permute(position.words[1], MIRROR)) == score
    for position in random_positions(DISCS + 1, 10):
        assert found.book.score(*position.words) is None


def test_scores_are_those_that_the_package_itself_reads(found: BookFile) -> None:
    """The package's own encoding of boards, and its own reading of single records."""
    path = files("bitbully_databases") / "assets" / "book_12ply_distances.dat"
    with Path(str(path)).open("rb") as records:
        for position in random_positions(DISCS, 500):
            distance = _distance(records, position)
            score = found.book.score(*position.words)
            assert score is not None
            if distance is None:
                assert score == CONNECT_FOUR.cells - DISCS  # won by the next move
            else:
                plies = 100 - abs(distance)
                assert score == (43 - DISCS - plies) * ((distance > 0) - (distance < 0))


def _distance(records: BinaryIO, position: LinePosition) -> int | None:
    """What the package's file says of a position, found by bisection; None if it is not in it."""
    package = BitBullyDatabases
    board = [
        [
            1 if position.words[0] >> cell & 1 else 2 if position.words[1] >> cell & 1 else 0
            for cell in range(row, row + 7)
        ]
        for row in range(0, 42, 7)
    ]
    for shown in (board, package._mirror_horiz(board)):  # noqa: SLF001, the package has it only for itself
        wanted = package._to_huffman(shown)  # noqa: SLF001, likewise
        low, high = 0, len(database())
        while low < high:
            middle = (low + high) // 2
            records.seek(5 * middle)
            code, distance = package._readline(records, with_distances=True, is_8ply=False)  # noqa: SLF001, likewise
            if code == wanted:
                return int(distance)
            low, high = (middle + 1, high) if code < wanted else (low, middle)
    return None


def test_entries_hold_against_the_kernel(found: BookFile) -> None:
    checker = Checker(found, random.Random(7))
    tried = [*checker.last(12), *checker.before(400), *checker.lines(4)]
    assert len(tried) > 412
    assert [sample for sample in tried if not sample.right] == []


def test_a_piece_of_the_last_layer_is_what_the_book_holds(found: BookFile) -> None:
    layer = found.book.layers[DISCS]
    shapes = layer.shapes[100], layer.shapes[5000]
    made = memoryview(solve_scores(CONNECT_FOUR, shapes, from_database=True)).cast("b")
    assert made[:924] == layer.scores[924 * 100 : 924 * 101]
    assert made[924:] == layer.scores[924 * 5000 : 924 * 5001]


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
    moves = rank(analysis)
    assert {move.move - 35: move.score for move in moves} == dict(enumerate([-3, -1, 0, 2, 0, -1, -3]))
    assert all(len(move.pv) == move.plies for move in moves)


def test_a_smaller_book_follows_from_the_same_database(found: BookFile, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(CONNECT_FOUR, 3, 0)
    assert (plan.from_database, plan.solved, plan.plies) == (True, 12, 3)
    assert json.loads(json.dumps(plan.data()))["source"] == credit()
    monkeypatch.setattr("service.book.builder.build.find_spec", lambda _: None)
    assert make_plan(CONNECT_FOUR, 3, 0).from_database is False
    assert make_plan(CONNECT_FOUR, 13, 0).from_database is False
    assert found.book.score(0, 0) == 2
