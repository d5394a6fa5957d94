"""Certificates convince two programs that share no code with the service, and nothing else does."""

import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from loadtests.hunt.certificates import Lines, entries, raised
from service.engine.work.limit import Limit
from service.games.catalogue import LINE_GAMES, MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import PLAYERS, LineGame, LinePosition, hand_written, line_position, position_after
from tests.certificates import (
    CChecker,
    certificate,
    changed_anyhow,
    holder_of,
    holds_in_python,
    outcome_in,
    read,
    written,
)
from tests.support import ROOT, need, sampled, some
from tests.worlds import (
    GAMES,
    OUTCOME_NAMES,
    drawn_positions,
    play_at_random,
    reachable,
    read_position,
    small,
    verdict,
)

pytestmark = pytest.mark.verify

CONNECT_FOUR = LINE_GAMES["connect-four"]
EVERY = sampled(5, 1)
"""One position of 3x3 in so many gets a certificate."""


FANO = hand_written(
    id="fano",
    name="fano",
    rules="fano",
    cells=7,
    lines=[[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]],
)
LINES = hand_written(
    id="lines", name="lines", rules="lines", cells=10, lines=[[0, 1], [2, 3, 4], [0, 5, 6, 7], [9, 8], [4, 9, 1]]
)

FAMILIES = (
    small(4, 5, 4),
    small(4, 4, 3, misere=True),
    small(4, 4, 4, wrap=True),
    small(4, 3, 3, wrap="cylinder"),
    small(3, 4, 4, wrap="moebius", misere=True),
    small(3, 5, 3, gravity=True, misere=True),
    small(5, 4, 4, gravity=True, wrap=True),
    small(4, 4, 4, gravity=True, wrap="cylinder"),
    small(3, 3, 3, layers=3, gravity=True),
    small(2, 3, 2, layers=2, misere=True),
    small(1, 7, 2, gravity=True),
    small(6, 6, 6),
    small(2, 2, 2),
    small(3, 3, 1),
    FANO,
    LINES,
    *LINE_GAMES.values(),
)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> CChecker:
    return CChecker(tmp_path_factory.mktemp("check_proof"), sanitized=False)


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> CChecker:
    return CChecker(tmp_path_factory.mktemp("sanitized"), sanitized=True)


def assert_convincing(compiled: CChecker, texts: list[str]) -> None:
    assert [text for text in texts if not holds_in_python(text)] == []
    assert [text for text, holds in zip(texts, compiled.verdicts(texts), strict=True) if not holds] == []


def openings(game: LineGame, plies: int) -> Iterator[LinePosition]:
    """Every position after at most so many plies, but for symmetric ones."""
    found = {position_after(game, []): None}
    for _ in range(plies):
        yield from found
        found = dict.fromkeys(game.canonical(before.play(move)) for before in found for move in before.legal_moves)
    yield from found


@pytest.mark.parametrize(("game", "every"), [(TIC_TAC_TOE, EVERY), (MISERE_TIC_TAC_TOE, 4 * EVERY)], ids=str)
def test_positions_of_3x3_have_certificates_of_their_true_outcomes(
    compiled: CChecker, game: LineGame, every: int
) -> None:
    positions = reachable(game)[::every]
    assert len(positions) == ceil(5478 / every)
    texts = [certificate(position) for position in positions]
    assert [outcome_in(text) for text in texts] == [OUTCOME_NAMES[verdict(position).outcome] for position in positions]
    assert_convincing(compiled, texts)


@pytest.mark.parametrize("game", some([small(4, 4, 4), small(4, 4, 3), small(3, 3, 3, layers=3)], 2), ids=str)
def test_openings_have_certificates(compiled: CChecker, game: LineGame) -> None:
    texts = [certificate(position) for position in openings(game, 2)]
    assert len(texts) > 20
    assert_convincing(compiled, texts)


