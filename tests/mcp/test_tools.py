"""Every tool over both transports, asked by the official client with valid and invalid arguments."""

import json
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent, Tool

from service.api.routes.games import GamesQuery
from service.api.routes.puzzles import PuzzlesQuery
from service.api.wire.requests import BestMoveRequest, ReviewRequest
from service.mcp.arguments import POSITION
from service.mcp.tools import TOOLS
from tests.contract import SCHEMAS, assert_matches, resolve
from tests.mcp.cases import CASES
from tests.mcp.clients import at, run, started
from tests.support import Server

FIELDS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "best_move": (BestMoveRequest.model_fields, ()),
    "analyze_position": ((*POSITION, "limit"), ()),
    "compare_moves": ((*POSITION, "limit"), ("compare",)),
    "explain_move": ((*POSITION, "limit"), ("move",)),
    "review_game": (ReviewRequest.model_fields, ()),
    "find_puzzle": (PuzzlesQuery.model_fields, ()),
    "list_games": (GamesQuery.model_fields, ()),
    "describe_rules": (("game",), ()),
}
"""The names of the tools, each with the fields of the route that it asks, and arguments of its own."""

Answers = dict[str, CallToolResult]


async def ask_all(client: Client) -> Answers:
    return {name: await client.call_tool(case.tool, case.arguments) for name, case in CASES.items()}


@pytest.fixture(scope="module")
def answers(server: Server) -> Answers:
    """What a client is answered to every call by HTTP."""
    return run(at(server.url), ask_all)


@pytest.fixture(scope="module")
def listed(server: Server) -> dict[str, Tool]:
    """The tools that a client sees."""

    async def ask(client: Client) -> list[Tool]:
        return (await client.list_tools()).tools

    return {tool.name: tool for tool in run(at(server.url), ask)}


def texts(result: CallToolResult) -> list[str]:
    return [part.text for part in result.content if isinstance(part, TextContent)]


@pytest.mark.parametrize("name", CASES)
def test_a_tool_answers_with_a_sentence_and_data_that_the_contract_describes(
    name: str, answers: Answers, listed: dict[str, Tool]
) -> None:
    """And that the outline of the contract describes, which a model reads; a second text has the data too."""
    case, result = CASES[name], answers[name]
    assert case.said in texts(result)[0]
    assert bool(result.is_error) is case.refused
    assert_matches("ProblemDocument" if case.refused else TOOLS[case.tool].answer, result.structured_content)
    if not case.refused:
        assert Draft202012Validator(listed[case.tool].output_schema or False).is_valid(result.structured_content)
        assert json.loads(texts(result)[1]) == result.structured_content


@pytest.mark.parametrize("transport", ["HTTP with a handshake", pytest.param("stdio", marks=pytest.mark.verify)])
def test_every_other_transport_answers_the_same(transport: str, answers: Answers, server: Server) -> None:
    others = run(started() if transport == "stdio" else at(server.url, mode="legacy"), ask_all)
    for name, result in answers.items():
        told = others[name].content, others[name].structured_content, others[name].is_error
        assert told == (result.content, result.structured_content, result.is_error), name


def test_every_fault_is_named_at_once(answers: Answers) -> None:
    said = texts(answers["two faults"])[0]
    assert "skill must be at most 100." in said
    assert "player must be" in said


def test_a_tool_answers_what_its_route_answers(answers: Answers, server: Server) -> None:
    for name in ("columns", "another family"):
        route = httpx.post(f"{server.url}/best-move", json=CASES[name].arguments).json()
        assert answers[name].structured_content == route, name


def test_a_tool_takes_the_fields_of_its_route_and_shows_every_field_of_the_contract(listed: dict[str, Tool]) -> None:
    assert [*listed] == [*FIELDS]
    for name, tool in listed.items():
        fields, own = FIELDS[name]
        assert set(tool.input_schema["properties"]) == {*fields, *own}, name
        assert tool.output_schema is not None
        assert set(tool.output_schema["properties"]) == fields_of(SCHEMAS[TOOLS[name].answer]), name
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint, name


def fields_of(schema: dict[str, Any]) -> set[str]:
    """The fields of an answer of the contract, those of all its kinds."""
    kinds = resolve(schema).get("oneOf") or resolve(schema).get("anyOf")
    return set().union(*map(fields_of, kinds)) if kinds else {*resolve(schema)["properties"]}


def test_no_tool_has_another_name_than_those_that_are_listed(server: Server) -> None:
    async def ask(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("worst_move", {})
        return str(caught.value)

    assert run(at(server.url), ask) == f"There is no tool worst_move; the tools are {', '.join(TOOLS)}."
