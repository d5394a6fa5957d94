"""What is around the board: titles, colours, the way back, widths."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.page import InNode, Visit, box, fresh

pytestmark = pytest.mark.verify


def middle(page: Page, place: str) -> float:
    _, y, _, height = box(page.locator(place))
    return y + height / 2


def test_names_stand_in_the_middle_of_the_button_that_changes_the_game_and_are_whole_on_phones(visit: Visit) -> None:
    page = visit("?game=tic-tac-toe-3d&you=both", size=(390, 844))
    assert middle(page, "#game-name") == pytest.approx(middle(page, "#game"), abs=1.5)
    assert page.locator("#game-name").evaluate("name => name.scrollWidth <= name.clientWidth + 1")
    assert page.locator("#game-name").evaluate("name => name.scrollHeight <= name.clientHeight + 2")


def test_the_title_of_the_tab_is_that_of_the_game(visit: Visit) -> None:
    page = visit("?game=qubic&you=both")
    assert page.title() == "Qubic · Move Oracle"


def test_new_games_on_an_empty_board_are_no_steps_of_the_way_back(visit: Visit) -> None:
    page = visit("?you=both")
    before = page.evaluate("history.length")
    for _ in range(3):
        fresh(page)
    assert page.evaluate("history.length") == before


def test_colours_that_are_chosen_in_one_tab_reach_the_others(visit: Visit) -> None:
    one, other = visit("?you=both"), visit("?you=both")
    one.get_by_role("button", name="Settings").click()
    one.get_by_label("Dark").check()
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_bar_is_as_wide_as_the_board_above_which_it_stands(visit: Visit) -> None:
    page = visit("?hints=values", size=(720, 900))
    assert box(page.locator("#bar"))[2] == pytest.approx(box(page.locator("#board"))[2], abs=2)


def test_the_letters_of_headings_are_there_at_the_first_paint(visit: Visit) -> None:
    for _ in range(3):
        page = visit("?you=both")
        page.evaluate("document.querySelector('#status').style.fontFamily = 'system-ui'")
        other = page.evaluate(WIDTH)
        page.evaluate("document.querySelector('#status').style.fontFamily = ''")
        assert page.evaluate(WIDTH) < 0.9 * other


WIDTH = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector("#status"));
  return range.getBoundingClientRect().width;
}"""
"""JavaScript for the width of the text of the status."""


def test_an_estimate_of_nothing_has_no_minus(in_node: InNode) -> None:
    said = "async (numbers) => numbers.map((await import('./words/values.js')).signed)"
    assert in_node(said, [-0.001, 0.24, -0.08]) == ["+0.00", "+0.24", "\N{MINUS SIGN}0.08"]
