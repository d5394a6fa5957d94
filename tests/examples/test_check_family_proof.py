"""Certificates of families convince a program that shares no code with the service, and nothing else does."""

import json
import random
import re
import sys
from collections.abc import Mapping
from functools import reduce
from graphlib import CycleError
from pathlib import Path
from typing import Any

import pytest

from examples import check_proof
from examples.check_family_proof import RULES, Ultimate, check
from loadtests.hunt.certificates import Lines, convinces, entries, surely_wrong
from loadtests.hunt.solving import graph_of, solve
from service.engine.work.limit import Limit
from service.games.catalogue import STATE_GAMES
from service.games.families.ultimate import UltimateGame
from service.games.position import Position, read_position
from tests.certificates import certificate, outcome_in, read, written
from tests.games.games import SMALL, game_of, name_of
from tests.programs import run
from tests.support import ROOT, sampled

PROGRAM: list[str | Path] = [sys.executable, ROOT / "examples/check_family_proof.py"]


@pytest.mark.parametrize(("family", "parameters"), SMALL, ids=name_of)
def test_law_9_small_games_have_certificates_of_their_true_outcomes(family: str, parameters: Mapping[str, Any]) -> None:
    rules, dice = RULES[family](**parameters), random.Random(9)
    graph = graph_of(rules)
    values = solve(rules, graph)
    for state in [rules.start, *dice.sample([*graph], k=min(len(graph) - 1, sampled(4, 40)))]:
        position = read_position(game_of(family, parameters), rules.text(state), rules.players[state[-1]])
        lines = read(certificate(position))
        assert lines[0]["outcome"] == values[state][0]
        assert convinces(lines), lines
        assert not any(map(convinces, surely_wrong(lines, dice))), lines


NAMED = {
    "notakto-2": ("loss", 9_292),
    "vanishing-tic-tac-toe": ("draw", 10_448),
    "picaria": ("win", 94),
    "pop-out-4x4": ("loss", 24_814),
    "exactly-three-4x4": ("win", 142),
    "col-4x4": ("loss", 2_684),
    "quixo-3x3": ("win", 127),
    "numerical-tic-tac-toe": ("win", 2_262),
    "misere-wild-tic-tac-toe": ("draw", 2_096),
}
"""Games of the catalogue, each with the outcome of the empty board, and the entries of its certificate."""


@pytest.mark.verify
@pytest.mark.parametrize("game", NAMED)
def test_games_of_the_catalogue_have_certificates(game: str) -> None:
    text = certificate(Position(STATE_GAMES[game]))
    assert (outcome_in(text), len(entries(read(text)))) == NAMED[game]
    check(text.splitlines())


@pytest.mark.verify
def test_a_mill_wins_in_five_mens_morris_up_to_symmetries_that_keep_its_lines() -> None:
    game = STATE_GAMES["five-mens-morris"]
    position = reduce(Position.play, map(game.moves_by_name.__getitem__, ("0", "9", "1", "8")), Position(game))
    lines = read(certificate(position, Limit(60)))
    assert (lines[0]["outcome"], len(entries(lines))) == ("win", 3_647)
    assert lines[0]["symmetries"]
    assert convinces(lines)
    first, second, *others = lines[0]["symmetries"][0]
    for symmetries in ([], [[second, first, *others]]):
        assert not convinces([{**lines[0], "symmetries": symmetries}, *lines[1:]])


@pytest.fixture(scope="module")
def open_ultimate() -> Lines:
    """The certificate of open ultimate tic-tac-toe from the empty board."""
    return read(certificate(Position(UltimateGame(finished="open"))))


@pytest.mark.verify
def test_the_first_player_wins_open_ultimate_against_every_defence(open_ultimate: Lines) -> None:
    assert (open_ultimate[0]["outcome"], len(entries(open_ultimate))) == ("win", 23_474)
    assert len(open_ultimate[0]["symmetries"]) == 7
    assert convinces(open_ultimate)


