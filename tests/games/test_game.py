"""Geometry: lines, supports and symmetries as data.

What every game keeps is in test_conformance.py.
"""

from itertools import product

import pytest

from loadtests.hunt.lines import lines_of
from service.games.boards.grid import mask, permute
from service.games.catalogue import CATALOGUE, DEFAULT_GAME
from service.games.families.lines import LineGame, grid
from service.games.game import MAX_CELLS
from tests.worlds import small

CONNECT_FOUR = small(6, 7, 4, gravity=True)
QUBIC = small(4, 4, 4, layers=4)
TORUS = small(3, 3, 3, wrap=True)

GRIDS = [
    small(3, 3, 3),
    small(3, 5, 3),
    small(2, 2, 3),
    small(6, 7, 4),
    CONNECT_FOUR,
    small(2, 2, 2, layers=2),
    small(3, 3, 3, layers=3),
    small(2, 5, 3, layers=4),
    QUBIC,
    TORUS,
    small(2, 5, 4, wrap=True),
]

SYMMETRY_COUNTS = [
    (small(3, 3, 3), 8),
    (small(3, 3, 3, misere=True), 8),
    # A wrapped board may be shifted too, by any of nine cells.
    (TORUS, 72),
    (small(3, 4, 3), 4),
    (small(3, 3, 3, gravity=True), 2),
    (CONNECT_FOUR, 2),
    (small(2, 2, 2, layers=2), 48),
    (QUBIC, 48),
    (small(3, 3, 3, layers=2), 16),
    # The layers may turn and mirror, but up stays up.
    (small(4, 4, 4, layers=4, gravity=True), 8),
    # Mirror images and 4 turns of a cylinder, each upside down too; 8 turns bring a strip back as it was, and 4 turn it
    # upside down, so that only its mirror images are more. A torus may be shifted by rows too.
    (small(3, 4, 3, wrap="cylinder"), 16),
    (small(3, 4, 3, wrap="moebius"), 16),
    (small(3, 4, 3, wrap=True), 48),
]


def name(value: LineGame | int) -> str:
    """What a parameter is called in the name of its test."""
    return value.id if isinstance(value, LineGame) else f"{value}"


def coordinates(game: LineGame, cell: int) -> tuple[int, int, int]:
    """The (layer, row, column) of a cell."""
    return cell // (game.rows * game.columns), game.row_of(cell), game.column_of(cell)


@pytest.mark.parametrize("game", GRIDS, ids=name)
def test_the_lines_of_a_board_are_those_that_the_hunt_finds(game: LineGame) -> None:
    shape = game.layers, game.rows, game.columns
    assert set(game.lines) == set(lines_of(shape, game.in_a_row or 0, wrap=bool(game.wrap)))


def test_a_line_crosses_the_seam_of_a_moebius_strip_upside_down() -> None:
    strip = small(3, 3, 3, wrap="moebius")  # right of 2 comes 6, right of 5 comes 3, right of 8 comes 0
    crossing = {(0, 1, 2), (1, 2, 6), (2, 6, 7), (5, 6, 7), (0, 1, 5), (1, 2, 3), (0, 4, 8)}
    assert crossing <= {*strip.lines}
    assert {(2, 3, 7), (1, 5, 6), (0, 5, 7), (1, 3, 8)} <= {*TORUS.lines} - {*strip.lines}
    torus = grid(id="", name="", rules="", rows=3, columns=3, in_a_row=3, wrap="torus")
    assert (torus.wrap, torus.digest) == (True, TORUS.digest)


@pytest.mark.parametrize(("game", "count"), SYMMETRY_COUNTS, ids=name)
def test_a_board_has_a_symmetry_for_every_way_to_lay_it_on_itself(game: LineGame, count: int) -> None:
    assert len(game.symmetries) == count


def test_a_permuted_mask_holds_the_cells_where_the_symmetry_takes_them() -> None:
    down_one_row = (3, 4, 5, 6, 7, 8, 0, 1, 2)
    assert permute(mask((0, 1, 8)), down_one_row) == mask((3, 4, 2))


@pytest.mark.parametrize(
    ("game", "step"),
    [(CONNECT_FOUR, (0, 1, 0)), (small(3, 2, 2, layers=3, gravity=True), (1, 0, 0))],
    ids=["rows", "layers"],
)
def test_under_gravity_a_cell_rests_on_the_one_below_it(game: LineGame, step: tuple[int, int, int]) -> None:
    """Marks fall from row to row, and on boards of several layers from layer to layer."""
    points = {coordinates(game, cell): cell for cell in range(game.cells)}
    for point, cell in points.items():
        below = tuple(p + s for p, s in zip(point, step, strict=True))
        assert game.supports[cell] == (mask((points[below],)) if below in points else 0)


def test_cells_are_numbered_row_by_row_from_the_top_left_layer_by_layer() -> None:
    game = small(2, 3, 2, layers=2)
    points = list(product(range(2), range(2), range(3)))
    assert [coordinates(game, cell) for cell in range(game.cells)] == points


def test_the_largest_board_fits_a_mask_of_64_bits() -> None:
    assert QUBIC.cells == MAX_CELLS == 64
    assert QUBIC.full == 2**64 - 1 >= max(QUBIC.line_masks)


def test_the_catalogue_finds_every_game_by_its_own_id_and_the_first_is_the_default() -> None:
    assert list(CATALOGUE) == [game.id for game in CATALOGUE.values()]
    assert next(iter(CATALOGUE.values())) is DEFAULT_GAME
