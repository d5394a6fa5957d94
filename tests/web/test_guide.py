"""The built documentation works in a browser: at any size, in both schemes, under the policy that the service sends."""

import re
import sys
import threading
from collections.abc import Iterator
from itertools import cycle

import pytest
from flask import Flask
from playwright.sync_api import expect
from werkzeug.serving import make_server

from service.api.site.guide import guide_routes, read_guide
from tests.docs.pages import DOCS
from tests.programs import run
from tests.support import some
from tests.web.page import DESKTOP, PHONE, Open, at_sizes, barriers

pytestmark = pytest.mark.verify

PAGES = [page.relative_to(DOCS).with_suffix(".html").as_posix() for page in sorted(DOCS.rglob("*.md"))]

SPILL = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""JavaScript for how much wider a page is than its window."""


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the documentation, built as ``make docs`` does."""
    folder = tmp_path_factory.mktemp("guide")
    done = run(sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder)
    assert done.returncode == 0, done.stderr
    app = Flask(__name__, static_folder=None)
    app.register_blueprint(guide_routes(read_guide(folder)))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_pages_ask_nobody_else_fit_their_windows_and_axe_finds_no_barrier(open_page: Open, origin: str) -> None:
    """All share one theme, so a few stand for all."""
    asked = list[str]()
    for name, scheme in some(zip(PAGES, cycle(["dark", "light"]), strict=False), 3):
        page = open_page("about:blank", size=PHONE, color_scheme=scheme)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{origin}/guide/{name}")
        expect(page.locator("h1")).to_be_visible()
        assert barriers(page) == [], name
        for width, _ in at_sizes(page, [PHONE, (320, 640), (768, 1024), DESKTOP]):
            assert page.evaluate(SPILL) == 0, (name, width)
        page.close()
    assert [url for url in asked if not url.startswith(f"{origin}/guide/")] == []


@pytest.mark.parametrize("size", some([PHONE, DESKTOP], 1), ids=str)
def test_a_reader_finds_a_setting_by_its_name(open_page: Open, origin: str, size: tuple[int, int]) -> None:
    page = open_page(f"{origin}/guide/index.html", size=size)
    if size == PHONE:
        page.locator("label.md-header__button[for=__search]").click()
    expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching")  # the index is loaded
    page.get_by_role("textbox", name="Search").press_sequentially("MAX_SEARCHES")
    page.locator(".md-search-result__link").filter(has_text="Configuration").first.click()
    expect(page).to_have_url(re.compile(r"/guide/operate/configuration\.html"))
    expect(page.locator("h1")).to_contain_text("Configuration")
