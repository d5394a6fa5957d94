"""The file, the running service and the wire models say the same."""

import json
import re
from collections.abc import Mapping
from runpy import run_path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from service import __version__
from service.api.problems import CODES, KINDS, MAX_ERRORS
from service.api.read.reading import GROUPS
from service.api.routes.puzzles import PuzzlesQuery
from service.api.wire.requests import BestMoveQuery, BestMoveRequest
from service.api.wire.rules import IN_QUERIES
from service.api.write.pictures import PictureQuery, PictureRequest
from service.games.catalogue import CATALOGUE, STATE_GAMES
from service.settings import Settings
from tests.contract import ANSWERS, CONTRACT, SCHEMAS, assert_matches, checker, operations, resolve
from tests.edge_client import EdgeClient
from tests.support import ROOT


def test_the_schemas_in_the_file_are_those_of_the_types() -> None:
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    assert run_path(str(ROOT / "docs/contract.py"))["contract"](text) == text, "run make contract"
    assert CONTRACT["info"]["version"] == __version__


def test_the_file_lists_exactly_the_routes_that_run(client: EdgeClient) -> None:
    running = {
        (re.sub(r"<(?:path:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in client.service.flask.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not rule.rule.startswith("/guide")  # the documentation, which is no part of the contract
    }
    assert running == {(path, method) for path, method, _ in operations()}


QUERIES: list[tuple[str, type[BaseModel], set[str]]] = [
    ("/best-move", BestMoveQuery, set()),
    ("/analysis", BestMoveQuery, set()),
    ("/position.png", PictureQuery, set()),
    ("/position.svg", PictureQuery, set()),
    (
        "/puzzles",
        PuzzlesQuery,
        {"time_ms", "prove", "family", *(name for name, by in IN_QUERIES.items() if "line" not in by)},
    ),
]
"""Routes, each with the model of its query, and fields of that which it lacks."""


def test_the_query_of_get_takes_the_fields_of_its_model_which_are_those_of_bodies_and_drops() -> None:
    for path, model, missing in QUERIES:
        parameters = [resolve(parameter) for parameter in CONTRACT["paths"][path]["get"]["parameters"]]
        flattened = {*model.model_fields, *GROUPS} - {"limit"} - missing
        assert sorted(p["name"] for p in parameters if p["in"] == "query") == sorted(flattened), path
    assert {*BestMoveQuery.model_fields} == {*BestMoveRequest.model_fields, "drops"}
    assert {*PictureQuery.model_fields} == {*PictureRequest.model_fields, "drops"}


def test_problems_in_the_file_and_in_the_service_are_the_same() -> None:
    examples = {
        example["type"]: (example["status"], example["title"])
        for response in CONTRACT["components"]["responses"].values()
        for media in response.get("content", {}).values()
        for example in [media.get("example"), *(e["value"] for e in media.get("examples", {}).values())]
        if example
    }
    # Every path has the first; MCP describes the path of the second; the third is that of a position of a batch.
    elsewhere = {"method-not-allowed", "forbidden", "left-out"}
    kinds = {kind.type: (kind.status, kind.title) for kind in KINDS.values() if kind.name not in elsewhere}
    assert examples == kinds
    assert SCHEMAS["ProblemDocument"]["properties"]["errors"]["maxItems"] == MAX_ERRORS
    assert set(re.findall(r'"code": "([a-z-]+)"', json.dumps(CONTRACT))) <= set(CODES)


PROBLEMS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "MalformedRequest": ("/best-move", {"data": '{"board": X'}),
    "NotFound": ("/best-mov", {"json": {}}),
    "UnknownGame": ("/best-move", {"json": {"game": "go"}}),
    "BodyTooLarge": ("/best-move", {"data": b" " * (Settings().max_body_bytes + 1)}),
    "UnsupportedMediaType": ("/best-move", {"data": "{}", "content_type": "text/html"}),
    "Unprocessable/field": ("/best-move", {"json": {"bord": "X"}}),
    "Unprocessable/position": ("/best-move", {"json": {"board": "XXX.X.O.."}}),
    "NoCertificate/unproven": ("/proof", {"json": {"game": "five-in-a-row-6x6", "limit": {"nodes": 1}}}),
    "NoCertificate/large": ("/proof", {"json": {"game": "qubic", "limit": {"nodes": 1}}}),
}
"""Requests that get the problems of the examples, by the names of these."""


@pytest.mark.parametrize("named", PROBLEMS)
def test_an_example_of_a_problem_is_what_the_service_answers(client: EdgeClient, named: str) -> None:
    response, _, which = named.partition("/")
    media = CONTRACT["components"]["responses"][response]["content"]["application/problem+json"]
    path, asked = PROBLEMS[named]
    expected = media["examples"][which]["value"] if which else media["example"]
    grown = re.compile(r"(?<=grown to )\d+")
    assert json.loads(grown.sub("26008", client.post(path, **asked).get_data(as_text=True))) == expected


def examples_of(node: Any, path: str = "#") -> list[tuple[str, Any, Any]]:
    """Every (place, schema, example) below a node of the contract."""
    found = []
    if isinstance(node, dict):
        schema = node.get("schema", node if {"type", "anyOf", "oneOf", "const"} & set(node) else None)
        if "example" in node and schema is not None:
            found.append((path, schema, node["example"]))
        found += [(path, schema, example["value"]) for example in node.get("examples", {}).values()]
        found += [e for key, value in node.items() if key != "example" for e in examples_of(value, f"{path}/{key}")]
    elif isinstance(node, list):
        found += [e for index, value in enumerate(node) for e in examples_of(value, f"{path}/{index}")]
    return found


def test_every_example_is_valid() -> None:
    found = examples_of(CONTRACT)
    assert len(found) > 300
    for place, schema, example in found:
        assert [error.message for error in checker(schema).iter_errors(example)] == [], place


def test_the_running_service_serves_the_file_as_it_is(client: EdgeClient) -> None:
    served = client.get("/openapi.yaml")
    assert served.mimetype == "application/yaml"
    assert yaml.safe_load(served.get_data()) == CONTRACT
    assert client.get("/openapi.json").get_json() == CONTRACT


@pytest.mark.parametrize("path", [*ANSWERS, "/position.svg", "/proof"])
def test_an_example_request_is_answered_as_the_contract_says(client: EdgeClient, path: str) -> None:
    operation = CONTRACT["paths"][path].get("post", {"requestBody": {"content": {"application/json": {}}}})
    for example in operation["requestBody"]["content"]["application/json"].get("examples", {}).values():
        response = client.post(path, json=example["value"])
        assert response.status_code == 200, example
        if path in ANSWERS:
            assert_matches(ANSWERS[path], response.get_json())
        elif path == "/proof":
            lines = [*map(json.loads, response.get_data().splitlines())]
            header = "FamilyHeader" if "family" in lines[0] else "GridHeader"
            assert list(lines[0]) == list(resolve(SCHEMAS[header])["properties"])
            for line in lines:
                assert_matches("CertificateLine", line)


def example_of(parameter: Any) -> Any:
    """The value that a form prefills for a parameter; None if it leaves it empty."""
    schema = resolve(parameter["schema"])
    return parameter.get("example", schema.get("example", schema.get("default")))


def test_the_examples_of_the_parameters_make_a_request_together(client: EdgeClient) -> None:
    for path, method, operation in operations():
        if method != "get":
            continue
        parameters = [resolve(parameter) for parameter in operation.get("parameters", [])]
        values = {at: {p["name"]: example_of(p) for p in parameters if p["in"] == at} for at in ("path", "query")}
        query = {name: value for name, value in values["query"].items() if value is not None}
        response = client.get(path.format(**values["path"]), query_string=query)
        assert response.status_code == 200, (path, response.get_json())
        assert all(example_of(p) is None for p in parameters if p["in"] == "header")


def test_an_example_answer_is_the_answer_to_its_request(client: EdgeClient) -> None:
    asked = {"BestMoveAnswer": SCHEMAS["BestMoveRequest"]["example"], "FinishedAnswer": {"board": "XXXOO...."}}
    for schema, body in asked.items():
        assert client.post("/best-move", json=body).get_json() == SCHEMAS[schema]["example"]


POSITIONS = [
    *(f"game={game}&time_ms=1" for game in {known.family: name for name, known in STATE_GAMES.items()}.values()),
    *("game=wild-tic-tac-toe&moves=X0,X1,X2", "family=vanishing&remove=after&moves=4,0", "family=morris&moves=4,0,1"),
    *(f"board={board}" for board in ("XXXOO....", "X...O....&tie_break=random", "X...O....&skill=30")),
    *(f"game={game}&moves=3&nodes=100" for game in ("connect-four", "connect-four-6x5")),
]

SHOWN: dict[str, list[str]] = {
    "Catalogue": ["/games", "/games?solved=true"],
    "GameDescription": [f"/games/{game}" for game in CATALOGUE],
    "ProblemList": ["/problems"],
    "ProblemKind": [kind.type for kind in KINDS.values()],
    "Health": ["/healthz"],
    "Readiness": ["/readyz"],
    "Version": ["/version"],
    "BestMoveAnswer": [f"/best-move?{query}" for query in POSITIONS],
    "AnalysisAnswer": [f"/analysis?{query}" for query in POSITIONS],
}
"""Requests by the schema of their answers."""


@pytest.mark.parametrize(("schema", "path"), [(schema, path) for schema, paths in SHOWN.items() for path in paths])
def test_an_answer_is_what_the_contract_says(client: EdgeClient, schema: str, path: str) -> None:
    assert_matches(schema, client.get(path).get_json())


BODIES: dict[str, Any] = {
    "/best-moves": {"positions": [{"board": "........."}]},
    "/review": {"moves": [4, 0]},
    "/review/stream": {"moves": [4, 0]},
    "/random-position": {"plies": 4},
    "/random-positions": {"plies": 4, "count": 2},
}


def test_a_response_has_the_headers_and_the_type_that_the_contract_lists(client: EdgeClient) -> None:
    names = {"/docs/{name}": "docs.js", "/page/{name}": "main.js"}
    for path, method, operation in operations():
        url = path.format(id="tic-tac-toe", name=names.get(path, "not-found"))
        body = BODIES.get(path, {"board": "........."})
        takes_board = path in ("/best-move", "/analysis", "/position.png", "/position.svg")
        sent = {"json": body} if method == "post" else {"query_string": body if takes_board else None}
        response = client.open(url, method=method.upper(), **sent)
        documented = resolve(operation["responses"][str(response.status_code)])
        assert not [name for name in documented["headers"] if name not in response.headers], path
        assert not response.data or response.mimetype in documented["content"], path
