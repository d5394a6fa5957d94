"""Values, distances, best first moves, numbers of positions: computed by two programs that share no code with ours."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from service.engine.family_table import FamilyTable, build
from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.families.game import FamilyGame
from service.families.position import FamilyPosition
from service.kernel.family import START, Words
from tests.support import sampled

MOST_POSITIONS = sampled(120_000, 100_000_000)
"""The positions of the largest game that is solved here."""

KNOWN = json.loads(Path(__file__).with_name("known_values.json").read_text(encoding="utf-8"))
SMALL = [fact for fact in KNOWN if fact["positions"] <= MOST_POSITIONS]


def name_of(fact: Mapping[str, Any]) -> str:
    return " ".join([fact["family"], *(f"{name}={value}" for name, value in fact["rules"].items())])


def game_of(fact: Mapping[str, Any]) -> FamilyGame:
    return FAMILIES[fact["family"]](**fact["rules"])


def table_of(game: FamilyGame) -> FamilyTable:
    return FamilyTable(game, memoryview(build(game, 20_000_000)))


@pytest.mark.parametrize("fact", SMALL, ids=name_of)
def test_values_distances_and_best_moves_are_the_known_ones(fact: Mapping[str, Any]) -> None:
    game = game_of(fact)
    table, start = table_of(game), FamilyPosition(game)
    plies = fact["plies"] if fact["outcome"] != "draw" else None
    assert table.value(start) == (fact["outcome"], plies)
    assert sorted(str(game.move_name(move)) for move in table.best_moves(start)) == fact["best_moves"]


def positions_of(game: FamilyGame) -> int:
    """Count the positions that play can reach, by the board and the player to move."""
    found: set[tuple[Words, int]] = {(START, 0)}
    waiting = [FamilyPosition(game)]
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves:
            after = position.play(move)
            if (after.words, after.turn) not in found:
                found.add((after.words, after.turn))
                waiting.append(after)
    return len(found)


@pytest.mark.parametrize("fact", [fact for fact in SMALL if fact["positions"] <= sampled(5_000, 35_000)], ids=name_of)
def test_as_many_positions_can_be_reached_as_is_known(fact: Mapping[str, Any]) -> None:
    assert positions_of(game_of(fact)) == fact["positions"]


@cache
def known_values() -> Mapping[tuple[str, frozenset[Any]], tuple[str, int | None]]:
    return {(fact["family"], frozenset(fact["rules"].items())): (fact["outcome"], fact["plies"]) for fact in KNOWN}


@pytest.mark.parametrize("game", FAMILY_GAMES.values(), ids=FAMILY_GAMES)
def test_the_catalogue_says_what_is_known(game: FamilyGame) -> None:
    rules = {
        name: value
        for name, value in game.parameters.items()
        if game.family != "vanishing" or name in ("remove", "misere")
    }
    assert game.value is not None
    assert (game.value.outcome, game.value.plies) == known_values()[game.family, frozenset(rules.items())]
