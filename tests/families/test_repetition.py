"""Draws that neither player can bring to an end, in every position of small games, against the second set of rules."""

from typing import Any

import pytest

from loadtests.hunt.family_rules import RULES, Graph, State, Value, graph_of, solve
from service.families.catalogue import FAMILIES
from service.families.morris import MorrisGame
from service.families.pop_out import PopOutGame
from service.families.position import FamilyPosition, read_position
from tests.families.test_reference import name_of, pairs
from tests.families.test_values import table_of

CASES: list[tuple[str, dict[str, Any], set[bool]]] = [
    ("wild", {"rows": 2, "columns": 3, "in_a_row": 3}, {False}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2}, {True}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 3}, {True}),
    ("morris", {"marks": 4, "diagonals_win": False, "stuck": "draw"}, {False}),
    ("morris", {"marks": 4, "moves": "fly", "stuck": "draw"}, {True}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 3, "remove": "after"}, {False}),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3, "both": "draw"}, {False}),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3, "both": "mover-wins"}, set()),
]
"""Games, and whether their draws are endless."""


def endless(graph: Graph, values: dict[State, Value]) -> set[State]:
    """The draws from which neither the first player nor the second can force an end, if both keep to the draw."""
    drawn = {state: [after for after in graph[state].values() if values[after][0] == "draw"] for state in graph}
    drawn = {state: after for state, after in drawn.items() if values[state][0] == "draw"}
    left = set(drawn)
    for forcing in (0, 1):
        ended = {state for state in drawn if not graph[state]}
        while True:
            some = (any, all)
            more = {
                state
                for state, after in drawn.items()
                if state not in ended and some[state[-1] != forcing](next_state in ended for next_state in after)
            }
            if not more:
                break
            ended |= more
        left -= ended
    return left


@pytest.mark.parametrize(("family", "parameters", "kinds"), CASES, ids=name_of)
def test_a_draw_is_endless_exactly_if_neither_player_can_force_an_end(
    family: str, parameters: dict[str, Any], kinds: set[bool]
) -> None:
    game, rules = FAMILIES[family](**parameters), RULES[family](**parameters)
    table, graph = table_of(game), graph_of(rules)
    values = solve(rules, graph)
    expected, found = endless(graph, values), set()
    for state, position in pairs(game, rules, graph):
        assert table.is_endless(position) == (state in expected), str(position)
        if values[state][0] == "draw":
            found.add(table.is_endless(position))
    assert found == kinds


def test_mirror_images_are_endless_together_though_their_lines_differ() -> None:
    game = PopOutGame(rows=3, columns=4, in_a_row=3, both="draw")
    table, differ = table_of(game), 0
    waiting, seen = [FamilyPosition(game)], set[FamilyPosition]()
    while waiting and len(seen) < 2_000:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        waiting += map(position.play, position.legal_moves)
        text = str(position)
        mirrored = "".join(text[row : row + 4][::-1] for row in range(0, 12, 4))
        image = read_position(game, mirrored, position.player)
        assert table.is_endless(image) == table.is_endless(position)
        if table.value(position) == ("draw", None):
            differ += len(table.line(position)) != len(table.line(image))
    assert differ


def test_a_game_in_which_a_player_gets_stuck_in_a_draw_is_not_endless() -> None:
    game = MorrisGame(marks=4, diagonals_win=False, stuck="draw")
    assert not table_of(game).is_endless(FamilyPosition(game))
