"""Nothing waits for the service that needs none of it, and nothing jumps."""

import pytest
from playwright.sync_api import Route, expect

from tests.support import Server, some, wait_until
from tests.web.page import PHONE, SHIFTS, Open, Visit, bottom, box, cells, marks, play, settled

pytestmark = pytest.mark.verify

AFTER_INPUT_MS = 700
"""Browsers count a shift within 500 ms as caused by a key."""

ANSWERS = ("**/best-move", "**/analysis/stream", "**/games", "**/version")

FETCHES = """(() => {
  window.used = [];
  const { fetch } = window;
  window.fetch = (path, ...more) => { window.used.push(new URL(path, location).href); return fetch(path, ...more); };
})()"""
UNUSED = """() => [...document.querySelectorAll("link[rel=preload]")].map(({ href }) => href).filter(
  (href) => !window.used.includes(href) && ![...document.styleSheets].some((sheet) => sheet.href === href))"""
LINKS = (
    *("game=tic-tac-toe", "game=connect-four", "moves=4", "moves=4&you=both", "moves=0,3,1,4,2", "moves=4,0&hints="),
    *("you=both&hints=values", "moves=0,3,1,4,2&ply=3", "game=quixo-3x3&hints=values", "board=X...O....&player=X"),
)


@pytest.mark.parametrize("link", LINKS)
def test_what_a_link_has_loaded_ahead_is_used(open_page: Open, server: Server, link: str) -> None:
    page = open_page("about:blank")
    page.add_init_script(FETCHES)
    page.goto(f"{server.url}/?{link}")
    wait_until(lambda: page.evaluate(UNUSED) == [])


def test_two_people_play_to_the_end_without_the_service(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4&you=both")
    page.evaluate("() => { window.fetch = () => { window.hasAsked = true; return new Promise(() => {}); }; }")
    for column in (0, 1, 0, 1, 0, 1, 0):
        cells(page).nth(column).click()
    expect(page.locator("#status")).to_have_text("Red has won")
    assert not page.evaluate("window.hasAsked")


def test_the_board_is_there_before_the_service_has_answered_anything(open_page: Open, server: Server) -> None:
    page = open_page("about:blank")
    for pattern in ANSWERS:
        page.route(pattern, lambda _: None)
    page.goto(server.url)
    cells(page).nth(4).click()
    assert marks(page) == "....X...."
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("path", ["/?game=connect-four&moves=3&you=both", "/learn", "/embed?controls=minimal"])
def test_nothing_moves_while_a_document_arrives_in_pieces(open_page: Open, server: Server, path: str) -> None:
    page = open_page("about:blank", size=PHONE)
    slow = {"offline": False, "latency": 0, "downloadThroughput": 30_000, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.goto(f"{server.url}{path}")
    expect(page.locator(".cell, #root button").first).to_be_attached()
    assert page.evaluate(SHIFTS) == 0


SIZES = pytest.mark.parametrize("size", some([PHONE, (1440, 900), (320, 640), (844, 390), (3840, 2160)], 1), ids=str)


@SIZES
def test_nothing_jumps_while_somebody_plays_and_goes_through_a_review(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("?game=connect-four-5x4&skill=60&seed=5", size=size)
    play(page, 1)
    page.get_by_role("button", name="Hints").click()
    settled(page)
    play(page, 2)
    page.get_by_role("button", name="Hints").click()
    page.keyboard.press("v")
    expect(page.locator("#review-now")).to_be_visible()
    board = box(page.locator("#board"))
    page.keyboard.press("Home")
    for _ in range(page.locator("#sheet li").count()):
        page.keyboard.press("ArrowRight")
        assert box(page.locator("#board")) == board
    assert page.evaluate(SHIFTS) == 0


def test_nothing_jumps_when_a_review_comes_late(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4&skill=60&seed=5", size=PHONE)
    play(page, 1)
    page.get_by_role("button", name="Hints").click()
    settled(page)
    play(page, 2)
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/review**", hold)
    page.keyboard.press("v")
    expect(page.locator("#review progress")).to_be_visible()
    page.wait_for_timeout(AFTER_INPUT_MS)
    held[0].continue_()
    expect(page.locator("#review-now")).to_be_visible()
    assert page.evaluate(SHIFTS) == 0


@SIZES
def test_nothing_jumps_when_a_board_of_layers_is_turned(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("?game=qubic&you=both", size=size)
    beside = page.locator(".tools, #turn, #panel").all()
    before = [box(place) for place in beside]
    for _ in range(3):
        page.get_by_role("button", name="Turn the board").evaluate("button => button.click()")
        assert [box(place) for place in beside] == before
        layers = [box(layer) for layer in page.locator(".squares").all()]
        assert min(y for _, y, _, _ in layers) >= bottom(page.locator("#status"))
        assert max(y + height for _, y, _, height in layers) <= box(page.locator("#undo"))[1]
