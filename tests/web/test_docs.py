"""The page at /docs shows the contract, tries it, and loads nothing from elsewhere."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.contract import operations
from tests.support import some
from tests.web.page import DESKTOP, PHONE, Open, barriers

pytestmark = pytest.mark.verify

OPERATIONS = [(operation["tags"][0], operation["operationId"]) for _, _, operation in operations()]


def execute(page: Page, tag: str, name: str) -> Locator:
    """Open an operation, send its request as it is prefilled, and return the place of the response's status."""
    block = page.locator(f"#operations-{tag}-{name}")
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Execute").click()
    return block.locator(".live-responses-table .response-col_status").last


def test_operations_succeed_as_they_are_prefilled_and_their_answers_are_shown(open_page: Open) -> None:
    page = open_page("/docs")
    for tag, name in {("moves", "findBestMove"), ("positions", "getCard"), *some(OPERATIONS, 1)}:
        expect(execute(page, tag, name), name).to_have_text(re.compile("^2[0-9][0-9]"))
    answer = page.locator("#operations-moves-findBestMove .live-responses-table .highlight-code").first
    expect(answer).to_contain_text('"reason": "Completes the middle row."')
    shown = page.locator("#operations-positions-getCard .live-responses-table img")
    expect(shown).to_have_js_property("naturalWidth", 1200)


@pytest.mark.parametrize(("size", "scheme"), some([(PHONE, "dark"), (DESKTOP, "light")], 1), ids=str)
def test_the_page_follows_the_colour_scheme_fits_and_axe_finds_no_barrier(
    open_page: Open, size: tuple[int, int], scheme: str
) -> None:
    page = open_page("/docs", size=size, color_scheme=scheme)
    expect(page.locator("html.dark-mode")).to_have_count(int(scheme == "dark"))
    expect(page.locator(".opblock")).to_have_count(len(operations()))
    expect(execute(page, "moves", "getBestMove")).to_contain_text("200")
    page.locator("section.models button").first.click()
    expect(page.locator("section.models article").first).to_be_visible()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
    expect(page.locator("html.dark-mode")).to_have_count(int(scheme == "light"))
