"""The hunt finds wrong answers of each kind, and judges right ones as right."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from examples.check_family_proof import RULES
from loadtests.hunt.games import Game
from loadtests.hunt.hunter import Hunter
from loadtests.hunt.judge import judge_analysis, judge_best_move, judge_review
from loadtests.hunt.lines import LINE_GAMES
from loadtests.hunt.product import Service
from loadtests.hunt.solving import graph_of

pytestmark = pytest.mark.verify

Answer = dict[str, Any]

WRONG: tuple[Callable[[Answer], Answer], ...] = (
    lambda answer: {"outcome": "loss" if answer["outcome"] == "win" else "win"},
    lambda answer: {"plies": answer["plies"] + 2},
    lambda answer: {"pv": answer["pv"][:-1]},
    lambda answer: {"pv": ["X17", *answer["pv"][1:]]},
    lambda _: {"position": "......"},
    lambda _: {"winner": "first"},
    lambda _: {"repetition": True},
)
"""What may be wrong in an answer about a game of a family."""


def test_right_answers_are_judged_as_right_and_a_wrong_one_of_each_kind_is_found() -> None:
    service, parameters = Service(TABLEBASES="none"), dict[str, Any](rows=2, columns=3, in_a_row=3)
    rules = RULES["wild"](**parameters)
    game = Game("wild", parameters, rules, graph_of(rules))

    def ask(path: str, state: tuple[Any, ...]) -> Answer:
        question = {"game": game.request, "board": rules.text(state), "player": game.player(state)}
        answer: Answer = service.ask(path, question)
        return answer

    for state in game.states[::25]:
        assert [*judge_best_move(game, state, ask("/best-move", state))] == []
        assert [*judge_analysis(game, state, ask("/analysis", state))] == []
    state = next(state for state in game.states if game.values[state] == ("win", 1))
    answer = ask("/best-move", state)
    for change in WRONG:
        assert [*judge_best_move(game, state, {**answer, **change(answer)})] != []
    move = rules.moves(rules.start)[0]
    review = service.ask("/review", {"game": game.request, "moves": [move]})
    assert [*judge_review(game, [(rules.start, move)], review)] == []
    review["plies"][0]["outcome_after"] = "win"
    assert [*judge_review(game, [(rules.start, move)], review)] != []


HEADER = '{"certificate":2,"rows":1,"columns":1,"layers":1,"in_a_row":1,"gravity":false,"misere":false,"wrap":false'
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
