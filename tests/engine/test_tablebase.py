"""The complete table, entry by entry against the reference."""

from collections import Counter
from operator import attrgetter

import pytest

from service.engine.result import OPPOSITE, Outcome
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, line_position
from tests import published
from tests.worlds import (
    GAMES,
    OUTCOME_NAMES,
    each_game,
    reachable,
    score_from_here,
    small,
    table,
    verdict,
)

OTHERS = (
    small(3, 3, 3, gravity=True),
    small(3, 3, 3, gravity=True, misere=True),
    small(3, 3, 3, wrap=True),
    small(2, 2, 2, layers=2),
    small(2, 3, 3, misere=True),
)
each_table = pytest.mark.parametrize("game", GAMES + OTHERS, ids=attrgetter("id"))


@each_table
def test_every_entry_is_what_the_reference_says_and_its_line_takes_the_lowest_best_move_at_every_ply(
    game: LineGame,
) -> None:
    for position in reachable(game):
        entry, truth = table(game)[position], verdict(position)
        assert (entry.outcome, entry.plies) == (OUTCOME_NAMES[truth.outcome], truth.plies)
        assert (entry.best_moves, entry.score) == (tuple(sorted(truth.best)), score_from_here(position))
        lowest = entry.best_moves[:1]
        assert entry.pv == (*lowest, *(move for first in lowest for move in table(game)[position.play(first)].pv))


@each_table
def test_it_holds_each_reachable_position_once_as_masks_of_mine_and_theirs(game: LineGame) -> None:
    masks = [position.words for position in reachable(game)]
    assert sorted(table(game)) == sorted(masks)
    assert len(table(game)) == len(masks)


def test_the_positions_of_tic_tac_toe_have_the_published_values_for_x() -> None:
    def for_x(position: LinePosition) -> Outcome:
        outcome = table(TIC_TAC_TOE)[position].outcome
        return outcome if position.player == "X" else OPPOSITE[outcome]

    assert Counter(map(for_x, reachable(TIC_TAC_TOE))) == published.VALUES_FOR_X


@each_game
def test_a_board_that_play_cannot_reach_is_not_in_it(game: LineGame) -> None:
    with pytest.raises(KeyError):
        table(game)[line_position(game, 0b111, 0, "O")]
