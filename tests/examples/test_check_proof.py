"""Certificates convince two programs that share no code with the service, and nothing else does."""

import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from loadtests.hunt.certificates import Lines, entries, surely_wrong
from service.api.write.certificates import claim_line, header_line
from service.engine.certificates.certificate import claims
from service.engine.result import Outcome
from service.engine.work.limit import Limit
from service.games.catalogue import LINE_GAMES, MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import PLAYERS, LineGame, LinePosition, hand_written, line_position, position_after
from tests.certificates import CChecker, certificate, changed_anyhow, holds_in_python, outcome_in, read, written
from tests.programs import run as execute
from tests.support import ROOT, need, sampled
from tests.worlds import (
    GAMES,
    OUTCOME_NAMES,
    canonical,
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


def assert_refused(compiled: CChecker, texts: list[str]) -> None:
    assert [text for text in texts if holds_in_python(text)] == []
    assert [text for text, holds in zip(texts, compiled.verdicts(texts), strict=True) if holds] == []


def openings(game: LineGame, plies: int) -> Iterator[LinePosition]:
    """Every position after at most so many plies, but for symmetric ones."""
    found = {position_after(game, []): None}
    for _ in range(plies):
        yield from found
        found = dict.fromkeys(canonical(before.play(move)) for before in found for move in before.legal_moves)
    yield from found


def every(game: LineGame) -> list[LinePosition]:
    """All positions of a small game, or one in some."""
    return list(reachable(game)[:: EVERY * (4 if game.misere else 1)])


def near_the_end() -> list[LinePosition]:
    """Positions of every family."""
    return [
        position
        for game in FAMILIES
        for position in drawn_positions(game, range(max(0, game.cells - 9), game.cells), sampled(4, 12))
    ]


def endgames() -> list[LinePosition]:
    dice = random.Random(4)
    drawn = (play_at_random(CONNECT_FOUR, dice, dice.randrange(22, 38), dice.choice(PLAYERS)) for _ in range(1000))
    return [*islice((position for position in drawn if position.legal_moves), sampled(60, 200))]


PROVEN: dict[str, tuple[Callable[[], list[LinePosition]], bool]] = {
    "3x3": (lambda: every(TIC_TAC_TOE), True),
    "misere 3x3": (lambda: every(MISERE_TIC_TAC_TOE), True),
    "the end in every family": (near_the_end, True),
    "openings of 4x4": (lambda: [*openings(small(4, 4, 4), 2)], False),
    "openings of 3x3x3": (lambda: [*openings(small(3, 3, 3, layers=3), 2)], False),
    "endgames of Connect Four": (endgames, False),
}
"""Positions, and whether plain minimax is quick enough to tell their outcomes too."""


@pytest.mark.parametrize("name", PROVEN)
def test_positions_have_certificates_of_their_true_outcomes(compiled: CChecker, name: str) -> None:
    drawn, is_small = PROVEN[name]
    positions = drawn()
    texts = [certificate(position) for position in positions]
    assert len(texts) > 20
    if is_small:
        told = {text: OUTCOME_NAMES[verdict(position).outcome] for text, position in zip(texts, positions, strict=True)}
        assert told == {text: outcome_in(text) for text in texts}
    assert_convincing(compiled, texts)


SETTLED = (
    small(4, 3, 3, gravity=True),
    small(3, 4, 3, gravity=True),
    small(2, 5, 3, gravity=True),
    small(3, 4, 3, gravity=True, wrap=True),
    small(3, 3, 3, gravity=True, misere=True),
    TIC_TAC_TOE,
)
"""Boards that are small enough for every position of theirs."""


@pytest.mark.parametrize("game", SETTLED, ids=attrgetter("id"))
def test_without_an_entry_only_what_is_true_convinces_in_any_position(compiled: CChecker, game: LineGame) -> None:
    positions = [position for position in every(game) if position.legal_moves]
    claimed = {
        text: outcome == OUTCOME_NAMES[verdict(position).outcome]
        for position in positions
        for outcome, text in without_entries(position)
    }
    convincing = [text for text in claimed if holds_in_python(text)]
    assert [text for text in convincing if not claimed[text]] == []
    assert len(convincing) > 5
    drawn = random.Random(11).sample(sorted(claimed), min(len(claimed), sampled(1000, 3000)))
    assert compiled.verdicts(drawn) == [text in convincing for text in drawn]


def without_entries(position: LinePosition) -> Iterator[tuple[Outcome, str]]:
    """Yield each outcome and the certificate that claims it without a single entry."""
    for outcome in OUTCOME_NAMES.values():
        claimed = [claim_line(holder, wins=wins) for holder, wins in claims(position, outcome)]
        yield outcome, b"".join([header_line(position, outcome, symmetric=False), *claimed]).decode()


def test_entries_convince_only_in_the_order_of_their_marks_and_if_they_are_needed(compiled: CChecker) -> None:
    header, claim, *listed = read(
        certificate(read_position("...O......XO.....OX.....XO.....OX...OXXOX.", game=CONNECT_FOUR))
    )
    assert len(listed) > 300
    marks = [len(board.replace(".", "")) for board, *_ in listed]
    assert marks == sorted(marks)
    equal = sorted(listed, key=lambda entry: (len(entry[0].replace(".", "")), entry[0]))
    assert equal != listed
    assert_convincing(compiled, [written([header, claim, *equal])])
    late = marks.index(marks[0] + 4)
    wrong = [
        [*listed[late:], *listed[:late]],
        listed[::-1],
        [*listed, listed[-1]],
        [listed[0], *listed],
        [*listed[:late], ["." * 42, 38], *listed[late:]],
    ]
    assert_refused(compiled, [written([header, claim, *entries]) for entries in wrong])


def test_a_position_of_qubic_has_a_long_certificate_that_proves_nothing_with_another_entry(compiled: CChecker) -> None:
    board = "X...........XO..O....X................O...O....................X"
    text = certificate(read_position(board, game=LINE_GAMES["qubic"]), Limit(3600, 4_000_000))
    assert len(entries(read(text))) > 100
    assert_convincing(compiled, [text])
    lines = read(text)
    assert_refused(compiled, [written(each) for each in surely_wrong(lines, random.Random(2))])
    win = next(place for place in entries(lines) if isinstance(lines[place][1], list))  # no other entry needs it
    assert_refused(compiled, [written([*lines[:win], *lines[win + 1 :], lines[win]])])


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


def wrong_certificates(dice: random.Random) -> Iterator[Lines]:
    """Certificates that prove nothing: false claims, entries lost or illegal, broken pairs, and wrong threats."""
    while True:
        _, lines = dice.choice(originals())
        yield from islice(surely_wrong(lines, dice), dice.randrange(8))
        for place in dice.sample(entries(lines), min(1, len(entries(lines)))):
            yield from ([*lines[:place], entry, *lines[place + 1 :]] for entry in wrong_entries(lines[place], dice))


def wrong_entries(entry: Lines, dice: random.Random) -> Iterator[Lines]:
    """Yield entries with pairs that overlap, and with threats whose replies are others, too few, or without an end."""
    board, move, *pairs = entry
    if pairs:
        yield [board, move, [*pairs[0], pairs[0][0]]]
        yield [board, move, [*pairs[0], [len(board), len(board) + 1]]]
        yield [board, move, [*pairs[0][1:], [pairs[0][0][0], move]]]
    if isinstance(move, list):
        place = dice.randrange(1, len(move), 2)
        empty = [cell for cell, mark in enumerate(board) if mark == "." and cell not in move]
        wrong = [[*move[:place], cell, *move[place + 1 :]] for cell in empty[:1]]
        yield from ([board, each] for each in (*wrong, [*move[:place], *move[place + 1 :]], move[:-1], []))


def test_changed_certificates_convince_neither_program(compiled: CChecker) -> None:
    changed = (written(lines) for lines in wrong_certificates(random.Random(16)))
    assert_refused(compiled, [*islice(changed, sampled(400, 1300))])


def test_both_programs_agree_on_certificates_that_chance_has_changed(sanitized: CChecker) -> None:
    dice = random.Random(3)
    texts = [written(changed_anyhow(dice.choice(originals())[1], dice)) for _ in range(sampled(200, 500))]
    in_python = [holds_in_python(text) for text in texts]
    assert sanitized.verdicts(texts) == in_python
    assert 0 < sum(in_python) < len(texts) / 2


def test_what_chance_has_changed_and_still_convinces_is_true() -> None:
    dice, proven = random.Random(8), 0
    sources = [read(certificate(position)) for position in drawn_positions(GAMES[0], range(9), 40)]
    for _ in range(sampled(400, 1000)):
        lines = changed_anyhow(dice.choice(sources), dice)
        if holds_in_python(written(lines)):
            proven += 1
            position = position_in(lines[0])
            ended = not position.legal_moves  # a board that play cannot reach may say so of either player
            assert ended or lines[0]["outcome"] == OUTCOME_NAMES[verdict(position).outcome], lines[0]
    assert proven > 10


def position_in(claim: dict[str, Any]) -> LinePosition:
    """Return the position of a certificate by the rules of its first line."""
    rules = {name: claim[name] for name in ("layers", "gravity", "misere", "wrap")}
    game = small(claim["rows"], claim["columns"], claim["in_a_row"], **rules)
    x, o = (sum(1 << cell for cell, mark in enumerate(claim["position"]) if mark == sign) for sign in PLAYERS)
    return line_position(game, x, o, "X" if claim["player"] == "X" else "O")


def run(command: Iterable[str | Path], text: str) -> tuple[int, str]:
    done = execute(*command, typed=text)
    return done.returncode, done.stdout + done.stderr


def test_the_python_program_says_in_a_sentence_what_holds_and_needs_only_the_standard_library(tmp_path: Path) -> None:
    text = certificate(position_after(GAMES[0], [0, 1]))
    program: list[str | Path] = [sys.executable, ROOT / "examples/check_proof.py"]
    code, said = run(program, text)
    assert code == 0
    assert said.startswith("The claim holds: certificate 2, rows 3, columns 3,")
    path = tmp_path / "proof.jsonl"
    path.write_text(text)
    assert run([*program, path], "") == (code, said)
    lines = read(text)
    code, said = run(program, written([line for line in lines if line != lines[-1]]))
    assert code == 1
    assert said == f"The claim does not hold: In {lines[-1][0]}, there is no entry.\n"
    assert run([*program, "no such file"], "")[0] == 1
    imported = re.findall(r"^(?:import|from) (\w+)", (ROOT / "examples/check_proof.py").read_text(), re.MULTILINE)
    assert set(imported) <= sys.stdlib_module_names


def test_the_c_program_says_all_of_the_rules_that_it_has_checked(tmp_path: Path) -> None:
    program = tmp_path / "check_proof"
    subprocess.run([need("gcc"), "-o", program, ROOT / "examples/check_proof.c"], check=True)
    text = certificate(position_after(small(3, 3, 3, wrap="moebius"), [0, 1]))
    told, _, _ = text.partition(',"symmetries"')
    assert run([program], text) == (0, f"The claim holds: {told[1:]}.\n")
