"""Threat-space search inside alpha-beta: it changes what is searched, not what is proven."""

import random
from operator import attrgetter
from typing import Any

import pytest

from service.games.families.lines import LineGame, LinePosition
from service.kernel.alpha_beta.search import Search
from tests.kernel.test_kernel import INTERPRETED
from tests.kernel.test_search import keeps_the_contract
from tests.support import sampled
from tests.worlds import drawn_positions, memory, near_the_end, rules_of, score_from_the_start, small

pytestmark = pytest.mark.verify

GAMES = [small(4, 4, 3), small(4, 4, 4, wrap=True), small(5, 4, 4), small(3, 3, 3, layers=3), small(5, 5, 4)]
ALPHA_BETA = INTERPRETED.AlphaBeta.__init__.__globals__
"""The names of the interpreted module of alpha-beta."""

each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interpreted search look for threats as close to the end as the reference reaches."""
    monkeypatch.setitem(ALPHA_BETA, "THREAT_MIN_EMPTY", 0)


def interpreted(position: LinePosition) -> Any:
    return INTERPRETED.Search(rules_of(position.game), memory())


@each_game
@pytest.mark.usefixtures("everywhere")
def test_bounds_and_scores_with_threats_are_right_in_every_window_and_whatever_the_memory_holds(game: LineGame) -> None:
    dice, shared = random.Random(game.id), INTERPRETED.Search(rules_of(game), memory())
    for position in near_the_end(game, empties=7, count=sampled(40 // game.layers**2, 60)):
        exact = score_from_the_start(position)
        assert shared.score(*position.state) == exact
        for _ in range(sampled(6, 12)):
            alpha, beta = sorted(dice.sample(range(-game.cells - 1, game.cells + 2), 2))
            bound = interpreted(position).bound(*position.state, alpha, beta)
            assert keeps_the_contract(bound, exact, alpha, beta)


@pytest.mark.parametrize("game", [small(4, 4, 3), small(5, 4, 4), small(5, 5, 4)], ids=attrgetter("id"))
def test_far_from_the_end_scores_are_the_same_without_threats(game: LineGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ALPHA_BETA, "THREAT_MIN_EMPTY", 64)
    differ = 0
    for position in drawn_positions(game, range(game.cells - 16, game.cells - 13), 8):
        with_threats, without = Search(rules_of(game), memory()), interpreted(position)
        if without.decided(*position.state) is None:
            assert with_threats.score(*position.state) == without.score(*position.state)
            differ += with_threats.nodes != without.nodes
    assert differ
