"""The service goes and comes back while people play, near it or far from it: every click counts, in its order."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import line_position
from tests.support import sampled, some
from tests.web.gate import Gate
from tests.web.page import FirstVisit, settled

pytestmark = pytest.mark.verify

GAMES = sampled(12, 200)
"""Random games of two people at each latency, in half of them without the service."""

CENTRES = """() => [...document.querySelectorAll(".cell")].map(cell => {
  const { x, y, width, height } = cell.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
"""JavaScript for the places to click on, by cell."""


def slow_down(page: Page, ms: int) -> None:
    """Let every answer of the service take so much longer."""
    conditions = {"offline": False, "latency": ms, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", conditions)


def click(page: Page, *chosen: int) -> None:
    """Press the mouse on cells, one after the other, without a wait for anything."""
    places = page.evaluate(CENTRES)
    for cell in chosen:
        page.mouse.click(*places[cell])


def names(page: Page) -> list[str]:
    return page.locator("#sheet .name").all_inner_texts()


@pytest.mark.parametrize("ms", some([400, 0, 2000], 1))
def test_every_click_counts_while_the_service_comes_and_goes(first_visit: FirstVisit, gate: Gate, ms: int) -> None:
    page = first_visit()
    page.goto(f"{gate.url}/?game=connect-four&seed=7&skill=60")
    settled(page)
    slow_down(page, ms)
    click(page, 3, 0)
    expect(page.locator("#sheet li")).to_have_count(4)
    gate.shut()
    click(page, 6, 1, 2)
    expect(page.locator("#connection.gone")).to_be_visible()
    expect(page.locator("#status")).to_have_text("O to move: the service did not answer")
    expect(page.locator(".queued")).to_have_count(1)  # the last one, in place of the one before
    gate.open()
    expect(page.locator("#sheet li")).to_have_count(8)
    settled(page)
    assert names(page)[::2] == ["4", "1", "7", "3"]
    expect(page.locator(".queued")).to_have_count(0)
    page.goto(f"{gate.url}/?you=both")
    settled(page)
    dice = Random(ms)
    for number in range(GAMES):
        if number == GAMES // 2:
            gate.shut()
        order = dice.sample(range(9), 9)
        page.locator("#new").click()
        click(page, *order)
        assert names(page) == marked(order), order


def marked(order: list[int]) -> list[str]:
    """Return the names of the cells of 3x3 that are marked in this order until the game is over."""
    position, found = line_position(TIC_TAC_TOE, 0, 0, "X"), list[str]()
    for cell in order:
        if position.legal_moves:
            found.append(f"{'abc'[cell % 3]}{cell // 3 + 1}")
            position = position.play(cell)
    return found
