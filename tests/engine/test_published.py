"""Empty boards that others have solved: the oracle finds the same value, the same distance and the same first moves."""

import pytest

from service.engine.oracle import MoveChoice, Oracle
from service.games.families.lines import line_position
from service.kernel.alpha_beta.search import KERNEL
from tests.published import SOLVED, Published
from tests.worlds import proof


@pytest.mark.skipif(KERNEL != "compiled", reason="takes minutes where the kernel is not compiled")
@pytest.mark.parametrize("known", SOLVED, ids=str)
def test_a_game_has_its_published_value_distance_and_first_moves(known: Published) -> None:
    game = known.game
    found = proof(Oracle().best_move(line_position(game, 0, 0, "X"), MoveChoice(0)))
    assert (found.outcome, found.plies) == (known.outcome, known.plies)
    if known.first_moves is not None:
        moves = [game.column_of(move) for move in found.best_moves] if game.gravity else found.best_moves
        assert set(moves) == known.first_moves
