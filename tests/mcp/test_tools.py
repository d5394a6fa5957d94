"""Every tool over both transports, asked by the official client with valid and invalid arguments."""

import json
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent

from service.api.games import GamesQuery
from service.api.puzzles import PuzzlesQuery
from service.api.requests import BestMoveRequest, ReviewRequest
from service.mcp.arguments import POSITION
from service.mcp.tools import TOOLS
from tests.contract import assert_matches
from tests.mcp.cases import CASES
from tests.mcp.clients import at, run, started
from tests.support import ROOT, Server

SNAPSHOT = ROOT / "tests/mcp/tools.json"

Answers = dict[str, CallToolResult]


async def ask_all(client: Client) -> Answers:
    return {name: await client.call_tool(case.tool, case.arguments) for name, case in CASES.items()}


@pytest.fixture(scope="module")
def answers(server: Server) -> Answers:
    """What a client is answered to every call by HTTP."""
    return run(at(server.url), ask_all)


def texts(result: CallToolResult) -> list[str]:
    return [part.text for part in result.content if isinstance(part, TextContent)]


@pytest.mark.parametrize("name", CASES)
def test_a_tool_answers_with_a_sentence_and_data_that_the_contract_describes(name: str, answers: Answers) -> None:
    case, result = CASES[name], answers[name]
    assert case.said in texts(result)[0]
    assert bool(result.is_error) is case.refused
    assert_matches("Problem" if case.refused else TOOLS[case.tool].answer, result.structured_content)


@pytest.mark.parametrize("transport", ["HTTP with a handshake", pytest.param("stdio", marks=pytest.mark.verify)])
def test_every_other_transport_answers_the_same(transport: str, answers: Answers, server: Server) -> None:
    others = run(started() if transport == "stdio" else at(server.url, mode="legacy"), ask_all)
    for name, result in answers.items():
        told = others[name].content, others[name].structured_content, others[name].is_error
        assert told == (result.content, result.structured_content, result.is_error), name


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.refused])
def test_the_data_is_there_for_clients_that_know_no_structured_content(name: str, answers: Answers) -> None:
    assert json.loads(texts(answers[name])[1]) == answers[name].structured_content


def test_every_fault_is_named_at_once(answers: Answers) -> None:
    said = texts(answers["two faults"])[0]
    assert "skill must be at most 100." in said
    assert "player must be" in said


@pytest.mark.parametrize("name", ["columns", "another family", "names of moves"])
def test_a_tool_answers_what_its_route_answers(name: str, answers: Answers, server: Server) -> None:
    route = httpx.post(f"{server.url}/best-move", json=CASES[name].arguments).json()
    assert answers[name].structured_content == route


def test_every_tool_is_asked_with_valid_and_with_invalid_arguments() -> None:
    assert {(case.tool, case.refused) for case in CASES.values()} == {(tool, bad) for tool in TOOLS for bad in (0, 1)}


def test_the_tools_are_those_of_the_snapshot(server: Server) -> None:
    async def ask(client: Client) -> Any:
        return [
            tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in (await client.list_tools()).tools
        ]

    listed = run(at(server.url), ask)
    text = json.dumps(listed, indent=1) + "\n"
    assert text == SNAPSHOT.read_text(), "Clients see other tools now. If they should, write the snapshot anew."


def test_no_tool_has_another_name_than_those_that_are_listed(server: Server) -> None:
    async def ask(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("worst_move", {})
        return str(caught.value)

    assert run(at(server.url), ask) == f"There is no tool worst_move; the tools are {', '.join(TOOLS)}."


@pytest.mark.parametrize(
    ("tool", "fields", "own"),
    [
        ("best_move", BestMoveRequest.model_fields, ()),
        ("analyze_position", (*POSITION, "limit"), ()),
        ("compare_moves", (*POSITION, "limit"), ("compare",)),
        ("explain_move", (*POSITION, "limit"), ("move",)),
        ("review_game", ReviewRequest.model_fields, ()),
        ("find_puzzle", PuzzlesQuery.model_fields, ()),
        ("list_games", GamesQuery.model_fields, ()),
        ("describe_rules", ("game",), ()),
    ],
)
def test_a_tool_takes_the_fields_of_its_route(tool: str, fields: Any, own: tuple[str, ...]) -> None:
    assert set(TOOLS[tool].arguments["properties"]) == {*fields, *own}