@pytest.mark.verify
def test_changed_certificates_of_open_ultimate_prove_nothing(open_ultimate: Lines) -> None:
    header, *rest = open_ultimate
    assert not convinces([{**header, "symmetries": header["symmetries"][1:]}, *rest])
    assert not convinces([{**header, "symmetries": [[1, 0, 2, 3, 4, 5, 6, 7, 8], *header["symmetries"]]}, *rest])
    assert not convinces([{**header, "parameters": {**header["parameters"], "finished": "closed"}}, *rest])
    for wrong in surely_wrong(open_ultimate, random.Random(1)):
        assert not convinces(wrong)


@pytest.mark.parametrize("closed", ["closed", "open"])
def test_endings_of_ultimate_have_certificates(closed: str) -> None:
    dice, outcomes = random.Random(7), set[str]()
    game, rules = UltimateGame(finished=closed), Ultimate(finished=closed)
    while len(outcomes) < 3:
        state, position = rules.start, Position(game)
        while sum(board.count(".") for board in state[0]) > dice.randint(10, 14) and rules.result(state) is None:
            name = dice.choice(rules.moves(state))
            state, position = rules.after(state, name), position.play(game.moves_by_name[name])
        if rules.result(state) is None:
            lines = read(certificate(position))
            outcomes.add(lines[0]["outcome"])
            assert convinces(lines), str(position)
            assert not any(map(convinces, surely_wrong(lines, dice))), str(position)


def test_chaos_wins_6x6_by_pairs_of_cells() -> None:
    lines = read(certificate(Position(STATE_GAMES["order-and-chaos-6x6-exactly"])))
    assert (lines[0]["outcome"], len(entries(lines))) == ("loss", 72)
    assert convinces(lines)
    board, move, pairs = lines[2]
    for wrong in (pairs[1:], [[pairs[0][0], pairs[1][0]], *pairs[1:]], [*pairs, pairs[0]], [[0, 0], *pairs[1:]]):
        assert not convinces([*lines[:2], [board, move, wrong], *lines[3:]])


def test_a_win_is_not_claimed_by_a_strategy_that_comes_to_a_position_again() -> None:
    lines = read(certificate(Position(STATE_GAMES["vanishing-tic-tac-toe"])))
    (second,) = [place for place, line in enumerate(lines) if line == {"holder": "O", "at_least": "draw"}]
    claimed = [{**lines[0], "outcome": "win"}, {"holder": "X", "at_least": "win"}, *lines[2:second]]
    with pytest.raises(CycleError):
        check(written(claimed).splitlines())


def test_the_program_says_in_a_sentence_what_holds_and_needs_only_the_standard_library(tmp_path: Path) -> None:
    lines = read(certificate(Position(STATE_GAMES["quixo-3x3"]), Limit(60)))
    done = run(*PROGRAM, typed=written(lines))
    assert done.returncode == 0
    said = "certificate 2, family quixo, parameters {'side': 3}, position ........., player X, outcome win"
    assert done.stdout == f"The claim holds: {said}.\n"
    path = tmp_path / "proof.jsonl"
    path.write_text(written(lines[:-1]))
    done = run(*PROGRAM, path)
    assert (done.returncode, done.stderr) == (1, f"The claim does not hold: In {lines[-1][0]}, there is no entry.\n")
    assert run(*PROGRAM, "no such file").returncode == 1
    imported = re.findall(
        r"^(?:import|from) (\w+)", (ROOT / "examples/check_family_proof.py").read_text(), re.MULTILINE
    )
    assert set(imported) <= sys.stdlib_module_names


def test_other_lines_are_no_certificate() -> None:
    for check_lines in (check, check_proof.check):
        with pytest.raises(ValueError, match="this is no header"):
            check_lines([])
    assert not convinces([json.loads('{"family":"quixo"}')])
    lines = read(certificate(Position(STATE_GAMES["quixo-3x3"])))
    for wrong in (
        {"position": ".........."},
        {"position": "!........"},
        {"player": "first"},
        {"parameters": {"sides": 3}},
    ):
        assert not convinces([{**lines[0], **wrong}, *lines[1:]]), wrong
    assert not convinces([*lines, lines[-1]])
