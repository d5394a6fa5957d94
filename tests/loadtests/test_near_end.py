"""Outcomes near the end agree with plain minimax, certificates convince the checker, and what is wrong is found."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from loadtests.hunt import near_end
from loadtests.hunt.near_end import FAMILIES, NearEnd
from loadtests.hunt.product import Service

pytestmark = pytest.mark.verify

OPPOSITE = {"win": "loss", "loss": "win", "draw": "win", "unknown": "unknown"}
HEADER = '{"certificate":1,"rows":1,"columns":1,"layers":1,"in_a_row":1,"gravity":false,"misere":false,"wrap":false'
CLAIM = '"position":".","player":"X","outcome":"loss","symmetries":[]}\n{"holder":"O","at_least":"win"}\n'


def test_positions_of_every_family_agree_with_plain_minimax(tmp_path: Path) -> None:
    hunter = NearEnd(16, tmp_path)
    assert [*hunter.findings(500)] == []
    assert hunter.proven > 475
    assert hunter.certificates > 50
    assert min(hunter.compared.values()) >= 40
    assert sum(hunter.compared.values()) == 500


def opposite(ask: Callable[..., Any]) -> Callable[..., Any]:
    def lie(path: str, request: dict[str, Any]) -> dict[str, Any]:
        answer = ask(path, request)
        return {**answer, "outcome": OPPOSITE[answer["outcome"]]}

    return lie


LIES: dict[str, tuple[str, Callable[[Service], object], str]] = {
    "a wrong outcome": ("ask", lambda service: opposite(service.ask), ""),
    "a certificate of another position": (
        "certificate",
        lambda _: lambda _request: f"{HEADER},{CLAIM}",
        "does not convince the checker",
    ),
    "no certificate": ("certificate", lambda _: lambda _request: None, "no certificate"),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_is_wrong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    hunter = NearEnd(16, tmp_path)
    monkeypatch.setattr(near_end, "CERTIFIED_EACH", 1)
    method, make, finding = LIES[lie]
    monkeypatch.setattr(hunter.service, method, make(hunter.service))
    assert sum(finding in found for found in hunter.findings(10)) >= 10


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_the_rules_of_its_name(family: str) -> None:
    request = FAMILIES[family](Random(4)).request
    for name, rule in (("misère", "misere"), ("gravity", "gravity"), ("wrapped", "wrap")):
        assert request.get(rule, False) == (name in family) or "rows" not in request or family == "in 3-D"
    assert ("lines" in request) == ("lines" in family)
    assert ("layers" in request) == (family == "in 3-D")
