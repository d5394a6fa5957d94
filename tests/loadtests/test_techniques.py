"""The techniques between plain minimax and the kernel: every search is right, and each technique saves nodes."""

from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner

from loadtests.search.technique_table import command, rows, tree_size
from loadtests.search.techniques import (
    BLOCK,
    DEAD_CELLS,
    ORDER,
    PLAIN,
    POTENTIAL,
    STEPS,
    TABLE,
    Minimax,
    Techniques,
    ended,
    forced_block,
    soonest_end,
    threats_made,
    win_now,
)
from service.games.catalogue import TIC_TAC_TOE
from service.games.game import Game
from service.kernel.search import Stopped
from tests.worlds import near_the_end, score_from_the_start, small, unfinished

pytestmark = pytest.mark.verify

ROWS = rows()
FOUR = small(4, 4, 4)
LIMIT = 1_000_000

each_row = pytest.mark.parametrize("row", ROWS)


def solve(step: Techniques, game: Game) -> tuple[int, int]:
    """The score of the empty board, and the nodes visited for it."""
    search = Minimax(step, game, LIMIT)
    return search.score(0, 0), search.nodes


@each_row
@pytest.mark.parametrize(
    "game", [TIC_TAC_TOE, small(3, 3, 3, wrap=True), small(4, 3, 3), FOUR], ids=lambda game: game.id
)
def test_every_row_gives_the_score_of_the_reference_near_the_end(row: str, game: Game) -> None:
    for position in near_the_end(game, empties=6, count=25):
        assert ROWS[row](game, LIMIT).score(position.mine, position.theirs) == score_from_the_start(position)


@pytest.mark.parametrize("step", STEPS[STEPS.index(TABLE) :], ids=lambda step: step.name)
def test_what_one_search_remembers_does_not_mislead_the_next(step: Techniques) -> None:
    search = Minimax(step, TIC_TAC_TOE, LIMIT)
    for position in unfinished(TIC_TAC_TOE)[::25]:
        assert search.score(position.mine, position.theirs) == score_from_the_start(position)


def test_plain_minimax_visits_549946_nodes_and_finds_a_draw() -> None:
    assert solve(PLAIN, TIC_TAC_TOE) == (0, 549_946)


@pytest.mark.parametrize(("game", "nodes"), [(TIC_TAC_TOE, 549_946), (small(4, 3, 3), 276_911_233)])
def test_the_full_tree_can_be_counted_without_walking_through_it(game: Game, nodes: int) -> None:
    assert tree_size(game) == nodes


def test_no_technique_visits_more_nodes_than_the_one_before() -> None:
    found = [solve(step, TIC_TAC_TOE) for step in STEPS]
    assert {score for score, _ in found} == {0}
    assert all(nodes >= after for (_, nodes), (_, after) in pairwise(found))


def test_the_order_of_moves_saves_more_nodes_with_fewer_techniques() -> None:
    assert solve(BLOCK, TIC_TAC_TOE) == (0, 3_073)
    assert solve(replace(BLOCK, order=threats_made), TIC_TAC_TOE) == (0, 696)


def test_the_last_techniques_find_the_draw_of_4x4_in_fewer_and_fewer_nodes() -> None:
    found = [solve(step, FOUR) for step in (DEAD_CELLS, ORDER, POTENTIAL)]
    assert {score for score, _ in found} == {0}
    assert all(nodes > after for (_, nodes), (_, after) in pairwise(found))


def test_null_windows_cost_nodes_with_all_techniques_and_save_some_on_5x4() -> None:
    without = replace(POTENTIAL, null_windows=False)
    for game in (TIC_TAC_TOE, FOUR):
        assert solve(without, game)[1] < solve(POTENTIAL, game)[1]
    assert solve(without, small(5, 4, 4))[1] > solve(POTENTIAL, small(5, 4, 4))[1]


@each_row
def test_every_row_stops_at_its_limit_of_nodes(row: str) -> None:
    with pytest.raises(Stopped):
        ROWS[row](small(5, 5, 4), 100).score(0, 0)


@pytest.mark.parametrize(
    "unsound",
    [
        replace(PLAIN, moves=forced_block),  # blocks where it could win
        replace(BLOCK, static_bounds=(ended, win_now, soonest_end)),  # loses to two threats sooner than it thinks
    ],
    ids=["block-before-win", "no-look-for-two-threats"],
)
def test_a_technique_without_those_it_rests_on_is_found_out(unsound: Techniques) -> None:
    positions = near_the_end(TIC_TAC_TOE, empties=6, count=50)
    scores = [Minimax(unsound, TIC_TAC_TOE, LIMIT).score(position.mine, position.theirs) for position in positions]
    assert scores != [score_from_the_start(position) for position in positions]


def test_the_table_says_where_a_search_was_given_up() -> None:
    table = CliRunner().invoke(command, ["3,3,3", "--nodes", "2000"]).output.splitlines()
    assert "| alpha-beta | > 2,000 |  |" in table
    assert any(line.startswith("| forced blocks | > 2,000") for line in table)
    assert any(line.startswith("| transposition table | 1,252 |") for line in table)
    assert table[-1] == "The full tree of 3x3, 3 in a row has 549,946 nodes."
