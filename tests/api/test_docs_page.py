"""The page at /docs in a real browser: it shows the contract, tries it, and loads nothing from elsewhere."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.contract import operations
from tests.support import Server, need

PHONE, DESKTOP = (390, 844), (1280, 900)


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def page(request: pytest.FixtureRequest, server: Server) -> Iterator[Page]:
    """The page, opened; the test fails if it asks for anything elsewhere or breaks its own policy."""
    width, height = request.param
    asked_for: list[str] = []
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=need("chromium"), args=["--no-sandbox", "--disable-quic", "--disable-background-networking"]
        )
        page = browser.new_page(viewport={"width": width, "height": height})
        page.on("request", lambda asked: asked_for.append(asked.url))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(f"{server.url}/docs")
        yield page
        browser.close()
    assert [url for url in asked_for if not url.startswith((f"{server.url}/", "data:"))] == []
    assert complaints == []


def test_the_page_lists_the_routes(page: Page) -> None:
    expect(page.get_by_text("The best move of a position", exact=True)).to_be_visible()
    expect(page.locator(".opblock")).to_have_count(len(operations()))


def test_a_request_can_be_tried_on_the_page(page: Page) -> None:
    page.locator("#operations-moves-findBestMove .opblock-summary-control").click()
    page.get_by_role("button", name="Execute").click()
    answer = page.locator("#operations-moves-findBestMove .live-responses-table .highlight-code").first
    expect(answer).to_contain_text('"reason": "Completes the middle row."')
