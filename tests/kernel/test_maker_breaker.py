"""The maker-breaker search against plain minimax of the same game: who prevails, and what each zone claims."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any

import pytest

from service.games.families.lines import LineGame, hand_written
from service.kernel.alpha_beta import search as compiled
from service.kernel.alpha_beta.search import Search, Stopped
from tests.kernel.test_kernel import INTERPRETED
from tests.support import sampled
from tests.worlds import drawn_positions, memory, near_the_end, rules_of, score_from_the_start, small

CROSSED = hand_written(
    id="crossed",
    name="Crossed",
    rules="Lines of two to five cells.",
    cells=11,
    lines=[(0, 1), (1, 2, 3), (3, 4, 5, 6), (0, 4, 7), (2, 5, 8), (6, 7, 8, 9, 10), (0, 9), (1, 5, 10), (4, 8, 10)],
)
GAMES = [
    small(3, 3, 3),
    small(3, 4, 3),
    small(4, 4, 4),
    small(4, 4, 3),
    small(3, 3, 3, wrap=True),
    small(2, 3, 2),
    small(2, 2, 3, layers=3),
    CROSSED,
]
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))

MAKER_FIRST, BREAKER_FIRST = True, False

State = tuple[int, int, bool]
"""The marks of the maker, those of the breaker, and whether the maker moves."""


def minimax(game: LineGame) -> Callable[..., bool]:
    """Whether the breaker holds, by trying every move."""

    @cache
    def holds(marks: int, against: int, maker_first: bool) -> bool:  # noqa: FBT001, as the search takes it
        if any(line & marks == line for line in game.line_masks):
            return False
        if all(line & against for line in game.line_masks):
            return True
        empty = [1 << cell for cell in range(game.cells) if not (marks | against) >> cell & 1]
        if maker_first:
            return all(holds(marks | cell, against, BREAKER_FIRST) for cell in empty)
        return any(holds(marks, against | cell, MAKER_FIRST) for cell in empty)

    return holds


def states(game: LineGame, count: int) -> Iterator[State]:
    """Positions without a complete line, with at most ten empty cells, of any numbers of marks; always the same."""
    dice = random.Random(game.id)
    while count:
        cells = dice.sample(range(game.cells), game.cells)
        empty = dice.randint(1, min(10, game.cells))
        marked = cells[empty:]
        own = dice.randint(0, len(marked))
        marks, against = (sum(1 << cell for cell in part) for part in (marked[:own], marked[own:]))
        if not any(line & marks == line for line in game.line_masks):
            count -= 1
            yield marks, against, dice.random() < 0.5


def maker_breaker(game: LineGame) -> Any:
    """The interpreted search, of which every part can be seen."""
    rules = rules_of(game)
    limits = INTERPRETED.Limits(None, None, 1)
    return INTERPRETED.MakerBreaker(INTERPRETED.Board(rules), memory(), rules.key_seeds, limits)


@each_game
def test_it_says_who_prevails_and_cells_outside_of_its_zone_do_not_matter(game: LineGame) -> None:
    holds, searched, outcomes = minimax(game), maker_breaker(game), set()
    for state in states(game, 150):
        marks, against, maker_first = state
        found = searched.holds(*state)
        assert found == holds(*state), state
        rest = game.full & ~(marks | against | searched.zone)
        given = (marks | rest, against) if found else (marks, against | rest)
        assert holds(*given, maker_first) == found, (state, searched.zone)
        outcomes.add(found)
    assert outcomes == {True, False}


@each_game
def test_a_holding_move_holds_and_is_found_where_there_is_one(game: LineGame) -> None:
    holds, found = minimax(game), set()
    for marks, against, _ in states(game, 150):
        move = Search(rules_of(game), memory()).holding_move(against, marks, 1 << 40)
        assert (move is not None) == holds(marks, against, BREAKER_FIRST), (marks, against)
        if move is not None:
            assert not (marks | against) >> move & 1
            assert holds(marks, against | 1 << move, MAKER_FIRST), (marks, against, move)
        found.add(move is not None)
    assert found == {True, False}


def test_a_search_for_a_holding_move_ends_at_its_budget_and_goes_on() -> None:
    game = small(7, 7, 5)
    whole = Search(rules_of(game), memory(18))
    move = whole.holding_move(0, 1, 1 << 40)
    assert move is not None
    parts, budgets = Search(rules_of(game), memory(18)), 0
    while (found := parts.holding_move(0, 1, 200)) is None:
        budgets += 1
        assert parts.nodes == 200 * budgets
    assert found == move
    assert budgets >= whole.nodes // 200 > 0


@pytest.fixture
def from_the_first_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let alpha-beta have one node before the maker-breaker search has its first turn, and no more than it."""
    for kernel in (compiled, INTERPRETED):
        monkeypatch.setattr(kernel, "FIRST_NODES", 1)
        monkeypatch.setattr(kernel, "NODES_PER_LONG_NODE", 1)


OUTCOMES = [*GAMES, small(4, 5, 4), small(5, 5, 4), small(3, 3, 3, layers=3)]


@pytest.mark.verify
@pytest.mark.usefixtures("from_the_first_node")
@pytest.mark.parametrize("game", OUTCOMES, ids=attrgetter("id"))
def test_outcomes_are_those_of_the_reference(game: LineGame) -> None:
    shared = compiled.Search(rules_of(game), memory())
    for position in near_the_end(game, empties=8, count=sampled(40 // game.layers, 60)):
        exact = score_from_the_start(position)
        for alpha in (0, -1):
            assert (shared.bound(*position.state, alpha, alpha + 1) > alpha) == (exact > alpha)


@pytest.mark.usefixtures("from_the_first_node")
@pytest.mark.parametrize("game", OUTCOMES, ids=attrgetter("id"))
def test_interpreted_and_compiled_search_the_same_nodes(game: LineGame) -> None:
    for position in drawn_positions(game, range(game.cells // 2, game.cells), 10):
        found = []
        for kernel in (compiled, INTERPRETED):
            search = kernel.Search(rules_of(game), memory())
            bounds = [search.bound(*position.state, alpha, alpha + 1) for alpha in (0, -1)]
            found.append((bounds, search.nodes))
        assert found[0] == found[1]


def test_a_paused_search_goes_on_and_a_limit_stops_it_at_its_node() -> None:
    game = small(6, 6, 5)
    whole = Search(rules_of(game), memory(18))
    assert whole.bound(0, 0, 0, 1) == 0
    for limit in (1, compiled.FIRST_NODES, compiled.FIRST_NODES + 1, whole.nodes - 1):
        stopped = Search(rules_of(game), memory(18), limit=limit)
        with pytest.raises(Stopped):
            stopped.bound(0, 0, 0, 1)
        assert stopped.nodes == limit
