"""The documentation at /guide/: the files that were built and nothing else, under a strict policy."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.api.problems import Problem
from service.api.responses import problem_response
from service.api.site.guide import guide_routes, read_guide
from service.api.site.pages import page_routes
from tests.edge_client import assert_kept

SCRIPT = "document.body.dataset.scheme = 'dark'"

SERVED = {
    "guide/limits.html": ("<p>Limits", "text/html"),
    "assets/bundle.js": ("main()", "text/javascript"),
    "assets/main.css": ("p {}", "text/css"),
    "search/search_index.json": ("{}", "application/json"),
    "icon.svg": ("<svg/>", "image/svg+xml"),
}
"""Files of the guide, what they hold, and the type that they are served as."""

NOT_SERVED = ["404.html", "sitemap.xml", "guide", "guide/", "limits.html", "../secret.html", "%2e%2e/secret.html"]


def documents(guide: Path) -> FlaskClient:
    app = Flask(__name__, static_folder=None)
    app.register_error_handler(Problem, problem_response)
    app.register_blueprint(page_routes(""))
    app.register_blueprint(guide_routes(read_guide(guide)))
    return app.test_client()


@pytest.fixture
def built(tmp_path: Path) -> FlaskClient:
    """The documents beside a guide that was built, in a folder with other files around it."""
    (tmp_path / "secret.html").touch()
    page = f"<script src='assets/bundle.js'></script><script>{SCRIPT}</script>"
    texts = {name: text for name, (text, _) in SERVED.items()}
    for name, text in {"index.html": page, "404.html": "an error", "sitemap.xml": "<urlset/>", **texts}.items():
        path = tmp_path / "guide" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return documents(tmp_path / "guide")


def test_a_file_of_the_guide_and_nothing_else_is_served_and_asked_for_again_with_its_etag(built: FlaskClient) -> None:
    response = built.get("/guide")
    assert (response.status_code, response.headers["Location"], response.data) == (308, "/guide/", b"")
    for name, expected in SERVED.items():
        response = assert_kept(built, f"/guide/{name}", "public, no-cache")
        assert (response.get_data(as_text=True), response.mimetype) == expected
    for name in NOT_SERVED:
        response = built.get(f"/guide/{name}")
        assert (response.status_code, response.mimetype) == (404, "application/problem+json")


def test_a_page_of_the_guide_may_run_the_scripts_that_it_was_built_with(built: FlaskClient) -> None:
    digest = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    policy = built.get("/guide/").headers["Content-Security-Policy"]
    assert policy.startswith(f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; ")
    assert "unsafe" not in policy
    assert "script-src 'self';" in built.get("/guide/guide/limits.html").headers["Content-Security-Policy"]


def test_a_guide_that_was_not_built_is_a_problem_that_says_how(tmp_path: Path) -> None:
    response = documents(tmp_path / "empty").get("/guide/")
    assert (response.status_code, response.mimetype) == (404, "application/problem+json")
    assert "make docs" in response.get_json()["detail"]
