"""The positions of docs/how-it-works/search.md that one technique decides, and published outcomes by all of them."""

from collections.abc import Callable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Decisive:
    """A position with X to move; ``without`` is None where every other search uses the technique too."""

    technique: str
    game: LineGame
    board: str
    wins: bool
    without: Ask | None
    decide: Ask


def alpha_beta(search: Search, x: int, o: int) -> bool:
    """By alpha-beta alone: in a window of two no other search takes a turn."""
    return search.bound(x, o, -1, 1) > 0


def zones(search: Search, x: int, o: int) -> bool:
    """By alpha-beta and the maker-breaker search."""
    return search.bound(x, o, 0, 1) > 0


def forced(search: Search, x: int, o: int) -> bool:
    """By threats and proof numbers."""
    return search.forced_win(x, o, NODES, to_move=True) is not None


POSITIONS = (
    Decisive("pairing", small(5, 5, 5), 25 * ".", False, alpha_beta, zones),  # noqa: FBT003
    Decisive("relevance zones", small(6, 6, 5), 36 * ".", False, alpha_beta, zones),  # noqa: FBT003
    Decisive("threat-space search", small(8, 8, 5), FORCED, True, None, forced),  # noqa: FBT003
    Decisive("proof-number search", small(4, 4, 4, layers=4), f"X..X{57 * '.'}O.O", True, zones, forced),  # noqa: FBT003
)


def nodes(position: Decisive, ask: Ask) -> int | None:
    """The nodes of a right answer; None if it takes too many."""
    x, o = (sum(1 << cell for cell, mark in enumerate(position.board) if mark == player) for player in "XO")
    search = Search(rules_of(position.game), private_memory(64 << 20), limit=NODES)
    try:
        assert ask(search, x, o) == position.wins
    except Stopped:
        return None
    return search.nodes


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.technique)
def test_the_technique_of_a_position_of_the_documentation_decides_it(position: Decisive) -> None:
    few = nodes(position, position.decide)
    assert few is not None
    assert few < NODES // 10
    if position.without is not None:
        many = nodes(position, position.without)
        assert many is None or 10 * few < many


@pytest.mark.parametrize("known", OUTCOMES, ids=str)
def test_a_published_outcome_is_proven(known: Published) -> None:
    answer = Oracle(table_mb=64).best_move(line_position(known.game, 0, 0, "X"), limit=Limit(600, 10_000_000))
    assert answer.outcome == known.outcome
