"""Games of columns: where a mark falls, what a column is worth, and games as strings of columns."""

from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import PASTE, Visit, ask, cells, lane, marks, more, outlook, press, settled, shown, values


def test_the_column_under_the_pointer_is_highlighted_and_shows_where_a_disc_falls(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both&drops=4433333322")
    cells(page).nth(8).hover()
    assert lane(page) == [1]
    expect(cells(page).nth(22).locator(".aim.mark-X")).to_have_count(1)
    page.locator(".column-names span").nth(3).hover()
    assert lane(page) == [3]
    expect(cells(page).nth(24).locator(".aim.mark-X")).to_have_count(1)
    cells(page).nth(2).hover()
    assert lane(page) == []
    expect(page.locator(".aim")).to_have_count(0)
    page.locator(".column-names span").nth(3).click()
    settled(page)
    assert marks(page)[24] == "X"
    assert page.url.endswith("drops=44333333224&you=both")
    assert lane(page) == [3]


def test_digits_play_columns_unless_they_are_switched_off(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4&you=both")
    press(page, *"33333695")
    assert "drops=33335" in page.url
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Letter keys").uncheck()
    page.get_by_role("button", name="Done").click()
    press(page, "1")
    assert "drops=33335" in page.url


def test_arrows_move_between_columns(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both")
    cells(page).first.focus()
    for key, column in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowDown", 2), ("End", 6), ("ArrowLeft", 5)):
        page.keyboard.press(key)
        assert lane(page) == [column]
    press(page, "Enter")
    assert "drops=6" in page.url
    expect(cells(page).nth(33).locator(".aim.mark-O")).to_have_count(1)


def test_the_value_of_every_column_stands_above_it_and_can_be_heard_and_clicked(visit: Visit, server: Server) -> None:
    page = visit("?game=connect-four-5x4&you=both&drops=33241&hints=values")
    analysis = ask(server, "/analysis", game="connect-four-5x4", moves="33241")
    by_column = {move["column"]: move for move in analysis["moves"]}
    scores = page.get_by_role("list", name="Value of each column").get_by_role("listitem")
    for column, score in enumerate(scores.all()):
        move = by_column[column]
        told = f"Column {column + 1}: {outlook(move, 'Yellow', 'Red')}{', best' if move['best'] else ''}"
        expect(score.locator("span")).to_have_text(told)
        assert values(score) == [shown(analysis)[move["move"]]]
        score.hover()
        expect(page.locator(".tip")).to_have_text(outlook(move, "Yellow", "Red"))
    scores.nth(1).click()
    settled(page)
    assert "drops=332412" in page.url
    page.get_by_label("Values").uncheck()
    expect(page.get_by_role("list", name="Value of each column")).to_have_count(0)
    expect(page.locator(".score b")).to_have_count(0)


def test_an_old_link_shows_the_same_game_and_becomes_a_new_one(visit: Visit) -> None:
    old = visit("?game=connect-four&moves=3,3,2&you=both")
    assert marks(old).count(".") == 39
    assert "drops=443" in old.url


def test_a_string_of_columns_that_is_given_as_one_move_is_told_apart(visit: Visit) -> None:
    alert = visit("?game=connect-four&moves=4445").get_by_role("alert")
    expect(alert).to_contain_text("A link with the columns as one string says drops=4445.")
    expect(visit("?game=connect-four&moves=8").get_by_role("alert")).not_to_contain_text("drops")


def test_a_string_of_columns_is_pasted_and_typed_and_one_that_is_no_game_is_told(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both&drops=7")
    page.evaluate(PASTE, "4448")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This is no game by the rules Move 4, column 8, is not legal")
    assert "drops=7" in page.url
    page.evaluate(PASTE, " 44455\n")
    more(page)
    typed = page.get_by_label("Moves, a board or a link")
    expect(typed).to_have_value("44455")
    assert marks(settled(page)).count(".") == 37
    typed.fill("1, 2 1")
    page.get_by_role("button", name="Load").click()
    assert "drops=121" in settled(page).url
    expect(typed).to_have_value("121")
    page.go_back()
    settled(page)
    assert "drops=44455" in page.url
    page.locator("#tab-game").click()
    typed.fill("4x")
    page.keyboard.press("Enter")
    expect(alert).to_contain_text("Move 2, x, is not legal")
