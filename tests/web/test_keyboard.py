"""The page used by keyboard and screen reader alone."""

from playwright.sync_api import expect

from tests.web.page import Visit, cells, marks, press


def test_a_game_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit("?you=both")
    for key in ("Tab", "Enter", "Tab"):
        page.keyboard.press(key)
    expect(cells(page).first).to_be_focused()
    press(page, "Enter", "ArrowDown", "Space", "ArrowUp", "ArrowRight", "Enter", "ArrowDown", "Enter")
    assert marks(page) == "XX.OO...."
    press(page, "u")
    assert marks(page) == "XX.O....."
    press(page, "r")
    press(page, "Home", "ArrowUp", "End", "Enter")
    expect(page.locator("#status")).to_have_text("X has won")
    said = page.locator("#said")
    expect(said).to_contain_text("X played a1.")
    expect(said).to_contain_text("X has won. X has completed a1, b1, c1.")


def test_a_cell_tells_what_is_known_of_it(visit: Visit) -> None:
    page = visit("?moves=0,4,1&hints=values,line,threats&you=both")
    expect(cells(page).nth(0)).to_have_attribute("aria-label", "a1, X")
    label = "c1, empty, draws, best, move 1 of the best line, X could complete a line here"
    expect(cells(page).nth(2)).to_have_attribute("aria-label", label)
