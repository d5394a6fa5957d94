"""The estimator: an exact search near the end, the same in symmetric positions, compiled or not."""

import random
from operator import attrgetter

import pytest

from loadtests.interpreted import interpreted_search
from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.game import Game, permute
from service.kernel.search import WON, Search, Stopped
from tests.support import sampled
from tests.worlds import drawn_positions, memory, near_the_end, rules_of, score_from_the_start, small

GAMES = [
    small(5, 5, 4),
    small(5, 4, 4, gravity=True),
    small(4, 5, 3, gravity=True, misere=True),
    small(4, 4, 3, misere=True),
    small(4, 4, 4, wrap=True),
    small(3, 3, 3, layers=3, gravity=True),
]
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
INTERPRETED = interpreted_search()
EVALUATION = INTERPRETED.Estimator.__init__.__globals__["Evaluation"].value.__globals__


def value(game: Game, mine: int, theirs: int, depth: int) -> int:
    return Search(rules_of(game), memory()).estimate(mine, theirs, depth, -2 * WON, 2 * WON)


@pytest.mark.verify
@each_game
def test_to_the_end_of_the_game_a_value_is_the_score(game: Game) -> None:
    for position in near_the_end(game, empties=7, count=sampled(20, 60)):
        score = score_from_the_start(position)
        expected = score + WON * ((score > 0) - (score < 0))
        assert value(game, position.mine, position.theirs, game.cells) == expected


@each_game
def test_symmetric_positions_have_the_same_value_at_every_depth(game: Game) -> None:
    dice = random.Random(game.id)
    for position in drawn_positions(game, range(2, game.cells - 4), 20):
        symmetry = dice.choice(game.symmetries)
        image = permute(position.mine, symmetry), permute(position.theirs, symmetry)
        for depth in range(4):
            assert value(game, *image, depth) == value(game, position.mine, position.theirs, depth)


@each_game
def test_the_value_in_a_window_is_the_value_or_a_bound_on_its_side(game: Game) -> None:
    dice = random.Random(game.id)
    for position in drawn_positions(game, range(2, game.cells - 4), 20):
        masks = position.mine, position.theirs
        true = value(game, *masks, 3)
        alpha, beta = sorted(dice.sample(range(true - 60, true + 60), 2))
        search = Search(rules_of(game), memory())
        for depth in (1, 2, 3):  # the table is full of other depths
            found = search.estimate(*masks, depth, alpha, beta)
        assert min(max(found, alpha), beta) == min(max(true, alpha), beta)


@each_game
def test_the_interpreted_estimator_visits_the_same_nodes(game: Game) -> None:
    for position in drawn_positions(game, range(game.cells // 3, game.cells - 4), 6):
        searches = [kernel(rules_of(game), memory()) for kernel in (Search, INTERPRETED.Search)]
        found = [search.estimate(position.mine, position.theirs, 3, -2 * WON, 2 * WON) for search in searches]
        assert found[0] == found[1]
        assert searches[0].nodes == searches[1].nodes


def test_what_is_proven_bounds_the_value() -> None:
    checked = 0
    for position in drawn_positions(CONNECT_FOUR, range(22, 26), 40):
        search = Search(rules_of(CONNECT_FOUR), memory(16))
        if search.decided(position.mine, position.theirs) is None:
            outcome = search.score(position.mine, position.theirs)
            found = search.estimate(position.mine, position.theirs, 4, -2 * WON, 2 * WON)
            assert (found > 0, found < 0) == (outcome > 0, outcome < 0)
            checked += 1
    assert checked > 10


def test_an_estimator_stops_at_its_limit_of_nodes() -> None:
    search = Search(rules_of(QUBIC), memory(), limit=500)
    with pytest.raises(Stopped):
        search.estimate(0, 0, 6, -2 * WON, 2 * WON)
    assert search.nodes == 500


LAST_TWO = 1 << 10 | 1 << 3
"""The upper two cells of the middle column of Connect Four."""


@pytest.mark.parametrize(
    ("free", "own_wins", "opponent_wins", "expected"),
    [
        (LAST_TWO, 0, 0, 0),
        (LAST_TWO, 0, 1 << 3, -1),
        (LAST_TWO, 1 << 3, 0, 0),
        (LAST_TWO | 1 << 0, 1 << 3, 0, 1),
        (LAST_TWO | 1 << 0, 0, 1 << 3, 0),
        (LAST_TWO | 1 << 0, 1 << 3, 1 << 3, 1),
        (LAST_TWO | 1 << 7 | 1 << 0, 1 << 0, 1 << 3, 0),
    ],
)
def test_who_has_to_mark_the_cell_below_a_threat_loses_the_endgame(
    free: int, own_wins: int, opponent_wins: int, expected: int
) -> None:
    board = INTERPRETED.Board(rules_of(CONNECT_FOUR))
    assert EVALUATION["zugzwang"](board, board.full ^ free, own_wins, opponent_wins) == expected
