"""The review of a game, clicked through."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support import Server
from tests.web.page import Visit, ask, box, cells, marks, play, settled

Reviewed = Callable[[str], Page]

BLUNDER = "?moves=0,1,4,2,8"


@pytest.fixture
def reviewed(visit: Visit) -> Reviewed:
    """Opens the page at a game of two people and reviews it."""

    def opened(query: str) -> Page:
        page = visit(f"{query}&you=both")
        page.locator("#review-button").click()
        expect(page.locator("#sheet .glyph").first).not_to_be_empty()
        return page

    return opened


def test_the_review_names_the_blunder_and_the_turning_point(reviewed: Reviewed, server: Server) -> None:
    page = reviewed(BLUNDER)
    report = ask(server, "/review", moves=[0, 1, 4, 2, 8])
    expect(page.locator(".mistakes li")).to_have_count(1)
    expect(page.locator(".mistakes")).to_contain_text("Turning point")
    page.get_by_role("button", name="2. O b1").click()
    now = page.locator("#review-now")
    expect(now).to_contain_text("Ply 2, O b1: a mistake (draw → loss)")
    expect(now).to_contain_text("Best was b2.")
    for player in "XO":
        expect(page.locator(".accuracy")).to_contain_text(f"{player} {report['accuracy'][player]:g} %")
    verdicts = [glyph.split()[-1] for glyph in page.locator("#sheet .glyph").all_inner_texts()]
    assert verdicts == [ply["verdict"] for ply in report["plies"]]


def test_the_curve_is_clicked_through_and_shows_a_ply_while_one_points_at_it(reviewed: Reviewed) -> None:
    page = reviewed(BLUNDER)
    curve = page.locator(".evaluation")
    expect(curve.locator(".point")).to_have_count(6)  # the empty board, and after each ply
    curve.locator(".mistake").hover()
    assert marks(page) == "XO......."
    expect(curve.locator(".told")).to_have_text("2. O b1: X wins")
    page.mouse.move(0, 0)
    assert marks(page) == "XOO.X...X"
    expect(curve.locator(".told")).to_have_count(0)
    slider = page.get_by_role("slider", name=re.compile("Value by ply"))
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "4. O c1: X wins")
    assert marks(settled(page)) == "XOO.X...."
    curve.locator(".point.mistake").click()
    settled(page)
    assert marks(page) == "XO......."
    assert "ply=2" in page.url
    expect(page.locator("#review-now")).to_contain_text("Ply 2, O b1: a mistake")
    expect(cells(page).nth(4)).to_have_class(re.compile("better"))
    page.locator("#sheet button").last.click()
    assert marks(settled(page)) == "XOO.X...X"
    page.keyboard.press("Home")
    settled(page)
    x, _, width, _ = box(page.locator(".cursor"))
    for name in curve.locator("text").all():  # of the winners, beside the line of the present ply
        assert box(name)[0] > x + width


@pytest.mark.parametrize("place", ["#sheet button", "#summary .mistake"])
def test_the_arrow_keys_step_on_from_a_ply_that_was_chosen(reviewed: Reviewed, place: str) -> None:
    page = reviewed(BLUNDER)
    page.locator(place).last.click()
    shown = {"Home": ".........", "ArrowRight": "X........", "End": "XOO.X...X", "ArrowLeft": "XOO.X...."}
    for key, position in shown.items():
        page.keyboard.press(key)
        assert marks(settled(page)) == position


def test_a_move_is_tried_again_from_before_the_mistake_and_the_way_back_leads_to_the_game(reviewed: Reviewed) -> None:
    page = reviewed(BLUNDER)
    page.get_by_role("button", name="2. O b1").click()
    page.get_by_role("button", name="Try it from here").click()
    assert marks(settled(page)) == "X........"
    expect(page.get_by_label("O, second")).to_be_checked()
    play(page, 4)
    assert marks(page).count("X") == 2
    assert "you=O" in page.url
    page.go_back()
    assert "moves=0,1,4,2,8" in settled(page).url
    expect(page.locator("#sheet li")).to_have_count(5)


def test_the_better_moves_of_a_reviewed_game_are_found_before_they_are_shown(reviewed: Reviewed) -> None:
    page = reviewed(BLUNDER)
    page.get_by_role("button", name="Find the better moves yourself").click()
    expect(page.locator("#prompt")).to_contain_text("2. O b1 was a mistake. Which move is better?")
    assert marks(settled(page)) == "X........"
    expect(page.locator(".better, .tint")).to_have_count(0)
    cells(page).nth(8).click()
    expect(page.locator("#prompt")).to_contain_text("Not this move")
    assert marks(page) == "X........"
    cells(page).nth(4).click()
    expect(page.locator("#status")).to_have_text("Right!")
    page.get_by_role("button", name="Next mistake").click()
    assert marks(settled(page)) == "XOO.X...X"
    expect(page.locator("#modes [data-mode=analyse]")).to_have_attribute("aria-pressed", "true")
