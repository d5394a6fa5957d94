"""The compiled rules and the retrograde analysis against the same sources as plain Python."""

import random
from array import array
from collections.abc import Mapping
from inspect import isfunction
from types import ModuleType
from typing import Any

import pytest

from loadtests.interpreted import interpreted_families
from service.families import catalogue
from service.kernel import retrograde
from service.kernel.family import START
from service.kernel.search import KERNEL
from tests.support import IN_CI

INTERPRETED, INTERPRETED_RETROGRADE, _ = interpreted_families()

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("wild", {"rows": 2, "columns": 3, "in_a_row": 2}),
    ("wild", {"rows": 2, "columns": 4, "in_a_row": 3, "misere": True}),
    ("order-and-chaos", {"rows": 2, "columns": 4, "in_a_row": 3, "first": "chaos"}),
    ("notakto", {"boards": 2}),
    ("notakto", {"boards": 4, "in_a_row": 1}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2, "remove": "before"}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2, "remove": "before-closed", "misere": True}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2, "remove": "after"}),
    ("morris", {}),
    ("morris", {"marks": 4, "moves": "king", "stuck": "draw", "centre": "not-first"}),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3, "both": "draw"}),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 2, "misere": True}),
]


def name_of(case: object) -> str:
    return " ".join(f"{key}={value}" for key, value in case.items()) or "-" if isinstance(case, Mapping) else str(case)


def solved(games: ModuleType, analysis: ModuleType, family: str, parameters: dict[str, Any]) -> tuple[Any, ...]:
    """The numbers of states and moves, and the whole table."""
    game = games.FAMILIES[family](**parameters)
    graph = analysis.Graph(game.play, 100_000)
    graph.solve()
    keys, values = array("Q", bytes(16 * graph.states)), array("B", bytes(2 * graph.states))
    graph.tabulate(keys, values)
    return graph.states, graph.edges, keys, values


@pytest.mark.skipif(KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the rules")
def test_one_of_both_is_compiled() -> None:
    for name, game in INTERPRETED.FAMILIES.items():
        parameters = next(parameters for family, parameters in [*GAMES, ("numerical", {})] if family == name)
        assert isfunction(type(game(**parameters).play).result)
        # Compiled, it can only be called in C.
        assert not hasattr(type(catalogue.FAMILIES[name](**parameters).play), "result")
    assert isfunction(INTERPRETED_RETROGRADE.Graph.solve)
    assert not isfunction(retrograde.Graph.solve)


@pytest.mark.parametrize(("family", "parameters"), GAMES, ids=name_of)
def test_interpreted_rules_and_analysis_find_the_same_table(family: str, parameters: dict[str, Any]) -> None:
    plain = solved(INTERPRETED, INTERPRETED_RETROGRADE, family, parameters)
    assert plain == solved(catalogue, retrograde, family, parameters)


@pytest.mark.parametrize(("family", "parameters"), [*GAMES, ("numerical", {})], ids=name_of)
def test_interpreted_rules_play_the_same_games(family: str, parameters: dict[str, Any]) -> None:
    ours = catalogue.FAMILIES[family](**parameters).play
    plain = INTERPRETED.FAMILIES[family](**parameters).play
    chance = random.Random(1)
    for _ in range(20):
        words = START
        while moves := ours.legal_moves(words):
            assert plain.legal_moves(words) == moves
            assert plain.least_image(words) == ours.least_image(words)
            words, before = ours.after(words, move := chance.choice(moves)), words
            assert plain.after(before, move) == words
            if chance.random() < 0.02:
                break
        assert plain.result_of(words) == ours.result_of(words)
