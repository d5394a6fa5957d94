"""A real browser that opens the pages of a real server, and complains of what no page may do."""

from collections.abc import Callable, Iterator
from functools import cache
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.support import Server, need
from tests.web.page import DESKTOP, HURRY, FirstVisit, Open, Visit, settled

expect.set_options(timeout=20_000)  # the machine may be busy with other tests

ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    # What a page asks for elsewhere fails, and the console complains of it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

CONTROLLED = "() => navigator.serviceWorker.controller !== null"
BLOCKED = "Service Worker registration blocked by Playwright"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=need("chromium"), args=ARGUMENTS)
        yield browser
        browser.close()


def is_complaint(said: ConsoleMessage) -> bool:
    return said.type in {"error", "warning"} and said.text != BLOCKED


@pytest.fixture
def complaints() -> list[str]:
    """What the console has complained of; a test that provokes complaints takes them away."""
    return []


@pytest.fixture(scope="package")
def context(browser: Browser) -> Callable[[tuple[int, int], str, str], BrowserContext]:
    """Returns the browser's context for a size, a colour scheme and a motion; tests share it, and its HTTP cache."""

    @cache
    def shared(size: tuple[int, int], scheme: str, motion: str) -> BrowserContext:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion=motion,  # type: ignore[arg-type]
            service_workers="block",  # tests answer requests in place of the service, which must get as far as that
        )
        context.add_init_script(HURRY)
        return context

    return shared


@pytest.fixture
def open_page(
    context: Callable[[tuple[int, int], str, str], BrowserContext], server: Server, complaints: list[str]
) -> Iterator[Open]:
    """Opens a page by its path or URL; the test fails if it loads from elsewhere, breaks its policy or has an error."""
    pages = list[Page]()

    def opened(path: str, *, size: tuple[int, int] = DESKTOP, scheme: str = "light", motion: str = "reduce") -> Page:
        page = context(size, scheme, motion).new_page()
        pages.append(page)
        page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(urljoin(server.url, path))
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []


@pytest.fixture
def visit(open_page: Open) -> Visit:
    """Opens the page at a query and waits for its board."""

    def visited(query: str = "", **options: object) -> Page:
        page = open_page(f"/{query}", **options)
        expect(page.locator(".cell").first).to_be_visible()
        return settled(page)

    return visited


@pytest.fixture
def fresh(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that has never seen the service."""
    context = browser.new_context(reduced_motion="reduce")
    context.add_init_script(HURRY)
    yield context
    context.close()


@pytest.fixture
def faults(fresh: BrowserContext) -> Iterator[list[str]]:
    """What goes wrong in the scripts of pages; a policy that is broken is told on the console."""
    found = list[str]()
    fresh.on("weberror", lambda error: found.append(str(error.error)))
    fresh.on("console", lambda said: found.append(said.text) if "Security Policy" in said.text else None)
    yield found
    assert found == []


@pytest.fixture
def first_visit(fresh: BrowserContext, faults: list[str]) -> FirstVisit:  # noqa: ARG001, it watches
    """Opens the page for the first time, and waits until the browser keeps it."""

    def opened(server: Server) -> Page:
        page = fresh.new_page()
        page.goto(server.url)
        page.wait_for_function(CONTROLLED)
        return settled(page)

    return opened
