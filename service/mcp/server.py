"""The server of the SDK with the tools. One serves all requests of a process: it keeps nothing of any client."""

import json
import logging
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from service import __version__
from service.api.documents import contract_as_json
from service.api.problems import Problem
from service.mcp import sentences
from service.mcp.routes import Ask, Refused
from service.mcp.schemas import outline
from service.mcp.tools import TOOLS

INSTRUCTIONS = (
    "Move Oracle answers questions about positions of tic-tac-toe, Connect Four and their relatives. Its answers are "
    "theorems, not guesses: each is proven, or says that it is not. Ask it before you claim who wins."
)

Context = ServerRequestContext[Any, Any]


def create_server(asking: Callable[[Context], Ask]) -> Server[Any]:
    """Return the server, whose tools ask the routes as ``asking`` says for the context of a request."""
    logging.getLogger("mcp").setLevel(logging.WARNING)
    tools = _described_tools()

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await answer_call(asking(context), params)

    return Server(
        "move-oracle",
        version=__version__,
        title="Move Oracle",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=lambda _: None,  # no argument is repeated in a header
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def answer_call(ask: Ask, params: CallToolRequestParams) -> CallToolResult:
    """Return the result of a tool; what a route refuses is one too, so that the model can read what to send instead."""
    if params.name not in TOOLS:
        raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:64]}; the tools are {', '.join(TOOLS)}.")
    try:
        answered = await TOOLS[params.name].call(ask, params.arguments or {})
    except Refused as refused:
        return _refusal(refused.document)
    except Problem as problem:
        return _refusal(problem.document())
    # The sentence first; then the data once more, for clients that know no structured content.
    texts = [answered.sentence, json.dumps(answered.data, ensure_ascii=False, separators=(",", ":"))]
    return CallToolResult(content=[TextContent(text=text) for text in texts], structured_content=answered.data)


def _refusal(document: Any) -> CallToolResult:
    content = [TextContent(text=sentences.problem(document))]
    return CallToolResult(content=content, structured_content=document, is_error=True)


def _described_tools() -> list[Tool]:
    """Return what clients are told of the tools."""
    contract = json.loads(contract_as_json())
    return [
        Tool(
            name=name,
            title=tool.title,
            description=tool.description,
            input_schema=dict(tool.arguments),
            output_schema=outline(contract, tool.answer),
            annotations=ToolAnnotations(
                read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
        )
        for name, tool in TOOLS.items()
    ]
