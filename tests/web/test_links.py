"""Links that restore a game, undo and redo, and the way back."""

import httpx
from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import Visit, choose, leave, marks, play, settled, shows


def test_a_shared_link_restores_everything(visit: Visit, server: Server) -> None:
    page = visit()
    choose(page, "connect-four-5x4")
    page.get_by_label("Both sides").check()
    page.get_by_label("Skill of the oracle").fill("60")
    settled(page)
    play(page, 2, 2, 1)
    page.get_by_role("button", name="Undo").click()
    page.get_by_label("Threats").check()
    settled(page)
    shared = visit(page.url.removeprefix(f"{server.url}/"))
    assert marks(shared) == marks(page) == "............O....X.."
    expect(shared.locator("#game-name")).to_have_text("Connect Four 5x4")
    expect(shared.get_by_label("Both sides")).to_be_checked()
    expect(shared.get_by_label("Skill of the oracle")).to_have_value("60")
    expect(shared.get_by_label("Threats")).to_be_checked()
    expect(shared.get_by_label("Values")).not_to_be_checked()
    shared.get_by_role("button", name="Redo").click()
    settled(shared)
    assert marks(shared) == "............O...XX.."


def test_the_link_is_copied(visit: Visit) -> None:
    page = visit("?you=both")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play(page, 4)
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
    page.get_by_role("button", name="New game").click()
    leave(page)
    settled(page)
    assert marks(page) == "........."
    page.go_back()
    shows(page, "O...X....")


def test_the_picture_of_a_position_is_linked(visit: Visit, server: Server) -> None:
    page = visit("?game=tapatan&moves=4,0,3,5,1,7,3>6&you=both")
    address = page.get_by_role("link", name="Picture").get_attribute("href") or ""
    assert '-title">Tapatan: O to move</title>' in httpx.get(f"{server.url}{address}").text
