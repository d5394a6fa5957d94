"""The contract as data, and answers held against it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.support import ROOT

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

CONTRACT: dict[str, Any] = yaml.load((ROOT / "openapi.yaml").read_text(), _LOADER)
SCHEMAS: dict[str, Any] = CONTRACT["components"]["schemas"]

ANSWERS = {
    "/best-move": "BestMoveAnswer",
    "/analysis": "AnalysisAnswer",
    "/best-moves": "BestMovesAnswer",
    "/review": "ReviewAnswer",
    "/random-position": "RandomPositionAnswer",
    "/random-positions": "RandomPositionsAnswer",
    "/puzzles": "PuzzlesAnswer",
}
"""The schemas of what the routes answer that answer about positions."""


_REGISTRY: Registry[Any] = Registry().with_resource(
    "urn:contract", Resource.from_contents(CONTRACT, default_specification=DRAFT202012)
)


@cache
def validator(schema: str) -> Draft202012Validator:
    """What checks values against a schema of the contract."""
    return Draft202012Validator({"$ref": f"urn:contract#/components/schemas/{schema}"}, registry=_REGISTRY)


def assert_matches(schema: str, value: object) -> None:
    """Fails unless ``value`` is what the contract says of ``schema``."""
    faults = [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(value)]
    assert not faults, faults


def faults(problem: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the pointer and the code of each error of a problem document."""
    return [(error["pointer"], error["code"]) for error in problem["errors"]]


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Every (path, method, operation) of the contract."""
    return [
        (path, method, operation)
        for path, methods in CONTRACT["paths"].items()
        for method, operation in methods.items()
    ]


def resolve(node: Any) -> Any:
    """What a node says with all that it refers to and consists of; siblings of a reference win."""
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target: Any = CONTRACT
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = {**resolve(target), **{key: value for key, value in node.items() if key != "$ref"}}
    if "allOf" not in node:
        return node
    parts = [*map(resolve, node["allOf"]), node]
    return {
        **{key: value for key, value in node.items() if key != "allOf"},
        "properties": {name: field for part in parts for name, field in part.get("properties", {}).items()},
        "required": [name for part in parts for name in part.get("required", ())],
    }
