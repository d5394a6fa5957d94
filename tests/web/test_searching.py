"""What the page shows of a search: its progress, its end, and what it has not proven."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.page import Visit, cells, with_few_nodes

pytestmark = pytest.mark.verify


DEEP = "?rows=6&columns=8&in_a_row=4&gravity=true&moves=3,2&you=both"
"""A position that no book has, and no search proves within the time that the page gives it."""


def test_the_progress_of_a_deep_search_is_shown_and_it_ends_when_it_is_stopped_or_the_position_changes(
    visit: Visit,
) -> None:
    page = visit(DEEP)
    page.get_by_label("Values").check()
    progress = page.locator("#analysis .searching")
    expect(progress).to_contain_text(re.compile(r"Depth \d+, [\d,]+ nodes; \d of 8 moves settled"))
    expect(page.locator(".score.awaited.leading")).to_have_count(1)
    page.get_by_role("button", name="Stop").dispatch_event("click")  # it is drawn anew with each progress
    expect(page.locator("#analysis")).to_contain_text("The search was stopped.")
    page.get_by_role("button", name="Undo").click()
    expect(progress).to_be_visible()
    with page.expect_event("requestfailed", lambda asked: asked.url.endswith("/analysis")):
        cells(page).nth(3).click()


def test_what_is_not_proven_is_called_so(visit: Visit) -> None:
    page = visit(DEEP)
    page.route("**/analysis", with_few_nodes)
    page.get_by_label("Values").check()
    expect(page.locator(".headline")).to_contain_text("Not proven yet")
    expect(page.locator(".unproven")).to_contain_text("The search ended before every value was proven")
    expect(page.locator(".score.unknown b").first).to_have_text(re.compile(r"^([≥≤]D|\W[01][.]\d{2})$"))
    expect(page.get_by_role("button", name="Search longer")).to_be_visible()
