"""Entries from elsewhere: what is proven passes the check, and whatever contradicts the rules does not."""

from dataclasses import replace
from typing import Any

import pytest

from service.engine.cache.shared import can_be_true
from service.engine.oracle import MoveChoice
from service.engine.result import ProvenResult, make_proven_result
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, line_position
from tests.worlds import each_game, oracle, proof, read_position, unfinished

EMPTY = line_position(TIC_TAC_TOE, 0, 0, "X")
TRUE = ProvenResult("draw", 9, 0, (0, 1, 2, 3, 4, 5, 6, 7, 8), (0, 4, 1, 2, 6, 3, 5, 7, 8))
WON = read_position("XX. OO. ...", "X")
OVER = read_position("XXX OO. ...", "O")


@each_game
def test_every_proven_entry_passes(game: LineGame) -> None:
    for position in unfinished(game):
        for seed in (None, 1):
            entry = proof(oracle().best_move(position, MoveChoice(seed)))
            assert can_be_true(position, entry, all_best=True)
            is_lowest = entry.pv[0] == entry.best_moves[0]
            assert can_be_true(position, replace(entry, best_moves=entry.pv[:1]), all_best=False) == is_lowest


@pytest.mark.parametrize(
    "changes",
    [
        *({"best_moves": moves} for moves in ((), (1, 2), (0, 2, 1), (0, 0), (0, 9), (0, 255))),
        *({"pv": pv} for pv in ((), TRUE.pv[:-1], (*TRUE.pv, 8), (0, 0, *TRUE.pv[2:]), (0, 255, *TRUE.pv[2:]))),
        *({"outcome": "win", "pv": pv} for pv in (TRUE.pv, (0, 3, 1, 4, 2, 5))),
        {"outcome": "loss"},
    ],
    ids=str,
)
def test_what_contradicts_the_rules_does_not_pass(changes: dict[str, Any]) -> None:
    assert can_be_true(EMPTY, TRUE, all_best=True)
    assert not can_be_true(EMPTY, replace(TRUE, **changes), all_best=True)


@pytest.mark.parametrize(
    ("position", "entry", "all_best", "passes"),
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
    position: LinePosition, entry: ProvenResult, *, all_best: bool, passes: bool
) -> None:
    assert can_be_true(position, entry, all_best=all_best) == passes
