"""A cell that is chosen while the oracle thinks waits for its move; a double click is one press."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support import sampled, some
from tests.web.page import LATER, Open, Visit, box, cells, choose, leave, marks, settled

TWICE = """cell => {
  const node = document.querySelectorAll(".cell")[cell];
  node.click();
  node.click();
}"""
"""JavaScript for a double click, the second press of it sooner than any answer."""

AT_ONCE = """([selector, keys]) => {
  const node = document.querySelector(selector);
  for (const [key, repeat] of keys) node.dispatchEvent(new KeyboardEvent("keydown", { key, repeat, bubbles: true }));
}"""
"""JavaScript that presses keys, or holds one, which repeats it."""


Thinking = Callable[[str, int, int], tuple[Page, Route]]


@pytest.fixture
def thinking(visit: Visit) -> Thinking:
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


@pytest.mark.parametrize("way", some(["game", "swap", "new", "puzzle", "back"], 3))
def test_no_cell_waits_in_another_game_or_for_another_side(thinking: Thinking, way: str) -> None:
    page, _ = thinking("?game=five-in-a-row-6x6", 14, 3)
    expect(page.locator(".queued")).to_have_count(1)
    if way == "game":
        choose(page, "tic-tac-toe-4x4")
    elif way == "back":
        page.evaluate("history.pushState(null, '', '?game=qubic')")
        page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    else:
        page.locator("#modes [data-mode=puzzles]" if way == "puzzle" else f"#{way}").click()
        if way == "new":
            page.get_by_role("button", name="Start").click()
        leave(page)
    expect(page.locator(".queued")).to_have_count(0)
    if way in {"new", "game", "back"}:
        cells(page).nth(5).click()
        expect(page.locator("#sheet li")).to_have_count(2)
        settled(page)
        assert marks(page).count("X") == 1


@pytest.mark.parametrize(
    "path", ["?game=connect-four", "?game=pop-out-4x4&you=both", "embed?game=connect-four&you=both"]
)
def test_a_double_click_plays_one_move(open_page: Open, path: str) -> None:
    page = open_page(f"/{path}&skill=30&seed=3")
    expect(cells(page).first).to_be_visible()
    page.evaluate(TWICE, 3)
    expect(page.locator(".queued")).to_have_count(0)
    page.evaluate(LATER)
    expect(cells(page).locator(".mark:not(.aim)")).to_have_count(1 if "both" in path else 2)


def test_one_press_plays_one_move_and_each_further_one_another(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both")
    names = page.locator("#sheet .name")
    for played in (["4"], ["4", "4"]):
        page.evaluate(TWICE, 3)
        page.evaluate(LATER)
        expect(names).to_have_text(played)
    page.evaluate(AT_ONCE, ["body", [["5", False], ["5", False]]])  # a digit that is typed twice
    assert names.all_inner_texts() == ["4", "4", "5", "5"]
    page.evaluate(LATER)
    page.evaluate(AT_ONCE, ["body", [["5", True], ["5", True]]])  # keys that are held
    page.evaluate(AT_ONCE, [".cell", [["Enter", True], [" ", True]]])
    assert names.all_inner_texts() == ["4", "4", "5", "5"]


def test_the_cell_that_waits_is_told_and_chosen_again_it_waits_no_more(thinking: Thinking) -> None:
    page, held = thinking("?skill=100", 0, 8)
    expect(page.locator("#story")).to_have_text("Next: c3. Press again to take it back.")
    expect(page.locator("#said")).to_contain_text("Next: c3.")
    page.evaluate(LATER)
    cells(page).nth(8).click(force=True)
    expect(page.locator(".queued")).to_have_count(0)
    held.continue_()
    expect(page.locator("#sheet li")).to_have_count(2)
    settled(page)
    assert marks(page).count("X") == 1


def test_no_cell_waits_where_the_oracle_plays_alone(visit: Visit) -> None:
    page = visit()
    page.route("**/best-move", lambda _: None)
    page.goto(page.url.partition("?")[0] + "?you=none")
    cells(page).nth(4).click(force=True)
    expect(page.locator(".queued")).to_have_count(0)


@pytest.mark.parametrize("pause", [0, 400, 2_000])
def test_games_by_mouse_lose_and_double_no_move(open_page: Open, pause: int) -> None:
    """The pause between presses is in ms; in the hurried page a tenth of it. No column is pressed twice in a row."""
    dice = Random(pause)
    page = open_page("/?game=connect-four&you=both")
    for _ in range(sampled(1, 200)):
        page.goto(page.url.partition("?")[0] + "?game=connect-four&you=both")
        places, played = [box(cells(page).nth(column)) for column in range(7)], list[int]()
        for _ in range(6):
            played.append(dice.choice([column for column in range(7) if column not in played[-1:]]))
            x, y, width, height = places[played[-1]]
            page.mouse.click(x + width / 2, y + height / 2)
            page.wait_for_timeout(pause / 10)
        expect(page.locator("#sheet .name")).to_have_text([str(column + 1) for column in played])
