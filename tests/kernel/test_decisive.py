"""The positions of docs/how-it-works/search.md that one technique decides, and published outcomes by all of them."""

from collections.abc import Callable

import pytest

from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.games.families.lines import LineGame, line_position
from service.kernel.alpha_beta.search import KERNEL, Search, Stopped
from service.kernel.memory import private_memory
from tests.published import OUTCOMES, Published
from tests.worlds import rules_of, small

pytestmark = [
    pytest.mark.verify,
    pytest.mark.skipif(KERNEL != "compiled", reason="takes minutes where the kernel is not compiled"),
]

NODES = 1_000_000
"""Nodes after which a search is given up."""

FORCED = "..O......O...OXOX...X.O..XX..X.......XX..........OO.O..X.O......"

Ask = Callable[[Search, int, int], bool]
"""Asks whether X wins, who moves; raises Stopped."""


def alpha_beta(search: Search, x: int, o: int) -> bool:
    """By alpha-beta alone: in a window of two no other search takes a turn."""
    return search.bound(x, o, -1, 1) > 0


def zones(search: Search, x: int, o: int) -> bool:
    """By alpha-beta and the maker-breaker search."""
    return search.bound(x, o, 0, 1) > 0


def forced(search: Search, x: int, o: int) -> bool:
    """By threats and proof numbers."""
    return search.forced_win(x, o, NODES, to_move=True) is not None


def nodes(game: LineGame, board: str, outcome: str, ask: Ask) -> int:
    """The nodes of a right answer, at most ``NODES``."""
    x, o = (sum(1 << cell for cell, mark in enumerate(board) if mark == player) for player in "XO")
    search = Search(rules_of(game), private_memory(64 << 20), limit=NODES)
    try:
        assert ask(search, x, o) == (outcome == "win")
    except Stopped:
        return NODES
    return search.nodes


@pytest.mark.parametrize(
    ("game", "board", "outcome", "without", "technique"),
    [
        pytest.param(small(5, 5, 5), 25 * ".", "draw", alpha_beta, zones, id="pairing"),
        pytest.param(small(6, 6, 5), 36 * ".", "draw", alpha_beta, zones, id="relevance zones"),
        pytest.param(small(8, 8, 5), FORCED, "win", None, forced, id="threat-space search"),
        pytest.param(small(4, 4, 4, layers=4), f"X..X{57 * '.'}O.O", "win", zones, forced, id="proof-number search"),
    ],
)
def test_the_technique_of_a_position_of_the_documentation_decides_it(
    game: LineGame, board: str, outcome: str, without: Ask | None, technique: Ask
) -> None:
    few = nodes(game, board, outcome, technique)
    assert few < NODES // 10
    assert without is None or 10 * few < nodes(game, board, outcome, without)


@pytest.mark.parametrize("known", OUTCOMES, ids=str)
def test_a_published_outcome_is_proven(known: Published) -> None:
    answer = Oracle(table_mb=64).best_move(line_position(known.game, 0, 0, "X"), limit=Limit(600, 10_000_000))
    assert answer.outcome == known.outcome
