"""Values, distances, best first moves and numbers of positions, as two programs have found them that share no code.

The service finds them anew, and the rules atlas and the catalogue say the same.
"""

from typing import Any

import pytest

from service.engine.atlas import digest_of, solve_atlas, solve_entry
from service.engine.tables.family_table import FamilyTable, solved, table_file
from service.games.atlas import Entry, Rules, atlas_rules, read_atlas
from service.games.catalogue import FAMILIES, STATE_GAMES
from service.games.position import Position
from tests.families.games import KNOWN, fact_name, game_of, name_of
from tests.support import sampled, some

MOST_POSITIONS = sampled(120_000, 100_000_000)
"""The positions of the largest game that is solved here."""


SOLVED_AGAIN = [fact for fact in KNOWN if fact["positions"] and fact["positions"] <= MOST_POSITIONS]


@pytest.mark.parametrize("fact", SOLVED_AGAIN, ids=fact_name)
def test_a_game_has_the_known_value_best_moves_and_number_of_positions(fact: dict[str, Any]) -> None:
    game = game_of(fact["family"], fact["rules"])
    graph, start = solved(game, 20_000_000), Position(game)
    table = FamilyTable(game, memoryview(table_file(game, graph)))
    plies = fact["plies"] if fact["outcome"] != "draw" else None
    assert table.value(start) == (fact["outcome"], plies)
    assert sorted(str(game.move_name(move)) for move in table.best_moves(start)) == fact["best_moves"]
    assert graph.positions() == fact["positions"]


def digest(rules: Rules) -> bytes:
    """What tells the rules of one game of a family from those of others; nothing for those of a line game."""
    others = {name: value for name, value in rules.items() if name != "family"}
    return game_of(rules["family"], others).digest if "family" in rules else b""


KNOWN_BY_DIGEST = {digest({"family": fact["family"], **fact["rules"]}): fact for fact in KNOWN}


def test_the_catalogue_says_what_is_known() -> None:
    for game in STATE_GAMES.values():
        known = KNOWN_BY_DIGEST[game.digest]
        assert game.value is not None
        assert (game.value.outcome, game.value.plies) == (known["outcome"], known["plies"]), game.id


def test_the_atlas_has_every_game_that_is_listed_with_what_is_known_of_it() -> None:
    assert [entry["rules"] for entry in read_atlas()] == list(atlas_rules())
    assert [entry["digest"] for entry in read_atlas()] == list(map(digest_of, atlas_rules()))
    assert {entry["rules"].get("family", "line") for entry in read_atlas()} == {"line", *FAMILIES}
    known = [(entry, KNOWN_BY_DIGEST[digest(entry["rules"])]) for entry in read_atlas() if is_known(entry)]
    assert len(known) >= 100
    for entry, fact in known:
        values = [(found["outcome"], found["plies"], found["positions"]) for found in (entry, fact)]
        assert values[0] == values[1], entry["rules"]


def is_known(entry: Entry) -> bool:
    return digest(entry["rules"]) in KNOWN_BY_DIGEST


SOON_SOLVED = [entry for entry in read_atlas() if (entry["states"] or 0) <= 30_000 and entry["seconds"] <= 0.5]
AGAIN = [entry for entry in SOON_SOLVED if not is_known(entry)] + some(filter(is_known, SOON_SOLVED), 5)
"""What is solved again: few of those games that are solved above."""


@pytest.mark.parametrize("entry", AGAIN, ids=lambda entry: name_of(entry["rules"]))
def test_a_game_of_the_atlas_is_solved_again(entry: Entry) -> None:
    found = solve_entry(entry["rules"])
    assert found is not None
    assert {**found, "seconds": 0, "players": [*found["players"]]} == {**entry, "seconds": 0}


def test_a_line_game_that_is_not_proven_in_time_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.engine.atlas.SECONDS", 0.01)
    reported: list[Rules] = []
    large = {"rows": 6, "columns": 7, "in_a_row": 4, "gravity": True, "misere": True}
    assert list(solve_atlas([large], (), reported.append)) == []
    assert reported == [large]
