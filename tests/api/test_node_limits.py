"""Limits of nodes hold for every kind of game that is searched, on every route."""

from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.engine.work.limit import Effort
from service.kernel.alpha_beta.search import Search
from service.kernel.states.family_search import FamilySearch
from service.settings import Settings
from tests.worlds import WIDE

GAMES: Mapping[str, tuple[Mapping[str, Any], list[Any]]] = {
    "order and chaos": ({"family": "order-and-chaos", "rows": 6, "columns": 6, "in_a_row": 5}, ["X14", "O15", "X8"]),
    "exactly four": ({"family": "exactly", "rows": 5, "columns": 5, "in_a_row": 4}, ["12", "13", "7"]),
    "connect four on 8 columns": (WIDE, [3, 4, 3]),
}
"""Games without a table or a book, and moves."""

ROUTES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "best move": ("/best-move", {}),
    "best move drawn": ("/best-move", {"tie_break": "random", "seed": 3}),
    "hardest move": ("/best-move", {"tie_break": "hardest"}),
    "weaker move": ("/best-move", {"skill": 50, "seed": 1}),
    "analysis": ("/analysis", {}),
    "analysis of the hardest move": ("/analysis", {"tie_break": "hardest"}),
    "analysis of a weaker move": ("/analysis", {"skill": 50, "seed": 1}),
    "picture": ("/position.svg", {"show": ["best", "evaluation"]}),
    "review": ("/review", {}),
    "batch": ("/best-moves", {}),
}


@pytest.fixture(scope="module")
def plain() -> FlaskClient:
    return create_app(Settings(books="none"), search_slots=False).test_client()


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Search | FamilySearch]:
    """Every search that is begun."""
    begun: list[Search | FamilySearch] = []
    search = Effort.search

    def note(*args: Any) -> Search | FamilySearch:
        begun.append(search(*args))
        return begun[-1]

    monkeypatch.setattr(Effort, "search", note)
    return begun


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("route", ROUTES)
def test_no_route_searches_more_nodes_than_its_limit_and_each_answers_the_same_again(
    plain: FlaskClient, searches: list[Search | FamilySearch], route: str, game: str
) -> None:
    (rules, moves), (path, more) = GAMES[game], ROUTES[route]
    for nodes in (10, 4_000):
        searches.clear()
        asked: dict[str, Any] = {"game": rules, "moves": moves, **more}
        if route == "batch":
            asked = {"positions": [{**asked, "moves": moves[:number]} for number in range(4)]}
        asked["limit"] = {"nodes": nodes}
        first = plain.post(path, json=asked)
        assert first.status_code == 200
        assert sum(search.nodes for search in searches) <= nodes
        begun = [*searches]
        assert plain.post(path, json=asked).data == first.data
    if route in ("review", "batch"):  # the first of four positions leaves most to the other three
        assert 0 < sum(search.nodes for search in begun[: len(begun) // 4]) < nodes / 2
