"""The rules atlas: its small games are solved again, the larger ones agree with values found by other programs."""

import json
from typing import Any

import pytest

from service.engine.atlas import solve_atlas, solve_entry
from service.families.atlas import Entry, Rules, atlas_rules, read_atlas
from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.kernel.retrograde import Graph
from tests.families.test_values import KNOWN, SMALL, game_of, name_of

MOST_SOLVED = 30_000
"""Positions up to symmetry of the games that are solved again."""

AGAIN = [entry for entry in read_atlas() if (entry["states"] or 0) <= MOST_SOLVED and entry["seconds"] <= 0.5]


def said(rules: Rules) -> str:
    return " ".join(f"{name}={value}" for name, value in rules.items())


def without_time(entry: Entry | None) -> dict[str, Any]:
    assert entry is not None
    found: dict[str, Any] = json.loads(json.dumps(entry))
    return {name: value for name, value in found.items() if name != "seconds"}


def test_the_atlas_has_every_game_that_is_listed_and_every_family() -> None:
    assert [entry["rules"] for entry in read_atlas()] == list(atlas_rules())
    assert {entry["rules"].get("family", "line") for entry in read_atlas()} == {"line", *FAMILIES}


@pytest.mark.parametrize("entry", AGAIN, ids=lambda entry: said(entry["rules"]))
def test_a_game_of_the_atlas_is_solved_again(entry: Entry) -> None:
    assert without_time(solve_entry(entry["rules"])) == without_time(entry)


def digest(family: str, rules: dict[str, Any]) -> bytes:
    return FAMILIES[family](**rules).digest


def test_the_games_that_others_have_solved_have_their_values_and_numbers_of_positions() -> None:
    known = {digest(fact["family"], fact["rules"]): fact for fact in KNOWN}
    compared = 0
    for entry in read_atlas():
        rules = dict(entry["rules"])
        fact = known.get(digest(rules.pop("family"), rules)) if "family" in rules else None
        if fact is not None:
            values = [(found["outcome"], found["plies"], found["positions"]) for found in (entry, fact)]
            assert values[0] == values[1], rules
            compared += 1
    assert compared >= 100


def test_the_catalogue_has_the_values_of_the_atlas() -> None:
    games = {game.digest: game.value for game in FAMILY_GAMES.values()}
    for entry in read_atlas():
        rules = dict(entry["rules"])
        value = games.get(digest(rules.pop("family"), rules)) if "family" in rules else None
        if value is not None:
            assert (value.outcome, value.plies) == (entry["outcome"], entry["plies"])
            assert entry["repetition"] is (value.outcome == "draw" and value.plies is None)


@pytest.mark.parametrize("fact", SMALL, ids=name_of)
def test_all_positions_are_counted_from_those_up_to_symmetry(fact: dict[str, Any]) -> None:
    assert Graph(game_of(fact).play, 1_000_000).positions() == fact["positions"]


def test_a_line_game_that_is_not_proven_in_time_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.engine.atlas.SECONDS", 0.01)
    reported: list[Rules] = []
    large = {"rows": 6, "columns": 7, "in_a_row": 4, "gravity": True, "misere": True}
    assert list(solve_atlas([large], reported.append)) == []
    assert reported == [large]
