"""The pages at ``/``, ``/learn`` and ``/docs``, and their files."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from http import HTTPStatus
from importlib.resources import files
from pathlib import PurePath
from types import MappingProxyType
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from service.api.problems import Problem, shortened
from service.api.responses import FOREVER, JSON, PNG, PROBLEM
from service.api.routes.pictures import card_of_link
from service.api.wire.rules import IN_QUERIES
from service.api.write.document import document_response
from service.picture.card import HEIGHT, WIDTH
from service.picture.words import title
from service.web.page import (
    LESSON,
    MISSING,
    PAGE,
    WORKER,
    lasting_files,
    page_files,
    service_worker,
    source,
    source_names,
)

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self' data:; manifest-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content policy of the page at ``/``: nothing from other sites, and no inline scripts but its own."""

DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
    "data:", "data: blob:", 1
)
"""The content policy of ``/docs``: the same, but Swagger UI sets inline styles and shows pictures as blobs."""

WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
"""The content policy of the service worker: it requests from this service only."""

MIMETYPES = MappingProxyType(
    {
        ".css": "text/css",
        ".html": "text/html",
        ".js": "text/javascript",
        ".json": JSON,
        ".png": PNG,
        ".svg": "image/svg+xml",
        ".webmanifest": "application/manifest+json",
        ".woff2": "font/woff2",
    }
)
"""The media type of a file by its suffix."""

DOCS_FILES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "docs.css": ("service.web", "docs.css"),
        "docs.js": ("service.web", "docs.js"),
        "swagger-ui-bundle.js": ("flask_swagger_ui", "dist/swagger-ui-bundle.js"),
        "swagger-ui.css": ("flask_swagger_ui", "dist/swagger-ui.css"),
        "favicon-32x32.png": ("flask_swagger_ui", "dist/favicon-32x32.png"),
    }
)
"""The files of ``/docs`` by name: the package that holds each, and its path there."""

PICTURED = frozenset({"game", "moves", "drops", "board", "player", "family", *IN_QUERIES})
"""Parameters of links to the page that ``/position.png`` also accepts."""

PLY = re.compile(r"[0-9]{1,4}")
"""The number of the ply at which a link opens its game."""

PAGE_TITLE = b'<meta property="og:title" content="Move Oracle: play, analyse, review">\n'
"""The title that chats show for the page; for a link to a position it is replaced by the name of the game."""

ANALYSED = frozenset({"moves", "drops", "board", "hints"})
"""Parameters of links to a position; the page analyses it, unless the link says who plays."""

PARTS_AHEAD = re.compile(rb"<!-- A link to a position [^\n]*:\n(.*?)-->", re.DOTALL)
"""The tags by which a browser loads the parts for an analysis while it still reads the page."""

LIMITS_AHEAD = re.compile(rb"<!-- An analysis [^\n]*:\n(.*?)-->", re.DOTALL)
"""The tag by which it asks for the limits of a search."""

DETAIL = b'<p id="detail" lang="en"></p>'
"""The element of the 404 page that takes the reason."""


def page_routes(public_url: str) -> Blueprint:
    """Return the routes.

    Chats show an image of a link if the ``public_url`` is set, the address by which clients reach the service; else it
    is "". A browser that opens an unknown path gets a page in place of the problem document.
    """
    routes = Blueprint("pages", __name__)
    home_page, lesson, missing = (page_files(document).page for document in (PAGE, LESSON, MISSING))
    routes.after_app_request(lambda response: _shown(response, missing))
    worker = service_worker({"/": home_page, "/learn": lesson})

    home_policy, lesson_policy = (policy_of(page) for page in (home_page, lesson))

    @routes.get("/")
    def home() -> Response:
        return page_response(_of_link(home_page, public_url) if request.args else home_page, home_policy)

    @routes.get("/learn")
    def learn() -> Response:
        return page_response(lesson, lesson_policy)

    @routes.get("/page/<path:name>")
    def page_asset(name: str) -> Response:
        return _worker_response(worker) if name == WORKER else _page_file(name)

    @routes.get("/docs")
    def docs() -> Response:
        return page_response(source("docs.html"), DOCS_POLICY)

    @routes.get("/docs/<name>")
    def docs_asset(name: str) -> Response:
        return _docs_file(name)

    return routes