@pytest.mark.parametrize(
    ("board", "nodes", "least"),
    some(
        [
            ("X...........XO..O....X................O...O....................X", 4_000_000, 100),
            ("X............O..O....X..........................................", 20_000_000, 1_000),
        ],
        1,
    ),
)
def test_positions_of_qubic_have_certificates_that_prove_nothing_with_another_entry(
    compiled: CChecker, board: str, nodes: int, least: int
) -> None:
    text = certificate(read_position(board, game=LINE_GAMES["qubic"]), Limit(3600, nodes))
    lines = read(text)
    assert len(entries(lines)) > least
    assert_convincing(compiled, [text])
    wrong = [written(each) for each in (*raised(lines), *without_and_with_another_move(lines))]
    assert [each for each in wrong if holds_in_python(each)] == []
    assert compiled.verdicts(wrong) == [False for _ in wrong]


def without_and_with_another_move(lines: Lines) -> Iterator[Lines]:
    """The first entry left out, and the first and the second one with a move that cannot be made or keeps nothing."""
    first, second, *_ = entries(lines)
    yield lines[:first] + lines[first + 1 :]
    for place, move in ((first, 0), (second, 0), (first, 62)):
        yield [*lines[:place], [lines[place][0], move], *lines[place + 1 :]]


def test_endgames_of_connect_four_have_certificates(compiled: CChecker) -> None:
    dice, texts = random.Random(4), list[str]()
    while len(texts) < sampled(60, 200):
        position = play_at_random(CONNECT_FOUR, dice, dice.randrange(22, 38), dice.choice(PLAYERS))
        if position.legal_moves:
            texts.append(certificate(position))
    assert {outcome_in(text) for text in texts} == {"win", "draw", "loss"}
    assert_convincing(compiled, texts)


def test_positions_of_every_family_have_certificates_of_their_true_outcomes(compiled: CChecker) -> None:
    positions = [
        position
        for game in FAMILIES
        for position in drawn_positions(game, range(max(0, game.cells - 9), game.cells), sampled(4, 12))
    ]
    texts = [certificate(position) for position in positions]
    for text, position in zip(texts, positions, strict=True):
        assert outcome_in(text) == OUTCOME_NAMES[verdict(position).outcome], position
    assert_convincing(compiled, texts)


@cache
def originals() -> list[tuple[LinePosition, Lines]]:
    """Certificates of all kinds, to be changed."""
    games = [*GAMES, small(4, 4, 3), small(4, 4, 4), small(4, 5, 4, gravity=True), FANO, CONNECT_FOUR]
    games += [small(3, 3, 3, layers=3), small(3, 4, 3, gravity=True, misere=True)]
    chosen: list[LinePosition] = []
    for game in games:
        plies = range(game.cells - 14, game.cells - 8) if game.drop and game.cells > 14 else range(5)
        chosen += drawn_positions(game, plies, 12)
    return [(position, read(certificate(position))) for position in chosen]


def surely_wrong(dice: random.Random) -> Iterator[Lines]:
    """Certificates that prove nothing: a changed move, a missing entry, broken pairs, and claims that are false."""
    sources = originals()
    while True:
        _, lines = dice.choice(sources)
        yield from islice(raised(lines), dice.randrange(3))
        places = entries(lines)
        if places:
            place = dice.choice(places)
            yield lines[:place] + lines[place + 1 :]
            yield from ([*lines[:place], entry, *lines[place + 1 :]] for entry in wrong_entries(lines, place, dice))


def wrong_entries(lines: Lines, place: int, dice: random.Random) -> Iterator[Lines]:
    """Yield entries with another move that is not legal or loses what is claimed, or with pairs that overlap."""
    board, move, *pairs = lines[place]
    taken = [cell for cell, mark in enumerate(board) if mark != "."]
    yield [board, dice.choice([*taken, len(board)]), *pairs]
    if isinstance(move, list):
        yield from ([board, wrong] for wrong in wrong_threats(board, move, dice))
    if pairs:
        yield [board, move, [*pairs[0], pairs[0][0]]]
        yield [board, move, [*pairs[0][1:], [pairs[0][0][0], move]]]
    yield from ([board, other] for other in worse_moves(lines, place) if dice.random() < 0.5)


