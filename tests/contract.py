"""The contract as data, and answers held against it."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml
from jsonschema_rs import Draft202012Validator, Registry

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


_REGISTRY = Registry([("urn:contract", CONTRACT)])


def checker(schema: Mapping[str, Any]) -> Draft202012Validator:
    """What checks values against a schema that stands in the contract."""
    absolute = json.loads(json.dumps(schema).replace('"#/', '"urn:contract#/'))
    return Draft202012Validator(absolute, registry=_REGISTRY)


@cache
def validator(schema: str) -> Draft202012Validator:
    """What checks values against a schema of the contract, by its name."""
    return checker({"$ref": f"#/components/schemas/{schema}"})


def assert_matches(schema: str, value: object) -> None:
    """Fails unless ``value`` is what the contract says of ``schema``."""
    faults = [f"{error.instance_path}: {error.message}" for error in validator(schema).iter_errors(value)]
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
