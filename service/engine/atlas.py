"""Entries of the rules atlas: each game of it is solved once."""

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any

from service.engine.oracle import Oracle
from service.engine.result import ProvenResult
from service.engine.tables.family_table import FamilyTable, solved, table_file
from service.engine.tables.tablebases import MOST_STATES
from service.engine.work.limit import Limit, never
from service.games.atlas import Entry, Rules
from service.games.catalogue import FAMILIES
from service.games.game import Game
from service.games.inline import grid_by_rules
from service.games.position import Position

TABLE_MB = 256

SECONDS = 600
"""The maximum duration of the search of a line game, in seconds."""


def solve_atlas(all_rules: Iterable[Rules], known: Iterable[Entry], report: Callable[[Rules], None]) -> Iterator[Entry]:
    """Yield the entry of each game: the ``known`` entry with the digest of its rules, or else a new one.

    Line games that are not proven in time are left out. Before a game is solved, ``report`` is called with its rules.
    """
    by_digest = {entry["digest"]: entry for entry in known}
    for rules in all_rules:
        entry: Entry | None = by_digest.get(digest_of(rules))
        if entry is None:
            report(rules)
            entry = solve_entry(rules)
        if entry is not None:
            yield {**entry, "rules": rules}


def solve_entry(rules: Rules) -> Entry | None:
    """Solve the game with these rules; return its value and size, or None if it is not proven in time."""
    found = _line_entry(rules) if "family" not in rules else _family_entry(rules)
    return None if found is None else {**found, "digest": digest_of(rules)}


def digest_of(rules: Rules) -> str:
    """Return the digest of a game's rules, defaults included, in hexadecimal; no other rules have the same."""
    return _game_of(rules).digest.hex()


def _game_of(rules: Rules) -> Game:
    parameters: dict[str, Any] = {name: value for name, value in rules.items() if name != "family"}
    if "family" in rules:
        return FAMILIES[rules["family"]](**parameters)
    return grid_by_rules(**{"layers": 1, "gravity": False, "misere": False, "wrap": False, **parameters})


def _family_entry(rules: Rules) -> Entry:
    game = _game_of(rules)
    began = monotonic()
    solution = solved(game, MOST_STATES)
    seconds = monotonic() - began
    positions = solution.graph.positions()
    began = monotonic()
    data = table_file(game, solution)
    seconds += monotonic() - began
    table, start = FamilyTable(game, memoryview(data)), Position(game)
    outcome, plies = table.known_value(start)
    if plies is None and not game.loops:
        plies = game.cells
    size = {"positions": positions, "states": solution.graph.states, "seconds": round(seconds, 2), "bytes": len(data)}
    value = {"outcome": outcome, "plies": plies, "repetition": table.is_endless(start)}
    return {"rules": rules, "players": game.players, **value, **size}


def _line_entry(rules: Rules) -> Entry | None:
    position = Position(_game_of(rules))
    began = monotonic()
    found = Oracle(table_mb=TABLE_MB).best_move(position, limit=Limit(SECONDS, None, never)).known
    seconds = monotonic() - began
    if not isinstance(found, ProvenResult):
        return None
    size = {"positions": None, "states": None, "seconds": round(seconds, 2), "bytes": None}
    value = {"outcome": found.outcome, "plies": found.plies, "repetition": False}
    return {"rules": rules, "players": ("X", "O"), **value, **size}
