"""The hunt finds wrong answers of each kind, and judges right ones as right."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from loadtests.hunt.family_rules import RULES, graph_of
from loadtests.hunt.games import LOOPS, MOST_STATES, Game, draw_game
from loadtests.hunt.hunter import Hunter
from loadtests.hunt.judge import judge_analysis, judge_best_move, judge_review
from loadtests.hunt.lines import LINE_GAMES
from loadtests.hunt.product import Service

pytestmark = pytest.mark.verify

PARAMETERS = {"rows": 2, "columns": 3, "in_a_row": 3}
Answer = dict[str, Any]


@pytest.fixture(scope="module")
def service() -> Service:
    return Service(TABLEBASES="none")


@pytest.fixture(scope="module")
def game() -> Game:
    rules = RULES["wild"](**PARAMETERS)
    return Game("wild", PARAMETERS, rules, graph_of(rules))


def question(game: Game, state: tuple[Any, ...]) -> Answer:
    return {"game": game.request, "board": game.rules.text(state), "player": game.player(state)}


def test_right_answers_are_judged_as_right(service: Service, game: Game) -> None:
    for state in game.states[::25]:
        assert [*judge_best_move(game, state, service.ask("/best-move", question(game, state)))] == []
        assert [*judge_analysis(game, state, service.ask("/analysis", question(game, state)))] == []


LIES: dict[str, Callable[[Answer], Answer]] = {
    "the outcome": lambda answer: {"outcome": "loss" if answer["outcome"] == "win" else "win"},
    "the plies": lambda answer: {"plies": answer["plies"] + 2},
    "the line": lambda answer: {"pv": answer["pv"][:-1]},
    "the move": lambda _: {"name": "X17"},
    "the position": lambda _: {"position": "......"},
    "the winner": lambda _: {"winner": "first"},
    "a repetition": lambda _: {"repetition": True},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_wrong_answer_is_found(service: Service, game: Game, lie: str) -> None:
    state = next(state for state in game.states if game.values[state] == ("win", 1))
    answer = service.ask("/best-move", question(game, state))
    assert [*judge_best_move(game, state, {**answer, **LIES[lie](answer)})] != []


def test_a_wrong_review_is_found(service: Service, game: Game) -> None:
    move = game.rules.moves(game.rules.start)[0]
    review = service.ask("/review", {"game": game.request, "moves": [move]})
    played = [(game.rules.start, move)]
    assert [*judge_review(game, played, review)] == []
    review["plies"][0]["outcome_after"] = "win"
    assert [*judge_review(game, played, review)] != []


def test_games_of_every_family_are_drawn_small_ones_and_late_positions_of_large_ones() -> None:
    dice = Random(2)
    drawn = [draw_game(dice) for _ in range(60)]
    assert {game.family for game in drawn} == set(RULES)
    assert {game.family for game in drawn if game.opening} == set(RULES) - LOOPS
    assert all(0 < len(game.states) <= MOST_STATES for game in drawn)


HEADER = '{"certificate":1,"rows":1,"columns":1,"layers":1,"in_a_row":1,"gravity":false,"misere":false,"wrap":false'
CLAIM = '"position":".","player":"X","outcome":"loss","symmetries":[]}\n{"holder":"O","at_least":"win"}\n'


def test_positions_near_the_end_of_every_kind_of_lines_agree_with_the_reference() -> None:
    hunter = Hunter(Random(16))
    assert [finding for _ in LINE_GAMES for finding in hunter.round("lines")] == []
    assert hunter.counts["certificates"] == len(LINE_GAMES)
    assert all(hunter.counts[kind] >= 12 for kind in LINE_GAMES)


@pytest.mark.parametrize(
    ("certificate", "finding"),
    [(f"{HEADER},{CLAIM}", "does not convince the checker"), (None, "no certificate")],
    ids=["of another position", "none"],
)
def test_a_wrong_certificate_is_found(monkeypatch: pytest.MonkeyPatch, certificate: str | None, finding: str) -> None:
    hunter = Hunter(Random(16))
    monkeypatch.setattr(hunter.warm, "certificate", lambda _request: certificate)
    assert any(finding in found for found in hunter.round("lines"))
