"""The server over standard input and output, for clients that start a program of their own."""

import asyncio

from mcp.server.stdio import stdio_server

from service.mcp.routes import Ask
from service.mcp.server import create_server


def run(ask: Ask) -> None:
    """Answer one client until it closes standard input; its tools ask the routes by ``ask``."""
    asyncio.run(_serve(ask))


async def _serve(ask: Ask) -> None:
    server = create_server(lambda _: ask)
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())
