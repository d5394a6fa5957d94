"""What the page shows of a search: its progress, its end, and what it has not proven. On a server without books."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import Visit, cells, with_few_nodes

pytestmark = pytest.mark.verify


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(BOOKS="none") as running:
        yield running


def test_the_progress_of_a_deep_search_is_shown_and_it_can_be_stopped(visit: Visit) -> None:
    page = visit("?game=connect-four&moves=3,2&you=both")
    page.get_by_label("Values").check()
    progress = page.locator("#analysis .searching")
    expect(progress).to_contain_text(re.compile(r"Depth \d+, [\d,]+ nodes; \d of 7 moves settled"))
    expect(page.locator(".score.awaited.leading")).to_have_count(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#analysis")).to_contain_text("The search was stopped.")


def test_a_search_ends_when_the_position_changes(visit: Visit) -> None:
    page = visit("?game=connect-four&moves=3,2&you=both")
    page.get_by_label("Values").check()
    expect(page.locator("#analysis .searching")).to_be_visible()
    with page.expect_event("requestfailed", lambda asked: asked.url.endswith("/analysis")):
        cells(page).nth(3).click()


def test_what_is_not_proven_is_called_so(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both")
    page.route("**/analysis", with_few_nodes)
    page.get_by_label("Values").check()
    expect(page.locator(".headline")).to_contain_text("Not proven yet")
    expect(page.locator(".unproven")).to_contain_text("The search ended before every value was proven")
    expect(page.locator(".score.unknown b").first).to_have_text(re.compile(r"^([≥≤]D|\W[01][.]\d{2})$"))
    expect(page.get_by_role("button", name="Search longer")).to_be_visible()
