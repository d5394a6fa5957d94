"""The page at /docs and its files: self-hosted, under a strict policy."""

import re

import pytest
from flask.testing import FlaskClient


def test_the_root_leads_to_the_documentation(client: FlaskClient) -> None:
    response = client.get("/")
    assert (response.status_code, response.headers["Location"], response.data) == (302, "/docs", b"")


def test_the_page_loads_only_files_that_are_here(client: FlaskClient) -> None:
    page = client.get("/docs").get_data(as_text=True)
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(loaded) >= 4
    for path in loaded:
        assert path.startswith("/")
        assert client.get(path).status_code == 200


def test_the_page_may_not_load_anything_from_elsewhere(client: FlaskClient) -> None:
    policy = client.get("/docs").headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "http" not in policy


@pytest.mark.parametrize(
    ("path", "mimetype"),
    [
        ("/docs", "text/html"),
        ("/docs/docs.js", "text/javascript"),
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
