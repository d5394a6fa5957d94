"""The page is usable with any screen, colour scheme and forced colours."""

import pytest
from playwright.sync_api import expect

from tests.support import some
from tests.web.page import DESKTOP, PHONE, Visit, barriers, choose, play, settled

pytestmark = pytest.mark.verify


def test_the_present_move_is_in_sight_however_long_the_list(visit: Visit) -> None:
    page = visit(f"?game=connect-four&you=both&drops={'1' * 6 + '2' * 6 + '4' * 6 + '7' * 6}")
    present = page.locator("#sheet [aria-current=step]")
    expect(present).to_contain_text("24")
    expect(present).to_be_in_viewport(ratio=1)
    page.evaluate("document.activeElement.blur()")
    page.locator("#undo").evaluate("undo => { for (let ply = 24; ply > 1; ply--) undo.click(); }")
    expect(present).to_contain_text("1")
    expect(present).to_be_in_viewport(ratio=1)


def test_what_a_background_tells_is_told_by_a_line_where_colours_are_forced(visit: Visit) -> None:
    page = visit("?you=both&moves=0,3,1,4,2")
    page.emulate_media(forced_colors="active")
    expect(page.locator(".won").first).to_have_css("outline-style", "solid")
    page.locator("#undo").click()
    expect(page.locator(".newest")).to_have_css("outline-style", "dashed")
    hints = page.get_by_role("button", name="Hints")
    plain = hints.evaluate("button => getComputedStyle(button).backgroundColor")
    hints.click()
    expect(hints).not_to_have_css("background-color", plain)


@pytest.mark.parametrize(("size", "scheme"), some([(PHONE, "dark"), (DESKTOP, "light")], 1), ids=str)
def test_axe_finds_no_barrier_in_any_state_of_the_page(visit: Visit, size: tuple[int, int], scheme: str) -> None:
    page = visit("?moves=0,4,1&you=both", size=size, color_scheme=scheme)
    assert barriers(page) == []
    page.get_by_role("button", name="Hints").click()
    page.get_by_text("Opening explorer").click()
    page.get_by_text("Keyboard", exact=True).click()
    settled(page)
    assert barriers(page) == []
    play(page, 8, 2)
    expect(page.locator("#status")).to_have_text("X has won")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".evaluation")).to_be_visible()
    assert barriers(page) == []
    choose(page, "connect-four-5x4")
    settled(page)
    play(page, 2)
    assert barriers(page) == []
