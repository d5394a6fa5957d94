"""The reference itself, against numbers that others have published and positions that a person can solve."""

import pytest

from loadtests.positions.remembering import Remembering
from service.games.catalogue import TIC_TAC_TOE
from service.kernel.reference import DRAW, LOSS, WIN, Reference, Verdict

PLAIN = Reference(TIC_TAC_TOE.cells, TIC_TAC_TOE.lines)
MISERE = Reference(TIC_TAC_TOE.cells, TIC_TAC_TOE.lines, misere=True)

NODES_BELOW_FIRST_MOVE = {"centre": (4, 55_505), "corner": (0, 59_705), "edge": (1, 63_905)}
"""The cell of one such first move, and the nodes that plain minimax visits once it is made."""

Board = list[bool | None]


def board(text: str) -> Board:
    """A board as the player to move sees it: ``m`` for mine, ``t`` for theirs."""
    return [None if mark == "." else mark == "m" for mark in text.replace(" ", "")]


@pytest.fixture(scope="module")
def from_empty() -> Verdict:
    return PLAIN.solve(board("... ... ..."))


@pytest.mark.verify
def test_plain_minimax_visits_549946_nodes_from_the_empty_board(from_empty: Verdict) -> None:
    assert from_empty.nodes == 549_946


@pytest.mark.parametrize(("cell", "nodes"), NODES_BELOW_FIRST_MOVE.values(), ids=NODES_BELOW_FIRST_MOVE)
def test_it_visits_the_published_number_of_nodes_below_each_first_move(cell: int, nodes: int) -> None:
    after = board("... ... ...")
    after[cell] = False
    assert PLAIN.solve(after).nodes == nodes


def test_the_nodes_are_the_empty_board_and_those_below_one_centre_four_corners_and_four_edges(
    from_empty: Verdict,
) -> None:
    centre, corner, edge = (nodes for _, nodes in NODES_BELOW_FIRST_MOVE.values())
    assert from_empty.nodes == 1 + centre + 4 * corner + 4 * edge


def test_the_empty_board_is_a_draw_in_nine_plies_whatever_is_played_first(from_empty: Verdict) -> None:
    assert (from_empty.outcome, from_empty.plies, from_empty.best) == (DRAW, 9, frozenset(range(9)))


@pytest.mark.parametrize(
    ("outcome", "plies", "best", "text"),
    [
        pytest.param(LOSS, 0, set(), "ttt mm. ...", id="their line ends the game"),
        pytest.param(LOSS, 0, set(), "ttt mmt mtm", id="a full board with a line is won"),
        pytest.param(DRAW, 0, set(), "tmt tmm mtt", id="a full board without a line is drawn"),
        pytest.param(WIN, 1, {2}, "mm. tt. ...", id="win at once"),
        pytest.param(WIN, 1, {2, 3}, "mm. .tt m.t", id="two ways to win at once"),
        pytest.param(LOSS, 2, {1, 3, 4, 8}, "t.t ..m tm.", id="three threats, and nothing helps"),
        pytest.param(DRAW, 1, {8}, "tmt tmm mt.", id="the last cell fills the board"),
    ],
)
def test_positions_that_a_person_can_solve(outcome: int, plies: int, best: set[int], text: str) -> None:
    truth = PLAIN.solve(board(text))
    assert (truth.outcome, truth.plies, set(truth.best)) == (outcome, plies, best)


@pytest.mark.parametrize(
    ("outcome", "plies", "best", "text"),
    [
        pytest.param(WIN, 0, set(), "ttt mm. ...", id="their line has lost them the game"),
        pytest.param(LOSS, 1, {2}, "mm. ttm mtt", id="the last cell completes a line"),
        pytest.param(DRAW, 1, {8}, "tmt tmm mt.", id="the last cell fills the board"),
    ],
)
def test_in_misere_the_owner_of_a_line_loses(outcome: int, plies: int, best: set[int], text: str) -> None:
    truth = MISERE.solve(board(text))
    assert (truth.outcome, truth.plies, set(truth.best)) == (outcome, plies, best)


def test_verdicts_are_ordered_from_the_slow_win_down_to_the_fast_loss() -> None:
    ladder = [(WIN, 1), (WIN, 3), (DRAW, 5), (LOSS, 4), (LOSS, 2)]
    worths = [Verdict(outcome, plies, frozenset(), 1).worth for outcome, plies in ladder]
    assert worths == sorted(worths, reverse=True)
    assert len(set(worths)) == len(ladder)


def test_under_gravity_a_cell_waits_for_the_one_below_it() -> None:
    two_columns = Reference(4, lines=(), below=(2, 3, None, None))
    truth = two_columns.solve([None] * 4)
    assert truth.best == {2, 3}
    # Two columns of two fill in 2 ways after one ply, 4 after two, 6 after three and 6 after four.
    assert truth.nodes == 1 + 2 + 4 + 6 + 6


def test_a_board_is_left_as_it_was_given() -> None:
    given = board("mm. tt. ...")
    PLAIN.solve(given)
    assert given == board("mm. tt. ...")


def test_a_memory_changes_no_verdict_and_no_count(from_empty: Verdict) -> None:
    remembering = Remembering(TIC_TAC_TOE.cells, TIC_TAC_TOE.lines)
    assert remembering.solve(board("... ... ...")) == from_empty
    assert remembering.solve(board("... ... ...")) == from_empty


def test_a_full_memory_forgets_verdicts_and_changes_none(from_empty: Verdict) -> None:
    remembering = Remembering(TIC_TAC_TOE.cells, TIC_TAC_TOE.lines, capacity=1000)
    for _ in range(2):
        assert remembering.solve(board("... ... ...")) == from_empty
        assert len(remembering.memory) <= 1000
