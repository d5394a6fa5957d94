"""Keys of the transposition table: no two positions share one by construction.

The kernel's own keys are compared with those of ``keys.c``, which makes enough of them to count.
"""

import ctypes
import os
import random
import subprocess
from collections.abc import Iterator
from itertools import product
from math import sqrt
from pathlib import Path

import pytest

from service.games.catalogue import LINE_GAMES
from service.games.families.lines import hand_written
from service.games.game import Game
from service.kernel.rules import make_rules
from service.redis_cache import _key as shared_cache_key
from tests.engine.slots import STATES, empty, searching
from tests.kernel.test_kernel import key_of
from tests.support import need, sampled
from tests.worlds import read_position, small

RULES = make_rules(64, [[0, 1, 2]])
RANDOM_PAIRS = int(os.environ.get("KEY_PAIRS", "1_000_000"))


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library = tmp_path_factory.mktemp("keys") / "keys.so"
    source = Path(__file__).with_name("keys.c")
    subprocess.run([need("cc"), "-O3", "-shared", "-fPIC", "-o", library, source], check=True)
    found = ctypes.CDLL(str(library))
    found.key_of.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p]
    found.shared_in_ball.argtypes = [ctypes.c_uint64] * 2 + [ctypes.c_int] * 2 + [ctypes.c_int64, ctypes.c_void_p]
    found.shared_in_ball.restype = ctypes.c_int64
    found.shared_at_random.argtypes = [ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p]
    found.shared_at_random.restype = ctypes.c_int64
    found.use_seeds((ctypes.c_uint64 * 130)(*RULES.key_seeds))
    return found


def positions(dice: random.Random, count: int) -> Iterator[tuple[int, int]]:
    for _ in range(count):
        mine = dice.getrandbits(64)
        yield mine, dice.getrandbits(64) & ~mine


@pytest.mark.verify
def test_the_keys_that_are_counted_are_those_of_the_kernel(code: ctypes.CDLL) -> None:
    found = (ctypes.c_uint64 * 2)()
    for mine, theirs in positions(random.Random(1), 500):
        code.key_of(mine, theirs, found)
        assert tuple(found) == key_of(RULES, mine, theirs)


@pytest.mark.verify
@pytest.mark.parametrize(("radius", "both"), [(sampled(3, 4), 0), (sampled(2, 3), 1)], ids=["marks", "dead cells too"])
def test_no_two_positions_share_a_key_of_all_that_differ_from_one_in_few_cells(
    code: ctypes.CDLL, radius: int, both: int
) -> None:
    for mine, theirs in [(0, 0), *positions(random.Random(2), 1)]:
        count = ctypes.c_int64()
        assert code.shared_in_ball(mine, theirs, radius, both, 12_000_000, ctypes.byref(count)) == 0
        assert count.value > 10_000


@pytest.mark.verify
def test_positions_that_differ_in_few_cells_share_parts_of_a_key_as_seldom_as_chance_has_it(code: ctypes.CDLL) -> None:
    windows = (ctypes.c_int64 * 4)()
    assert code.shared_at_random(RANDOM_PAIRS, 3, windows) == 0
    # Check bits hang on one mask alone, and a quarter of the pairs share that; so only parts of the key itself are
    # compared with chance.
    expected = RANDOM_PAIRS / 65536
    for count in windows:
        assert abs(count - expected) < 6 * sqrt(expected)


def test_the_key_depends_on_every_bit_of_both_masks_on_the_marks_on_the_side_and_on_the_game() -> None:
    for cells in range(1, 65):
        rules = make_rules(cells, [[0]])
        keys = {key_of(rules, 0, 0)}
        for cell in range(cells):
            keys |= {key_of(rules, 1 << cell, 0, 0), key_of(rules, 0, 1 << cell, 0)}
        keys |= {key_of(rules, 0, 0, marks) for marks in range(1, cells + 1)}
        assert len(keys) == 1 + 3 * cells, cells
    games = [*LINE_GAMES.values()]
    assert len({key_of(game.lay_out(), 0b01, 0b10) for game in games}) == len({game.digest for game in games})


@pytest.mark.parametrize("game", [small(4, 5, 4), STATES], ids=["lines", "states"])
def test_every_start_has_other_keys_in_the_table_that_all_requests_share(game: Game) -> None:
    tables = []
    for oracle in (searching(table_mb=1), searching(table_mb=1)):
        oracle.best_move(empty(game))
        tables.append({*oracle._engines[game.engine]._table})  # noqa: SLF001
    assert min(map(len, tables)) > 100
    assert tables[0] != tables[1]


def test_caches_tell_positions_and_games_apart_that_differ_in_anything() -> None:
    written: list[tuple[int, list[list[int]], bool]] = [
        (4, [[0, 1]], False),
        (3, [[0, 1]], False),
        (3, [[0, 2]], False),
        (3, [[0, 1], [0, 2]], False),
        (3, [[0, 1]], True),
    ]
    games = [
        hand_written(id="custom", name="custom", rules="", cells=cells, lines=lines, misere=misere)
        for cells, lines, misere in written
    ]
    assert len({game.digest for game in games}) == len({game.search_digest for game in games}) == 5
    asked = product(games[1:], ("...", "X..", ".X.", "..X"), (False, True))
    assert (
        len({shared_cache_key(read_position(board, None, game), all_best=all_best) for game, board, all_best in asked})
        == 32
    )
