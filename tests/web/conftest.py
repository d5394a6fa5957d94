"""A real browser that opens the pages of a real server, and complains of what no page may do."""

import json
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from service.web.page import source, source_names
from tests.support import HUNG_SECONDS, Server, need
from tests.web.gate import Gate
from tests.web.page import DESKTOP, HURRY, FirstVisit, InNode, Open, Visit, settled

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


PLAIN: dict[str, Any] = {
    "color_scheme": "light",
    "reduced_motion": "reduce",
    "service_workers": "block",  # tests answer requests in place of the service, which must get as far as that
}


@pytest.fixture
def open_page(browser: Browser, server: Server, complaints: list[str]) -> Iterator[Open]:
    """Opens a page by its path or URL; further options are those of a new context, which the pages of a test share.

    The test fails if a page loads from elsewhere, breaks its policy or has an error.
    """
    contexts = dict[Any, BrowserContext]()

    def opened(path: str, *, size: tuple[int, int] = DESKTOP, **options: Any) -> Page:
        key = (size, *sorted(options.items()))
        if key not in contexts:
            viewport: Any = {"width": size[0], "height": size[1]}
            contexts[key] = context = browser.new_context(viewport=viewport, **{**PLAIN, **options})
            context.add_init_script(HURRY)
            context.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
            context.on("weberror", lambda error: complaints.append(str(error.error)))
        page = contexts[key].new_page()
        page.goto(urljoin(server.url, path))
        return page

    yield opened
    for context in contexts.values():
        context.close()
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
def gate(server: Server) -> Iterator[Gate]:
    """A gate in front of the server, for tests in which it goes and comes back."""
    with Gate(server.port) as gate:
        yield gate


@pytest.fixture
def first_visit(open_page: Open, gate: Gate, complaints: list[str]) -> Iterator[FirstVisit]:
    """Opens the page for the first time, through the gate, and waits until the browser keeps it."""

    def opened() -> Page:
        page = open_page(gate.url, service_workers="allow")
        page.wait_for_function(CONTROLLED)
        return settled(page)

    yield opened
    complaints[:] = [said for said in complaints if "Failed to load resource" not in said]


@pytest.fixture(scope="session")
def in_node(tmp_path_factory: pytest.TempPathFactory) -> InNode:
    """Calls a function of JavaScript, which may import modules of the page, with a value; returns what it returns."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "package.json").write_text('{"type": "module"}')
    for name in source_names():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(source(name))
    program = folder / "called.js"

    def called(function: str, given: Any = None) -> Any:
        read = 'import { readFileSync } from "node:fs";'
        result = f'await ({function})(JSON.parse(readFileSync(0, "utf8")))'
        program.write_text(f"{read}\nprocess.stdout.write(JSON.stringify({result}));")
        done = subprocess.run(
            [need("node"), program],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            timeout=HUNG_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return called
