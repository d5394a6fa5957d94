"""Every position of small games, and many of larger ones, compared with rules written a second time.

Those are in ``loadtests/hunt``, which shares no code with the service.

``make thorough`` compares all positions of every game with known values that has up to 100,000, and more of those that
are larger.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from examples.check_family_proof import RULES, Rules, State
from loadtests.hunt.lines import grid_of
from loadtests.hunt.solving import Graph, Value, best, decided, graph_of, solve
from service.engine.oracle import MoveChoice
from service.engine.result import ProvenResult
from service.games.families.pop_out import PopOutGame
from service.games.game import Game
from service.games.position import Position, read_position
from tests.games.games import LINES, SMALL, Case, game_of, image_of, name_of, oracle, symmetries, table_of
from tests.published import KNOWN
from tests.support import THOROUGH, sampled, some


def rules_of(family: str, parameters: Mapping[str, Any]) -> Rules:
    """The rules of a game a second time."""
    return grid_of(**{"layers": 1, **parameters}) if family == "line" else RULES[family](**parameters)


LARGER: list[Case] = [
    ("wild", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("notakto", {"rows": 4, "columns": 4, "in_a_row": 3}),
    ("notakto", {"boards": 4, "in_a_row": 1}),
    ("vanishing", {"rows": 2, "columns": 4, "remove": "before-closed"}),
    ("vanishing", {"rows": 2, "columns": 4, "marks": 3, "remove": "after", "misere": True}),
    ("morris", {"moves": "diagonals"}),
    ("morris", {"points": 13, "moves": "diagonals"}),
    ("pop-out", {"rows": 4, "columns": 3, "in_a_row": 3, "both": "opponent-wins"}),
    ("exactly", {"rows": 2, "columns": 5, "in_a_row": 3}),
    ("line", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("line", {"rows": 3, "columns": 3, "in_a_row": 3, "misere": True}),
    ("line", {"rows": 3, "columns": 4, "in_a_row": 3, "gravity": True}),
]
KNOWN_CASES: list[Case] = [
    (fact["family"], fact["rules"])
    for fact in KNOWN
    if THOROUGH and fact["family"] != "line" and 0 < (fact["positions"] or 0) <= 100_000
]

LOOKED_AHEAD: list[tuple[str, dict[str, Any], int]] = [
    ("numerical", {}, 2),
    ("pop-out", {"rows": 4, "columns": 4}, 3),
    ("exactly", {"rows": 4, "columns": 4, "in_a_row": 4}, 2),
    ("wild", {"rows": 3, "columns": 4, "in_a_row": 3}, 2),
    ("notakto", {"boards": 3}, 2),
    ("vanishing", {}, 4),
    ("vanishing", {"remove": "after"}, 3),
    ("dao", {}, 2),
    ("mills", {"marks": 4}, 2),
    ("quixo", {}, 2),
    ("numerical", {"misere": True}, 2),
    ("pop-out", {"rows": 4, "columns": 4, "both": "draw"}, 2),
    ("exactly", {"rows": 4, "columns": 4, "in_a_row": 3, "misere": True}, 2),
    ("order-and-chaos", {"rows": 3, "columns": 4, "in_a_row": 3}, 2),
]
"""Games too large for the reference, and the plies that it looks ahead in each."""


def pairs(game: Game, rules: Rules, graph: dict[State, dict[str, State]]) -> Iterator[tuple[State, Position]]:
    """Yield each state of the reference with our position, both reached by the same moves."""
    seen = {rules.start}
    waiting = [(rules.start, Position(game))]
    while waiting:
        state, position = waiting.pop()
        yield state, position
        for name, after in graph[state].items():
            if after not in seen:
                seen.add(after)
                waiting.append((after, position.play(game.moves_by_name[name.lower()])))


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


def check_rules(rules: Rules, state: State, position: Position) -> None:
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


def assert_same_in_the_reference(family: str, parameters: dict[str, Any]) -> set[bool]:
    """Compare all positions of a game; return whether its draws are endless."""
    game, rules = game_of(family, parameters), rules_of(family, parameters)
    graph = graph_of(rules)
    values = solve(rules, graph)
    never_end, kinds, compared = endless(graph, values), set(), 0
    for state, position in pairs(game, rules, graph):
        check_rules(rules, state, position)
        value, moves = found(position)
        assert value == values[state], str(position)
        ours = {str(game.move_name(move)) for move in moves}
        assert ours == best({name: values[after] for name, after in graph[state].items()}), str(position)
        assert not game.loops or table_of(game).is_endless(position) == (state in never_end), str(position)
        if values[state][0] == "draw":
            kinds.add(state in never_end)
        compared += 1
    assert compared == len(graph)
    return kinds


def found(position: Position) -> tuple[Value, tuple[int, ...]]:
    """The value and the best moves: by the table, or by the oracle if there is none."""
    if position.game.engine == "states":
        table = table_of(position.game)
        return table.known_value(position), table.best_moves(position)
    answer = oracle().best_move(position, MoveChoice(1))
    assert isinstance(answer.known, ProvenResult)
    return (answer.outcome, answer.plies), answer.known.best_moves


def test_positions_of_small_games_and_draws_that_neither_player_can_end_are_the_same_in_the_reference() -> None:
    loops = [(family, rules) for family, rules in SMALL if family == "vanishing" or rules.get("stuck") == "draw"]
    kinds = [assert_same_in_the_reference(*game) for game in some(loops, 4)]
    assert set.union(*kinds) == {False, True}
    for game in LINES[:2]:
        assert_same_in_the_reference(*game)


@pytest.mark.verify
@pytest.mark.parametrize(("family", "rules"), SMALL + LINES + LARGER + KNOWN_CASES, ids=name_of)
def test_every_position_of_a_game_is_the_same_in_the_reference(family: str, rules: dict[str, Any]) -> None:
    assert_same_in_the_reference(family, rules)


def test_mirror_images_are_endless_together_though_their_lines_differ() -> None:
    game = PopOutGame(rows=3, columns=4, in_a_row=3, both="draw")
    (mirror,), table, differ = symmetries(game), table_of(game), 0
    waiting, seen = [Position(game)], set[Position]()
    while waiting and len(seen) < 2_000:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        waiting += map(position.play, position.legal_moves)
        image = read_position(game, image_of(position, mirror), position.player)
        assert table.is_endless(image) == table.is_endless(position)
        if table.value(position) == ("draw", None):
            differ += len(table.line(position)) != len(table.line(image))
    assert differ


def drawn(game: Game, rules: Rules, number: int) -> Iterator[tuple[State, Position]]:
    """Yield positions of random games, the number by seed, late ones as often as early ones."""
    chance = random.Random(number)
    for _ in range(number):
        state, position = rules.start, Position(game)
        for _ in range(chance.randrange(2 * game.cells)):
            if rules.result(state) is not None:
                break
            name = chance.choice(rules.moves(state))
            state, position = rules.after(state, name), position.play(game.moves_by_name[name.lower()])
        yield state, position


@pytest.mark.verify
@pytest.mark.parametrize(("family", "parameters", "plies"), LOOKED_AHEAD if THOROUGH else LOOKED_AHEAD[:9], ids=name_of)
def test_random_positions_are_the_same_in_the_reference(family: str, parameters: dict[str, Any], plies: int) -> None:
    game, rules = game_of(family, parameters), rules_of(family, parameters)
    table, outcomes = table_of(game), set()
    memory: dict[tuple[State, int], Value | None] = {}
    for state, position in drawn(game, rules, sampled(800, 2_000)):
        check_rules(rules, state, position)
        found = decided(rules, state, plies, memory)
        value = table.known_value(position)
        assert (value if value[1] is not None and value[1] <= plies else None) == found, str(position)
        outcomes.add(found[0] if found else None)
    assert outcomes == {"win", "loss", None}
