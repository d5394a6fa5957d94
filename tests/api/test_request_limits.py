"""Every limit of a request: what just keeps it is answered, and what is larger by one is refused."""

import gzip
import json
import re
from collections.abc import Callable, Mapping
from itertools import combinations, islice
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


def asked(path: str = "/best-move", **request: Any) -> tuple[str, bytes]:
    return path, json.dumps(request).encode()


def own(cells: int, lines: int) -> tuple[str, bytes]:
    """A position of a game with so many cells and lines, all of them different."""
    game = {"cells": cells, "lines": [*islice(combinations(range(20), 3), lines)]}
    return asked(game=game, limit={"nodes": 1})


def review(count: int) -> tuple[str, bytes]:
    """A game of so many moves, in which the players share the only line."""
    game = {"cells": MAX_CELLS, "lines": [[0, 1, 2]]}
    return asked("/review", game=game, moves=[*range(MAX_CELLS), 0][:count], limit={"nodes": 1})


LIMITS: Mapping[str, tuple[int, int, Callable[[int], tuple[str, bytes]]]] = {
    "bytes of a body": (Settings.max_body_bytes, 413, lambda most: ("/best-move", asked()[1].ljust(most))),
    "positions of a batch": (MAX_BATCH, 422, lambda most: asked("/best-moves", positions=[{"board": EMPTY}] * most)),
    "cells of a board": (MAX_CELLS, 422, lambda most: own(most, 1)),
    "lines of a game": (MAX_LINES, 422, lambda most: own(20, most)),
    "moves of a game": (MAX_CELLS, 422, review),
    "milliseconds of a search": (Settings.max_time_ms, 422, lambda most: asked(limit={"time_ms": most})),
    "nodes of a search": (Settings.max_nodes, 422, lambda most: asked(limit={"nodes": most})),
    "a seed": (MAX_SEED, 422, lambda most: asked(seed=most)),
}
"""Each limit of what a request says: it, the status beyond it, and a request of that size."""


@pytest.mark.parametrize("name", LIMITS)
def test_what_keeps_a_limit_is_answered_and_what_is_larger_by_one_refused(client: FlaskClient, name: str) -> None:
    most, status, sized = LIMITS[name]
    path, kept = sized(most)
    assert client.post(path, data=kept).status_code == 200
    refused = client.post(path, data=sized(most + 1)[1])
    assert (refused.status_code, refused.mimetype) == (status, "application/problem+json")


@pytest.mark.parametrize("game", ["tic-tac-toe", "vanishing-tic-tac-toe", "connect-four", "numerical-tic-tac-toe"])
def test_the_time_to_refuse_a_long_text_grows_with_its_length_alone(client: FlaskClient, game: str) -> None:
    for long in (" ", "\n", "|", "-", "- ", "1 ", "X/", "(", "(1,"):
        for text in (long * 100_000, f"```\n{long * 100_000}", f"{long * 100_000}```"):
            for field in ({"board": text}, {"board": [text]}, {"moves": text}, {"moves": [text]}):
                assert client.post("/best-move", data=json.dumps({"game": game, **field})).status_code in {413, 422}


def test_the_documentation_and_the_version_tell_exactly_these_limits(client: FlaskClient) -> None:
    section = DOCUMENTED.partition("## Limits of a request")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+)[^|]*\| (\d+) \|[^|]*\|$", section, re.MULTILINE)
    listed = {what: (int(most.replace(",", "")), int(beyond)) for what, most, beyond in rows}
    of_the_server = {"bytes of the head": (MAX_HEAD_BYTES, 431)}
    assert listed == {name: (most, status) for name, (most, status, _) in LIMITS.items()} | of_the_server
    published = client.get("/version").get_json()
    named = re.findall(r"^\| ([^|]+) \|[^|]+\|[^|]+\| `(max_\w+)` \|$", section, re.MULTILINE)
    assert len(named) > 4
    assert [name for name, field in named if published[field] != LIMITS[name][0]] == []


BOMB = gzip.compress(bytes(Settings.max_body_bytes + 1))

PACKED = [
    *((BOMB, "gzip", 413), (gzip.compress(b"{}".ljust(Settings.max_body_bytes)), "gzip", 200)),
    *((b"{}", "gzip", 400), (gzip.compress(b"{}")[:-1], "gzip", 400), (gzip.compress(b"{}") * 2, "gzip", 400)),
    *((b"{}", "br", 415), (b"{}", "gzip, gzip", 415), (b"{}", "identity", 200), (gzip.compress(b"{}"), "GZIP", 200)),
]


def test_a_compressed_body_is_read_within_the_limit_of_its_whole_size(client: FlaskClient) -> None:
    for body, encoding, status in PACKED:
        response = client.post("/best-move", data=body, headers={"Content-Encoding": encoding})
        assert response.status_code == status, (encoding, body[:40])
