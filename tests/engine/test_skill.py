"""Weaker moves: legal, reproducible, alike for both colours, and weaker the less the skill."""

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations, pairwise
from operator import attrgetter

import pytest

from service.engine.skill import MOST_NODES, affordable, carelessness, sees, weaker_move
from service.games.catalogue import CONNECT_FOUR, MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import OPPONENT, LineGame, LinePosition, hand_written, line_position, marked
from service.kernel.alpha_beta.search import Search
from service.kernel.rules import Rules
from tests.engine.slots import empty
from tests.worlds import CATALOGUED, each_catalogued_game, near_the_end, read_position, rules_of, small, unfinished

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


def threats(position: LinePosition) -> list[int]:
    """The legal moves with which the opponent would complete a line."""
    return [
        move for move in position.legal_moves if position.game.completed_by(position, OPPONENT[position.player], move)
    ]


def can_win(position: LinePosition) -> bool:
    """Whether some moves complete a line and some don't."""
    return 0 < len(wins(position)) < len(position.legal_moves)


def must_block(position: LinePosition) -> bool:
    """Whether no move completes a line, and one of several keeps the opponent from completing one."""
    return len(position.legal_moves) > len(threats(position)) == 1 and not wins(position)


@cache
def sample(game: LineGame, kind: Callable[[LinePosition], bool]) -> list[LinePosition]:
    return [found for found in near_the_end(game, empties=game.cells - 4, count=500) if kind(found)][:100]


def missed(game: LineGame, skill: int, kind: Callable[[LinePosition], bool] = can_win) -> float:
    """How often a player of this skill does not win at once, or does not block, where that can be done."""
    right = wins if kind is can_win else threats
    faults = [choose(at, skill, seed) not in right(at) for at in sample(game, kind) for seed in range(8)]
    return faults.count(True) / len(faults)


@each_catalogued_game
def test_the_move_is_legal_the_same_when_asked_again_and_for_both_colours(game: LineGame) -> None:
    for level, position in zip(LEVELS, near_the_end(game, empties=game.cells, count=10), strict=True):
        move = choose(position, level, seed=level)
        swapped = line_position(
            game, position.game.masks(position)[1], position.game.masks(position)[0], OPPONENT[position.player]
        )
        assert move in position.legal_moves
        assert move == choose(position, level, seed=level) == choose(swapped, level, seed=level)


@pytest.mark.parametrize("game", CUSTOM, ids=attrgetter("id"))
def test_every_level_finishes_games_of_any_rules(game: LineGame) -> None:
    for level in (0, 45):
        for before, after in pairwise(played(game, level, level, seed=level)):
            assert (marked(before) ^ marked(after)).bit_length() - 1 in before.legal_moves


def test_seeds_differ_and_skill_0_plays_every_move() -> None:
    for level in (0, 30, 60):
        assert len({tuple(map(str, played(CONNECT_FOUR, level, level, seed))) for seed in range(10)}) == 10
    assert {choose(empty(TIC_TAC_TOE), 0, seed) for seed in range(300)} == set(range(9))


def test_what_is_far_is_seen_less_often_than_what_is_near_and_more_often_with_skill() -> None:
    for level in range(100):
        chances = [sees(level, plies) for plies in range(1, 17)]
        assert chances == sorted(chances, reverse=True)
        assert 0 < chances[-1] < chances[0] < 1
    for lower, higher in pairwise(range(100)):
        assert all(sees(lower, plies) < sees(higher, plies) for plies in range(1, 17))
        assert carelessness(lower) > carelessness(higher)


@each_opponent
def test_above_30_a_win_in_one_is_missed_in_less_than_one_of_20_positions(game: LineGame) -> None:
    rates = [missed(game, level) for level in (0, 15, 31, 60, 90)]
    assert rates == sorted(rates, reverse=True)
    assert (rates[0] > 0.4, rates[2] < 0.05, rates[4] < 0.01) == (True, True, True)


@pytest.mark.verify
@each_opponent
def test_a_block_is_missed_more_often_than_a_win(game: LineGame) -> None:
    for level in (10, 30, 50):
        assert missed(game, level) < missed(game, level, must_block)
    assert missed(game, 90, must_block) < 0.05


@pytest.mark.parametrize("level", [40, 70, 99])
def test_in_misere_games_a_line_is_completed_seldom(level: int) -> None:
    lost = [choose(at, level, seed=level) in wins(at) for at in unfinished(MISERE_TIC_TAC_TOE) if can_win(at)]
    assert lost.count(True) / len(lost) < (100 - level) / 1000


def test_where_every_move_loses_one_threat_is_blocked_all_the_same() -> None:
    position = read_position("XX. XO. ..O", "O")
    assert {choose(position, 99, seed) for seed in range(50)} <= {2, 6}


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
    assert game.cells <= most <= MOST_NODES
    assert max(search.nodes for search in searches) <= most
