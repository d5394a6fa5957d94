"""Outcomes near the end agree with plain minimax, certificates convince the checker, and what is wrong is found."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from loadtests.hunt import near_end
from loadtests.hunt.near_end import FAMILIES, NearEnd

pytestmark = pytest.mark.verify

OPPOSITE = {"win": "loss", "loss": "win", "draw": "win", "unknown": "unknown"}


def test_two_thousand_positions_of_every_family_agree_with_plain_minimax(tmp_path: Path) -> None:
    hunter = NearEnd(16, tmp_path)
    assert [*hunter.findings(2000)] == []
    assert hunter.proven > 1900
    assert hunter.certificates > 200
    assert min(hunter.compared.values()) > 200
    assert sum(hunter.compared.values()) == 2000
    assert set(hunter.compared) == set(FAMILIES)


def test_a_wrong_outcome_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hunter = NearEnd(16, tmp_path)
    ask = hunter.service.ask

    def lie(path: str, request: dict[str, Any]) -> dict[str, Any]:
        answer = ask(path, request)
        return {**answer, "outcome": OPPOSITE[answer["outcome"]]}

    monkeypatch.setattr(hunter.service, "ask", lie)
    assert len([*hunter.findings(20)]) >= 20


def test_a_certificate_of_another_position_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hunter = NearEnd(16, tmp_path)
    monkeypatch.setattr(near_end, "CERTIFIED_EACH", 1)
    header = '{"certificate":1,"rows":1,"columns":1,"layers":1,"in_a_row":1,"gravity":false,"misere":false,"wrap":false'
    wrong = (
        f'{header},"position":".","player":"X","outcome":"loss","symmetries":[]}}\n{{"holder":"O","at_least":"win"}}\n'
    )
    monkeypatch.setattr(hunter.service, "certificate", lambda _: wrong)
    found = [*hunter.findings(10)]
    assert sum("does not convince the checker" in finding for finding in found) == 10


def test_a_missing_certificate_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hunter = NearEnd(16, tmp_path)
    monkeypatch.setattr(hunter.service, "certificate", lambda _: None)
    assert sum("no certificate" in finding for finding in hunter.findings(21)) == 3


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_the_rules_of_its_name(family: str) -> None:
    request = FAMILIES[family](Random(4)).request
    for name, rule in (("misère", "misere"), ("gravity", "gravity"), ("wrapped", "wrap")):
        assert request.get(rule, False) == (name in family) or "rows" not in request or family == "in 3-D"
    assert ("lines" in request) == ("lines" in family)
    assert ("layers" in request) == (family == "in 3-D")
