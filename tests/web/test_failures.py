"""Failures: the page says what failed, and nothing is lost."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.web.page import Open, Visit, cells, fresh, marks, play, settled


def refused(**problem: Any) -> Callable[[Route], None]:
    """Answers every request with a problem document, and without one where the service is only to be busy."""
    status, headers = problem.pop("status"), problem.pop("headers", None)

    def refuse(route: Route) -> None:
        kind = "application/problem+json"
        route.fulfill(status=status, content_type=kind, headers=headers, body=json.dumps(problem | {"status": status}))

    return refuse


def test_a_failure_is_shown_and_nothing_is_lost(visit: Visit, complaints: list[str]) -> None:
    page = visit("?skill=100")
    play(page, 0)
    page.route("**/best-move", refused(status=503, title="Too much to do", detail="Every search is busy."))
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
    page = visit()
    page.route("**/best-move", refused(status=503, headers={"Retry-After": "1"}), times=1)
    play(page, 0)
    assert marks(page).count("O") == 1
    expect(page.get_by_role("alert")).to_be_hidden()
    assert len(complaints) == 1
    complaints.clear()


def test_a_search_that_breaks_off_is_told_and_tried_again(visit: Visit) -> None:
    page = visit("?you=both")
    page.route("**/analysis/stream", lambda route: route.fulfill(content_type="application/x-ndjson", body=""))
    page.get_by_role("button", name="Hints").click()
    expect(page.get_by_role("alert")).to_contain_text("The answer is incomplete")
    page.unroute("**/analysis/stream")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".headline")).to_contain_text("A draw with best play")


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("?game=chess&moves=3,3", "No such game The link names the game “chess”"),
        ("?rows=9&columns=9&in_a_row=5", "a board has at most 64 cells"),
        ("?family=morris&piece_moves=hop", "Your own rules"),
        ("?family=nim&rows=3", "The link names the game “nim”"),
    ],
)
def test_a_link_to_a_game_that_is_not_played_says_why_and_opens_one_that_is(
    visit: Visit, link: str, reason: str
) -> None:
    page = visit(link)
    expect(page.get_by_role("alert")).to_contain_text(reason)
    page.get_by_role("button", name="Dismiss").click()
    play(page, 4)
    assert marks(page).count("O") == 1


def test_what_a_link_said_wrongly_is_told_until_a_game_begins(visit: Visit) -> None:
    page = visit("?moves=0,0&you=both")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("This is no game by the rules Move 2, 0, is not legal")
    expect(notice.get_by_role("button", name="Try again")).to_have_count(0)
    assert marks(page) == "X........"
    fresh(page)
    expect(notice).to_be_hidden()


def test_the_game_goes_on_where_the_browser_refuses_another_address(visit: Visit) -> None:
    page = visit("?you=both")
    page.add_init_script("history.replaceState = () => { throw new DOMException('Too many', 'SecurityError'); }")
    page.reload()
    settled(page)
    play(page, 4, 0)
    assert marks(page) == "O...X...."


def test_a_part_of_the_page_that_does_not_come_is_told_and_asked_for_again(
    visit: Visit, open_page: Open, complaints: list[str]
) -> None:
    page = visit()
    page.route("**/page/play/catalogue.*.js", lambda route: route.abort())
    page.locator("#game").click()
    expect(page.get_by_role("alert")).to_contain_text("A part of this page is missing")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.context.route("**/page/rules/notakto.*.js", lambda route: route.fulfill(status=404))
    page = open_page("/?game=notakto")
    expect(page.get_by_role("alert")).to_contain_text("A part of this page is missing")
    page.context.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#game-name")).to_have_text("Notakto")
    complaints.clear()


SOON = """() => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = ms => timeout(ms / 30);
}"""
"""JavaScript that shortens the patience of the page with a service that does not answer."""


def test_a_service_that_hangs_is_told_and_asked_again(visit: Visit, complaints: list[str]) -> None:
    page = visit("?game=connect-four&skill=100")
    page.evaluate(SOON)
    for route in ("**/best-move", "**/healthz"):
        page.route(route, lambda _: None)
    cells(page).nth(3).click()
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.locator("#status")).to_have_text("Yellow to move: the service did not answer")
    page.unroute_all(behavior="ignoreErrors")
    expect(page.locator("#sheet li")).to_have_count(2)
    expect(page.get_by_role("alert")).to_be_hidden()
    complaints.clear()
