"""The worst games that may be written by hand, and whether their answers come in time."""

from collections.abc import Iterator
from itertools import combinations, islice
from random import Random
from time import perf_counter
from typing import Any

from loadtests.hunt.product import JSON, STREAM, Service

LATEST_SECONDS = 0.15
CELLS, LINES = 64, 1024
TRIES = 3


def worst_games(dice: Random) -> Iterator[dict[str, Any]]:
    """Yield games of 64 cells and 1,024 lines: through one cell, short, long and mixed."""
    yield _game([[0, *pair] for pair in islice(combinations(range(1, CELLS), 2), LINES)], dice)
    yield _game(list(map(list, islice(combinations(range(CELLS), 2), LINES))), dice)
    for lengths in ((3,), (4,), range(50, 63), (2, 3, 4, 5, 8, 20, 40)):
        yield _game([sorted(dice.sample(range(CELLS), dice.choice(lengths))) for _ in range(LINES)], dice)


def late_answers(service: Service, dice: Random) -> Iterator[str]:
    """Yield the requests with a limit of 1 or 50 ms that were answered too late, at every try."""
    for game in worst_games(dice):
        for path, request, accept in _requests(game):
            for time_ms in (1, 50):
                limited = {**request, "limit": {"time_ms": time_ms}}
                if not any(_seconds(service, path, limited, accept) <= LATEST_SECONDS for _ in range(TRIES)):
                    yield f"{path} within {time_ms} ms took more than {LATEST_SECONDS} s: {game['lines'][:3]}..."


def _requests(game: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    position = {"game": game, "board": "OX" + "." * (CELLS - 2)}
    yield "/best-move", position, JSON
    yield "/analysis", position, JSON
    yield "/analysis", position, STREAM
    yield "/analysis", {**position, "skill": 50, "seed": 1}, JSON
    yield "/review", {"game": game, "moves": [2, 1, 3]}, JSON
    yield "/best-moves", {"positions": [position]}, JSON


def _seconds(service: Service, path: str, request: dict[str, Any], accept: str) -> float:
    began = perf_counter()
    service.body(path, request, accept)
    return perf_counter() - began


def _game(lines: list[list[int]], dice: Random) -> dict[str, Any]:
    return {"cells": CELLS, "lines": lines, "misere": dice.random() < 0.5}
