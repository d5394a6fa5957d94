"""The review of a game, clicked through."""

import re

import pytest
from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import Visit, ask, box, cells, marks, play, settled

BLUNDER = "?moves=0,1,4,2,8&you=both"


def test_the_review_names_the_blunder_and_the_turning_point(visit: Visit, server: Server) -> None:
    page = visit(BLUNDER)
    report = ask(server, "/review", moves=[0, 1, 4, 2, 8])
    page.get_by_role("button", name="Review the game").click()
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


def test_the_review_of_a_game_of_columns_speaks_of_columns(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4&drops=44521&you=both")
    page.get_by_role("button", name="Review the game").click()
    lost = "Loses in 14 plies instead of 16."
    now = page.locator("#review-now p")
    expect(now).to_have_text(f"Ply 5, X column 1: slower. {lost} Best was column 2 or column 3.")
    page.get_by_role("button", name="First position").click()
    page.keyboard.press("ArrowRight")
    expect(now).to_have_text("Ply 1, X column 4: best. Holds the draw.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#review-now")).to_contain_text("Ply 2, O column 4: ")


def test_the_curve_is_clicked_through(visit: Visit) -> None:
    page = visit(BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    curve = page.locator(".evaluation")
    expect(curve.locator(".point")).to_have_count(6)  # the empty board, and after each ply
    curve.locator(".point.mistake").click()
    settled(page)
    assert marks(page) == "XO......."
    assert "ply=2" in page.url
    expect(page.locator("#review-now")).to_contain_text("Ply 2, O b1: a mistake")
    expect(cells(page).nth(4)).to_have_class(re.compile("better"))
    page.keyboard.press("ArrowRight")
    settled(page)
    assert marks(page) == "XO..X...."
    page.locator("#sheet button").last.click()
    settled(page)
    assert marks(page) == "XOO.X...X"
    expect(curve).to_be_visible()


def test_another_game_has_no_review_yet(visit: Visit) -> None:
    page = visit(BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".evaluation")).to_be_visible()
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".evaluation .point")).to_have_count(0)


def test_a_move_is_tried_again_from_before_the_mistake(visit: Visit) -> None:
    page = visit(f"{BLUNDER}&ply=2")
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("button", name="Try it from here").click()
    assert marks(settled(page)) == "X........"
    expect(page.get_by_label("O, second")).to_be_checked()
    play(page, 4)
    assert marks(page).count("X") == 2
    assert "you=O" in page.url


@pytest.mark.parametrize("place", ["#sheet button", "#review .mistake"])
def test_the_arrow_keys_step_on_from_a_ply_that_was_chosen(visit: Visit, place: str) -> None:
    page = visit(BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".mistakes")).to_be_visible()
    page.locator(place).last.click()
    shown = {"Home": ".........", "ArrowRight": "X........", "End": "XOO.X...X", "ArrowLeft": "XOO.X...."}
    for key, position in shown.items():
        page.keyboard.press(key)
        assert marks(settled(page)) == position


def test_the_way_back_leads_from_a_try_to_the_game_that_was_reviewed(visit: Visit) -> None:
    page = visit(BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("button", name="2. O b1").click()
    page.get_by_role("button", name="Try it from here").click()
    play(settled(page), 4)
    page.go_back()
    assert "moves=0,1,4,2,8" in settled(page).url
    expect(page.locator("#sheet li")).to_have_count(5)


def test_a_best_move_without_an_equal_is_told_from_others(visit: Visit) -> None:
    page = visit("?moves=0,4,8,1,7,6,2&you=both")
    page.get_by_role("button", name="Review the game").click()
    only = "✓ only move"
    expect(page.locator("#sheet .glyph")).to_have_text(["✓ best", only, "✓ best", "✓ best", only, only, only])
    page.get_by_role("button", name=re.compile("^2, O b2, only move")).click()
    expect(page.locator("#review-now")).to_contain_text("Ply 2, O b2: the only move. ")
    lost = visit("?moves=0,8,2,1,7,4&you=both&lang=de")
    lost.locator("#review-button").click()
    expect(lost.locator("#sheet .glyph").nth(3)).to_have_text("✓ am besten")
    expect(lost.locator("#sheet .glyph").nth(5)).to_have_text("✓ bester")


def test_a_ply_of_the_curve_is_shown_on_the_board_while_one_points_at_it(visit: Visit) -> None:
    page = visit(BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".evaluation .point")).to_have_count(6)
    page.locator(".evaluation .mistake").hover()
    assert marks(page) == "XO......."
    expect(page.locator(".evaluation .told")).to_have_text("2. O b1: X wins")
    page.mouse.move(0, 0)
    assert marks(page) == "XOO.X...X"
    expect(page.locator(".evaluation .told")).to_have_count(0)
    curve = page.get_by_role("slider", name=re.compile("Value by ply"))
    curve.focus()
    page.keyboard.press("ArrowLeft")
    expect(curve).to_have_attribute("aria-valuetext", "4. O c1: X wins")
    assert marks(settled(page)) == "XOO.X...."


def test_the_names_of_the_winners_stand_beside_the_line_of_the_present_ply(visit: Visit) -> None:
    page = visit()
    x, _, width, _ = box(page.locator(".cursor"))
    for name in page.locator(".evaluation text").all():
        assert box(name)[0] > x + width
