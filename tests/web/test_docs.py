"""The page at /docs shows the contract, tries it, and loads nothing from elsewhere."""

from playwright.sync_api import expect

from tests.contract import operations
from tests.web.page import PHONE, Open


def test_the_page_lists_the_routes_on_a_phone_too(open_page: Open) -> None:
    page = open_page("/docs", size=PHONE)
    expect(page.get_by_text("Find the best move of a position", exact=True)).to_be_visible()
    expect(page.locator(".opblock")).to_have_count(len(operations()))


def test_a_request_can_be_tried_on_the_page(open_page: Open) -> None:
    page = open_page("/docs")
    page.locator("#operations-moves-findBestMove .opblock-summary-control").click()
    page.get_by_role("button", name="Execute").click()
    answer = page.locator("#operations-moves-findBestMove .live-responses-table .highlight-code").first
    expect(answer).to_contain_text('"reason": "Completes the middle row."')