def wrong_threats(board: str, played: list[int], dice: random.Random) -> Iterator[list[int]]:
    """Yield threats with a reply that is not forced, with one reply left out, without the last move, and with none."""
    place = dice.randrange(1, len(played), 2)
    empty = [cell for cell, mark in enumerate(board) if mark == "." and cell not in played]
    yield from ([*played[:place], cell, *played[place + 1 :]] for cell in dice.sample(empty, min(2, len(empty))))
    yield [*played[:place], *played[place + 1 :]]
    yield played[:-1]
    yield []


def worse_moves(lines: Lines, place: int) -> Iterator[int]:
    """Yield the legal moves of the holder in an entry that lose what is claimed, as plain minimax says."""
    header, board, claim = lines[0], lines[place][0], holder_of(lines, place)
    if board.count(".") > 9 or "rows" not in header:
        return
    position = position_in(header, board, claim["holder"])
    least = 1 if claim["at_least"] == "win" else 0
    yield from (move for move in position.legal_moves if -verdict(position.play(move)).outcome < least)


def position_in(header: dict[str, Any], board: str, player: str) -> LinePosition:
    """Return a position by the rules of a certificate."""
    rules = {name: header[name] for name in ("layers", "gravity", "misere", "wrap")}
    game = small(header["rows"], header["columns"], header["in_a_row"], **rules)
    x, o = (sum(1 << cell for cell, mark in enumerate(board) if mark == sign) for sign in PLAYERS)
    return line_position(game, x, o, "X" if player == "X" else "O")


def test_changed_certificates_convince_neither_program(compiled: CChecker) -> None:
    different: dict[str, None] = {}
    changed = surely_wrong(random.Random(16))
    while len(different) < sampled(300, 1000):
        different[written(next(changed))] = None
    texts = [*different]
    assert [text for text in texts if holds_in_python(text)] == []
    assert [text for text, holds in zip(texts, compiled.verdicts(texts), strict=True) if holds] == []


def test_both_programs_agree_on_certificates_that_chance_has_changed(sanitized: CChecker) -> None:
    dice, sources = random.Random(3), originals()
    texts = [written(changed_anyhow(dice.choice(sources)[1], dice)) for _ in range(sampled(200, 500))]
    in_python = [holds_in_python(text) for text in texts]
    differently = [
        text for text, one, two in zip(texts, in_python, sanitized.verdicts(texts), strict=True) if one != two
    ]
    assert differently == []
    assert 0 < sum(in_python) < len(texts) / 2


def test_what_chance_has_changed_and_still_convinces_is_true() -> None:
    dice, proven = random.Random(8), 0
    sources = [(position, read(certificate(position))) for position in drawn_positions(GAMES[0], range(9), 40)]
    for _ in range(sampled(400, 1000)):
        lines = changed_anyhow(dice.choice(sources)[1], dice)
        if holds_in_python(written(lines)):
            proven += 1
            claim = lines[0]
            position = position_in(claim, claim["position"], claim["player"])
            ended = not position.legal_moves  # a board that play cannot reach may say so of either player
            assert ended or claim["outcome"] == OUTCOME_NAMES[verdict(position).outcome], claim
    assert proven > 10


