"""The board in a chat: a page of the extension MCP Apps, and the picture on it."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from service.mcp.routes import Arguments, Ask, posted

EXTENSION = "io.modelcontextprotocol/ui"
URI = "ui://move-oracle/board.html"
MIMETYPE = "text/html;profile=mcp-app"

PICTURE = "move-oracle/picture"
"""The metadata key of the picture in an answer, which is not for the model."""

LAYOUT: Mapping[str, Any] = {"prefersBorder": True}
"""The page's wishes to its host. It loads nothing, so it asks for no domains."""


@cache
def page() -> str:
    """Return the page."""
    return (files("service.mcp") / "board.html").read_text(encoding="utf-8")


def may_show(extensions: Mapping[str, Any] | None, *, known: bool) -> bool:
    """Return whether a client may show the page: it says so in its ``extensions``, or nothing is ``known`` of it."""
    if not known:
        return True
    extension = (extensions or {}).get(EXTENSION)
    return isinstance(extension, dict) and MIMETYPE in (extension.get("mimeTypes") or ())


async def draw(ask: Ask, arguments: Arguments, answer: Mapping[str, Any]) -> str | None:
    """Return the picture of an analysed position; None if the service refuses to draw it, as under load.

    The best move and the value are drawn only if they are proven, so that they need no second search.
    """
    shown = ["best", "evaluation"] if answer["proven"] and answer["status"] == "in_progress" else []
    reply = await ask(posted("/position.svg", {**arguments, "show": shown}))
    return reply.body.decode() if reply.status == 200 else None  # noqa: PLR2004, a picture
