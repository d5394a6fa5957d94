"""Weaker moves: legal, reproducible, alike for both colours, and weaker the less the skill."""

from functools import partial
from itertools import combinations, pairwise
from operator import attrgetter

import pytest

from service.engine.skill import MOST_NODES, affordable, weaker_move
from service.games.catalogue import CONNECT_FOUR, TIC_TAC_TOE
from service.games.families.lines import OPPONENT, LineGame, LinePosition, hand_written, line_position
from service.kernel.alpha_beta.search import Search
from service.kernel.rules import Rules
from tests.engine.slots import empty
from tests.worlds import CATALOGUED, each_catalogued_game, near_the_end, rules_of, small

LEVELS = range(0, 100, 10)
each_opponent = pytest.mark.parametrize("game", [TIC_TAC_TOE, CONNECT_FOUR], ids=attrgetter("id"))
by_hand = partial(hand_written, name="by hand", rules="by hand")
CUSTOM = [
    small(1, 1, 1),
    small(1, 5, 3, misere=True),
    small(8, 8, 5),
    small(7, 7, 4, gravity=True, misere=True),
    small(4, 4, 3, layers=4, gravity=True),
    small(5, 5, 4, wrap=True, misere=True),
    by_hand(id="ragged", cells=64, lines=[(0,), (0, 1, 2, 3), (2, 9, 20, 33, 47, 63), (5, 6), range(64)]),
    by_hand(id="dense", cells=40, lines=[(*pair, 39) for pair in combinations(range(39), 2)]),
]


def choose(position: LinePosition, skill: int, seed: int = 0) -> int:
    return weaker_move(position, rules_of(position.game), skill=skill, seed=seed)


def played(game: LineGame, x: int, o: int, seed: int) -> list[LinePosition]:
    """The positions of a game between players of these skills, the last of them finished."""
    positions, skills = [empty(game)], {"X": x, "O": o}
    while (position := positions[-1]).legal_moves:
        positions.append(position.play(choose(position, skills[position.player], seed)))
    return positions


def points(game: LineGame, stronger: int, weaker: int, games: int) -> float:
    """The part of the points that the first of two skills takes, when each begins as often as the other."""
    won = 0.0
    for seed in range(games):
        skills = (stronger, weaker) if seed % 2 else (weaker, stronger)
        winner = played(game, *skills, seed)[-1].winner
        won += 0.5 if winner is None else (winner == "X") == bool(seed % 2)
    return won / games


def wins(position: LinePosition) -> list[int]:
    """The legal moves with which the player to move would complete a line."""
    return [move for move in position.legal_moves if position.game.completed_by(position, position.player, move)]


def can_win(position: LinePosition) -> bool:
    """Whether some moves complete a line and some don't."""
    return 0 < len(wins(position)) < len(position.legal_moves)


def missed(game: LineGame, skill: int) -> float:
    """How often a player of this skill does not win at once where that can be done."""
    sample = [found for found in near_the_end(game, empties=game.cells - 4, count=500) if can_win(found)][:100]
    faults = [choose(at, skill, seed) not in wins(at) for at in sample for seed in range(8)]
    return faults.count(True) / len(faults)


@each_catalogued_game
def test_the_move_is_legal_the_same_when_asked_again_and_for_both_colours(game: LineGame) -> None:
    for level, position in zip(LEVELS, near_the_end(game, empties=game.cells, count=10), strict=True):
        move = choose(position, level, seed=level)
        x, o = game.masks(position)
        swapped = line_position(game, o, x, OPPONENT[position.player])
        assert move in position.legal_moves
        assert move == choose(position, level, seed=level) == choose(swapped, level, seed=level)


@each_opponent
def test_above_30_a_win_in_one_is_missed_in_less_than_one_of_20_positions(game: LineGame) -> None:
    rates = [missed(game, level) for level in (0, 15, 31, 60, 90)]
    assert rates == sorted(rates, reverse=True)
    assert (rates[0] > 0.4, rates[2] < 0.05, rates[4] < 0.01) == (True, True, True)


@pytest.mark.verify
@each_opponent
def test_strength_grows_with_skill(game: LineGame) -> None:
    for weaker, stronger in pairwise((0, 20, 40, 65, 95) if game.drop else (0, 20, 40, 95)):
        assert points(game, stronger, weaker, games=24) > 0.55


@pytest.mark.parametrize("game", [*CATALOGUED, *CUSTOM], ids=attrgetter("id"))
def test_a_move_costs_no_more_nodes_than_it_may(game: LineGame, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Search] = []

    def recorded(rules: Rules, table: memoryview, *, limit: int) -> Search:
        searches.append(Search(rules, table, limit=limit))
        return searches[-1]

    monkeypatch.setattr("service.engine.skill.Search", recorded)
    most = affordable(rules_of(game))
    for seed in range(4):
        choose(empty(game), 99, seed)
    assert not played(game, 0, 45, seed=1)[-1].legal_moves
    assert game.cells <= most <= MOST_NODES
    assert max(search.nodes for search in searches) <= most
