"""The SDK's server with tools, resources and a prompt. One instance serves all requests, without state of clients."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from service import __version__
from service.api.problems import Problem
from service.mcp import board, sentences
from service.mcp.calls import counted
from service.mcp.resources import DOCUMENTS, Pages, read_document
from service.mcp.routes import Ask, RouteRefusal
from service.mcp.tools import PROMPT, PROMPT_ARGUMENTS, PROMPT_DESCRIPTION, PROMPT_TITLE, TOOLS, lesson

INSTRUCTIONS = (
    "Move Oracle answers questions about positions of tic-tac-toe, Connect Four and their relatives. Its answers are "
    "theorems, not guesses: each is proven, or says that it is not. Ask it before you claim who wins."
)

PROBLEM = "move-oracle/problem"
"""The metadata key of the problem document in a refusal, for programs: the model gets the text."""

Context = ServerRequestContext[Any, Any]


def create_server(asking: Callable[[Context], Ask]) -> Server[Any]:
    """Return the server; ``asking`` returns the function by which the tools of a request ask the routes."""
    logging.getLogger("mcp").setLevel(logging.WARNING)
    tools = _described_tools()
    pages = Pages()

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await answer_call(asking(context), params, pictured=_shows_boards(context))

    async def list_resources(context: Context, _: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=await _described_resources(asking(context), pages))

    async def read_resource(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        return ReadResourceResult(contents=[await _contents(asking(context), pages, params.uri)])

    async def list_prompts(_: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(prompts=[_described_prompt()])

    async def get_prompt(context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        return await _lesson(asking(context), params)

    server: Server[Any] = Server(
        "move-oracle",
        version=__version__,
        title="Move Oracle",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=lambda _: None,  # headers repeat no argument
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    server.extensions[board.EXTENSION] = {}
    return server


def serve_stdio(ask: Ask) -> None:
    """Serve the client that has started this program, until it closes standard input."""
    asyncio.run(_serve_stdio(ask))


async def _serve_stdio(ask: Ask) -> None:
    server = create_server(lambda _: ask)
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())


def _shows_boards(context: Context) -> bool:
    """Return whether the client of a request may show a board. Requests after a handshake do not carry capabilities."""
    capabilities = context.session.client_capabilities
    return board.may_show(capabilities.extensions if capabilities else None, known=capabilities is not None)


async def answer_call(ask: Ask, params: CallToolRequestParams, *, pictured: bool) -> CallToolResult:
    """Return the result of a tool; a refusal is a result too, whose text says what to send instead.

    If the tool is ``pictured``, the result contains a picture of the position.
    """
    arguments = counted(params.arguments or {})
    if params.name not in TOOLS:
        raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:64]}; the tools are {', '.join(TOOLS)}.")
    try:
        answered = await TOOLS[params.name].call(ask, arguments)
    except RouteRefusal as refusal:
        return _refusal(refusal.document)
    except Problem as problem:
        return _refusal(problem.document())
    # Every client gives the model the text, and many nothing else: structured content would repeat it.
    texts = [answered.sentence, json.dumps(answered.data, ensure_ascii=False, separators=(",", ":"))]
    picture = await board.draw(ask, arguments, answered.data) if pictured and TOOLS[params.name].pictured else None
    return CallToolResult(
        content=[TextContent(text=text) for text in texts],
        _meta={board.PICTURE: picture} if picture else None,
    )


def _refusal(document: Any) -> CallToolResult:
    content = [TextContent(text=sentences.problem(document))]
    return CallToolResult(content=content, is_error=True, _meta={PROBLEM: document})


def _described_tools() -> list[Tool]:
    """Return the descriptions of the tools."""
    return [
        Tool(
            name=name,
            title=tool.title,
            description=tool.description,
            input_schema=dict(tool.arguments),
            annotations=ToolAnnotations(
                read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
            _meta={"ui": {"resourceUri": board.URI}} if tool.pictured else None,
        )
        for name, tool in TOOLS.items()
    ]


async def _described_resources(ask: Ask, pages: Pages) -> list[Resource]:
    """Return the descriptions of the resources."""
    documents = [
        Resource(uri=uri, name=about.title, description=about.description, mime_type=about.mimetype)
        for uri, about in DOCUMENTS.items()
    ]
    described = [
        Resource(uri=page.uri, name=page.title, description="A page of the documentation.", mime_type="text/plain")
        for page in (await pages.read(ask)).values()
    ]
    view = Resource(uri=board.URI, name="Board", mime_type=board.MIMETYPE, _meta={"ui": dict(board.LAYOUT)})
    return [*documents, *described, view]


async def _contents(ask: Ask, pages: Pages, uri: str) -> TextResourceContents:
    """Return the contents of a resource."""
    if uri == board.URI:
        return TextResourceContents(
            uri=uri, mime_type=board.MIMETYPE, text=board.page(), _meta={"ui": dict(board.LAYOUT)}
        )
    try:
        mimetype, text = await read_document(ask, pages, uri)
    except Problem as problem:
        raise MCPError(INVALID_PARAMS, problem.detail, {"uri": uri}) from None
    return TextResourceContents(uri=uri, mime_type=mimetype, text=text)


def _described_prompt() -> Prompt:
    """Return the description of the prompt."""
    arguments = [
        PromptArgument(name=name, description=about, required=False) for name, about in PROMPT_ARGUMENTS.items()
    ]
    return Prompt(name=PROMPT, title=PROMPT_TITLE, description=PROMPT_DESCRIPTION, arguments=arguments)


async def _lesson(ask: Ask, params: GetPromptRequestParams) -> GetPromptResult:
    """Return the prompt about a position."""
    if params.name != PROMPT:
        raise MCPError(INVALID_PARAMS, f"There is no prompt {params.name[:64]}; the prompt is {PROMPT}.")
    try:
        text = await lesson(ask, params.arguments or {})
    except RouteRefusal as refusal:
        raise MCPError(INVALID_PARAMS, sentences.problem(refusal.document)) from None
    message = PromptMessage(role="user", content=TextContent(text=text))
    return GetPromptResult(description=PROMPT_TITLE, messages=[message])
