"""What a model can read beside the tools: documents, pages of the documentation, the prompt and the board."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from flask import Flask
from mcp import Client, MCPError
from mcp.client import advertise
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, TextContent

from service.api.site.guide import guide_routes
from service.mcp import board
from service.mcp.resources import DOCUMENTS, Page, Pages
from service.mcp.routes import Ask, RouteRequest, RouteResponse
from service.mcp.server import create_server
from tests.contract import assert_matches
from tests.edge_client import EdgeClient
from tests.mcp.clients import HANDSHAKE, MODERN, call

SHOWS_BOARDS = advertise(board.EXTENSION, {"mimeTypes": [board.MIMETYPE]})

SECTIONS = [
    {"location": "index.html", "title": "Move Oracle", "text": ""},
    {"location": "guide/positions.html", "title": "Positions", "text": "<p>A <em>board</em>:</p><pre>X.O &lt;</pre>"},
    {"location": "guide/positions.html#moves", "title": "Moves", "text": "<table><td>a</td><td>b</td></table>"},
]

GUIDE = {"index.html": b"<p>", "search/search_index.json": json.dumps({"docs": SECTIONS}).encode()}


def asking(flask: Flask) -> Ask:
    """How to ask the routes of an application in this process."""

    async def ask(question: RouteRequest) -> RouteResponse:
        about = {"data": question.body, "content_type": "application/json"} if question.body else {}
        response = flask.test_client().open(
            question.path,
            method=question.method,
            query_string=question.query,
            **about,  # type: ignore[arg-type]
        )
        return RouteResponse(response.status_code, response.data)

    return ask


@pytest.fixture(scope="module")
def oracle(client: EdgeClient) -> Server[Any]:
    ask = asking(client.service.flask)
    return create_server(lambda _: ask)


def found(server: Server[Any], ask: Callable[[Client], Awaitable[Any]], **options: Any) -> Any:
    """What a function finds out with a client of a server in this process."""

    async def connected() -> Any:
        async with Client(server, **options) as client:
            return await ask(client)

    return asyncio.run(connected())


def test_every_resource_that_is_listed_can_be_read_and_a_document_is_what_its_route_answers(
    oracle: Server[Any], client: EdgeClient
) -> None:
    async def ask(asked: Client) -> dict[str, Any]:
        listed = (await asked.list_resources()).resources
        found = {}
        for resource in [*listed[:4], listed[-1]]:
            found[resource.uri] = (await asked.read_resource(resource.uri)).contents[0]
            assert found[resource.uri].mime_type == resource.mime_type
        return found

    contents = found(oracle, ask)
    assert {*DOCUMENTS, board.URI} <= {*contents}
    for uri, document in DOCUMENTS.items():
        assert contents[uri].text.encode() == client.get(document.path).data, uri


READ, GET = Client.read_resource, Client.get_prompt
LIST = "resources/list lists them."


@pytest.mark.parametrize(
    ("ask", "given", "said"),
    [
        (READ, ["file:///etc/passwd"], f"There is no resource file:///etc/passwd; {LIST}"),
        (READ, ["move-oracle://docs/../x"], f"There is no resource move-oracle://docs/../x; {LIST}"),
        (GET, ["teach_chess", {}], "There is no prompt teach_chess; the prompt is teach_position."),
        (GET, ["teach_position", {"moves": "b2 b2"}], "moves[1]: Cell b2 is already marked."),
    ],
)
def test_what_is_not_there_is_refused_in_words(oracle: Server[Any], ask: Any, given: list[Any], said: str) -> None:
    async def refused(asked: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await ask(asked, *given)
        return str(caught.value)

    assert found(oracle, refused) == said


def guide() -> Flask:
    """An application with a small guide."""
    flask = Flask("guide", static_folder=None)
    flask.register_blueprint(guide_routes(GUIDE))
    return flask


def read_pages(ask: Ask) -> list[Page]:
    return [*asyncio.run(Pages().read(ask)).values()]


def test_pages_of_the_documentation_are_read_as_text_and_without_a_guide_there_are_none() -> None:
    index, positions = read_pages(asking(guide()))
    assert (index.uri, index.title) == ("move-oracle://docs/index", "Move Oracle")
    assert positions.uri == "move-oracle://docs/guide/positions"
    assert positions.text == "Positions\n\nA board:\nX.O <\n\nMoves\n\na | b |\n"
    empty = Flask("guide", static_folder=None)
    empty.register_error_handler(Exception, lambda _: ({"detail": "There is none.", "status": 404}, 404))
    assert read_pages(asking(empty)) == []


def test_the_prompt_makes_a_lesson_of_a_position(oracle: Server[Any]) -> None:
    async def ask(asked: Client) -> Any:
        assert [prompt.name for prompt in (await asked.list_prompts()).prompts] == ["teach_position"]
        return await asked.get_prompt("teach_position", {"moves": "b2 b1"})

    content = found(oracle, ask).messages[0].content
    assert isinstance(content, TextContent)
    assert 'It reads ".O..X....", X to move.' in content.text
    assert "a proven win in 5 plies" in content.text


def analysed(server: Server[Any], arguments: dict[str, Any], **options: Any) -> CallToolResult:
    async def ask(asked: Client) -> Any:
        return await asked.call_tool("analyze_position", arguments)

    result = found(server, ask, **options)
    assert isinstance(result, CallToolResult)
    _, data = result.content
    assert isinstance(data, TextContent)
    assert_matches("AnalysisAnswer", json.loads(data.text))
    return result


def picture(result: CallToolResult) -> str | None:
    found = (result.meta or {}).get(board.PICTURE)
    assert found is None or isinstance(found, str)
    return found


@pytest.mark.parametrize(
    ("position", "shown"),
    [
        ({"game": "wild-tic-tac-toe"}, {"show": ["best", "evaluation"]}),
        ({"game": "five-in-a-row-6x6", "limit": {"nodes": 1}}, {}),
    ],
    ids=["proven", "not proven, so without a value"],
)
def test_a_client_that_shows_boards_gets_the_picture_of_the_route(
    position: dict[str, Any], shown: dict[str, Any], oracle: Server[Any], client: EdgeClient
) -> None:
    result = analysed(oracle, position, extensions=[SHOWS_BOARDS])
    assert picture(result) == client.post("/position.svg", json={**position, **shown}).text


def test_a_client_that_shows_no_boards_gets_no_picture(oracle: Server[Any]) -> None:
    others = advertise(board.EXTENSION, {"mimeTypes": ["text/x-other"]})
    assert [picture(analysed(oracle, {}, extensions=shown)) for shown in ([], [others])] == [None, None]


def test_a_client_that_has_told_in_another_request_what_it_shows_gets_the_picture(client: EdgeClient) -> None:
    pictured = {
        version: board.PICTURE in client.post("/mcp", **call("analyze_position", version)).text
        for version in (HANDSHAKE, MODERN)
    }
    assert pictured == {HANDSHAKE: True, MODERN: False}


def test_the_tool_names_the_page_and_the_server_the_extension(oracle: Server[Any]) -> None:
    async def ask(asked: Client) -> Any:
        tools = {tool.name: tool.meta for tool in (await asked.list_tools()).tools if tool.meta}
        page = (await asked.read_resource(board.URI)).contents[0]
        return tools, (page.mime_type, page.meta), board.EXTENSION in (asked.server_capabilities.extensions or {})

    page = ("text/html;profile=mcp-app", {"ui": {"prefersBorder": True}})
    assert found(oracle, ask) == ({"analyze_position": {"ui": {"resourceUri": board.URI}}}, page, True)
