"""The oracle and its complete tables against the reference, and with seeds."""

from collections import Counter
from operator import attrgetter

import pytest

from service.engine.oracle import MoveChoice
from service.engine.result import OPPOSITE, Outcome
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, Player, line_position
from service.games.game import Game
from service.games.position import Position
from tests import published
from tests.games.games import SOLVED, positions
from tests.games.games import oracle as oracle_of_states
from tests.worlds import (
    GAMES,
    OUTCOME_NAMES,
    each_first_player,
    each_game,
    oracle,
    proven,
    reachable,
    score_from_here,
    small,
    table,
    unfinished,
    verdict,
)


@each_game
@each_first_player
def test_its_answer_to_every_position_is_that_of_the_reference_whether_x_or_o_began(
    game: LineGame, first: Player
) -> None:
    for found in reachable(game, first):
        position = Position(game, *game.read(str(found), found.turn))
        answer, truth = oracle().best_move(position), verdict(position)
        assert answer.position == position
        assert (answer.outcome, answer.plies) == (OUTCOME_NAMES[truth.outcome], truth.plies)
        assert answer.score == score_from_here(position)
        assert answer.move == min(truth.best, default=None)
        assert (answer.exact, answer.source) == (True, "table")


@pytest.mark.parametrize("game", [*GAMES, *SOLVED.values()], ids=lambda game: f"{game.id} {game.parameters}")
def test_over_many_seeds_every_best_move_is_played_and_no_other_and_the_value_stays(game: Game) -> None:
    asked = oracle() if isinstance(game, LineGame) else oracle_of_states()
    every = unfinished(game) if isinstance(game, LineGame) else [at for at in positions(game) if at.legal_moves]
    for position in [Position(game), *every[:: 1 + len(every) // 8]]:
        best = proven(asked.best_move(position, MoveChoice(0)).known).best_moves
        drawn = [asked.best_move(position, MoveChoice(seed)) for seed in range(100 if len(best) < 10 else 5)]
        assert {answer.move for answer in drawn} <= {*best}
        assert len(best) > 9 or len({answer.move for answer in drawn}) == len(best)
        assert {answer.score for answer in drawn} == {asked.best_move(position).score}


@pytest.mark.parametrize(("seed", "move"), [(0, 5), (1, 1), (7, 3), (2024, 4)])
def test_a_seed_draws_the_first_move_that_it_has_always_drawn(seed: int, move: int) -> None:
    # Whoever keeps a seed keeps a game: a change of the drawing must be meant.
    assert oracle().best_move(line_position(TIC_TAC_TOE, 0, 0, "X"), MoveChoice(seed)).move == move


# Complete tables.


OTHERS = (
    small(3, 3, 3, gravity=True),
    small(3, 3, 3, gravity=True, misere=True),
    small(3, 3, 3, wrap=True),
    small(2, 2, 2, layers=2),
    small(2, 3, 3, misere=True),
)
each_table = pytest.mark.parametrize("game", GAMES + OTHERS, ids=attrgetter("id"))


@each_table
def test_every_entry_of_a_table_is_what_the_reference_says_and_its_line_takes_the_lowest_best_move_at_every_ply(
    game: LineGame,
) -> None:
    for position in reachable(game):
        entry, truth = table(game)[position], verdict(position)
        assert (entry.outcome, entry.plies) == (OUTCOME_NAMES[truth.outcome], truth.plies)
        assert (entry.best_moves, entry.score) == (tuple(sorted(truth.best)), score_from_here(position))
        lowest = entry.best_moves[:1]
        assert entry.pv == (*lowest, *(move for first in lowest for move in table(game)[position.play(first)].pv))


@each_table
def test_a_table_holds_each_reachable_position_once_as_masks_of_mine_and_theirs(game: LineGame) -> None:
    masks = [position.state for position in reachable(game)]
    assert sorted(table(game)) == sorted(masks)


def test_the_positions_of_tic_tac_toe_have_the_published_values_for_x() -> None:
    def for_x(position: LinePosition) -> Outcome:
        outcome = table(TIC_TAC_TOE)[position].outcome
        return outcome if position.player == "X" else OPPOSITE[outcome]

    assert Counter(map(for_x, reachable(TIC_TAC_TOE))) == published.VALUES_FOR_X
