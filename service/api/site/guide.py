"""The documentation at ``/guide/``, built by ``make docs``."""

from collections.abc import Mapping
from pathlib import Path, PurePath

from flask import Blueprint, Response

from service.api.problems import Problem, shortened
from service.api.site.pages import MIMETYPES, page_response, policy_of
from service.api.write.document import document_response

FOLDER = Path(__file__).parents[2] / "guide"
"""The folder of the documentation, written by ``make docs``."""

NOT_BUILT = (
    "The guide is not built here. In a clone of the repository, `make docs` builds it from the folder docs/; then "
    "restart the service. Wheels and images come with it."
)


def read_guide(folder: Path = FOLDER) -> Mapping[str, bytes]:
    """Return the files of the guide by their paths, all of the same build.

    Return none if the guide has not been built.
    """
    paths = [path for path in folder.rglob("*") if path.suffix in MIMETYPES and path.name != "404.html"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def guide_routes(guide: Mapping[str, bytes]) -> Blueprint:
    """Return the routes of the guide, which serve only these files."""
    routes = Blueprint("guide", __name__)

    @routes.get("/guide")
    def start() -> Response:
        response = Response(status=308, headers={"Location": "/guide/"})  # the links in its pages are relative
        del response.headers["Content-Type"]
        return response

    @routes.get("/guide/")
    @routes.get("/guide/<path:name>")
    def file(name: str = "index.html") -> Response:
        if name not in guide:
            raise Problem("not-found", f"/guide has no file {shortened(name)}." if guide else NOT_BUILT)
        body, mimetype = guide[name], MIMETYPES[PurePath(name).suffix]
        return page_response(body, policy_of(body)) if mimetype == "text/html" else document_response(body, mimetype)

    return routes
