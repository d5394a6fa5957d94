"""What the layout promises: nothing that is needed is out of sight."""

import pytest
from playwright.sync_api import Page, expect

from service.games.catalogue import CATALOGUE
from tests.support import some
from tests.web.page import PHONE, Visit, box, cells, marks, play, settled

pytestmark = pytest.mark.verify

LAPTOP = (1280, 720)

HIDDEN = """() => ["#board", ".headline", ".option.best .name, .option .name", ".option.best .why, .option .why"]
  .filter(place => {
    const node = document.querySelector(place);
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    const seen = document.elementFromPoint((left + right) / 2, Math.min(bottom - 2, (top + bottom) / 2));
    return !isInside || !(node.contains(seen) || seen?.contains(node));
  })"""
"""JavaScript for what is not in sight of the board, the verdict, the first move of the table and its reason."""


IDS = "all => all.map(({ id }) => id)"


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=str)
def test_the_verdict_the_best_move_and_its_reason_are_in_sight_without_scrolling(
    visit: Visit, size: tuple[int, int]
) -> None:
    for game in some([*CATALOGUE], 12):
        page = visit(f"?game={game}&hints=values", size=size)
        expect(page.locator(".option").first).to_be_attached()
        assert page.evaluate(HIDDEN) == [], game
        page.close()


@pytest.mark.parametrize("size", [LAPTOP, PHONE, (844, 390)], ids=str)
def test_a_review_is_stepped_through_and_a_better_move_tried_without_scrolling(
    visit: Visit, size: tuple[int, int]
) -> None:
    page = visit("?game=connect-four&drops=44324516&you=X", size=size)
    page.keyboard.press("v")
    now, again = page.locator("#review-now"), page.get_by_role("button", name="Try it from here")
    expect(now).to_be_visible()
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
        settled(page)
        if again.is_visible():
            break
    for place in (cells(page).first, cells(page).last, page.locator(".better"), now, again):
        expect(place).to_be_in_viewport(ratio=0.9)
    again.click()
    assert "you=" in settled(page).url
    assert page.evaluate("scrollY") == 0


def test_a_link_to_a_position_shows_that_position_and_nobody_moves(visit: Visit) -> None:
    page = visit("?game=connect-four&drops=44455&hints=values,line")
    expect(page.locator("#status")).to_have_text("Yellow to move")
    expect(page.locator(".headline")).to_contain_text("wins in")
    expect(page.locator("#sheet li")).to_have_count(5)
    assert "seed" not in page.url
    challenge = visit("?game=connect-four&drops=44455&you=X&skill=100")
    expect(challenge.locator("#sheet li")).to_have_count(6)


def sheet(page: Page) -> list[str]:
    return page.locator("#sheet .name").all_inner_texts()


def test_an_analysis_keeps_the_game_beside_what_is_tried(visit: Visit) -> None:
    page = visit("?moves=4,0,8")
    page.keyboard.press("ArrowLeft")
    cells(settled(page)).nth(2).click()
    assert sheet(settled(page)) == ["b2", "a1", "c3", "c1"]
    expect(page.locator("#sheet .variation .name")).to_have_text("c1")
    page.reload()
    assert sheet(settled(page)) == ["b2", "a1", "c3", "c1"]
    page.locator("#sheet button").first.click()
    before = len(sheet(settled(page)))
    page.locator(".line .step").nth(2).click()
    expect(page.locator("#sheet [aria-current=step] .number")).to_have_text("4")
    assert len(sheet(page)) >= before


def test_a_variation_is_deleted_and_the_board_goes_back_to_before_it(visit: Visit) -> None:
    page = visit("?moves=4,0,8")
    page.keyboard.press("ArrowLeft")
    play(page, 2, 6)
    assert sheet(page) == ["b2", "a1", "c3", "c1", "a3"]
    page.get_by_role("button", name="Delete the variation c1").click()
    assert sheet(settled(page)) == ["b2", "a1", "c3"]
    assert marks(page) == "O...X...."
    assert "moves=4,0,8&ply=2" in page.url
    page.reload()
    assert sheet(settled(page)) == ["b2", "a1", "c3"]


def test_a_board_is_mirrored_and_flipped_in_an_analysis_where_its_rules_allow_it(visit: Visit) -> None:
    page = visit("?moves=4,0")
    page.locator("#tab-game").click()
    page.get_by_role("button", name="Mirror the board").click()
    (left, top), (right, low) = (box(cells(page).nth(cell))[:2] for cell in (2, 6))
    assert (left < right, top < low) == (True, True)
    cells(page).nth(1).focus()
    page.keyboard.press("ArrowLeft")
    expect(cells(page).nth(2)).to_be_focused()
    page.keyboard.press("f")
    assert box(cells(page).nth(8))[:2] == pytest.approx((left, top), abs=1)
    cells(page).nth(8).click()
    assert "moves=4,0,8" in settled(page).url
    offers = {
        "?moves=4&you=both": [],
        "?game=connect-four&drops=4": ["mirror"],
        "?game=achi&moves=4": ["mirror", "flip"],
    }
    for query, offered in offers.items():
        other = visit(query)
        assert other.locator("#mirror:not([hidden]), #flip:not([hidden])").evaluate_all(IDS) == offered
        other.keyboard.press("f")
        assert other.locator("#board.flipped").count() == ("flip" in offered)
