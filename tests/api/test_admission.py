"""All work is admitted: what takes long runs in a search slot or is refused at once, and no answer shows which."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api.request_context import CONTEXT, RequestContext
from service.app import create_app
from service.engine.work.slots import LIGHT_NODES, SearchSlots
from service.games.families.lines import LineGame
from service.settings import Settings
from tests.contract import assert_matches
from tests.engine.slots import taken

LARGE: Mapping[str, Any] = {"rows": 8, "columns": 8, "in_a_row": 5, "wrap": True}
"""A board whose rules take many times as long to read as a light search, and in which no random game goes on."""

WILD: Mapping[str, Any] = {"family": "wild", "rows": 5, "columns": 5, "in_a_row": 3}
"""A game of a family in which no random game fills the board."""

OWN: Mapping[str, Any] = {"rows": 3, "columns": 4, "in_a_row": 3}


def play(cells: int, game: Mapping[str, Any]) -> dict[str, Any]:
    return {"game": game, "moves": list(range(cells)), "limit": {"nodes": 1}}


DRAWN: Mapping[str, tuple[str, object]] = {
    "candidates of puzzles": (
        "/puzzles?rows=8&columns=8&in_a_row=5&wrap=true&goal=hold&plies=2&seed=1&nodes=40000",
        None,
    ),
    "random games": ("/random-position", {"game": LARGE, "plies": 63, "seed": 1}),
}
"""Requests for which many random games are drawn."""

LONG: Mapping[str, tuple[str, object]] = {
    **DRAWN,
    "random games of a family": ("/random-position", {"game": WILD, "plies": 24, "seed": 1}),
    "a position of one's own rules": ("/best-move", play(2, LARGE)),
    "an analysis of one's own rules": ("/analysis", play(2, LARGE)),
    "a picture of one's own rules": ("/position.svg", {**play(2, LARGE), "show": ["best"]}),
    "a certificate of one's own rules": ("/proof", play(2, LARGE)),
    "a review of one's own rules": ("/review", play(2, LARGE)),
    "rules in a batch": ("/best-moves", {"positions": [play(2, LARGE), play(2, {**LARGE, "in_a_row": 4})]}),
    "faulty positions in a batch": ("/best-moves", {"positions": [{"board": "?"}] * 30}),
    "a large body of a batch, which is not even read": ("/best-moves", {"position": "x" * 40_000}),
    "a card": ("/position.png?moves=4", None),
}
"""Requests whose work is long though no search of theirs is."""

QUICK: Mapping[str, tuple[str, object]] = {
    "a thousand positions of a table": ("/best-moves", {"positions": [{"board": "X...O...."}] * 1000}),
    "a small game of one's own": ("/best-move", play(2, OWN)),
    "small games in a batch": ("/best-moves", {"positions": [play(n, OWN) for n in range(4)]}),
    "a review of a table": ("/review", {"moves": [0, 4, 8, 2, 6, 3, 7]}),
    "a random position": ("/random-position", {"game": "connect-four", "plies": 12, "seed": 1}),
    "a picture": ("/position.svg", {"moves": [4]}),
}
"""Requests that are answered however much other work there is."""


@pytest.fixture(scope="module")
def slots() -> SearchSlots:
    return SearchSlots(1, 0, 2)


@pytest.fixture(scope="module")
def app(slots: SearchSlots) -> FlaskClient:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.app._search_slots", lambda *_: slots)
        return create_app(Settings()).test_client()


@pytest.fixture(scope="module")
def without_slots() -> FlaskClient:
    return create_app(Settings(), search_slots=False).test_client()


def ask(client: FlaskClient, asked: tuple[str, object], **how: Any) -> TestResponse:
    path, body = asked
    return client.get(path, **how) if body is None else client.post(path, json=body, **how)


@pytest.mark.parametrize("name", [*LONG, *QUICK])
def test_law_1_long_work_is_refused_without_a_slot_and_all_answers_are_the_same_with_slots_and_without(
    name: str, app: FlaskClient, without_slots: FlaskClient, slots: SearchSlots
) -> None:
    asked = {**LONG, **QUICK}[name]
    with taken(slots):
        busy = ask(app, asked)
    if name in QUICK:
        assert busy.status_code == 200
    else:
        assert (busy.status_code, busy.headers["Retry-After"]) == (503, "1")
        assert_matches("ProblemDocument", busy.get_json())
    answer, other = ask(app, asked), ask(without_slots, asked)
    assert answer.status_code != 503
    assert (answer.status_code, answer.data) == (other.status_code, other.data)


@pytest.mark.parametrize("name", DRAWN)
def test_few_games_are_drawn_without_a_slot_and_no_more_for_a_client_that_has_gone(
    name: str, app: FlaskClient, slots: SearchSlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, then, draw = [0], list[Callable[[], object]](), LineGame.random_game

    def random_game(game: LineGame, dice: Random) -> Iterator[tuple[int, bool]]:
        drawn[0] += 1
        for each in then:
            each()
        return draw(game, dice)

    monkeypatch.setattr(LineGame, "random_game", random_game)
    few = LIGHT_NODES // 64 + 1
    with taken(slots):
        ask(app, DRAWN[name])
    assert drawn[0] <= few
    ask(app, DRAWN[name])
    assert drawn[0] > 4 * few
    drawn[0], client = 0, RequestContext()
    then.append(lambda: setattr(client, "stop", drawn[0] == 100))
    assert ask(app, DRAWN[name], environ_base={CONTEXT: client}).status_code == 422
    assert drawn[0] == 100
