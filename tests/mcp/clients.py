"""Clients of the official SDK, and messages as they send them."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters

from tests.support import ROOT

Result = TypeVar("Result")

MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"
"""The last version of the protocol with a handshake."""

COMMAND = [sys.executable, "-m", "service", "mcp"]


def at(url: str, **options: Any) -> Client:
    """A client of the service at a URL."""
    return Client(f"{url}/mcp", **options)


def started(*options: str, **environment: str) -> Client:
    """A client that starts the service as a program."""
    command, *arguments = [*COMMAND[:3], *options, COMMAND[3]]
    return Client(
        StdioServerParameters(command=command, args=arguments, env={**os.environ, **environment}, cwd=str(ROOT))
    )


def run(client: Client, ask: Callable[[Client], Awaitable[Result]]) -> Result:
    """What a function finds out with a client that is connected."""

    async def connected() -> Result:
        async with client:
            return await ask(client)

    return asyncio.run(connected())


def message(method: str, version: str = MODERN, **params: Any) -> dict[str, Any]:
    """A request as an HTTP client sends it, by the names of arguments of Flask's test client."""
    headers = {"MCP-Protocol-Version": version, "Accept": "application/json, text/event-stream"}
    if version == MODERN:
        prefix = "io.modelcontextprotocol"
        client = {"name": "test", "version": "1"}
        meta = {"protocolVersion": version, "clientInfo": client, "clientCapabilities": {}}
        params = {**params, "_meta": {f"{prefix}/{name}": value for name, value in meta.items()}}
        headers |= {"Mcp-Method": method} | ({"Mcp-Name": params["name"]} if "name" in params else {})
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    return {"data": body, "headers": headers, "content_type": "application/json"}


def call(tool: str, version: str = MODERN, **arguments: Any) -> dict[str, Any]:
    """The call of a tool as an HTTP client sends it."""
    return message("tools/call", version, name=tool, arguments=arguments)
