"""What the search claims under gravity without searching: that who follows up in the same column does so well."""

from functools import cache
from itertools import product
from operator import attrgetter

import pytest

from service.games.families.lines import LineGame, LinePosition, marked
from tests.kernel.test_kernel import INTERPRETED
from tests.support import sampled
from tests.worlds import near_the_end, score_from_the_start, small

BOUNDS = INTERPRETED.AlphaBeta.value.__globals__["bounds"]

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

COUNT = sampled(40, 120)


def claims(position: LinePosition) -> dict[int, int]:
    """What each way to follow comes to, by the set of threatened cells below which the follower keeps out."""
    board = INTERPRETED.Board(position.game.lay_out())
    mine, theirs, marks = *position.state, marked(position).bit_count()
    empty = position.game.full ^ marked(position)
    traps = board.threats(theirs, empty) & empty >> position.game.drop
    cells = [1 << cell for cell in range(position.game.cells) if traps >> cell & 1][:5]
    sets = [sum(chosen) for chosen in product(*((0, cell) for cell in cells))]
    return {chosen: BOUNDS.claimeven_with_traps(board, mine, theirs, chosen, marks) for chosen in sets}


@cache
def judged(game: LineGame) -> list[tuple[dict[int, int], int]]:
    """Claims and scores of positions in which the player to move cannot complete a line at once."""
    found = near_the_end(game, empties=9, count=COUNT)
    quiet = [at for at in found if not any(at.play(move).status == "won" for move in at.legal_moves)]
    return [(claims(position), score_from_the_start(position)) for position in quiet]


@pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
def test_who_leads_is_never_worth_more_than_is_claimed(game: LineGame) -> None:
    assert [(found, score) for found, score in judged(game) if score > min(found.values())] == []


def test_all_kinds_of_claims_are_made_and_some_are_exact() -> None:
    made = [(found, min(found.values()), score) for game in GAMES[:7] for found, score in judged(game)]
    assert sum(claim == NOTHING for _, claim, _ in made) > 10
    assert sum(claim == score == 0 for _, claim, score in made) > 3
    assert sum(claim == score < -1 for _, claim, score in made) > 1
    assert any(len(found) > 2 for found, _, _ in made)  # several threatened cells
