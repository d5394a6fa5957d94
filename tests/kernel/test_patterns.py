"""The tests of lines: those in Python against the lines one by one, those in C against Python."""

import ctypes
import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from service.kernel import patterns
from service.kernel.rules import LANES, Rules, make_rules
from tests.support import IN_CI, ROOT, need
from tests.worlds import rules_of, small

ALL_CELLS = (1 << 64) - 1

GRIDS = [small(3, 3, 3), small(6, 7, 4), small(8, 8, 5), small(4, 4, 4, layers=4), small(5, 5, 2), small(1, 64, 9)]

DICE = random.Random(1)
SOME_LINES = [sorted(DICE.sample(range(64), length)) for length in (1, 2, 3, 3, 4, 4, 4, 4, 4, 7, 20, 64)]

GAMES: dict[str, tuple[Rules, Sequence[int]]] = {
    **{game.id: (rules_of(game), game.line_masks) for game in GRIDS},
    "lines of many lengths": (make_rules(64, SOME_LINES), [sum(1 << cell for cell in line) for line in SOME_LINES]),
}
"""The rules of some games, each with its lines as masks."""

CPU_INFO = Path("/proc/cpuinfo")


def positions(lines: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield random marks of two players; often a line lacks few cells."""
    dice = random.Random(2)
    for _ in range(200):
        mine = dice.getrandbits(64) & dice.choice((ALL_CELLS, dice.getrandbits(64)))
        for line in dice.sample(lines, min(2, len(lines))):
            mine |= line & ~(1 << dice.randrange(64))
        yield mine, dice.getrandbits(64) & dice.getrandbits(64) & ~mine


def found_in_python(rules: Rules, mine: int, theirs: int) -> tuple[int, int, bool, int, int]:
    tested = patterns.from_arrays(rules.starts, rules.offsets, rules.lengths)
    return (
        patterns.completing(tested, mine) & ~mine,
        patterns.within(tested, mine),
        patterns.has_line(tested, mine),
        *patterns.lacking_two(tested, mine, theirs),
    )


@pytest.mark.parametrize("game", GAMES)
def test_all_lines_together_have_what_the_lines_have_one_by_one(game: str) -> None:
    rules, lines = GAMES[game]
    for mine, theirs in positions(lines):
        completing = within = once = several = 0
        for line in lines:
            missing = line & ~mine
            completing |= missing if missing.bit_count() == 1 else 0
            within |= 0 if missing else line
            if missing.bit_count() == 2 and not line & theirs:
                several |= once & line
                once |= line
        assert found_in_python(rules, mine, theirs) == (completing, within, within != 0, once, several)


@pytest.mark.parametrize("half", ["by_avx2", "one_by_one"])
def test_c_finds_what_python_finds(half: str, tmp_path: Path) -> None:
    if half == "by_avx2" and not (CPU_INFO.exists() and "avx2" in CPU_INFO.read_text().split()):
        (pytest.fail if IN_CI else pytest.skip)("this processor has no AVX2")
    source = Path(__file__).with_name("patterns.c")
    library = tmp_path / "patterns.so"
    options = ["-O3", "-Wall", "-Werror", "-shared", "-fPIC", f"-I{ROOT / 'service' / 'kernel'}"]
    subprocess.run([need("cc"), *options, f"-DHALF={half}", "-o", library, source], check=True)
    code = ctypes.CDLL(str(library))
    code.completing_c.restype = code.within_c.restype = ctypes.c_uint64
    for rules, lines in GAMES.values():
        arrays = [
            (kind * len(values))(*values)
            for kind, values in (
                (ctypes.c_uint64, rules.starts),
                (ctypes.c_uint64, rules.offsets),
                (ctypes.c_int, rules.lengths),
            )
        ]
        code.use_patterns(*arrays, len(rules.starts))
        for mine, theirs in positions(lines):
            marks, against, lacking = ctypes.c_uint64(mine), ctypes.c_uint64(theirs), (ctypes.c_uint64 * 2)()
            code.lacking_two_c(marks, against, lacking)
            found = code.completing_c(marks) & ~mine, code.within_c(marks), bool(code.has_line_c(marks)), *lacking
            assert found == found_in_python(rules, mine, theirs)


def test_patterns_of_one_length_are_in_whole_groups() -> None:
    for rules, _ in GAMES.values():
        for first in range(0, len(rules.starts), LANES):
            assert len(set(rules.lengths[first : first + LANES])) == 1
        assert len(rules.starts) % LANES == 0


def test_patterns_that_fill_up_a_group_are_no_steps() -> None:
    rules, _ = GAMES["lines of many lengths"]
    assert rules.steps == sum(map(len, SOME_LINES)) < sum(rules.lengths)
