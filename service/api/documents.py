"""The contract and its explanations: ``/openapi.yaml``, ``/openapi.json``, ``/docs`` and ``/problems``."""

import json
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import yaml
from flask import Blueprint, Response, request

from service.api.caching import REVALIDATE, cacheable
from service.api.problems import CODES, KINDS, Kind, Problem, shortened

JSON = "application/json"

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page at ``/docs`` may load: nothing from elsewhere. Swagger UI sets styles inline."""

ASSETS = MappingProxyType(
    {
        "docs.js": ("service", "web/docs.js", "text/javascript"),
        "swagger-ui-bundle.js": ("flask_swagger_ui", "dist/swagger-ui-bundle.js", "text/javascript"),
        "swagger-ui.css": ("flask_swagger_ui", "dist/swagger-ui.css", "text/css"),
        "favicon-32x32.png": ("flask_swagger_ui", "dist/favicon-32x32.png", "image/png"),
    }
)
"""The files of the page by name: the package that holds each, its path there, and its type."""


def documents_routes() -> Blueprint:
    """The routes of everything that describes the service."""
    routes = Blueprint("documents", __name__)
    contract = _file("service", "openapi.yaml")  # read now, so that a build that forgot it does not start

    @routes.get("/")
    def home() -> Response:
        response = Response(status=302, headers={"Location": "/docs"})
        del response.headers["Content-Type"]
        return response

    @routes.get("/openapi.yaml")
    def openapi_yaml() -> Response:
        return _document(contract, "application/yaml")

    @routes.get("/openapi.json")
    def openapi_json() -> Response:
        return _document(_contract_as_json(), JSON)

    @routes.get("/docs")
    def docs() -> Response:
        page = _document(_file("service", "web/docs.html"), "text/html")
        page.headers["Content-Security-Policy"] = PAGE_POLICY
        return page

    @routes.get("/docs/<name>")
    def docs_asset(name: str) -> Response:
        if name not in ASSETS:
            raise Problem("not-found", f"/docs has no file {shortened(name)}.")
        package, path, mimetype = ASSETS[name]
        return _document(_file(package, path), mimetype)

    @routes.get("/problems")
    def list_problems() -> Response:
        listed = {"problems": [_explained(kind) for kind in KINDS.values()], "codes": dict(CODES)}
        return _document(json.dumps(listed).encode(), JSON)

    @routes.get("/problems/<name>")
    def get_problem(name: str) -> Response:
        if name not in KINDS:
            raise Problem("not-found", f"There is no problem {shortened(name)}; there are {', '.join(KINDS)}.")
        return _document(json.dumps(_explained(KINDS[name])).encode(), JSON)

    return routes


def _document(body: bytes, mimetype: str) -> Response:
    return cacheable(request, body, mimetype, {"Cache-Control": REVALIDATE})


@cache
def _file(package: str, path: str) -> bytes:
    return (files(package) / path).read_bytes()


@cache
def _contract_as_json() -> bytes:
    """The contract as JSON, read from the YAML when first asked for: start-up need not wait for it."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return json.dumps(yaml.load(_file("service", "openapi.yaml"), loader)).encode()  # noqa: S506, both are safe


def _explained(kind: Kind) -> dict[str, Any]:
    return {"type": kind.type, "title": kind.title, "status": kind.status, "explanation": kind.explanation}
