"""The search, probe by probe against the reference, and in whole against published values."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from operator import attrgetter

import pytest

from service.games.boards.grid import mask
from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition
from tests.worlds import near_the_end, reachable, score_from_the_start, search, small, verdict

GAMES = [
    TIC_TAC_TOE,
    MISERE_TIC_TAC_TOE,
    small(3, 3, 3, wrap=True),
    small(3, 3, 3, wrap=True, misere=True),
    small(2, 2, 2, layers=2),
    small(4, 3, 3),
    small(4, 3, 3, misere=True),
    small(3, 4, 3, gravity=True),
    # The best and the worst score that any board of its size can have.
    small(2, 2, 1),
    small(2, 2, 1, misere=True),
]
each_small_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))


@cache
def samples(game: LineGame) -> tuple[LinePosition, ...]:
    """Unfinished positions of a small game in which every window can be tried quickly."""
    return tuple(near_the_end(game, empties=6, count=20))


def windows(game: LineGame) -> Iterator[tuple[int, int]]:
    """Every (alpha, beta) with alpha < beta, from below the worst score to above the best."""
    limit = game.cells + 1
    return combinations(range(-limit, limit + 1), 2)


def keeps_the_contract(bound: int, exact: int, alpha: int, beta: int) -> bool:
    """Whether the bound says no more about the exact score than is true, and as much as it promises."""
    if bound <= alpha:
        return exact <= bound
    if bound >= beta:
        return exact >= bound
    return bound == exact


@each_small_game
def test_scores_and_bounds_in_every_window_are_right_with_a_fresh_memory_and_whatever_it_holds(game: LineGame) -> None:
    probes = [(position, window) for position in samples(game) for window in windows(game)]
    random.Random(game.id).shuffle(probes)
    shared = search(game)
    for position, window in probes:
        for asked in (search(game), shared):
            bound = asked.bound(*position.state, *window)
            assert keeps_the_contract(bound, score_from_the_start(position), *window)
    for position in samples(game):
        assert search(game).score(*position.state) == score_from_the_start(position)


@pytest.mark.parametrize("game", GAMES[:5], ids=attrgetter("id"))
def test_every_position_of_a_game_gets_the_score_and_null_window_bounds_of_the_reference(game: LineGame) -> None:
    shared, dice = search(game), random.Random(game.id)
    for position in reachable(game):
        exact = score_from_the_start(position)
        if position.legal_moves:
            alpha = dice.randint(-game.cells - 1, game.cells)
            bound = shared.bound(*position.state, alpha, alpha + 1)
            assert keeps_the_contract(bound, exact, alpha, alpha + 1)
        assert shared.score(*position.state) == exact


def test_a_board_of_exactly_64_cells_is_scored_as_the_reference_scores_it() -> None:
    positions = list(near_the_end(small(8, 8, 6), empties=5, count=20))
    for position in positions:
        assert search(position.game).score(*position.state) == score_from_the_start(position)
    assert {verdict(position).outcome for position in positions} == {-1, 0, 1}


def test_the_last_cell_of_64_completes_a_line() -> None:
    game, last = small(8, 8, 8), 1 << 63
    bottom_row = [cell for cell in range(64) if game.row_of(cell) == 7]
    chequers = [cell for cell in range(64) if (game.row_of(cell) + game.column_of(cell)) % 2 == 0]
    mine = mask((*{*bottom_row, *chequers} - {0, 63},))
    theirs = game.full ^ mine ^ last ^ 1
    # 63 marks stand when it completes the row; any other move lets the board fill up.
    assert search(game).ended(theirs, mine | last) == -2
    assert search(game).score(mine, theirs) == 2
