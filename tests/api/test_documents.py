"""The pages at / and /docs and their files: self-hosted, under strict policies."""

import re

import pytest
from flask.testing import FlaskClient

from service.api.documents import ASSETS
from tests.support import ROOT

WEB = ROOT / "service/web"
PAGES = ["/", "/docs"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_only_files_that_are_here(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    loaded = re.findall(r'(?:src|href)="(/[^"]*)"', page)
    assert len(loaded) >= 4
    for file in loaded:
        assert client.get(file).status_code == 200
    assert "//" not in re.sub(r"<!--.*?-->", "", page)


def test_the_page_to_play_on_may_not_do_anything_inline(client: FlaskClient) -> None:
    response = client.get("/")
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert not re.search(r"<script(?! type=\"module\" src)|<style|\s(?:style|on\w+)=", response.get_data(as_text=True))


def test_each_page_links_to_the_other(client: FlaskClient) -> None:
    for page, other in zip(PAGES, reversed(PAGES), strict=True):
        assert f'href="{other}"' in client.get(page).get_data(as_text=True)


def test_every_file_of_the_page_is_served_and_nothing_else_is(client: FlaskClient) -> None:
    files = {path.name for path in WEB.iterdir() if path.suffix in {".css", ".js", ".svg"}} - {"docs.css", "docs.js"}
    assert set(ASSETS["page"]) == files
    for name in files:
        assert client.get(f"/page/{name}").get_data() == (WEB / name).read_bytes()
    for name in (
        "docs.js",
        "docs.css",
        "index.html",
        "screenshot.png",
        "__init__.py",
        "%2e%2e%2fapp.py",
        "..%2fapp.py",
    ):
        assert client.get(f"/page/{name}").status_code == 404


def test_every_module_that_the_page_imports_is_served() -> None:
    for path in WEB.glob("*.js"):
        assert set(re.findall(r'from "\./([^"]+)"', path.read_text())) <= set(ASSETS["page"]), path.name


def test_the_page_asks_for_all_of_its_modules_at_once(client: FlaskClient) -> None:
    asked = set(re.findall(r'(?:href|src)="/page/([^"]+\.js)"', client.get("/").get_data(as_text=True)))
    assert asked == {name for name in ASSETS["page"] if name.endswith(".js")}


@pytest.mark.parametrize(
    ("path", "mimetype"),
    [
        ("/", "text/html"),
        ("/page/main.js", "text/javascript"),
        ("/page/page.css", "text/css"),
        ("/page/icon.svg", "image/svg+xml"),
        ("/docs", "text/html"),
        ("/docs/docs.js", "text/javascript"),
        ("/docs/docs.css", "text/css"),
        ("/docs/swagger-ui.css", "text/css"),
        ("/docs/favicon-32x32.png", "image/png"),
        ("/openapi.json", "application/json"),
    ],
)
def test_a_document_is_asked_for_again_with_its_etag(client: FlaskClient, path: str, mimetype: str) -> None:
    response = client.get(path)
    assert (response.mimetype, response.headers["Cache-Control"]) == (mimetype, "public, no-cache")
    again = client.get(path, headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
