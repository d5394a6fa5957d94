"""Cells that are chosen while the oracle thinks: they wait for its move, and for nothing else."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.page import Visit, cells, choose, leave, marks, settled


@pytest.fixture
def thinking(visit: Visit) -> Callable[[str, int, int], tuple[Page, Route]]:
    """Plays on a cell and at once chooses another one; returns the question that the oracle has not answered yet."""

    def begun(query: str, played: int, chosen: int) -> tuple[Page, Route]:
        page, held = visit(query), list[Route]()

        def hold(route: Route) -> None:
            if held:
                route.continue_()
            else:
                held.append(route)

        page.route("**/best-move", hold)
        with page.expect_request("**/best-move"):
            cells(page).nth(played).click()
        cells(page).nth(chosen).click(force=True)
        return page, held[0]

    return begun


Thinking = Callable[[str, int, int], tuple[Page, Route]]


def test_a_cell_that_was_chosen_while_the_oracle_thinks_is_played_after_its_move(thinking: Thinking) -> None:
    page, held = thinking("?skill=100", 0, 8)
    expect(page.locator(".queued")).to_have_count(1)
    held.continue_()
    expect(page.locator("#sheet li")).to_have_count(4)
    assert (marks(page)[0], marks(page)[8]) == ("X", "X")


@pytest.mark.parametrize("way", ["new", "game", "puzzle", "swap", "back"])
def test_no_cell_waits_in_another_game_or_for_another_side(thinking: Thinking, way: str) -> None:
    page, _ = thinking("?game=five-in-a-row-6x6", 14, 3)
    expect(page.locator(".queued")).to_have_count(1)
    if way == "game":
        choose(page, "tic-tac-toe-4x4")
    elif way == "back":
        page.evaluate("history.pushState(null, '', '?game=qubic')")
        page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    else:
        page.locator(f"#{way}").click()
        leave(page)
    expect(page.locator(".queued")).to_have_count(0)
    if way in {"new", "game", "back"}:
        cells(page).nth(5).click()
        expect(page.locator("#sheet li")).to_have_count(2)
        settled(page)
        assert marks(page).count("X") == 1


def test_no_digit_is_played_that_nobody_chose(thinking: Thinking) -> None:
    page, held = thinking("?game=numerical-tic-tac-toe&moves=5@4,2@0&skill=0&seed=1", 8, 2)
    expect(page.locator(".queued")).to_have_count(0)
    held.continue_()
    expect(page.locator("#sheet li")).to_have_count(4)
    expect(page.locator("#status")).to_contain_text("Your move")
