"""Values, distances, best first moves and numbers of positions, found by programs that share no code with ours.

The service finds them anew; the rules atlas and the catalogue say the same. Games of lines of at most ``MOST_CELLS``
cells are solved here; the environment variable raises it, and the largest take hours.
"""

import os
from functools import cache
from typing import Any

import pytest

from service.engine.atlas import digest_of, solve_atlas, solve_entry
from service.engine.tables.family_table import FamilyTable, solved, table_file
from service.games.atlas import Entry, Rules, atlas_rules, read_atlas
from service.games.catalogue import CATALOGUE, FAMILIES
from service.games.families.lines import LineGame
from service.games.game import Game
from service.games.position import Position
from tests.games.games import fact_name, game_of, name_of
from tests.published import KNOWN, LARGE
from tests.support import sampled
from tests.worlds import reachable, search, small

MOST_CELLS = int(os.environ.get("MOST_CELLS", "16"))

MOST_POSITIONS = sampled(120_000, 100_000_000)
"""The positions of the largest game of states that is solved here."""

MOST_COUNTED = sampled(2_500, 120_000)
"""The positions of the largest game of lines whose positions are counted."""

Found = tuple[str, int | None, list[str], int | None]
"""The outcome, the plies, unless play may go on for ever, the best first moves and the number of positions."""


def is_solved_here(fact: dict[str, Any]) -> bool:
    if fact["family"] == "line":  # those that name a source are solved in whole by tests/engine
        return "source" not in fact and game_of("line", fact["rules"]).cells <= MOST_CELLS
    return 0 < (fact["positions"] or 0) <= MOST_POSITIONS


@pytest.mark.parametrize("fact", [*filter(is_solved_here, KNOWN)], ids=fact_name)
def test_a_game_has_the_known_value_best_moves_and_number_of_positions(fact: dict[str, Any]) -> None:
    game = game_of(fact["family"], fact["rules"])
    found = found_by_search(game, fact["positions"]) if isinstance(game, LineGame) else found_by_table(game)
    best = fact["best_moves"] and sorted(map(str, fact["best_moves"]))
    known = fact["outcome"], fact["plies"], best or found[2], fact["positions"]
    assert found == known


def found_by_search(game: LineGame, positions: int | None) -> Found:
    solver = search(game)
    scores = {cell: -solver.score(0, 1 << cell) for cell in Position(game).legal_moves}
    score = max(scores.values())
    plies = game.cells + 1 - abs(score) if score else game.cells
    best = sorted(str(game.listed(cell)) for cell in scores if scores[cell] == score)
    if positions and positions <= MOST_COUNTED:
        positions = len(reachable(game))
    return "win" if score > 0 else "loss" if score else "draw", plies, best, positions


def found_by_table(game: Game) -> Found:
    found, start = solved(game, 20_000_000), Position(game)
    positions = found.graph.positions()
    table = FamilyTable(game, memoryview(table_file(game, found)))
    outcome, plies = table.known_value(start)
    best = sorted(str(game.move_name(move)) for move in table.best_moves(start))
    longest = None if game.loops else game.most_plies
    return outcome, longest if outcome == "draw" else plies, best, positions


def test_boards_have_the_known_numbers_of_lines() -> None:
    for fact in KNOWN:
        if fact.get("lines"):
            assert fact["lines"] == len(small(**fact["rules"]).lines), fact_name(fact)


@cache
def known_by_digest() -> dict[str, tuple[str, int | None, int | None]]:
    """The outcome, the plies and the number of positions."""
    large = {each.game.digest.hex(): (each.outcome, each.plies, None) for each in LARGE}
    return large | {
        game_of(fact["family"], fact["rules"]).digest.hex(): (fact["outcome"], fact["plies"], fact["positions"])
        for fact in KNOWN
    }


NOT_SOLVED_HERE = {
    "score-four": None,
    "order-and-chaos-6x6": None,
    "order-and-chaos-6x6-exactly": ("loss", 36),
    "ultimate-tic-tac-toe": None,
    "ultimate-tic-tac-toe-open": ("win", None),
}
"""Games too large to solve move by move, with what is known of them.

A published strategy wins the last one (arXiv 2006.02353); in the second one Chaos holds by pairs (``test_search``).
"""


def test_the_catalogue_says_what_is_known() -> None:
    values = {game.id: game.value for game in CATALOGUE.values()}
    stated = {name: value and (value.outcome, value.plies) for name, value in values.items()}
    solved = [game for game in CATALOGUE.values() if game.id not in NOT_SOLVED_HERE]
    assert stated == {game.id: known_by_digest()[game.digest.hex()][:2] for game in solved} | NOT_SOLVED_HERE


def test_the_atlas_has_every_game_that_is_listed_with_what_is_known_of_it() -> None:
    assert [entry["rules"] for entry in read_atlas()] == list(atlas_rules())
    assert [entry["digest"] for entry in read_atlas()] == list(map(digest_of, atlas_rules()))
    assert {entry["rules"].get("family", "line") for entry in read_atlas()} == {"line", *FAMILIES} - {"ultimate"}
    known = [(entry, known_by_digest().get(entry["digest"])) for entry in read_atlas()]
    assert sum(fact is not None for _, fact in known) >= 100
    for entry, fact in known:
        found = entry["outcome"], entry["plies"], entry["positions"]
        assert fact is None or found[: 3 if entry["positions"] else 2] == fact[: 3 if entry["positions"] else 2]


SOON_SOLVED = [entry for entry in read_atlas() if (entry["states"] or 0) <= 30_000 and entry["seconds"] <= 0.5]


@pytest.mark.parametrize("entry", SOON_SOLVED, ids=lambda entry: name_of(entry["rules"]))
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
