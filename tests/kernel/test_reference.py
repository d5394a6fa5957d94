"""The reference itself, against numbers that others have published and positions that a person can solve."""

import pytest

from loadtests.positions.remembering import Remembering
from service.games.catalogue import TIC_TAC_TOE
from service.kernel.alpha_beta.reference import DRAW, LOSS, WIN, Reference, Verdict

PLAIN = Reference(TIC_TAC_TOE.cells, TIC_TAC_TOE.lines)
MISERE = Reference(TIC_TAC_TOE.cells, TIC_TAC_TOE.lines, misere=True)
EMPTY = "... ... ..."
FROM_EMPTY = Verdict(DRAW, 9, frozenset(range(9)), nodes=549_946)


def board(text: str) -> list[bool | None]:
    """A board as the player to move sees it: ``m`` for mine, ``t`` for theirs."""
    return [None if mark == "." else mark == "m" for mark in text.replace(" ", "")]


@pytest.mark.parametrize(
    ("reference", "outcome", "plies", "best", "text"),
    [
        pytest.param(PLAIN, LOSS, 0, set(), "ttt mm. ...", id="their line ends the game"),
        pytest.param(PLAIN, LOSS, 0, set(), "ttt mmt mtm", id="a full board with a line is won"),
        pytest.param(PLAIN, DRAW, 0, set(), "tmt tmm mtt", id="a full board without a line is drawn"),
        pytest.param(PLAIN, WIN, 1, {2}, "mm. tt. ...", id="win at once"),
        pytest.param(PLAIN, WIN, 1, {2, 3}, "mm. .tt m.t", id="two ways to win at once"),
        pytest.param(PLAIN, LOSS, 2, {1, 3, 4, 8}, "t.t ..m tm.", id="three threats, and nothing helps"),
        pytest.param(PLAIN, DRAW, 1, {8}, "tmt tmm mt.", id="the last cell fills the board"),
        pytest.param(MISERE, WIN, 0, set(), "ttt mm. ...", id="misere: their line has lost them the game"),
        pytest.param(MISERE, LOSS, 1, {2}, "mm. ttm mtt", id="misere: the last cell completes a line"),
        pytest.param(MISERE, DRAW, 1, {8}, "tmt tmm mt.", id="misere: the last cell fills the board"),
    ],
)
def test_positions_that_a_person_can_solve(
    reference: Reference, outcome: int, plies: int, best: set[int], text: str
) -> None:
    given = board(text)
    truth = reference.solve(given)
    assert (truth.outcome, truth.plies, set(truth.best)) == (outcome, plies, best)
    assert given == board(text)


@pytest.mark.parametrize("capacity", [1_000, 100_000])
def test_a_memory_full_or_not_changes_no_verdict_and_no_count(capacity: int) -> None:
    remembering = Remembering(TIC_TAC_TOE.cells, TIC_TAC_TOE.lines, capacity=capacity)
    for _ in range(2):
        assert remembering.solve(board(EMPTY)) == FROM_EMPTY
        assert len(remembering.memory) <= capacity
