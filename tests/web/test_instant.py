"""Nothing waits: no click is lost at any latency, nothing jumps, and two people play without the service."""

from random import Random

import pytest
from playwright.sync_api import Locator, expect

from service.games.catalogue import TIC_TAC_TOE
from service.games.position import Position
from tests.support import some
from tests.web.page import PHONE, SHIFTS, Open, Visit, box, cells, marks, play, settled

pytestmark = pytest.mark.verify

ANSWERS = ("**/best-move", "**/analysis", "**/games", "**/version")

LATER = """ms => {
  const [ask, wait] = [window.fetch, window.setTimeout];
  window.fetch = (...asked) => new Promise(done => wait(() => done(ask(...asked)), 10 * ms));
}"""
"""JavaScript that lets every answer come so much later; the pauses of the page are ten times shorter in tests."""

CLICK = """cells => {
  const nodes = document.querySelectorAll(".cell");
  cells.forEach(cell => nodes[cell].click());
  return document.querySelectorAll(".queued").length;
}"""
"""JavaScript that clicks cells one after the other, faster than any answer, and counts the moves that wait."""

GAMES = """async orders => {
  const [nodes, dialog, found] = [document.querySelectorAll(".cell"), document.querySelector("#confirm"), []];
  for (const order of orders) {
    document.querySelector("#new").click();
    if (dialog.open) {
      const left = new Promise(done => dialog.addEventListener("close", done, { once: true }));
      dialog.querySelector("[value=leave]").click();
      await left;
    }
    order.forEach(cell => nodes[cell].click());
    found.push([...document.querySelectorAll("#sheet .name")].map(name => name.textContent));
  }
  return found;
}"""
"""JavaScript that plays games by clicks and tells the moves of each."""


@pytest.mark.parametrize("ms", some([0, 400, 2000], 2))
def test_no_click_of_two_people_is_lost_at_any_latency(visit: Visit, ms: int) -> None:
    page = visit("?you=both")
    page.evaluate(LATER, ms)
    dice = Random(ms)
    orders = [dice.sample(range(9), 9) for _ in range(200)]
    found = page.evaluate(GAMES, orders)
    assert [[TIC_TAC_TOE.columns * (int(name[1]) - 1) + "abc".index(name[0]) for name in names] for names in found] == [
        played(order) for order in orders
    ]


def played(order: list[int]) -> list[int]:
    """Return the cells that are marked until the game is over."""
    position, cells = Position(TIC_TAC_TOE, 0, 0, "X"), list[int]()
    for cell in order:
        if position.legal_moves:
            cells.append(cell)
            position = position.play(cell)
    return cells


@pytest.mark.parametrize("ms", some([0, 400, 2000], 2))
def test_the_move_chosen_last_while_the_oracle_thinks_is_made_after_it(visit: Visit, ms: int) -> None:
    page = visit("?game=connect-four&skill=100")
    page.evaluate(LATER, ms)
    assert page.evaluate(CLICK, [3, 0, 6]) == 1
    expect(page.locator("#sheet li")).to_have_count(4)
    played = page.locator("#sheet .name").all_inner_texts()
    assert [played[ply] for ply in (0, 2)] == ["4", "7"]
    settled(page)


def test_two_people_play_to_the_end_without_the_service(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4&you=both")
    page.evaluate("() => { window.fetch = () => { window.hasAsked = true; return new Promise(() => {}); }; }")
    for column in (0, 1, 0, 1, 0, 1, 0):
        cells(page).nth(column).click()
    expect(page.locator("#status")).to_have_text("X has won")
    assert not page.evaluate("window.hasAsked")


def test_the_board_is_there_before_the_service_has_answered_anything(open_page: Open) -> None:
    page = open_page("about:blank")
    for pattern in ANSWERS:
        page.route(pattern, lambda _: None)
    page.goto(open_page("/healthz").url.replace("/healthz", "/"))
    cells(page).nth(4).click()
    assert marks(page) == "....X...."
    page.unroute_all(behavior="ignoreErrors")


SIZES = pytest.mark.parametrize("size", some([(320, 640), PHONE, (844, 390), (1440, 900), (3840, 2160)], 2), ids=str)


@SIZES
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four-5x4"])
def test_nothing_jumps(visit: Visit, size: tuple[int, int], game: str) -> None:
    page = visit(f"?game={game}&skill=60&seed=5", size=size)
    play(page, 1)
    page.get_by_role("button", name="Hints").click()
    settled(page)
    play(page, 2)
    page.get_by_role("button", name="Hints").click()
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#review-now")).to_be_visible()
    assert page.evaluate(SHIFTS) == 0


@SIZES
@pytest.mark.parametrize("query", ["?moves=0,8,2,1,7,4", "?game=connect-four-5x4&drops=4452133"])
def test_nothing_jumps_while_somebody_goes_through_a_review(visit: Visit, size: tuple[int, int], query: str) -> None:
    page = visit(f"{query}&you=both", size=size)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#review-now")).to_be_visible()
    places = [page.locator(".accuracy"), page.locator(".mistakes").or_(page.locator("#review > p"))]
    before = [box(place) for place in places]
    page.get_by_role("button", name="First position").click()
    for _ in range(page.locator("#sheet li").count()):
        page.get_by_role("button", name="Next position").click()
        assert [box(place) for place in places] == before
    for mistake in page.locator(".mistakes button").all():
        mistake.click()
    assert page.evaluate(SHIFTS) == 0


@SIZES
def test_nothing_jumps_when_a_board_of_layers_is_turned(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("?game=qubic&you=both", size=size)
    beside = page.locator("#bar, #board, .tools, #turn, .moves-card").all()
    before = [box(place) for place in beside]
    for _ in range(3):
        page.get_by_role("button", name="Turn the board").evaluate("button => button.click()")
        assert [box(place) for place in beside] == before
        layers = [box(layer) for layer in page.locator(".squares").all()]
        assert min(y for _, y, _, _ in layers) >= bottom(page.locator("#story"))
        assert max(y + height for _, y, _, height in layers) <= box(page.locator("#undo"))[1]
        assert not any(overlap(layer, box(page.locator("#bar"))) for layer in layers)


def bottom(place: Locator) -> float:
    _, y, _, height = box(place)
    return y + height


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    """Return whether two boxes cover a common place."""
    (x, y, width, height), (x2, y2, width2, height2) = one, other
    return x < x2 + width2 and x2 < x + width and y < y2 + height2 and y2 < y + height
