"""The rules of a family's game in a request: every parameter is read, and a board of any size allowed can be played."""

import inspect
from itertools import product
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from service.api.read.notation import read_position
from service.api.wire.rules import RULES_BY_FAMILY, FamilyRules, GameRules, GridRules, RulesError, game_by_rules
from service.games.catalogue import FAMILIES, STATE_GAMES
from service.games.position import Position

RULES: TypeAdapter[Any] = TypeAdapter(FamilyRules)
ALL_RULES: dict[str | None, type[GameRules]] = dict[str | None, type[GameRules]](RULES_BY_FAMILY) | {None: GridRules}
BOARDS: dict[str | None, dict[str, int]] = {"notakto": {"boards": 8}}
NAMING = {"self", "id", "name", "value"}


def described(**rules: object) -> Any:
    return game_by_rules(RULES.validate_python(rules))


def test_every_family_has_a_model_with_its_parameters() -> None:
    for family, game in FAMILIES.items():
        parameters = set(inspect.signature(game.__init__).parameters) - NAMING
        assert set(RULES_BY_FAMILY[family].model_fields) - {"family"} == parameters
    assert set(RULES_BY_FAMILY) == set(FAMILIES)


def test_a_game_of_the_catalogue_can_be_described() -> None:
    for game in STATE_GAMES.values():
        again = described(family=game.family, **game.parameters)
        assert (again.digest, again.players) == (game.digest, game.players)


def test_everything_that_is_wrong_with_rules_is_told_at_once() -> None:
    for rules, faults in {
        ("notakto", 3, 3, 4): ["boards", "in_a_row"],
        ("wild", 1, 1, 2): ["in_a_row"],
        (None, 9, 9, 10): ["rows", "in_a_row"],
    }.items():
        family, rows, columns, in_a_row = rules
        board = {"rows": rows, "columns": columns, "in_a_row": in_a_row}
        with pytest.raises(RulesError) as error:
            game_by_rules(ALL_RULES[family].model_validate({"family": family, **board, **BOARDS.get(family, {})}))
        assert [fault.parameter for fault in error.value.faults] == faults


def test_null_means_left_out() -> None:
    assert described(family="vanishing", marks=None).digest == described(family="vanishing").digest


def test_every_choice_of_a_parameter_is_one_of_the_family() -> None:
    sizes = {"rows": 3, "columns": 3, "in_a_row": 3}
    for family, model in RULES_BY_FAMILY.items():
        required = {name: size for name, size in sizes.items() if name in model.model_fields}
        for name, field in model.model_json_schema()["properties"].items():
            for choice in next((form["enum"] for form in field.get("anyOf", ()) if "enum" in form), ()):
                assert described(family=family, **required, **{name: choice}).parameters[name] == choice


NO_RULES: list[dict[str, object]] = [
    {"family": "chess"},
    {"family": "wild", "rows": 3, "columns": 3},
    {"family": "wild", "rows": 9, "columns": 3, "in_a_row": 3},
    {"family": "vanishing", "rounds": 3},
    {"family": "vanishing", "marks": 0},
    {"family": "vanishing", "marks": True},
    {"family": "morris", "points": 10},
    {"family": "morris", "misere": 1},
    {"rows": 3, "columns": 3, "in_a_row": 3},
]

NO_BOARDS: list[tuple[dict[str, Any], str]] = [
    ({"family": "notakto", "boards": 8}, "The board has 72 cells; the maximum of the family notakto is 64."),
    ({"family": "vanishing", "rows": 8, "columns": 4}, "The board has 32 cells; the maximum"),
    ({"family": "wild", "rows": 2, "columns": 2, "in_a_row": 3}, "No line of 3 cells fits on the board"),
    ({"family": "pop-out", "rows": 3, "columns": 3}, "No line of 4 cells fits on the board"),
    ({"family": "morris", "points": 13, "moves": "king"}, "Marks move like a king only on a board of 9 points."),
]


def test_rules_and_boards_that_no_family_has_are_refused() -> None:
    for rules in NO_RULES:
        with pytest.raises(ValidationError):
            RULES.validate_python(rules)
    for rules, sentence in NO_BOARDS:
        with pytest.raises(ValueError, match=sentence):
            described(**rules)


@pytest.mark.parametrize("family", ["wild", "order-and-chaos", "exactly", "pop-out"])
def test_a_board_of_any_size_can_be_played_to_its_end(family: str) -> None:
    for rows, columns in [*product((1, 2, 5), (1, 3, 6)), (8, 8)]:
        position = Position(described(family=family, rows=rows, columns=columns, in_a_row=1))
        for _ in range(rows * columns):
            if position.legal_moves:
                position = position.play(position.legal_moves[-1])
        assert position.status in ("in_progress", "won", "drawn")


@pytest.mark.parametrize("marks", [1, 2, 3, 4])
def test_positions_of_any_morris_game_are_read_back(marks: int) -> None:
    boards = [*product((9, 13), ("orthogonal", "diagonals", "fly")), (9, "king")]
    choices = [*product(("loss", "draw"), ("open", "not-first", "closed"), (True, False))]
    for (points, moves), (stuck, centre, diagonals_win) in product(boards, choices):
        rules = {"stuck": stuck, "centre": centre, "diagonals_win": diagonals_win}
        position = Position(described(family="morris", points=points, marks=marks, moves=moves, **rules))
        for _ in range(20):
            assert read_position(position.game, str(position), player=position.player) == position
            if position.legal_moves:
                position = position.play(position.legal_moves[len(position.legal_moves) // 2])
