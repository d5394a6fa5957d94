"""What the search claims under gravity without searching: that who follows up in the same column does so well."""

from itertools import product
from operator import attrgetter

import pytest

from service.games.game import Game
from service.games.position import Position
from service.kernel.layout import lay_out
from tests.kernel.test_kernel import INTERPRETED
from tests.support import sampled
from tests.worlds import near_the_end, score_from_the_start, small

GAMES = [
    small(4, 4, 3, gravity=True),
    small(5, 3, 3, gravity=True),
    small(3, 6, 3, gravity=True),
    small(6, 3, 3, gravity=True),
    small(5, 5, 4, gravity=True),
    small(6, 7, 4, gravity=True),
    small(7, 5, 4, gravity=True),
    small(4, 4, 3, gravity=True, wrap=True),
    small(3, 3, 3, gravity=True, layers=3),
    small(2, 3, 3, gravity=True, layers=4),
]
"""Columns of even and of odd height, some of them towers of layers."""

NOTHING = 1000
"""What a claim says that claims nothing."""


def threats(position: Position, marks: int) -> int:
    """The empty cells that would complete a line of ``marks``."""
    empty = [1 << cell for cell in range(position.game.cells) if not position.occupied >> cell & 1]
    return sum(cell for cell in empty if any((marks | cell) & line == line for line in position.game.line_masks))


def claims(position: Position) -> dict[int, int]:
    """What each way to follow comes to, by the set of threatened cells below which the follower keeps out."""
    board = INTERPRETED.Board(lay_out(position.game))
    mine, theirs, marks = position.mine, position.theirs, position.occupied.bit_count()
    traps = threats(position, theirs) & (position.game.full ^ position.occupied) >> position.game.drop
    cells = [1 << cell for cell in range(position.game.cells) if traps >> cell & 1][:5]
    sets = [sum(chosen) for chosen in product(*((0, cell) for cell in cells))]
    return {chosen: INTERPRETED.bounds.claimeven_with_traps(board, mine, theirs, chosen, marks) for chosen in sets}


def quiet(game: Game) -> list[Position]:
    """Positions in which the player to move cannot complete a line at once."""
    found = near_the_end(game, empties=9, count=sampled(60, 120))
    return [at for at in found if not any(at.play(move).status == "won" for move in at.legal_moves)]


@pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
def test_who_leads_is_never_worth_more_than_is_claimed(game: Game) -> None:
    for position in quiet(game):
        assert score_from_the_start(position) <= min(claims(position).values()), position


@pytest.mark.verify
def test_all_kinds_of_claims_are_made_and_some_are_exact() -> None:
    made = [(claims(position), score_from_the_start(position)) for game in GAMES for position in quiet(game)]
    best = [(min(found, key=found.__getitem__), min(found.values()), score) for found, score in made]
    assert sum(claim == NOTHING for _, claim, _ in best) > 10
    assert sum(claim == score == 0 for _, claim, score in best) > 10
    assert sum(claim == score < -1 for _, claim, score in best) > 10
    assert sum(traps.bit_count() > 1 for traps, _, _ in best) > 0
