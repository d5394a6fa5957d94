"""Every limit of a request: what just keeps it is answered, and what is larger by one is refused."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.wire.requests import MAX_BATCH, MAX_LINES, MAX_SEED
from service.edge.connection.protocol import MAX_HEAD_BYTES
from service.games.game import MAX_CELLS
from service.settings import Settings
from tests.support import ROOT

EMPTY = "." * 9

DOCUMENTED = (ROOT / "docs/operate/configuration.md").read_text()


def best_move(**request: Any) -> tuple[str, bytes]:
    return "/best-move", json.dumps(request).encode()


def lines(count: int) -> tuple[str, bytes]:
    """A position of a game with so many lines, all of them different."""
    pairs = [[a, b, c] for a in range(20) for b in range(a) for c in range(b)]
    return best_move(game={"cells": 20, "lines": pairs[:count]}, board="." * 20, limit={"nodes": 1})


def cells(count: int) -> tuple[str, bytes]:
    """A position of a game with so many cells."""
    return best_move(game={"cells": count, "lines": [[0, 1, 2]]}, board="." * count, limit={"nodes": 1})


def batch(count: int) -> tuple[str, bytes]:
    return "/best-moves", json.dumps({"positions": [{"board": EMPTY}] * count}).encode()


def body(size: int) -> tuple[str, bytes]:
    path, text = best_move(board=EMPTY)
    return path, text.ljust(size)


def review(count: int) -> tuple[str, bytes]:
    """A game of so many moves, in which the players share the only line."""
    game = {"cells": MAX_CELLS, "lines": [[0, 1, 2]]}
    return "/review", json.dumps(
        {"game": game, "moves": [*range(MAX_CELLS), 0][:count], "limit": {"nodes": 1}}
    ).encode()


def limited(**limit: int) -> tuple[str, bytes]:
    return best_move(board=EMPTY, limit=limit)


def seeded(seed: int) -> tuple[str, bytes]:
    return best_move(board=EMPTY, seed=seed)


LIMITS: Mapping[str, tuple[int, int, Callable[[int], tuple[str, bytes]]]] = {
    "bytes of a body": (Settings.max_body_bytes, 413, body),
    "positions of a batch": (MAX_BATCH, 422, batch),
    "cells of a board": (MAX_CELLS, 422, cells),
    "lines of a game": (MAX_LINES, 422, lines),
    "moves of a game": (MAX_CELLS, 422, review),
    "milliseconds of a search": (Settings.max_time_ms, 422, lambda most: limited(time_ms=most)),
    "nodes of a search": (Settings.max_nodes, 422, lambda most: limited(nodes=most)),
    "a seed": (MAX_SEED, 422, seeded),
}
"""Each limit of what a request says: it, the status beyond it, and a request of that size."""


@pytest.mark.parametrize("name", LIMITS)
def test_what_keeps_a_limit_is_answered_and_what_is_larger_by_one_refused(client: FlaskClient, name: str) -> None:
    most, status, asked = LIMITS[name]
    path, kept = asked(most)
    assert client.post(path, data=kept).status_code == 200
    refused = client.post(path, data=asked(most + 1)[1])
    assert (refused.status_code, refused.mimetype) == (status, "application/problem+json")


def test_the_documentation_lists_exactly_these_limits() -> None:
    section = DOCUMENTED.partition("## Limits of a request")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+)[^|]*\| (\d+) \|[^|]*\|$", section, re.MULTILINE)
    listed = {what: (int(most.replace(",", "")), int(beyond)) for what, most, beyond in rows}
    of_the_server = {"bytes of the head": (MAX_HEAD_BYTES, 431)}
    assert listed == {name: (most, status) for name, (most, status, _) in LIMITS.items()} | of_the_server


def test_what_the_version_publishes_is_the_limit(client: FlaskClient) -> None:
    published = client.get("/version").get_json()
    named = re.findall(r"^\| ([^|]+) \|[^|]+\|[^|]+\| `(max_\w+)` \|$", DOCUMENTED, re.MULTILINE)
    assert len(named) > 4
    assert [name for name, field in named if published[field] != LIMITS[name][0]] == []
