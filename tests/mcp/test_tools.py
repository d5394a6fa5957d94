"""Every tool over both transports, asked by the official client with valid and invalid arguments."""

import json
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent, Tool

from service.api.routes.games import GamesQuery
from service.api.routes.puzzles import PuzzlesQuery
from service.api.wire.requests import BestMoveRequest, ReviewRequest
from service.mcp.arguments import POSITION
from service.mcp.tools import TOOLS
from tests.contract import assert_matches
from tests.mcp.cases import CASES
from tests.mcp.clients import at, run, started
from tests.support import Server

FIELDS: dict[str, tuple[str, Any, tuple[str, ...]]] = {
    "best_move": ("BestMoveAnswer", BestMoveRequest.model_fields, ()),
    "analyze_position": ("AnalysisAnswer", (*POSITION, "limit"), ()),
    "compare_moves": ("AnalysisAnswer", (*POSITION, "limit"), ("compare",)),
    "explain_move": ("AnalysisAnswer", (*POSITION, "limit"), ("move",)),
    "review_game": ("ReviewAnswer", ReviewRequest.model_fields, ()),
    "find_puzzle": ("PuzzlesAnswer", PuzzlesQuery.model_fields, ()),
    "list_games": ("Catalogue", GamesQuery.model_fields, ()),
    "describe_rules": ("GameDescription", ("game",), ()),
}
"""The names of the tools, each with the schema of its answer, the fields of its route, and arguments of its own."""

MOST_CHARACTERS = 4 * 3500
"""Characters of the list of tools, which every model reads: some 3,500 tokens."""

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
def test_a_tool_answers_with_a_sentence_and_data_that_the_contract_describes(name: str, answers: Answers) -> None:
    """Each is told once, as a text, for many clients pass on nothing else."""
    case, result = CASES[name], answers[name]
    sentence, *data = texts(result)
    assert case.said in sentence
    assert (bool(result.is_error), result.structured_content) == (case.refused, None)
    if case.refused:
        assert data == []
        assert_matches("ProblemDocument", (result.meta or {})["move-oracle/problem"])
    else:
        assert_matches(FIELDS[case.tool][0], json.loads(*data))


@pytest.mark.parametrize("transport", ["HTTP with a handshake", pytest.param("stdio", marks=pytest.mark.verify)])
def test_every_other_transport_answers_the_same(transport: str, answers: Answers, server: Server) -> None:
    others = run(started() if transport == "stdio" else at(server.url, mode="legacy"), ask_all)
    for name, result in answers.items():
        assert (others[name].content, others[name].is_error) == (result.content, result.is_error), name


def test_every_fault_is_named_at_once(answers: Answers) -> None:
    said = texts(answers["two faults"])[0]
    assert "skill must be at most 100." in said
    assert "player must be" in said


def test_a_tool_answers_what_its_route_answers(answers: Answers, server: Server) -> None:
    for name in ("columns", "another family"):
        route = httpx.post(f"{server.url}/best-move", json=CASES[name].arguments).json()
        assert json.loads(texts(answers[name])[1]) == route, name


def test_a_tool_takes_the_fields_of_its_route_and_the_list_of_tools_is_short(listed: dict[str, Tool]) -> None:
    assert [*listed] == [*FIELDS]
    for name, tool in listed.items():
        _, fields, own = FIELDS[name]
        assert set(tool.input_schema["properties"]) == {*fields, *own}, name
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint, name
    assert (
        sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in listed.values()) < MOST_CHARACTERS
    )


def test_no_tool_has_another_name_than_those_that_are_listed(server: Server) -> None:
    async def ask(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("worst_move", {})
        return str(caught.value)

    assert run(at(server.url), ask) == f"There is no tool worst_move; the tools are {', '.join(TOOLS)}."
