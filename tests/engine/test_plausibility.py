"""Entries from elsewhere: what is proven passes the check, and whatever contradicts the rules does not."""

from dataclasses import replace

import pytest

from service.engine.oracle import Oracle
from service.engine.result import ProvenResult, make_proven_result
from service.engine.shared import can_be_true
from service.games.catalogue import TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position
from tests.worlds import each_catalogued_game, each_game, near_the_end, oracle, proof, read_position, unfinished

EMPTY = Position(TIC_TAC_TOE, 0, 0, "X")
TRUE = ProvenResult("draw", 9, 0, (0, 1, 2, 3, 4, 5, 6, 7, 8), (0, 4, 1, 2, 6, 3, 5, 7, 8))
WON = read_position("XX. OO. ...", "X")


@each_game
def test_every_proven_entry_passes(game: Game) -> None:
    for position in unfinished(game):
        for seed in (None, 1):
            entry = proof(oracle().best_move(position, seed=seed))
            assert can_be_true(position, entry, every=True)
            assert can_be_true(position, replace(entry, best_moves=entry.pv[:1]), every=False) == (
                entry.pv[0] == entry.best_moves[0]
            )


@each_catalogued_game
def test_proven_entries_of_larger_games_pass(game: Game) -> None:
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


def test_several_best_moves_do_not_pass_where_one_was_asked_for() -> None:
    assert not can_be_true(EMPTY, TRUE, every=False)
    assert can_be_true(EMPTY, replace(TRUE, best_moves=(0,)), every=False)


def test_the_owner_of_the_line_decides_who_wins() -> None:
    assert can_be_true(WON, make_proven_result(9, 1, (2,), (2,)), every=True)
    assert not can_be_true(WON, make_proven_result(9, -1, (2,), (2,)), every=True)
    assert can_be_true(
        WON, make_proven_result(9, -1, (6,), (6, 5)), every=True
    )  # a lie, but one that only a search tells


def test_nothing_passes_for_a_finished_game() -> None:
    for entry in (TRUE, make_proven_result(9, 1, (), ()), make_proven_result(9, -1, (), ())):
        assert not can_be_true(read_position("XXX OO. ...", "O"), entry, every=True)
