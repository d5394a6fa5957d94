"""The page is usable with any screen, colour scheme and forced colours."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.support import some
from tests.web.page import DESKTOP, PHONE, Open, Visit, barriers, box, choose, play, settled

pytestmark = pytest.mark.verify


def test_the_present_move_is_in_sight_however_long_the_list(visit: Visit) -> None:
    page = visit(f"?game=connect-four&you=both&drops={'1' * 6 + '2' * 6 + '4' * 6 + '7' * 6}")
    present = page.locator("#sheet [aria-current=step]")
    expect(present).to_contain_text("24")
    expect(present).to_be_in_viewport(ratio=0.99)
    page.evaluate("document.activeElement.blur()")
    page.locator("#undo").evaluate("undo => { for (let ply = 24; ply > 1; ply--) undo.click(); }")
    expect(present).to_contain_text("1")
    expect(present).to_be_in_viewport(ratio=0.99)


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


FOCUSED = [
    ("?you=both", (".cell", "button:not([aria-disabled=true])", "[aria-disabled=true]", "nav a", "summary")),
    ("?you=both&hints=values", ("input",)),
    ("?game=connect-four&you=both&drops=1172", (".cell:nth-child(1)", ".cell:nth-child(5)")),
    ("?game=connect-four&you=both&drops=1111112222223333336666667777777", (".cell:nth-child(1)", ".cell:nth-child(2)")),
    ("?game=achi&you=both&moves=4", (".cell:nth-child(1)",)),
]
"""Links, and what gets the focus there."""


def luminance(colour: bytes) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def standing_out(before: bytes, after: bytes) -> int:
    """Return how many pixels of two pictures differ with a contrast of 3:1 at least."""
    pictures = [Image.open(BytesIO(each)).convert("RGB").tobytes() for each in (before, after)]
    pixels = ([picture[place : place + 3] for picture in pictures] for place in range(0, len(pictures[0]), 3))
    pairs = [sorted(luminance(colour) + 0.05 for colour in pair) for pair in pixels if pair[0] != pair[1]]
    return sum(light / dark >= 3 for dark, light in pairs)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_stands_out_from_whatever_has_it(visit: Visit, scheme: str) -> None:
    for query, selectors in FOCUSED:
        page = visit(query, color_scheme=scheme)
        page.keyboard.press("Tab")
        for selector in selectors:
            place = page.locator(f"{selector} >> visible=true").first
            place.scroll_into_view_if_needed()
            page.evaluate("document.activeElement.blur()")
            x, y, width, height = box(place)
            clip: Any = {"x": max(0, x - 8), "y": max(0, y - 8), "width": width + 16, "height": height + 16}
            plain = page.screenshot(clip=clip)
            place.focus()
            assert standing_out(plain, page.screenshot(clip=clip)) > width + height, (query, selector)
        page.close()


def test_colours_that_are_chosen_in_one_tab_reach_the_others(visit: Visit, open_page: Open) -> None:
    page, other = visit(), visit("?game=connect-four")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Dark").check()
    for each in (page, other, open_page("/learn")):
        expect(each.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(("size", "scheme"), some([(PHONE, "dark"), (DESKTOP, "light")], 1), ids=str)
def test_axe_finds_no_barrier_in_any_state_of_the_page(visit: Visit, size: tuple[int, int], scheme: str) -> None:
    page = visit("?moves=0,4,1&you=both", size=size, color_scheme=scheme)
    assert barriers(page) == []
    page.get_by_role("button", name="Hints").click()
    settled(page)
    assert barriers(page) == []
    play(page, 8, 2)
    expect(page.locator("#status")).to_have_text("X has won")
    page.keyboard.press("v")
    expect(page.locator("#review-now")).to_be_visible()
    assert barriers(page) == []
    choose(page, "connect-four-5x4")
    settled(page)
    play(page, 2)
    assert barriers(page) == []
