"""Failures: the page says what failed, and nothing is lost."""

import json

from playwright.sync_api import Route, expect

from tests.web.page import Visit, cells, marks, play, settled


def problem(route: Route) -> None:
    body = {"type": "/problems/overloaded", "title": "Too much to do", "status": 503, "detail": "Every search is busy."}
    route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(body))


def test_a_failure_is_shown_and_nothing_is_lost(visit: Visit, complaints: list[str]) -> None:
    page = visit("?skill=100")
    play(page, 0)
    page.route("**/best-move", problem)
    cells(page).nth(8).click()
    expect(page.get_by_role("alert")).to_contain_text("Too much to do Every search is busy.")
    expect(page.locator("#status")).to_have_text("O to move: the service did not answer")
    assert marks(page) == "X...O...X"
    page.unroute("**/best-move")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    settled(page)
    assert marks(page).count("O") == 2
    complaints.clear()


def test_the_page_tries_again_by_itself_where_there_is_no_room_at_first(visit: Visit, complaints: list[str]) -> None:
    page, refused = visit(), list[str]()

    def busy_at_first(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503, content_type="application/problem+json", headers={"Retry-After": "1"}, body="{}")

    page.route("**/best-move", busy_at_first)
    play(page, 0)
    assert len(refused) == 1
    assert marks(page).count("O") == 1
    expect(page.get_by_role("alert")).to_be_hidden()
    complaints.clear()


def test_a_search_that_breaks_off_is_told_and_tried_again(visit: Visit) -> None:
    page = visit("?you=both")
    unknown = {"outcome": "unknown", "score": None, "plies": None, "proven": False, "exact": False, "estimate": 0}
    bounds = {"at_least": "loss", "at_most": "win"}
    progress = {"depth": 3, "nodes": 9, **unknown, **bounds, "move": 4, "settled": 0, "moves": 9}
    broken = json.dumps({"progress": progress}) + "\n"
    page.route("**/analysis", lambda route: route.fulfill(content_type="application/x-ndjson", body=broken))
    page.get_by_role("button", name="Hints").click()
    expect(page.get_by_role("alert")).to_contain_text("The answer is incomplete")
    page.unroute("**/analysis")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".headline")).to_contain_text("A draw with best play")


def test_a_link_to_an_unknown_game_opens_one_that_is_known(visit: Visit) -> None:
    page = visit("?game=chess&moves=3,3")
    expect(page.get_by_role("alert")).to_contain_text("No such game The link names the game “chess”")
    page.get_by_role("button", name="Dismiss").click()
    play(page, 4)
    assert marks(page).count("O") == 1


def test_a_link_to_an_impossible_game_says_why(visit: Visit) -> None:
    page = visit("?moves=0,0&you=both")
    expect(page.get_by_role("alert")).to_contain_text("This is no game by the rules Move 2, 0, is not legal")
    assert marks(page) == "X........"
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    settled(page)
    play(page, 0)
    assert marks(page) == "X........"


def test_the_game_goes_on_where_the_browser_refuses_another_address(visit: Visit) -> None:
    page = visit("?you=both")
    page.add_init_script("history.replaceState = () => { throw new DOMException('Too many', 'SecurityError'); }")
    page.reload()
    settled(page)
    play(page, 4, 0)
    assert marks(page) == "O...X...."


def test_any_seed_of_a_link_leaves_room_for_every_ply(visit: Visit) -> None:
    page = visit("?moves=4&skill=0&seed=9007199254740991")
    assert marks(page).count("O") == 1
