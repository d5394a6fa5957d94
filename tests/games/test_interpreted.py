"""The compiled rules, retrograde analysis and search against the same sources as plain Python."""

import random
from inspect import isfunction
from types import ModuleType
from typing import Any

import pytest

from service.games import catalogue
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import KERNEL, Search, Stopped
from service.kernel.memory import private_memory, shared_memory
from service.kernel.states import graph, retrograde
from service.kernel.states.family import START
from service.kernel.states.family_search import FamilySearch
from tests.games.games import LINE_GAMES, SMALL, Case, decided, each, each_small_game, game_of, name_of, positions
from tests.games.test_search import SEARCHED, score_of
from tests.interpreted import interpreted_families
from tests.kernel.test_kernel import INTERPRETED as INTERPRETED_LINES
from tests.support import IN_CI
from tests.worlds import is_line, memory, rules_of, score_from_the_start

INTERPRETED, *INTERPRETED_ANALYSIS, INTERPRETED_SEARCH = interpreted_families()
GAMES: list[Case] = [*SMALL, ("numerical", {}), ("ultimate", {}), ("ultimate", {"finished": "open", "misere": True})]

MOST_MOVES = 6
"""Legal moves of the positions that the interpreted search is asked about."""


def solved(
    family: str, rules: dict[str, Any], games: ModuleType, graphs: ModuleType, analysis: ModuleType
) -> tuple[Any, ...]:
    """The numbers of states and moves, and the whole table."""
    game = games.FAMILIES[family](**rules)
    found = graphs.Graph(game.play, 100_000)
    return found.states, found.edges, *analysis.Retrograde(found).tabulate()


