"""Entries from elsewhere: what is proven passes the check, and whatever contradicts the rules does not."""

from dataclasses import replace

import pytest

from service.engine.cache.shared import can_be_true
from service.engine.oracle import Oracle
from service.engine.result import ProvenResult, make_proven_result
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, line_position
from tests.worlds import each_catalogued_game, each_game, near_the_end, oracle, proof, read_position, unfinished

EMPTY = line_position(TIC_TAC_TOE, 0, 0, "X")
TRUE = ProvenResult("draw", 9, 0, (0, 1, 2, 3, 4, 5, 6, 7, 8), (0, 4, 1, 2, 6, 3, 5, 7, 8))
WON = read_position("XX. OO. ...", "X")
OVER = read_position("XXX OO. ...", "O")


@each_game
def test_every_proven_entry_passes(game: LineGame) -> None:
    for position in unfinished(game):
        for seed in (None, 1):
            entry = proof(oracle().best_move(position, seed=seed))
            assert can_be_true(position, entry, every=True)
            is_lowest = entry.pv[0] == entry.best_moves[0]
            assert can_be_true(position, replace(entry, best_moves=entry.pv[:1]), every=False) == is_lowest


@each_catalogued_game
def test_proven_entries_of_larger_games_pass(game: LineGame) -> None:
    one = Oracle()
    for position in near_the_end(game, empties=9, count=4):
        assert can_be_true(position, proof(one.best_move(position)), every=False)
        assert can_be_true(position, proof(one.best_move(position, seed=1)), every=True)


@pytest.mark.parametrize(
    "false",
    [
        replace(TRUE, best_moves=()),
        replace(TRUE, pv=()),
        replace(TRUE, best_moves=(), pv=()),
        replace(TRUE, best_moves=(1, 2)),
        replace(TRUE, best_moves=(0, 2, 1)),
        replace(TRUE, best_moves=(0, 0)),
        replace(TRUE, best_moves=(0, 9)),
        replace(TRUE, best_moves=(0, 255)),
        replace(TRUE, outcome="win"),
        replace(TRUE, outcome="loss"),
        replace(TRUE, pv=TRUE.pv[:-1]),
        replace(TRUE, pv=(*TRUE.pv, 8)),
        replace(TRUE, pv=(0, 0, *TRUE.pv[2:])),
        replace(TRUE, pv=(0, 255, *TRUE.pv[2:])),
        replace(TRUE, outcome="win", pv=(0, 3, 1, 4, 2, 5)),
    ],
)
def test_what_contradicts_the_rules_does_not_pass(false: ProvenResult) -> None:
    assert can_be_true(EMPTY, TRUE, every=True)
    assert not can_be_true(EMPTY, false, every=True)


@pytest.mark.parametrize(
    ("position", "entry", "every", "passes"),
    [
        pytest.param(EMPTY, TRUE, False, False, id="several best moves where one was asked for"),
        pytest.param(EMPTY, replace(TRUE, best_moves=(0,)), False, True, id="one of them"),
        pytest.param(WON, make_proven_result(9, 1, (2,), (2,)), True, True, id="the owner of the line wins"),
        pytest.param(WON, make_proven_result(9, -1, (2,), (2,)), True, False, id="and does not lose"),
        pytest.param(WON, make_proven_result(9, -1, (6,), (6, 5)), True, True, id="a lie that only a search tells"),
        pytest.param(OVER, TRUE, True, False, id="a draw of a finished game"),
        pytest.param(OVER, make_proven_result(9, 1, (), ()), True, False, id="a win of a finished game"),
        pytest.param(OVER, make_proven_result(9, -1, (), ()), True, False, id="a loss of a finished game"),
    ],
)
def test_an_entry_passes_where_the_rules_allow_it(
    position: LinePosition, entry: ProvenResult, *, every: bool, passes: bool
) -> None:
    assert can_be_true(position, entry, every=every) == passes
