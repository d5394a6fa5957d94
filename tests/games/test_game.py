"""Geometry: lines, supports and symmetries as data, and the catalogue built from them.

What every game keeps is in test_conformance.py.
"""

from itertools import combinations, pairwise, product

import pytest

from service.games.boards.grid import mask, permute
from service.games.catalogue import DEFAULT_GAME, LINE_GAMES, TIC_TAC_TOE
from service.games.families.lines import LineGame
from service.games.game import MAX_CELLS
from tests.published import LARGE, SOLVED
from tests.worlds import each_catalogued_game, small

CONNECT_FOUR = small(6, 7, 4, gravity=True)
QUBIC = small(4, 4, 4, layers=4)
TORUS = small(3, 3, 3, wrap=True)

LINE_COUNTS = [
    (small(3, 3, 3), 8),
    (small(4, 4, 4), 10),
    (small(4, 4, 3), 24),
    (small(3, 5, 3), 5 + 9 + 6),
    (small(2, 3, 3), 2),
    (small(6, 7, 4), 69),
    (CONNECT_FOUR, 69),
    # Cubes of side n: ((n + 2)^3 - n^3) / 2 (Hales and Jewett, 1963).
    (small(2, 2, 2, layers=2), 28),
    (small(3, 3, 3, layers=3), 49),
    (QUBIC, 76),
    (TORUS, 12),
    (small(2, 2, 3), 0),
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


@pytest.mark.parametrize(("game", "count"), LINE_COUNTS, ids=name)
def test_a_board_has_the_known_number_of_lines(game: LineGame, count: int) -> None:
    assert len(set(game.lines)) == len(game.lines) == count


def test_a_line_takes_the_same_step_of_at_most_one_cell_each_way_all_along() -> None:
    flat = (board for board, _ in LINE_COUNTS if not board.wrap)
    for game, line in ((board, line) for board in flat for line in board.lines):
        points = [coordinates(game, cell) for cell in line]
        steps = {tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairwise(points)}
        assert len(steps) == 1
        assert max(abs(part) for part in steps.pop()) == 1


def test_the_lines_of_tic_tac_toe_are_the_ones_everybody_knows() -> None:
    rows, columns = {(0, 1, 2), (3, 4, 5), (6, 7, 8)}, {(0, 3, 6), (1, 4, 7), (2, 5, 8)}
    assert set(TIC_TAC_TOE.lines) == rows | columns | {(0, 4, 8), (2, 4, 6)}


def test_on_the_wrapped_board_every_pair_of_cells_is_on_exactly_one_line() -> None:
    # The lines of the 3x3 torus are those of the affine plane of order three.
    for pair in combinations(range(TORUS.cells), 2):
        assert sum(set(pair) <= set(line) for line in TORUS.lines) == 1


def test_a_wrapped_line_never_counts_a_cell_twice() -> None:
    assert small(2, 5, 4, wrap=True).lines == tuple(
        sorted(
            tuple(sorted((row + bend * i) % 2 * 5 + (column + i) % 5 for i in range(4)))
            for row, column, bend in product(range(2), range(5), range(2))
        )
    )


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


def test_the_largest_board_of_the_family_fits_a_mask_of_64_bits() -> None:
    assert QUBIC.cells == MAX_CELLS == 64
    assert QUBIC.full == 2**64 - 1
    assert max(QUBIC.line_masks) < 2**64


def test_a_game_is_itself_and_no_other_with_the_same_rules() -> None:
    assert TIC_TAC_TOE == DEFAULT_GAME
    assert small(3, 3, 3) != small(3, 3, 3)


def test_the_catalogue_finds_every_game_by_its_own_id() -> None:
    assert list(LINE_GAMES) == [game.id for game in LINE_GAMES.values()]
    assert next(iter(LINE_GAMES.values())) is DEFAULT_GAME
    assert [game.id for game in LINE_GAMES.values() if game.misere] == ["misere-tic-tac-toe"]


@each_catalogued_game
def test_the_catalogue_states_the_published_value(game: LineGame) -> None:
    (known,) = [known for known in (*SOLVED, *LARGE) if known.game.digest == game.digest]
    assert game.value is not None
    assert (game.value.outcome, game.value.plies) == (known.outcome, known.plies)
