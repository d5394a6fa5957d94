"""Random play is legal, drawn evenly, and the same for the same seed."""

from collections import Counter
from random import Random

import pytest

from service.games.catalogue import CONNECT_FOUR, TIC_TAC_TOE
from service.games.families.lines import LineGame, line_position, position_after
from service.games.random_play import random_unfinished_games
from tests.worlds import each_catalogued_game, small


def first(game: LineGame, plies: range, dice: Random) -> list[int] | None:
    """The first random game that goes on."""
    return next((cells for cells in random_unfinished_games(game, plies, dice) if cells is not None), None)


@each_catalogued_game
def test_a_random_game_is_legal_and_goes_on_for_as_many_plies_as_are_allowed(game: LineGame) -> None:
    for seed in range(20):
        position = line_position(game, 0, 0, "X")
        for cell, goes_on in game.random_game(Random(seed)):
            assert cell in position.legal_moves
            position = position.play(cell)
            assert goes_on == (position.status == "in_progress")
        assert position.status != "in_progress"
        plies = range(3, game.cells // 3 + 2)
        found = first(game, plies, Random(seed))
        assert found is not None
        assert len(found) in plies
        assert position_after(game, found).status == "in_progress"


@pytest.mark.parametrize(("game", "moves"), [(TIC_TAC_TOE, 9), (CONNECT_FOUR, 7), (small(2, 2, 2, layers=2), 8)])
def test_all_moves_and_all_numbers_of_plies_are_equally_likely(game: LineGame, moves: int) -> None:
    dice = Random(1)
    firsts = Counter(next(game.random_game(dice))[0] for _ in range(200 * moves))
    assert len(firsts) == moves
    assert all(140 < count < 260 for count in firsts.values())
    lengths = Counter(len(first(game, range(3), dice) or ()) for _ in range(600))
    assert all(140 < lengths[plies] < 260 for plies in range(3))
    assert first(small(3, 3, 1), range(1, 2), dice) is None  # every game is over by then
