"""Games played to their ends, by keyboard too; undo, redo, and links that restore a game."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import Visit, cells, choose, fresh, marks, more, play, press, settled, shows


def test_a_game_of_two_people_is_won_and_its_line_is_drawn(visit: Visit) -> None:
    page = visit("?you=both")
    play(page, 0, 3, 1, 4, 2)
    expect(page.locator("#status")).to_have_text("X has won")
    expect(page.locator("#story")).to_have_text("X has completed a1, b1, c1.")
    expect(page.locator(".won")).to_have_count(3)
    expect(page.locator(".won-line")).to_have_attribute("d", "M0.5 0.5L1.5 0.5M1.5 0.5L2.5 0.5")
    cells(page).nth(8).click(force=True)
    assert marks(page) == "XXXOO...."


def test_a_weak_oracle_plays_itself_and_repeats_its_moves_with_the_seed_of_the_link(visit: Visit) -> None:
    first, second = (visit("?you=none&skill=0&seed=7") for _ in range(2))
    for page in (first, second):
        expect(page.locator("#status")).to_have_text(re.compile("draw|won"))
    assert first.url == second.url
    assert "moves=" in first.url


def test_at_full_strength_the_oracle_plays_the_move_that_is_hardest_to_answer(visit: Visit) -> None:
    shows(visit("?you=O&moves=4,0&hints="), "O...X...X")  # the first that holds is 1


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
    label = "c1, empty, A draw, best, move 1 of the best line, X could complete a line here"
    expect(cells(page).nth(2)).to_have_attribute("aria-label", label)


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("tic-tac-toe", "b2,A1,5"),
        ("qubic", "2:b3,0"),
        ("notakto-3", "4,2:a1"),
        ("three-mens-morris", "b2,0"),
        ("ultimate-tic-tac-toe", "40,5:a1,1:b2"),
    ],
)
def test_a_link_names_cells_by_number_or_name_as_requests_do(
    visit: Visit, server: Server, game: str, moves: str
) -> None:
    page = visit(f"?game={game}&moves={moves}&hints=")
    answer = httpx.get(f"{server.url}/best-move?game={game}&moves={moves}&nodes=1").json()
    assert marks(page) == answer.get("board", answer["position"]).replace("/", "")


def test_a_link_names_its_game_however_it_is_spelled_as_requests_do(visit: Visit, server: Server) -> None:
    for spelled, game in {"Connect%204": "connect-four", "3_mens_morris": "three-mens-morris"}.items():
        assert httpx.get(f"{server.url}/best-move?game={spelled}&nodes=1").json()["game"] == game
        page = visit(f"?game={spelled}&you=both")
        play(page, 4)
        page.wait_for_url(f"**/?game={game}&*")


def test_a_shared_link_restores_everything(visit: Visit, server: Server) -> None:
    page = visit()
    choose(page, "connect-four-5x4")
    fresh(page, side="Both sides", level="Solid")
    play(page, 2, 2, 1)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Hints").click()
    for hint in ("Values", "Best line"):
        page.get_by_role("checkbox", name=hint).uncheck()
    settled(page)
    shared = visit(page.url.removeprefix(f"{server.url}/"))
    assert marks(shared) == marks(page) == "............O....X.."
    expect(shared.locator("#game-name")).to_have_text("Connect Four 5x4")
    expect(shared.get_by_label("Both sides")).to_be_checked()
    expect(shared.get_by_label("Solid")).to_be_checked()
    expect(shared.get_by_label("Threats")).to_be_checked()
    expect(shared.get_by_label("Values")).not_to_be_checked()
    shared.get_by_role("button", name="Redo").click()
    settled(shared)
    assert marks(shared) == "............O...XX.."


def test_the_link_is_copied(visit: Visit) -> None:
    page = visit("?you=both")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play(page, 4)
    more(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert "moves=4" in page.url


def test_undo_and_redo_lead_from_one_own_move_to_another(visit: Visit) -> None:
    page = visit("?skill=100")
    play(page, 0)
    play(page, 8)
    after = marks(page)
    for button, positions in (("Undo", ["X...O....", "........."]), ("Redo", ["X...O....", after])):
        for position in positions:
            page.get_by_role("button", name=button).click()
            settled(page)
            assert marks(page) == position


def test_the_browser_goes_back_to_the_game_before(visit: Visit) -> None:
    page = visit("?you=both")
    play(page, 4, 0)
    fresh(page)
    assert marks(page) == "........."
    page.go_back()
    shows(page, "O...X....")


def test_the_picture_of_a_position_is_downloaded(visit: Visit) -> None:
    page = visit("?game=tapatan&moves=4,0,3,5,1,7,3>6&you=both")
    more(page)
    with page.expect_download() as begun:
        page.get_by_role("button", name="Picture").click()
    assert begun.value.suggested_filename == "Tapatan.png"
    picture = begun.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert max(int.from_bytes(picture[start : start + 4]) for start in (16, 20)) == 1024
