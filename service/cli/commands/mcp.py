"""``mcp``: the service for a language model whose client starts it as a program."""

import asyncio
import json
from importlib.util import find_spec

import click

from service.api.problems import Problem, problem_json
from service.cli.client import Client, open_client
from service.mcp.routes import RouteRequest, RouteResponse

NOT_INSTALLED = "The SDK of MCP is not installed: pip install 'move-oracle[mcp]'"


@click.command()
def mcp() -> None:
    """Answer a language model by the Model Context Protocol, over standard input and output.

    Clients such as chat programs and editors start this command; the documentation shows how to add it to them. With
    --url it asks that service, else it answers by itself.
    """
    if find_spec("mcp") is None:
        raise click.ClickException(NOT_INSTALLED)
    from service.mcp.server import serve_stdio  # noqa: PLC0415, the SDK is optional

    client = open_client()

    async def ask(request: RouteRequest) -> RouteResponse:
        return await asyncio.to_thread(_ask, client, request)

    serve_stdio(ask)


def _ask(client: Client, request: RouteRequest) -> RouteResponse:
    """Return the response of a route; a problem document if the service at the URL does not answer."""
    path = f"{request.path}?{request.query}" if request.query else request.path
    try:
        reply = client.ask(path, json.loads(request.body) if request.body else None)
    except click.ClickException as error:
        problem = Problem("internal-error", error.message)
        return RouteResponse(problem.document()["status"], problem_json(problem))
    return RouteResponse(reply.status, reply.body)
