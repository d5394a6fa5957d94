"""The page at /docs shows the contract, tries it, and loads nothing from elsewhere."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.contract import operations
from tests.support import some
from tests.web.page import PHONE, Open, barriers

pytestmark = pytest.mark.verify

DESKTOP = (1280, 800)

OPERATIONS = [(operation["tags"][0], operation["operationId"]) for _, _, operation in operations()]


def operation(page: Page, tag: str, name: str) -> Locator:
    return page.locator(f"#operations-{tag}-{name}")


def execute(page: Page, tag: str, name: str) -> Locator:
    """Open an operation, send its request as it is prefilled, and return the place of the response's status."""
    block = operation(page, tag, name)
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Execute").click()
    return block.locator(".live-responses-table .response-col_status").last


def test_the_page_lists_the_routes_on_a_phone_too(open_page: Open) -> None:
    page = open_page("/docs", size=PHONE)
    expect(page.get_by_text("Find the best move of a position", exact=True)).to_be_visible()
    expect(page.locator(".opblock")).to_have_count(len(operations()))


def test_a_request_can_be_tried_on_the_page(open_page: Open) -> None:
    page = open_page("/docs")
    execute(page, "moves", "findBestMove")
    answer = operation(page, "moves", "findBestMove").locator(".live-responses-table .highlight-code").first
    expect(answer).to_contain_text('"reason": "Completes the middle row."')


def test_every_operation_succeeds_as_it_is_prefilled(open_page: Open) -> None:
    page = open_page("/docs")
    for tag, name in some(OPERATIONS, 5):
        expect(execute(page, tag, name), name).to_have_text(re.compile("^2[0-9][0-9]"))
        operation(page, tag, name).locator(".opblock-summary-control").click()


def test_the_card_of_a_position_is_shown(open_page: Open) -> None:
    page = open_page("/docs")
    execute(page, "positions", "getCard")
    shown = operation(page, "positions", "getCard").locator(".live-responses-table img")
    expect(shown).to_have_js_property("naturalWidth", 1200)


def test_an_operation_shows_its_schemas_by_name_with_all_that_they_refer_to(open_page: Open) -> None:
    page = open_page("/docs#/moves/review")
    review = operation(page, "moves", "review")
    review.get_by_role("tab", name="Schema").first.click()
    request = review.locator(".json-schema-2020-12").first
    expect(request).to_contain_text("AnyReviewRequest")
    request.get_by_role("button", name="Expand all").first.click()
    expect(request).to_contain_text("MorrisRules")
    assert "$ref" not in request.inner_text()


def test_a_link_opens_an_operation(open_page: Open) -> None:
    page = open_page("/docs#/moves/review")
    expect(operation(page, "moves", "review").get_by_role("button", name="Execute")).to_be_visible()


def test_the_page_follows_the_colour_scheme(open_page: Open) -> None:
    page = open_page("/docs", scheme="dark")
    heading = page.get_by_role("heading", name="Move Oracle")
    expect(page.locator("html")).to_have_css("background-color", "rgb(28, 32, 34)")
    expect(heading).to_have_css("color", "rgb(210, 214, 215)")
    page.emulate_media(color_scheme="light")
    expect(heading).to_have_css("color", "rgb(59, 65, 81)")


@pytest.mark.parametrize(
    ("size", "scheme", "last"),
    [(PHONE, "dark", ("problems", "getProblem")), (DESKTOP, "light", ("operations", "getMetrics"))],
    ids=["phone", "desktop"],
)
def test_axe_finds_no_barrier_on_the_page(
    open_page: Open, size: tuple[int, int], scheme: str, last: tuple[str, str]
) -> None:
    page = open_page("/docs", size=size, scheme=scheme)
    expect(page.locator(".opblock")).to_have_count(len(operations()))
    for tag, name in (("moves", "findBestMove"), ("moves", "getBestMove"), last):
        expect(execute(page, tag, name)).to_contain_text("200")
    page.locator("section.models button").first.click()
    expect(page.locator("section.models article").first).to_be_visible()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
