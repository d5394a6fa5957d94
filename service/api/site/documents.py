"""Documents that describe the service: ``/openapi.yaml``, ``/openapi.json`` and ``/problems``."""

import json
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

import yaml
from flask import Blueprint, Response
from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import CODES, KINDS, Kind, Problem, shortened
from service.api.responses import JSON
from service.api.wire.contract import about
from service.api.write.document import document_response


class ProblemKind(TypedDict):
    """The explanation of one kind of problem."""

    type: Annotated[
        str,
        Field(json_schema_extra={"format": "uri-reference"}),
        about("The URI reference that identifies the kind of problem.", example="/problems/impossible-position"),
    ]
    title: Annotated[str, about("The title of the problem.", example="This board cannot arise in the game")]
    status: Annotated[int, about("The HTTP status of the problem.", example=422)]
    explanation: Annotated[
        str,
        about(
            "What the kind of problem means and how to react to it.",
            example="The request is well formed, but no sequence of legal moves leads to the board it shows.",
        ),
    ]


ProblemCodes = TypeAliasType(
    "ProblemCodes",
    Annotated[
        dict[str, str],
        about(
            "The meaning of each error code.",
            example={"mark-count": "Players who take turns cannot have these numbers of marks."},
        ),
    ],
)


class ProblemList(TypedDict):
    """All kinds of problems and all error codes."""

    problems: Annotated[list[ProblemKind], about("The kinds of problems.")]
    codes: ProblemCodes


Contract = TypeAliasType(
    "Contract", Annotated[dict[str, Any], about("An OpenAPI 3.1 document, which describes this service.")]
)


def document_routes() -> Blueprint:
    """Return the routes."""
    routes = Blueprint("documents", __name__)
    contract = _contract()  # read now, so that a service without the contract fails to start

    @routes.get("/openapi.yaml")
    def openapi_yaml() -> Response:
        return document_response(contract, "application/yaml")

    @routes.get("/openapi.json")
    def openapi_json() -> Response:
        return document_response(contract_as_json(), JSON)

    @routes.get("/problems")
    def list_problems() -> Response:
        listed = ProblemList(problems=[_explained(kind) for kind in KINDS.values()], codes=dict(CODES))
        return document_response(json.dumps(listed).encode(), JSON)

    @routes.get("/problems/<name>")
    def get_problem(name: str) -> Response:
        if name not in KINDS:
            raise Problem("not-found", f"There is no problem {shortened(name)}; the problems are {', '.join(KINDS)}.")
        return document_response(json.dumps(_explained(KINDS[name])).encode(), JSON)

    return routes


@cache
def _contract() -> bytes:
    return (files("service") / "openapi.yaml").read_bytes()


@cache
def contract_as_json() -> bytes:
    """Convert the contract to JSON, once: it takes 0.1 s, in which no other thread runs."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return json.dumps(yaml.load(_contract(), loader)).encode()  # noqa: S506, both are safe


def _explained(kind: Kind) -> ProblemKind:
    return ProblemKind(type=kind.type, title=kind.title, status=kind.status, explanation=kind.explanation)
