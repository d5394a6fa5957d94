"""What a model can read beside the tools: documents, pages of the documentation, the prompt and the board."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from flask import Flask
from mcp import Client, MCPError
from mcp.client import advertise
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, TextContent

from service.api.site.guide import guide_routes
from service.mcp import board, resources
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
    {
        "location": "guide/positions.html#moves",
        "title": "Moves",
        "text": "<table><tr><td>a</td><td>b</td></tr></table>",
    },
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


def refusal(server: Server[Any], ask: Callable[[Client], Awaitable[Any]]) -> str:
    """What a client is told that asks for something that is not there."""

    async def refused(asked: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await ask(asked)
        return str(caught.value)

    return str(found(server, refused))


@pytest.mark.parametrize(
    "uri",
    ["move-oracle://docs/nothing", "file:///etc/passwd", "move-oracle://docs/../../etc/passwd", "ui://other/x.html"],
)
def test_nothing_else_can_be_read(uri: str, oracle: Server[Any]) -> None:
    said = refusal(oracle, lambda asked: asked.read_resource(uri))
    assert said == f"There is no resource {uri}; resources/list lists them."


def guide() -> Flask:
    """An application with a small guide."""
    flask = Flask("guide", static_folder=None)
    flask.register_blueprint(guide_routes(GUIDE))
    return flask


def read_pages(ask: Ask) -> list[Page]:
    return [*asyncio.run(Pages().read(ask)).values()]


def test_pages_of_the_documentation_are_read_as_text() -> None:
    index, positions = read_pages(asking(guide()))
    assert (index.uri, index.title) == ("move-oracle://docs/index", "Move Oracle")
    assert positions.uri == "move-oracle://docs/guide/positions"
    assert positions.text == "Positions\n\nA board:\nX.O <\n\nMoves\n\na | b |\n"


def test_without_a_guide_there_are_no_pages() -> None:
    flask = Flask("guide", static_folder=None)
    flask.register_blueprint(guide_routes({}))
    flask.register_error_handler(Exception, lambda _: ({"detail": "There is none.", "status": 404}, 404))
    assert read_pages(asking(flask)) == []


def test_pages_are_parsed_once_and_not_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, asked, ask = list[threading.Thread](), list[RouteRequest](), asking(guide())
    parsed = resources._parsed  # noqa: SLF001

    def parse(index: bytes) -> Any:
        threads.append(threading.current_thread())
        return parsed(index)

    async def counted(question: RouteRequest) -> RouteResponse:
        asked.append(question)
        return await ask(question)

    async def read_often() -> None:
        pages = Pages()
        await asyncio.gather(*(pages.read(counted) for _ in range(5)))
        await pages.read(counted)

    monkeypatch.setattr(resources, "_parsed", parse)
    asyncio.run(read_often())
    assert (len(asked), len(threads)) == (1, 1)
    assert threads[0] is not threading.main_thread()


def test_the_prompt_makes_a_lesson_of_a_position(oracle: Server[Any]) -> None:
    async def ask(asked: Client) -> Any:
        assert [prompt.name for prompt in (await asked.list_prompts()).prompts] == ["teach_position"]
        return await asked.get_prompt("teach_position", {"moves": "b2 b1"})

    content = found(oracle, ask).messages[0].content
    assert isinstance(content, TextContent)
    assert "It reads .O..X...., X to move." in content.text
    assert "a proven win in 5 plies" in content.text


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("teach_chess", {}, "There is no prompt teach_chess; the prompt is teach_position."),
        ("teach_position", {"game": "chess"}, "There is no game chess. The tool list_games lists the games."),
        ("teach_position", {"moves": "b2 b2"}, "moves[1]: Cell b2 is already marked."),
    ],
)
def test_a_prompt_that_cannot_be_made_says_why(
    name: str, arguments: dict[str, str], said: str, oracle: Server[Any]
) -> None:
    assert refusal(oracle, lambda asked: asked.get_prompt(name, arguments)) == said


def analysed(server: Server[Any], arguments: dict[str, Any], **options: Any) -> CallToolResult:
    async def ask(asked: Client) -> Any:
        return await asked.call_tool("analyze_position", arguments)

    result = found(server, ask, **options)
    assert isinstance(result, CallToolResult)
    assert_matches("AnalysisAnswer", result.structured_content)
    return result


def picture(result: CallToolResult) -> str | None:
    found = (result.meta or {}).get(board.PICTURE)
    assert found is None or isinstance(found, str)
    return found


@pytest.mark.parametrize(
    ("position", "shown"),
    [
        ({"board": "XX..O...."}, {"show": ["best", "evaluation"]}),
        ({"game": "wild-tic-tac-toe"}, {"show": ["best", "evaluation"]}),
        ({"game": "five-in-a-row-6x6", "limit": {"nodes": 1}}, {}),
    ],
    ids=["proven", "a family", "not proven, so without a value"],
)
def test_a_client_that_shows_boards_gets_the_picture_of_the_route(
    position: dict[str, Any], shown: dict[str, Any], oracle: Server[Any], client: EdgeClient
) -> None:
    result = analysed(oracle, position, extensions=[SHOWS_BOARDS])
    assert result.structured_content["proven"] is bool(shown)
    assert picture(result) == client.post("/position.svg", json={**position, **shown}).text


def test_a_client_that_shows_no_boards_gets_no_picture(oracle: Server[Any]) -> None:
    assert picture(analysed(oracle, {})) is None
    others = advertise(board.EXTENSION, {"mimeTypes": ["text/x-other"]})
    assert picture(analysed(oracle, {}, extensions=[others])) is None


def test_a_client_that_has_told_in_another_request_what_it_shows_gets_the_picture(client: EdgeClient) -> None:
    pictured = {
        version: board.PICTURE in client.post("/mcp", **call("analyze_position", version)).text
        for version in (HANDSHAKE, MODERN)
    }
    assert pictured == {HANDSHAKE: True, MODERN: False}


def test_the_tool_names_the_page_and_the_server_the_extension(oracle: Server[Any]) -> None:
    async def ask(asked: Client) -> Any:
        tools = {tool.name: tool.meta for tool in (await asked.list_tools()).tools}
        page = (await asked.read_resource(board.URI)).contents[0]
        return tools, page, asked.server_capabilities

    tools, page, capabilities = found(oracle, ask)
    assert [name for name, meta in tools.items() if meta] == ["analyze_position"]
    assert tools["analyze_position"] == {"ui": {"resourceUri": board.URI}}
    assert page.mime_type == "text/html;profile=mcp-app"
    assert page.meta == {"ui": {"prefersBorder": True}}
    assert board.EXTENSION in capabilities.extensions