def _shown(response: Response, missing: bytes) -> Response:
    """Return the 404 page if a browser asks for a page; return any other response unchanged."""
    if response.status_code != HTTPStatus.NOT_FOUND or response.mimetype != PROBLEM:
        return response
    response.vary.add("Accept")
    if request.accept_mimetypes.best_match((PROBLEM, "text/html")) == "text/html":
        detail = escape(json.loads(response.get_data())["detail"])
        response.set_data(missing.replace(DETAIL, DETAIL.replace(b"><", f">{detail}<".encode())))
        response.mimetype = "text/html"
        response.headers["Content-Security-Policy"] = policy_of(missing)
    return response


def _of_link(page: bytes, public_url: str) -> bytes:
    """Return the page for a link to a position: with its title for chats, hidden until its board is drawn.

    Chats load images from absolute addresses only. The address of the request is no substitute for ``public_url``: the
    client chooses its ``Host``, and a cache would give the page to other clients.
    """
    hidden = page.replace(b"<html ", b'<html class="linked" ', 1)
    if ANALYSED.intersection(request.args):
        hidden = PARTS_AHEAD.sub(rb"\1", hidden)
    if "lines" in request.args:
        return hidden  # only a body can describe such a game
    try:
        pictured, position = card_of_link(_pictured(request.args))
    except Problem:
        return hidden  # without an id, the game has no address of its own
    if position.legal_moves and _is_analysed(request.args):
        hidden = LIMITS_AHEAD.sub(rb"\1", hidden)
    properties = {"og:title": title(position)}
    if public_url:
        properties |= {"og:url": f"{public_url}/?{urlencode([*request.args.items(multi=True)])}"}
        properties |= _card(title(position), f"{public_url}/position.png{'?' if pictured else ''}{urlencode(pictured)}")
    return hidden.replace(PAGE_TITLE, b"", 1).replace(b"</head>", f"{_tags(properties)}</head>".encode(), 1)


def _is_analysed(asked: Mapping[str, str]) -> bool:
    """Return whether the page shows values for a link, if its game goes on."""
    return bool(asked["hints"]) if "hints" in asked else "you" not in asked and not ANALYSED.isdisjoint(asked)


def _card(name: str, address: str) -> dict[str, str]:
    """Return the meta properties by which chats show a link as a large image."""
    return {
        "og:image": address,
        "og:image:type": PNG,
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": name,
        "twitter:card": "summary_large_image",
        "twitter:image": address,
        "twitter:image:alt": name,
    }


def _tags(properties: Mapping[str, str]) -> str:
    """Return properties as ``meta`` elements."""
    return "".join(
        f'<meta {"name" if tag.startswith("twitter") else "property"}="{tag}" content="{escape(content)}">\n'
        for tag, content in properties.items()
    )


def _pictured(asked: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of the card of a link; of its moves, those up to the ply that it shows."""
    kept = {name: value for name, value in asked.items() if name in PICTURED}
    if PLY.fullmatch(asked.get("ply", "")):
        plies = int(asked["ply"])
        if "moves" in kept:
            kept["moves"] = ",".join(kept["moves"].split(",")[:plies])
        if "drops" in kept:
            kept["drops"] = kept["drops"][:plies]
    return {name: value for name, value in kept.items() if value}


def page_response(body: bytes, policy: str) -> Response:
    """Return an HTML page with its content policy."""
    page = document_response(body, "text/html")
    page.headers["Content-Security-Policy"] = policy
    page.headers["Cross-Origin-Opener-Policy"] = "same-origin"  # other sites get no reference to its window
    return page


@cache
def policy_of(page: bytes) -> str:
    """Return the content policy of a page, with the hashes of its inline scripts."""
    scripts = re.findall(rb"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in scripts]
    return PAGE_POLICY.replace("script-src 'self'", " ".join(["script-src 'self'", *hashes]))


def _worker_response(worker: bytes) -> Response:
    response = document_response(worker, "text/javascript")
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    response.headers["Service-Worker-Allowed"] = "/"
    return response


def _page_file(name: str) -> Response:
    lasting = lasting_files()
    if name in lasting:
        return document_response(lasting[name], _mimetype(name), FOREVER)
    if name not in source_names():
        raise Problem("not-found", f"/page has no file {shortened(name)}.")
    return document_response(source(name), _mimetype(name))


def _docs_file(name: str) -> Response:
    if name not in DOCS_FILES:
        raise Problem("not-found", f"/docs has no file {shortened(name)}.")
    return document_response(_package_file(*DOCS_FILES[name]), _mimetype(name))


def _mimetype(name: str) -> str:
    return MIMETYPES[PurePath(name).suffix]


@cache
def _package_file(package: str, path: str) -> bytes:
    return (files(package) / path).read_bytes()
