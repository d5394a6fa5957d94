"""Values of line games on flat and joined boards, computed by two programs that share no code with ours.

Games of up to ``MOST_CELLS`` cells are solved here; the environment variable raises it, and the largest take hours.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from service.games.game import Game, Wrap, grid, permute
from service.games.inline import grid_by_rules
from tests.worlds import reachable, search, small

MOST_CELLS = int(os.environ.get("MOST_CELLS", "16"))
KNOWN = json.loads(Path(__file__).with_name("known_values.json").read_text(encoding="utf-8"))
SMALL = [fact for fact in KNOWN if fact["rules"]["rows"] * fact["rules"]["columns"] <= MOST_CELLS]
SMALL = [fact for fact in SMALL if "layers" not in fact["rules"] or MOST_CELLS >= 27]


def name_of(fact: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in fact["rules"].items())


def outcome_of(game: Game, score: int) -> tuple[str, int]:
    """What a score from the empty board says."""
    plies = game.cells + 1 - abs(score) if score else game.cells
    return ("win" if score > 0 else "loss" if score else "draw"), plies


@pytest.mark.parametrize("fact", [fact for fact in KNOWN if fact["lines"] is not None], ids=name_of)
def test_a_board_has_the_known_number_of_lines(fact: Mapping[str, Any]) -> None:
    assert len(small(**fact["rules"]).lines) == fact["lines"]


@pytest.mark.parametrize("fact", SMALL, ids=name_of)
def test_the_value_is_the_known_one(fact: Mapping[str, Any]) -> None:
    game = small(**fact["rules"])
    assert outcome_of(game, search(game).score(0, 0)) == (fact["outcome"], fact["plies"])


@pytest.mark.parametrize("fact", [fact for fact in SMALL if fact["best_moves"]], ids=name_of)
def test_the_best_first_moves_are_the_known_ones(fact: Mapping[str, Any]) -> None:
    game = small(**fact["rules"])
    solver = search(game)
    bottom = game.cells - game.columns
    cells = range(bottom, game.cells) if game.gravity else range(game.cells)
    scores = {cell: -solver.score(0, 1 << cell) for cell in cells}
    best = [cell for cell, score in scores.items() if score == max(scores.values())]
    assert [cell - bottom if game.gravity else cell for cell in best] == fact["best_moves"]


WRAPS: tuple[Wrap, ...] = (False, True, "cylinder", "moebius")

JOINED = [
    small(rows, columns, in_a_row, wrap=wrap, gravity=gravity)
    for wrap in WRAPS[1:]
    for rows, columns, in_a_row in ((3, 3, 3), (2, 4, 3), (4, 3, 3), (3, 5, 4), (4, 4, 4), (1, 4, 3), (5, 2, 3))
    for gravity in (False, True)
] + [small(3, 3, 3, layers=3, wrap=wrap) for wrap in WRAPS[2:]]


@pytest.mark.parametrize("game", JOINED, ids=lambda game: f"{game.id}-{game.wrap}-{game.gravity}")
def test_symmetries_of_joined_boards_keep_lines_and_gravity(game: Game) -> None:
    lines = set(game.lines)
    assert game.symmetries[0] == tuple(range(game.cells))
    for symmetry in game.symmetries:
        assert sorted(symmetry) == list(range(game.cells))
        assert {tuple(sorted(symmetry[cell] for cell in line)) for line in lines} == lines
        for cell, support in enumerate(game.supports):
            assert permute(support, symmetry) == game.supports[symmetry[cell]]


@pytest.mark.parametrize(
    ("wrap", "count"),
    # Mirror images and 4 turns of a cylinder, each upside down too; 8 turns bring a strip back as it was, and 4 turn it
    # upside down, so that only its mirror images are more. A torus may be shifted by rows too.
    [(False, 4), ("cylinder", 16), ("moebius", 16), (True, 48)],
)
def test_a_joined_board_has_its_symmetries(wrap: Wrap, count: int) -> None:
    assert len(small(3, 4, 3, wrap=wrap).symmetries) == count


@pytest.mark.parametrize("fact", [fact for fact in SMALL if (fact["positions"] or 10**9) <= 10_000], ids=name_of)
def test_as_many_positions_can_be_reached_as_is_known(fact: Mapping[str, Any]) -> None:
    assert len(reachable(small(**fact["rules"]))) == fact["positions"]


STRIP = small(3, 3, 3, wrap="moebius")
"""Right of 2 comes 6, right of 5 comes 3, right of 8 comes 0."""


@pytest.mark.parametrize("line", [(0, 1, 2), (1, 2, 6), (2, 6, 7), (5, 6, 7), (0, 1, 5), (1, 2, 3), (0, 4, 8)])
def test_a_line_crosses_the_seam_of_a_moebius_strip(line: tuple[int, ...]) -> None:
    assert line in STRIP.lines


@pytest.mark.parametrize("line", [(2, 3, 7), (1, 5, 6), (0, 5, 7), (1, 3, 8)])
def test_a_line_of_the_torus_is_none_of_the_strip(line: tuple[int, ...]) -> None:
    assert line not in STRIP.lines


def test_a_torus_may_be_called_by_its_name_and_is_the_same_game() -> None:
    by_name, by_flag = (
        grid(id="", name="", rules="", rows=3, columns=3, in_a_row=3, wrap="torus"),
        small(3, 3, 3, wrap=True),
    )
    assert by_name.wrap is True
    assert by_name.digest == by_flag.digest


def test_each_way_to_join_edges_is_a_game_of_its_own() -> None:
    games = [
        grid_by_rules(rows=3, columns=4, in_a_row=3, layers=1, gravity=False, misere=False, wrap=wrap) for wrap in WRAPS
    ]
    assert [game.wrap for game in games] == list(WRAPS)
    assert len({game.digest for game in games}) == len(WRAPS)
