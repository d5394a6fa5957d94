"""The rules of a family's game in a request: every parameter is read, and a board of any size allowed can be played."""

import inspect
from itertools import product
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from service.api.family_notation import read_family_position
from service.api.family_rules import FamilyRules, game_by_family
from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.families.position import FamilyPosition

RULES: TypeAdapter[Any] = TypeAdapter(FamilyRules)
MODELS = {model.model_fields["family"].annotation.__args__[0]: model for model in get_args(get_args(FamilyRules)[0])}
NAMING = {"self", "id", "name", "value"}


def described(**rules: object) -> Any:
    return game_by_family(RULES.validate_python(rules))


def test_every_family_has_a_model_with_its_parameters() -> None:
    for family, game in FAMILIES.items():
        parameters = set(inspect.signature(game.__init__).parameters) - NAMING
        assert set(MODELS[family].model_fields) - {"family"} == parameters
    assert set(MODELS) == set(FAMILIES)


@pytest.mark.parametrize("id", FAMILY_GAMES)
def test_a_game_of_the_catalogue_can_be_described(id: str) -> None:
    game = FAMILY_GAMES[id]
    again = described(family=game.family, **game.parameters)
    assert (again.digest, again.players) == (game.digest, game.players)


def test_null_means_left_out() -> None:
    assert described(family="vanishing", marks=None).digest == described(family="vanishing").digest


@pytest.mark.parametrize("family", FAMILIES)
def test_every_choice_of_a_parameter_is_one_of_the_family(family: str) -> None:
    sizes = {"rows": 3, "columns": 3, "in_a_row": 3}
    required = {name: size for name, size in sizes.items() if name in MODELS[family].model_fields}
    schema = MODELS[family].model_json_schema()["properties"]
    for name, field in schema.items():
        for choice in next((form["enum"] for form in field.get("anyOf", ()) if "enum" in form), ()):
            assert described(family=family, **required, **{name: choice}).parameters[name] == choice


@pytest.mark.parametrize(
    "rules",
    [
        {"family": "chess"},
        {"family": "wild", "rows": 3, "columns": 3},
        {"family": "wild", "rows": 9, "columns": 3, "in_a_row": 3},
        {"family": "vanishing", "rounds": 3},
        {"family": "vanishing", "marks": 0},
        {"family": "vanishing", "marks": True},
        {"family": "morris", "points": 10},
        {"family": "morris", "misere": 1},
        {"rows": 3, "columns": 3, "in_a_row": 3},
    ],
)
def test_rules_that_no_family_has_are_refused(rules: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RULES.validate_python(rules)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"family": "notakto", "boards": 8}, "The board has 72 cells; the maximum of the family notakto is 64."),
        ({"family": "vanishing", "rows": 8, "columns": 4}, "The board has 32 cells; the maximum"),
        ({"family": "wild", "rows": 2, "columns": 2, "in_a_row": 3}, "No line of 3 cells fits on the board"),
        ({"family": "pop-out", "rows": 3, "columns": 3}, "No line of 4 cells fits on the board"),
        ({"family": "morris", "points": 13, "moves": "king"}, "Marks move like a king only on a board of 9 points."),
    ],
)
def test_a_board_that_the_family_cannot_have_is_refused_with_a_sentence(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        described(**rules)


@pytest.mark.parametrize(("rows", "columns"), [*product((1, 2, 5), (1, 3, 6)), (8, 8)])
@pytest.mark.parametrize("family", ["wild", "order-and-chaos", "exactly", "pop-out"])
def test_a_board_of_any_size_can_be_played_to_its_end(family: str, rows: int, columns: int) -> None:
    position = FamilyPosition(described(family=family, rows=rows, columns=columns, in_a_row=1))
    for _ in range(rows * columns):
        if position.legal_moves:
            position = position.play(position.legal_moves[-1])
    assert position.status in ("in_progress", "won", "drawn")


@pytest.mark.parametrize("marks", [1, 2, 3, 4])
@pytest.mark.parametrize(("points", "moves"), [*product((9, 13), ("orthogonal", "diagonals", "fly")), (9, "king")])
def test_positions_of_any_morris_game_are_read_back(marks: int, points: int, moves: str) -> None:
    for stuck, centre, diagonals_win in product(("loss", "draw"), ("open", "not-first", "closed"), (True, False)):
        rules = {"stuck": stuck, "centre": centre, "diagonals_win": diagonals_win}
        position = FamilyPosition(described(family="morris", points=points, marks=marks, moves=moves, **rules))
        for _ in range(20):
            assert read_family_position(position.game, str(position), player=position.player) == position
            if position.legal_moves:
                position = position.play(position.legal_moves[len(position.legal_moves) // 2])