def run(command: Iterable[str | Path], text: str) -> tuple[int, str]:
    done = subprocess.run([*command], input=text, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_python_program_says_in_a_sentence_what_holds_and_what_fails(tmp_path: Path) -> None:
    text = certificate(position_after(GAMES[0], [0, 1]))
    program: list[str | Path] = [sys.executable, ROOT / "examples/check_proof.py"]
    code, said = run(program, text)
    assert code == 0
    assert said.startswith("The claim holds: certificate 1, rows 3, columns 3,")
    path = tmp_path / "proof.jsonl"
    path.write_text(text)
    assert run([*program, path], "") == (code, said)
    lines = read(text)
    code, said = run(program, written([line for line in lines if line != lines[-1]]))
    assert code == 1
    assert said == f"The claim does not hold: In {lines[-1][0]}, there is no entry.\n"
    assert run(program, "")[0] == 1
    assert run([*program, "no such file"], "")[0] == 1


def test_the_c_program_says_all_of_the_rules_that_it_has_checked(tmp_path: Path) -> None:
    program = tmp_path / "check_proof"
    subprocess.run([need("gcc"), "-o", program, ROOT / "examples/check_proof.c"], check=True)
    for game in (small(3, 3, 3, wrap="moebius"), small(3, 3, 3, wrap=True)):
        text = certificate(position_after(game, [0, 1]))
        told, _, _ = text.partition(',"symmetries"')
        assert run([program], text) == (0, f"The claim holds: {told[1:]}.\n")


def test_the_python_program_imports_only_the_standard_library() -> None:
    source = (ROOT / "examples/check_proof.py").read_text()
    imported = re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE)
    assert imported
    assert set(imported) <= sys.stdlib_module_names


BY_GRID = certificate(position_after(GAMES[0], [0, 1]))
BY_LINES = certificate(position_after(LINES, []))


BAD_HEADERS = {
    BY_GRID: {
        '"certificate":1': ("2", "1.0", "true", '1,"cells":9'),
        '"rows":3': (" 3", "+3", "03", "3.0", '"3"', "4294967299", '3,"rows":3'),
        '"certificate":1,"rows":3,"columns":3': ('1,"columns":3,"rows":3',),
        '"layers":1': ("true", "0", '1,"sides":2'),
        '"in_a_row":3': ("0", "-3", "1000000", "65"),
        '"gravity":false': ("0", "maybe", "null"),
        '"misere":false': ("0", '"false"'),
        '"wrap":false': ("0", '"torus"'),
        '"player":"X"': ('"XO"', '"x"'),
        '"outcome":"': ('"un',),
        '"position":"X': ('"\\u0058', '"'),
        '"symmetries":[': (
            "[[0,1,2,3,4,5,6,7,8],",
            "[[0,1,2,3,4,5,6,7,8,]",
            "[[]",
            '[["0",1,2,3,4,5,6,7,8]',
            "[[00,1,2,3,4,5,6,7,8]",
            "[[4294967296,1,2,3,4,5,6,7,8]",
            f"[{','.join(['[0,1,2,3,4,5,6,7,8]'] * 1025)}",
        ),
        '"symmetries":[]}': ("[]} ",),
    },
    BY_LINES: {
        '"lines":[[': ("[[true,", "[[63,", "[[-1,", "[[],["),
        '"misere":false': ('false,"in_a_row":3', "0"),
        ']],"position"': (']];"position"',),
    },
}
"""What the service writes in the first line of a certificate, and what may not stand there after the colon."""

LEFT_OUT = ('"layers":1,', '"gravity":false,', ',"symmetries":[]')


def bad_headers() -> Iterator[str]:
    for certified, fields in BAD_HEADERS.items():
        for old, wrong in fields.items():
            assert old in certified.partition("\n")[0]
            name = old[: old.index(":") + 1] if old.startswith('"') else ""
            yield from (certified.replace(old, name + new, 1) for new in wrong)
    for field in LEFT_OUT:
        assert field in BY_GRID
        yield BY_GRID.replace(field, "", 1)


def test_both_programs_refuse_a_header_that_the_service_does_not_write(compiled: CChecker, sanitized: CChecker) -> None:
    assert_convincing(compiled, [BY_GRID, BY_LINES])
    texts = [*bad_headers()]
    assert [text for text in texts if holds_in_python(text)] == []
    for program in compiled, sanitized:
        assert [text for text, holds in zip(texts, program.verdicts(texts), strict=True) if holds] == []
