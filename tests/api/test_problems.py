"""Whatever goes wrong, a problem document says what, and HTML never leaves an API route."""

import logging

import pytest
from werkzeug.exceptions import Conflict, ServiceUnavailable

from service.api.problems import CODES, KINDS, Error, Problem, faulty, pointer, shortened
from service.api.responses import from_http_exception
from service.app import create_app
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient

MISSING = [
    *("/best-mov", "/best-move/", "/games/", "/nothing/at/all", "/docs/nothing.js", "/problems/nothing", "/games/go"),
    "/docs/..%2f..%2fapp.py",
]


def test_what_is_not_there_is_a_404_and_never_a_redirect_and_a_near_path_is_suggested(client: EdgeClient) -> None:
    for path in MISSING:
        response = client.get(path)
        assert (response.status_code, response.mimetype) == (404, "application/problem+json"), path
        assert_matches("ProblemDocument", response.get_json())
    detail = client.get("/best-mov").get_json()["detail"]
    assert detail == "There is nothing at /best-mov. Did you mean /best-move?"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", "text/html"),
        *((accept, "application/problem+json") for accept in ("*/*", "application/json", "text/html;q=0.5,*/*")),
    ],
)
def test_a_browser_that_opens_what_is_not_there_gets_a_page_and_programs_the_document(
    client: EdgeClient, accept: str, kind: str
) -> None:
    for path in (*MISSING, "/<b>"):
        response = client.get(path, headers={"Accept": accept})
        assert (response.status_code, response.mimetype) == (404, kind), path
        assert {"Accept"} <= {*response.vary}
        assert "<b>" not in response.get_data(as_text=True) or kind != "text/html"
        assert response.headers["Cache-Control"] == "no-store"
    told = client.get("/best-mov", headers={"Accept": accept}).get_data(as_text=True)
    assert "There is nothing at /best-mov. Did you mean /best-move?" in told
    assert client.get("/best-move?board=XXXX.....", headers={"Accept": accept}).mimetype != "text/html"


def test_a_wrong_method_is_told_which_are_right(client: EdgeClient) -> None:
    for path, method, allowed in [
        *(("/best-move", method, "GET, HEAD, OPTIONS, POST") for method in ("PUT", "PATCH", "DELETE", "TRACE")),
        ("/position.png", "POST", "GET, HEAD, OPTIONS"),
        ("/proof", "GET", "OPTIONS, POST"),
    ]:
        response = client.open(path, method=method)
        assert (response.status_code, response.mimetype) == (405, "application/problem+json")
        assert response.headers["Allow"] == allowed
        assert f"does not support {method}" in response.get_json()["detail"]


def test_a_fault_of_ours_is_a_problem_without_details_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Settings())

    def fail() -> str:
        raise RuntimeError("a secret")

    app.add_url_rule("/fail", view_func=fail)
    with caplog.at_level(logging.ERROR):
        response = app.test_client().get("/fail")
    assert response.status_code == 500
    assert_matches("ProblemDocument", response.get_json())
    assert "secret" not in response.get_data(as_text=True)
    assert "a secret" in caplog.text
    with app.test_request_context("/best-move"):
        assert from_http_exception(Conflict()).status_code == 400
        assert from_http_exception(ServiceUnavailable()).status_code == 500


def test_a_problem_is_never_kept_and_its_type_is_a_link_that_explains_it(client: EdgeClient) -> None:
    assert client.get("/best-move?board=XXXX.....").headers["Cache-Control"] == "no-store"
    for kind in KINDS.values():
        explained = client.get(kind.type).get_json()
        assert (explained["title"], explained["status"]) == (kind.title, kind.status)
    assert client.get("/problems").get_json()["codes"] == dict(CODES)


def test_the_detail_tells_the_first_error_and_how_many_more() -> None:
    errors = [Error("/a", "required", "A."), Error("/b", "required", "B.")]
    assert faulty("invalid-request", errors[:1]).detail == "A."
    assert faulty("invalid-request", errors).detail == "A. And 1 more, listed in errors."
    assert "errors" not in Problem("not-found", "Nothing.").document()
    assert pointer("a/b", "c~d", 0) == "/a~1b/c~0d/0"
    assert [len(shortened("x" * length)) for length in (24, 25)] == [24, 24]
