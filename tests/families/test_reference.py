"""Every position of small games, and many of larger ones, compared with rules written a second time.

Those are in ``loadtests/hunt/family_rules.py``.

``make thorough`` compares all positions of every game with known values that has up to 100,000, and more of those that
are larger.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from loadtests.hunt.family_rules import RULES, Rules, State, Value, best, decided, graph_of, solve
from service.families.catalogue import FAMILIES
from service.families.game import FamilyGame
from service.families.position import FamilyPosition
from tests.families.test_values import KNOWN, table_of
from tests.support import sampled

pytestmark = pytest.mark.verify

MOST_COMPARED = sampled(0, 100_000)
"""Positions of a game up to which all of them are compared, besides those of the games in ``FEW``."""

Case = tuple[str, dict[str, Any]]

FEW: list[Case] = [
    ("wild", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("wild", {"rows": 3, "columns": 3, "in_a_row": 3, "misere": True}),
    ("wild", {"rows": 2, "columns": 4, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3, "first": "chaos"}),
    ("notakto", {}),
    ("notakto", {"rows": 4, "columns": 4, "in_a_row": 3}),
    ("notakto", {"boards": 2, "rows": 2, "columns": 3}),
    ("notakto", {"boards": 4, "in_a_row": 1}),
    ("notakto", {"rows": 1, "columns": 8, "misere": False}),
    ("notakto", {"boards": 2, "rows": 2, "columns": 3, "misere": False}),
    ("vanishing", {"marks": 2}),
    ("vanishing", {"rows": 2, "columns": 4, "remove": "before-closed"}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 3, "remove": "before"}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 2, "remove": "after"}),
    ("vanishing", {"rows": 2, "columns": 4, "marks": 3, "remove": "after", "misere": True}),
    ("morris", {}),
    ("morris", {"moves": "fly", "diagonals_win": False, "centre": "not-first"}),
    ("morris", {"moves": "king", "diagonals_win": False, "centre": "closed"}),
    ("morris", {"moves": "diagonals", "stuck": "draw"}),
    ("morris", {"marks": 4, "moves": "diagonals"}),
    ("morris", {"points": 13, "moves": "diagonals"}),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3, "both": "draw"}),
    ("pop-out", {"rows": 4, "columns": 3, "in_a_row": 3, "both": "opponent-wins"}),
    ("pop-out", {"rows": 2, "columns": 4, "in_a_row": 3}),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 2}),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 3, "misere": True}),
    ("exactly", {"rows": 2, "columns": 5, "in_a_row": 3}),
]

KNOWN_CASES: list[Case] = [(fact["family"], fact["rules"]) for fact in KNOWN if fact["positions"] <= MOST_COMPARED]

LARGE: list[tuple[str, dict[str, Any], int]] = [
    ("numerical", {}, 2),
    ("pop-out", {"rows": 4, "columns": 4}, 3),
    ("exactly", {"rows": 4, "columns": 4, "in_a_row": 4}, 2),
    ("wild", {"rows": 3, "columns": 4, "in_a_row": 3}, 2),
    ("notakto", {"boards": 3}, 2),
    ("vanishing", {}, 4),
    ("vanishing", {"remove": "after"}, 3),
]
"""Games too large for the reference, and the plies that it looks ahead in each."""

MORE: list[tuple[str, dict[str, Any], int]] = [
    ("numerical", {"misere": True}, 2),
    ("pop-out", {"rows": 4, "columns": 4, "both": "draw"}, 2),
    ("exactly", {"rows": 4, "columns": 4, "in_a_row": 3, "misere": True}, 2),
    ("order-and-chaos", {"rows": 3, "columns": 4, "in_a_row": 3}, 2),
]
LARGER = LARGE + (MORE if MOST_COMPARED else [])


def name_of(case: object) -> str:
    return " ".join(f"{key}={value}" for key, value in case.items()) or "-" if isinstance(case, Mapping) else str(case)


def games(family: str, parameters: Mapping[str, Any]) -> tuple[FamilyGame, Rules]:
    return FAMILIES[family](**parameters), RULES[family](**parameters)


def pairs(
    game: FamilyGame, rules: Rules, graph: dict[State, dict[str, State]]
) -> Iterator[tuple[State, FamilyPosition]]:
    """Yield each state of the reference with our position, both reached by the same moves."""
    seen = {rules.start}
    waiting = [(rules.start, FamilyPosition(game))]
    while waiting:
        state, position = waiting.pop()
        yield state, position
        for name, after in graph[state].items():
            if after not in seen:
                seen.add(after)
                waiting.append((after, position.play(game.moves_by_name[name.lower()])))


def check_rules(rules: Rules, state: State, position: FamilyPosition) -> None:
    """Compare what can be seen of a position without its value."""
    outcome = rules.result(state)
    turn = state[-1]
    assert str(position) == rules.text(state)
    assert position.player == rules.players[turn]
    assert position.status == {None: "in_progress", "draw": "drawn"}.get(outcome, "won")
    winners = {"win": rules.players[turn], "loss": rules.players[1 - turn]}
    assert position.winner == winners.get(str(outcome))
    moves = [] if outcome else rules.moves(state)
    names = {str(position.game.move_name(move)) for move in position.legal_moves}
    assert names == set(moves)
    assert len(position.legal_moves) == len(moves)


@pytest.mark.parametrize(("family", "parameters"), FEW + KNOWN_CASES, ids=name_of)
def test_every_position_is_the_same_in_the_reference(family: str, parameters: dict[str, Any]) -> None:
    game, rules = games(family, parameters)
    table, graph = table_of(game), graph_of(rules)
    values = solve(rules, graph)
    compared = 0
    for state, position in pairs(game, rules, graph):
        check_rules(rules, state, position)
        assert table.value(position) == values[state], str(position)
        ours = {str(game.move_name(move)) for move in table.best_moves(position)}
        assert ours == best({name: values[after] for name, after in graph[state].items()}), str(position)
        compared += 1
    assert compared == len(graph)


def drawn(game: FamilyGame, rules: Rules, number: int) -> Iterator[tuple[State, FamilyPosition]]:
    """Yield positions of random games, the number by seed, late ones as often as early ones."""
    chance = random.Random(number)
    for _ in range(number):
        state, position = rules.start, FamilyPosition(game)
        for _ in range(chance.randrange(2 * game.cells)):
            if rules.result(state) is not None:
                break
            name = chance.choice(rules.moves(state))
            state, position = rules.after(state, name), position.play(game.moves_by_name[name.lower()])
        yield state, position


def within(value: Value | None, plies: int) -> Value | None:
    """The value if it is won or lost in so many plies."""
    assert value is not None
    return value if value[1] is not None and value[1] <= plies else None


@pytest.mark.parametrize(("family", "parameters", "plies"), LARGER, ids=name_of)
def test_random_positions_are_the_same_in_the_reference(family: str, parameters: dict[str, Any], plies: int) -> None:
    game, rules = games(family, parameters)
    table = table_of(game)
    outcomes = set()
    memory: dict[tuple[State, int], Value | None] = {}
    for state, position in drawn(game, rules, sampled(800, 2_000)):
        check_rules(rules, state, position)
        found = decided(rules, state, plies, memory)
        assert within(table.value(position), plies) == found, str(position)
        outcomes.add(found[0] if found else None)
    assert outcomes == {"win", "loss", None}