@pytest.mark.skipif(KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the rules")
def test_one_of_both_is_compiled() -> None:
    for name, rules in dict(GAMES).items():
        assert isfunction(type(INTERPRETED.FAMILIES[name](**rules).play).result)
        # Compiled, it can only be called in C.
        assert not hasattr(type(catalogue.FAMILIES[name](**rules).play), "result")
    plain_graph, plain_retrograde = INTERPRETED_ANALYSIS
    assert isfunction(plain_graph.Graph.positions)
    assert isfunction(plain_retrograde.Retrograde.tabulate)
    assert not isfunction(graph.Graph.positions)
    assert not isfunction(retrograde.Retrograde.tabulate)


@each_small_game
def test_interpreted_rules_and_analysis_find_the_same_table(family: str, rules: dict[str, Any]) -> None:
    plain = solved(family, rules, INTERPRETED, *INTERPRETED_ANALYSIS)
    assert plain == solved(family, rules, catalogue, graph, retrograde)


@pytest.mark.parametrize(("family", "rules"), GAMES, ids=name_of)
def test_interpreted_rules_play_the_same_games(family: str, rules: dict[str, Any]) -> None:
    ours, plain = game_of(family, rules).play, INTERPRETED.FAMILIES[family](**rules).play
    chance = random.Random(1)
    for _ in range(20):
        state = START
        while moves := ours.legal_moves(state):
            assert plain.legal_moves(state) == moves
            groups = plain.groups(*plain.packed(state))
            assert all(groups >> move // plain.group_size & 1 for move in moves)
            assert plain.least_image(state) == ours.least_image(state)
            state, before = ours.after(state, move := chance.choice(moves)), state
            assert plain.after(before, move) == state
            if chance.random() < 0.02:
                break
        assert plain.result_of(state) == ours.result_of(state)


@pytest.mark.parametrize(
    "rules", [{}, {"misere": True}, {"finished": "open", "full_board": "most-boards"}], ids=name_of
)
def test_nine_boards_have_the_children_of_every_family_with_their_order_keys(rules: dict[str, Any]) -> None:
    play, chance = INTERPRETED.FAMILIES["ultimate"](**rules).play, random.Random(1)
    seen = set[int]()
    for _ in range(4):
        state = START
        while moves := play.legal_moves(state):
            ours, plain = (INTERPRETED_SEARCH.Children(81, 81) for _ in range(2))
            end = play.put_children(*play.packed(state), ours, 0)
            assert end == super(type(play), play).put_children(*play.packed(state), plain, 0) == len(moves)
            assert vars(ours) == vars(plain)
            seen.update(ours.order_keys)
            state = play.after(state, chance.choice(moves))
    assert max(map(abs, seen)) == INTERPRETED_SEARCH.family.OVER


def test_moves_that_cut_off_are_tried_earlier_by_the_same_side() -> None:
    children = INTERPRETED_SEARCH.Children(10, 5)
    for _ in range(3):
        for slot, move in enumerate((3, 1, 4)):
            children.put(slot, move, 0)
        children.count(0, 2, 1)
    for side, best in ((0, 0), (1, 4)):
        for move in range(5):
            children.put(move, move, 0)
        children.weigh(0, 5, side)
        children.bring_most_promising(0, 5)
        assert children.moves[0] == best
        assert (children.order_keys[0] > 0) == bool(side)
        children.prefer(0, 5, 1)
        children.bring_most_promising(0, 5)
        assert children.moves[0] == 1


def test_both_look_aheads_visit_the_same_nodes() -> None:
    game, plain = game_of("ultimate", {}), INTERPRETED.FAMILIES["ultimate"]()
    nodes = set[int]()
    for position in [position for position in positions(game) if 4 < len(position.legal_moves) < 10][:2]:
        ours = FamilySearch(game.play, game.most_plies, private_memory(1000))
        theirs = INTERPRETED_SEARCH.FamilySearch(plain.play, game.most_plies, private_memory(1000))
        for depth in range(1, 7):
            values = [search.estimate(*position.state, depth, -(1 << 28), 1 << 28) for search in (ours, theirs)]
            assert values[0] == values[1]
            assert ours.nodes == theirs.nodes
        nodes.add(ours.nodes)
    assert min(nodes) > 100


def test_look_aheads_of_a_position_keep_to_one_part_of_a_large_table() -> None:
    game, parts = game_of("ultimate", {}), 4
    position = next(position for position in positions(game) if len(position.legal_moves) > 9)
    values = set[tuple[int, int]]()
    for root in (0, 2, parts + 3):
        table = shared_memory(2 * parts)
        search = FamilySearch(game.play, game.most_plies, table, root=root)
        values.add((search.estimate(*position.state, 5, -(1 << 28), 1 << 28), search.nodes))
        size = len(table) // parts
        used = [any(table[part * size : (part + 1) * size]) for part in range(parts)]
        assert used == [part == root % parts for part in range(parts)]
    assert len(values) == 1


@pytest.mark.verify
@pytest.mark.parametrize(("family", "rules"), SEARCHED[::3], ids=name_of)
def test_the_interpreted_search_visits_the_same_nodes(family: str, rules: dict[str, Any]) -> None:
    game, plain = game_of(family, rules), INTERPRETED.FAMILIES[family](**rules)
    few = [position for position in positions(game) if 0 < len(position.legal_moves) <= MOST_MOVES]
    for position in few[:12]:
        ours = FamilySearch(game.play, game.cells, private_memory(1000))
        theirs = INTERPRETED_SEARCH.FamilySearch(plain.play, game.cells, private_memory(1000))
        assert score_of(ours, position) == score_of(theirs, position)
        assert ours.nodes == theirs.nodes


@each(LINE_GAMES)
def test_both_searches_of_lines_agree_node_for_node_and_entry_for_entry(game: LineGame) -> None:
    (position, *_), masks = decided(game), (memory(), memory())
    assert is_line(position)
    near, far = (
        [kernel(rules_of(game), table, limit=limit) for kernel, table in zip(KERNELS, masks, strict=True)]
        for limit in (10**9, 400)
    )
    scores = {search.score(*position.state) for search in near}
    assert scores == {score_from_the_start(position)}
    assert near[0].nodes == near[1].nodes
    assert outcome(far[0]) == outcome(far[1])
    assert masks[0] == masks[1]


KERNELS = Search, INTERPRETED_LINES.Search


def outcome(search: Search) -> tuple[int | None, int, int]:
    """Return the score of the empty board, None if the limit came first, the nodes, and the look-ahead."""
    ahead = search.look_ahead(0, 0, 1, -(1 << 62), 1 << 62)
    try:
        return search.score(0, 0), search.nodes, ahead
    except Stopped:
        return None, search.nodes, ahead
