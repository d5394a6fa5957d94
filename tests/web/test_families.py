"""The other families on the page: choosing marks and digits, moving pieces, popping discs, marks that vanish."""

import re

import pytest
from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import LATER, PHONE, Visit, ask, box, cells, marks, play, settled


def test_a_mark_is_chosen_before_it_is_written(visit: Visit) -> None:
    page = visit("?game=wild-tic-tac-toe&you=both")
    play(page, 4)
    page.get_by_role("radiogroup", name="What to play").get_by_label("O").check()
    play(page, 0)
    assert "moves=X4,O0" in page.url
    expect(cells(page).nth(0)).to_have_attribute("aria-label", "a1, O")
    expect(page.locator("#status")).to_have_text("First to move")


def test_a_digit_is_chosen_by_its_key(visit: Visit) -> None:
    page = visit("?game=numerical-tic-tac-toe&you=both")
    page.keyboard.press("5")
    play(page, 4)
    page.keyboard.press("5")
    play(page, 0)
    assert "moves=5@4,2@0" in page.url


def test_a_piece_moves_by_two_clicks_or_is_dragged(visit: Visit) -> None:
    page = visit("?game=three-mens-morris&you=both&moves=4,0,2,6,3,5")
    play(page, 2)
    expect(cells(page).nth(2)).to_have_attribute("aria-label", "c1, X, chosen")
    play(page, 1)
    assert "moves=4,0,2,6,3,5,2%3E1" in page.url
    cells(page).nth(5).drag_to(cells(page).nth(2))
    settled(page)
    expect(cells(page).nth(2)).to_have_attribute("aria-label", "c1, O")


def test_a_mill_waits_for_the_piece_to_take_or_is_taken_back(visit: Visit) -> None:
    page = visit("?game=six-mens-morris&you=both&moves=0,9,1,8")
    story = page.locator("#story")
    for said in ("Choose the piece to take.", "Still to place: X 4, O 4.", "Choose the piece to take."):
        play(page, 2)
        expect(story).to_have_text(said)
        page.evaluate(LATER)
    expect(cells(page).nth(2)).to_have_attribute("aria-label", "2, X")
    expect(cells(page).nth(8)).to_have_attribute("aria-label", "8, O, can be taken")
    play(page, 9)
    assert "moves=0,9,1,8,2x9" in page.url
    expect(cells(page).nth(9)).to_have_attribute("aria-label", "9, empty")
    expect(story).to_have_text("Still to place: X 3, O 4.")
    expect(page.locator("#said")).to_contain_text(re.compile("X played 2 . 9"))


def test_a_disc_is_popped_from_below_and_told_by_its_column(visit: Visit) -> None:
    page = visit("?game=pop-out-4x4&you=both&moves=d0,d0")
    expect(page.locator("#said")).to_contain_text("Yellow played column 1.")
    page.get_by_role("radio", name="Pop").check()
    play(page, 12)
    assert "moves=d0,d0,p0" in page.url
    expect(cells(page).nth(12)).to_have_attribute("aria-label", "row 4, column 1, Yellow")
    expect(page.locator("#said")).to_contain_text("Red played pop 1.")


def test_the_mark_that_vanishes_next_is_faded(visit: Visit) -> None:
    page = visit("?game=vanishing-tic-tac-toe&you=both&moves=4,0,2,6,3")
    expect(cells(page).nth(4)).to_have_attribute("aria-label", "b2, X, vanishes next")
    expect(cells(page).nth(0)).to_have_attribute("aria-label", "a1, O")
    play(page, 5, 4)
    assert "moves=4,0,2,6,3,5,4" in page.url


def test_the_oracle_plays_a_family_whose_review_shows_the_piece_that_the_better_move_takes(visit: Visit) -> None:
    page = visit("?game=three-mens-morris&skill=100&moves=0&you=X")
    expect(page.locator("#sheet li")).to_have_count(2)
    page = visit("?game=three-mens-morris&you=both&moves=4,0,2,6,3,5,2>1,5>2")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#review-now")).to_contain_text("Ply 8, O")
    expect(cells(page).nth(7)).to_have_class(re.compile("better"))  # 6>7
    expect(page.locator(".arrow-better")).to_have_count(1)


def test_arrows_show_which_piece_the_best_move_takes_and_where(visit: Visit, server: Server) -> None:
    moves = ["4", "0", "2", "6", "3", "5"]
    page = visit(f"?game=three-mens-morris&you=both&moves={','.join(moves)}&hints=values")
    best = ask(server, "/analysis", game="three-mens-morris", moves=moves)["pv"][0]
    start, end = map(int, best.split(">"))
    expect(page.locator(".arrow")).to_have_count(1)
    play(page, start)
    expect(cells(page).nth(end).locator(".tint")).to_have_count(1)
    page.get_by_label("Values").uncheck()
    expect(page.locator(".arrow")).to_have_count(0)


@pytest.mark.verify
def test_a_piece_is_dragged_by_a_finger(visit: Visit) -> None:
    page = visit("?game=three-mens-morris&you=both&moves=4,0,2,6,3,5", size=(390, 600), has_touch=True)
    for cell in (4, 7):
        cells(page).nth(cell).tap()
    expect(page.locator("#sheet li")).to_have_count(7)
    start, end = (box(cells(page).nth(cell)) for cell in (5, 8))  # downwards, as one scrolls
    touches = page.context.new_cdp_session(page)
    for step in range(11):
        x, y = (one + (other - one) * step / 10 + start[2] / 2 for one, other in zip(start[:2], end[:2], strict=True))
        touch = {"type": "touchMove" if step else "touchStart", "touchPoints": [{"x": x, "y": y}]}
        touches.send("Input.dispatchTouchEvent", touch)
    touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#sheet li")).to_have_count(8)
    assert "4%3E7,5%3E8" in page.url
    assert page.evaluate("scrollY") == 0


def test_a_distance_is_compared_only_with_another_number_of_moves(visit: Visit) -> None:
    page = visit("?game=pop-out-4x4&hints=values")
    reasons = page.locator(".option .why")
    expect(reasons.first).to_contain_text("Loses in 12 moves")
    told = " ".join(reasons.all_inner_texts())
    assert re.findall(r"in (\d+) moves instead of \1\b", told) == []


def test_on_a_phone_a_tap_brings_a_small_board_near_and_the_next_one_plays(visit: Visit) -> None:
    page = visit("?game=ultimate-tic-tac-toe&you=both", size=PHONE)
    board, cell = page.locator("#board"), cells(page).nth(4 * 9 + 2)
    width = box(cell)[2]
    cell.dblclick()
    expect(board).to_contain_class("near")
    page.evaluate(LATER)
    assert marks(page).count(".") == 81
    assert box(cell)[2] > 2 * width > 40
    cell.click()
    expect(cell).to_have_accessible_name(re.compile("X"))
    expect(board).not_to_contain_class("near")
    cells(page).nth(4 * 9).click(force=True)  # all boards can be looked at
    page.evaluate(LATER)
    cells(page).nth(4 * 9 + 2).click(force=True)  # where no move goes
    expect(board).not_to_contain_class("near")
    page.evaluate(LATER)
    cells(page).nth(4 * 9).click(force=True)
    expect(board).to_contain_class("near")
    page.keyboard.press("PageUp")  # to another board
    expect(board).not_to_contain_class("near")
    assert marks(page).count(".") == 80
