"""Without the service: a page that was opened once opens again, small games go on, and all does when it is back."""

import re

import pytest
from playwright.sync_api import Page, expect

from service.games.catalogue import CATALOGUE
from tests.support import some
from tests.web.gate import Gate
from tests.web.page import SHIFTS, FirstVisit, barriers, cells, fresh, marks, settled, values

pytestmark = pytest.mark.verify

CENTRES = """() => [...document.querySelectorAll(".cell")].map(cell => {
  const { x, y, width, height } = cell.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
"""JavaScript for the places to click on, by cell."""

KEPT = "async () => (await (await caches.open('answers')).keys()).map(({ url }) => new URL(url).pathname)"


def finish(page: Page) -> None:
    """Play the first free cell until the game is over."""
    while page.locator("#status").inner_text().startswith("Your move"):
        cells(page).nth(marks(page).index(".")).click()
        settled(page)


def test_a_game_is_played_to_its_end_without_the_service_and_goes_on_with_it(
    first_visit: FirstVisit, gate: Gate
) -> None:
    page = first_visit()
    gate.shut()
    page.reload()
    expect(cells(page)).to_have_count(9)
    fresh(page, level="Perfect")
    finish(page)
    expect(page.locator("#connection.gone")).to_contain_text("The service is gone")
    expect(page.locator("#status")).to_have_text("The oracle has won as O")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".mistakes button")).to_have_count(1)
    expect(page.get_by_role("alert")).to_be_hidden()
    gate.open()
    expect(page.locator("#connection")).to_have_text("The service is back.")
    expect(page.locator("#connection.gone")).to_have_count(0)
    page.locator("#modes [data-mode=play]").click()
    with page.expect_response("**/best-move"):
        cells(page).nth(4).click()
    settled(page)
    assert marks(page).count("O") == 1


@pytest.mark.parametrize("ms", some([400, 0, 2000], 1))
def test_every_click_counts_while_the_service_comes_and_goes_near_or_far(
    first_visit: FirstVisit, gate: Gate, ms: int
) -> None:
    page = first_visit()
    page.goto(f"{gate.url}/?game=connect-four&seed=7&skill=60")
    places = settled(page).evaluate(CENTRES)
    slow = {"offline": False, "latency": ms, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    for cell in (3, 0):  # without a wait for anything
        page.mouse.click(*places[cell])
    expect(page.locator("#sheet li")).to_have_count(4)
    gate.shut()
    for cell in (6, 1, 2):
        page.mouse.click(*places[cell])
    expect(page.locator("#connection.gone")).to_be_visible()
    expect(page.locator("#status")).to_have_text("Yellow to move: the service did not answer")
    expect(page.locator(".queued")).to_have_count(1)  # the last one, in place of the one before
    gate.open()
    expect(page.locator("#sheet li")).to_have_count(8)
    assert settled(page).locator("#sheet .name").all_inner_texts()[::2] == ["4", "1", "7", "3"]
    expect(page.locator(".queued")).to_have_count(0)


def test_a_game_that_is_too_large_waits_for_the_service_and_goes_on_when_it_is_back(
    first_visit: FirstVisit, gate: Gate
) -> None:
    page = first_visit()
    gate.shut()
    page.locator("#game").click()
    expect(page.locator("#catalogue .tile")).to_have_count(len(CATALOGUE))
    page.goto(f"{gate.url}/?game=connect-four&drops=44&you=X")
    expect(page.locator("#game-name")).to_have_text("Connect Four")
    cells(page).nth(3).click()
    expect(page.locator("#connection.gone")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    expect(page.locator("#sheet li")).to_have_count(3)
    assert barriers(page) == []
    gate.open()
    expect(page.locator("#sheet li")).to_have_count(4)
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.locator("#connection.gone")).to_have_count(0)


def test_a_service_that_hangs_is_left_and_the_browser_answers_what_it_can(first_visit: FirstVisit, gate: Gate) -> None:
    page = first_visit()
    gate.hold()
    cells(page).nth(4).click()
    expect(page.locator("#connection.gone")).to_be_visible(timeout=12_000)  # not after a search and 15 s
    settled(page)
    assert marks(page).count("O") == 1
    expect(page.get_by_role("alert")).to_be_hidden()
    gate.open()
    expect(page.locator("#connection")).to_have_text("The service is back.")


def test_answers_that_caches_may_keep_are_kept_and_no_others(first_visit: FirstVisit, gate: Gate) -> None:
    paths, refused = ("/games", "/position.svg?moves=4", "/best-move?moves=4"), ("/puzzles?count=1", "/version")
    text = "path => fetch(path).then(answer => answer.text()).catch(() => null)"
    page = first_visit()
    found = {path: page.evaluate(text, path) for path in (*paths, *refused)}
    page.wait_for_function(f"async () => (await ({KEPT})()).length >= {len(paths)}")
    gate.shut()
    assert {path: page.evaluate(text, path) for path in paths} == {path: found[path] for path in paths}
    assert [page.evaluate(text, path) for path in refused] == [None, None]
    assert page.evaluate("fetch('/games').then(answer => answer.headers.get('X-Kept'))") == "yes"


def test_links_and_the_lesson_open_without_the_service_in_the_language_of_the_reader(
    first_visit: FirstVisit, gate: Gate
) -> None:
    page = first_visit()
    gate.shut()
    page.goto(f"{gate.url}/?moves=4&you=both&hints=values,line,threats")
    expect(page.locator(".headline")).to_contain_text("A draw with best play")
    drawn = [outcome == "draw" for outcome, *_ in values(page.locator("#board"))]
    assert drawn == [True, False, True, False, False, True, False, True]
    page.goto(f"{gate.url}/?rows=4&columns=5&in_a_row=4&you=both")
    expect(cells(page)).to_have_count(20)
    assert page.evaluate(SHIFTS) == 0
    page.goto(f"{gate.url}/?moves=4&you=both&hints=values&lang=de")
    expect(page.locator("#connection.gone")).to_contain_text("Der Dienst ist nicht erreichbar.")
    expect(page.locator("#analysis .headline")).to_contain_text(re.compile("Remis bei"))
    page.goto(f"{gate.url}/learn")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator("#picture .spot").first).to_be_attached()
    expect(page.get_by_text("Press Step to visit the first position")).to_have_count(0)
