"""The board for other sites: ``/embed`` for frames, and ``/page/move-oracle.js``, the element that makes them."""

from flask import Blueprint, Response

from service.api.site.pages import PAGE_POLICY, page_response
from service.api.wire.rules import IN_QUERIES
from service.api.write.document import document_response
from service.games.catalogue import CATALOGUE
from service.web.page import FRAME, element, page_files

FRAME_POLICY = PAGE_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The content policy of ``/embed``: that of the page at ``/``, but any site may show it in a frame."""


def embed_routes() -> Blueprint:
    """Return the routes."""
    routes = Blueprint("embed", __name__)
    frame = page_files(FRAME).page
    script = element(_shapes(), [*IN_QUERIES])

    @routes.get("/embed")
    def embed() -> Response:
        return page_response(frame, FRAME_POLICY)

    @routes.get("/page/move-oracle.js")
    def get_element() -> Response:
        response = document_response(script, "text/javascript")
        response.headers["Access-Control-Allow-Origin"] = "*"  # importable from any site
        return response

    return routes


def _shapes() -> dict[str, tuple[int, int, int]]:
    """Return the columns, rows and layers of each game; boards of points are square."""
    return {
        game.id: (1, 1, 1) if game.surface.points else (game.columns, game.rows, game.layers)
        for game in CATALOGUE.values()
    }
