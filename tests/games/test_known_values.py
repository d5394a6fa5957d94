"""Values of line games on flat and joined boards, computed by programs that share no code with ours.

Those that name a source are solved by the oracle in tests/engine. Of the others, games of up to ``MOST_CELLS`` cells
are solved here; the environment variable raises it, and the largest take hours.
"""

import os
from collections.abc import Mapping
from typing import Any

import pytest

from service.games.boards.grid import Wrap
from service.games.families.lines import LineGame, grid
from service.games.inline import grid_by_rules
from tests.published import KNOWN
from tests.support import some
from tests.worlds import reachable, search, small

MOST_CELLS = int(os.environ.get("MOST_CELLS", "16"))


def name_of(fact: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in fact["rules"].items())


def game_of(fact: Mapping[str, Any]) -> LineGame:
    return small(**fact["rules"])


SMALL = [fact for fact in KNOWN if "source" not in fact and game_of(fact).cells <= MOST_CELLS]


@pytest.mark.parametrize("fact", SMALL, ids=name_of)
def test_the_value_and_the_best_first_moves_are_the_known_ones(fact: Mapping[str, Any]) -> None:
    game = game_of(fact)
    solver, bottom = search(game), game.cells - game.columns
    cells = range(bottom if game.gravity else 0, game.cells)
    scores = {cell: -solver.score(0, 1 << cell) for cell in cells}
    score = max(scores.values())
    plies = game.cells + 1 - abs(score) if score else game.cells
    assert ("win" if score > 0 else "loss" if score else "draw", plies) == (fact["outcome"], fact["plies"])
    best = [game.column_of(cell) if game.gravity else cell for cell in cells if scores[cell] == score]
    assert fact["best_moves"] in (None, best)


def test_boards_have_the_known_numbers_of_lines() -> None:
    for fact in KNOWN:
        assert fact["lines"] in (None, len(game_of(fact).lines)), name_of(fact)


FEW = [fact for fact in KNOWN if (fact["positions"] or 10**9) <= 8_000]


@pytest.mark.parametrize("fact", some(FEW, 6), ids=name_of)
def test_as_many_positions_can_be_reached_as_is_known(fact: Mapping[str, Any]) -> None:
    assert len(reachable(game_of(fact))) == fact["positions"]


def test_a_line_crosses_the_seam_of_a_moebius_strip_upside_down() -> None:
    strip = small(3, 3, 3, wrap="moebius")  # right of 2 comes 6, right of 5 comes 3, right of 8 comes 0
    crossing = {(0, 1, 2), (1, 2, 6), (2, 6, 7), (5, 6, 7), (0, 1, 5), (1, 2, 3), (0, 4, 8)}
    only_on_the_torus = {(2, 3, 7), (1, 5, 6), (0, 5, 7), (1, 3, 8)}
    assert crossing <= {*strip.lines}
    assert only_on_the_torus <= {*small(3, 3, 3, wrap=True).lines} - {*strip.lines}


def test_each_way_to_join_edges_is_a_game_of_its_own_and_a_torus_may_be_called_so() -> None:
    wraps: tuple[Wrap, ...] = (False, True, "cylinder", "moebius")
    flat: dict[str, Any] = {"rows": 3, "columns": 4, "in_a_row": 3, "layers": 1, "gravity": False, "misere": False}
    games = [grid_by_rules(**flat, wrap=wrap) for wrap in wraps]
    assert [game.wrap for game in games] == list(wraps)
    assert len({game.digest for game in games}) == len(wraps)
    torus = grid(id="", name="", rules="", rows=3, columns=4, in_a_row=3, wrap="torus")
    assert (torus.wrap, torus.digest) == (True, games[1].digest)
