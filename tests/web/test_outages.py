"""The service stops and starts while people play, near it or far from it: every click counts, in its order."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from service.games.catalogue import TIC_TAC_TOE
from service.games.position import Position
from tests.support import sampled, some
from tests.web.page import FirstVisit, again, restartable, settled

pytestmark = pytest.mark.verify

GAMES = sampled(12, 200)
"""Random games of two people at each latency, in half of them without the service."""

CENTRES = """() => [...document.querySelectorAll(".cell")].map(cell => {
  const { x, y, width, height } = cell.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
"""JavaScript for the places to click on, by cell."""

LATENCIES = pytest.mark.parametrize("ms", some([0, 400, 2000], 2))


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


@LATENCIES
def test_the_last_click_while_the_service_is_gone_is_played_when_it_is_back(first_visit: FirstVisit, ms: int) -> None:
    with restartable() as server:
        page = first_visit(server)
        page.goto(f"{server.url}/?game=connect-four&seed=7&skill=60")
        settled(page)
        slow_down(page, ms)
        click(page, 3, 0)
        expect(page.locator("#sheet li")).to_have_count(4)
    click(page, 6, 1, 2)
    expect(page.locator("#connection.gone")).to_be_visible()
    expect(page.locator("#status")).to_have_text("O to move: the service did not answer")
    expect(page.locator(".queued")).to_have_count(1)  # the last one, in place of the one before
    with again(server):
        expect(page.locator("#sheet li")).to_have_count(8)
        settled(page)
    assert names(page)[::2] == ["4", "1", "7", "3"]
    expect(page.locator(".queued")).to_have_count(0)


@LATENCIES
def test_no_click_of_two_people_is_lost_while_the_service_comes_and_goes(first_visit: FirstVisit, ms: int) -> None:
    dice = Random(ms)
    orders = [dice.sample(range(9), 9) for _ in range(GAMES)]
    with restartable() as server:
        page = first_visit(server)
        page.goto(f"{server.url}/?you=both")
        settled(page)
        slow_down(page, ms)
        games = [two_people(page, order) for order in orders[::2]]
    games += [two_people(page, order) for order in orders[1::2]]
    assert games == [played(order) for order in orders[::2] + orders[1::2]]


def two_people(page: Page, order: list[int]) -> list[str]:
    """Return the moves that the page has noted after clicks on cells in this order, in a new game."""
    page.locator("#new").click()
    click(page, *order)
    return names(page)


def played(order: list[int]) -> list[str]:
    """Return the names of the cells that are marked until the game is over."""
    position, found = Position(TIC_TAC_TOE, 0, 0, "X"), list[str]()
    for cell in order:
        if position.legal_moves:
            found.append(f"{'abc'[cell % 3]}{cell // 3 + 1}")
            position = position.play(cell)
    return found
