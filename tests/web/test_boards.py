"""Boards of every size and kind, on wide screens and narrow phones."""

import pytest
from playwright.sync_api import expect

from service.games.catalogue import CATALOGUE
from tests.web.page import PHONE, Visit, barriers, cells, choose, marks, play, press, settled


def test_a_narrow_phone_has_room_for_seven_columns(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both&drops=4444435326625533&hints=values,line", size=(360, 740))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for score in page.locator(".score").all():
        assert score.evaluate("node => node.scrollWidth <= node.clientWidth")
    middle = "node => { const { left, right } = node.getBoundingClientRect(); return (left + right) / 2; }"
    for column in range(7):
        shown = (page.locator(".score"), cells(page), page.locator(".column-names span"))
        above, cell, below = (nodes.nth(column).evaluate(middle) for nodes in shown)
        assert above == pytest.approx(cell, abs=2) == below
    assert barriers(page) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page) == []


def test_a_board_of_layers_is_walked_and_played_through(visit: Visit) -> None:
    page = visit("?game=qubic&you=both")
    expect(page.get_by_role("grid")).to_have_count(4)
    play(page, 21)
    cells(page).nth(21).focus()
    press(page, "PageDown", "ArrowRight", "ArrowRight", "ArrowRight", "Enter")
    assert "moves=21,52" in page.url
    expect(cells(page).nth(52)).to_have_attribute("aria-label", "4:a2, O")


def test_every_game_of_the_catalogue_has_a_board_that_fits_a_phone(visit: Visit) -> None:
    page = visit("?you=both", size=PHONE)
    for game in CATALOGUE.values():
        choose(page, game.id)
        settled(page)
        expect(cells(page)).to_have_count(game.cells)
        play(page, game.columns // 2)
        assert marks(page).count("X") == 1
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


@pytest.mark.parametrize(("motion", "animation"), [("no-preference", "fall"), ("reduce", "none")])
def test_marks_fall_visibly_unless_one_prefers_less_motion(visit: Visit, motion: str, animation: str) -> None:
    page = visit("?game=connect-four&you=both", motion=motion)
    play(page, 3)
    expect(cells(page).nth(38).locator(".mark-X")).to_have_css("animation-name", animation)
