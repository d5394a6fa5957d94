"""Resources for models: the catalogue, the contract, the problems, and the pages of the documentation as text."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from service.api.problems import Problem, shortened
from service.mcp.routes import Ask, RouteRequest

PAGES = "move-oracle://docs/"
"""The prefix of the URIs of documentation pages, before a path such as ``guide/positions``."""

INDEX = RouteRequest("GET", "/guide/search/search_index.json")
"""The text of all pages by section: the search index of the documentation."""

PAGE_END = ".html"

BLOCKS = frozenset({"p", "pre", "li", "tr", "h1", "h2", "h3", "ul", "ol", "table"})
"""Elements that stand on lines of their own."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document served by a route."""

    path: str
    title: str
    description: str
    mimetype: str


DOCUMENTS: Mapping[str, Document] = MappingProxyType(
    {
        "move-oracle://games": Document(
            "/games", "Catalogue", "All games with their rules and theoretical values.", "application/json"
        ),
        "move-oracle://contract": Document(
            "/openapi.yaml", "Contract", "The OpenAPI document of the service.", "application/yaml"
        ),
        "move-oracle://problems": Document(
            "/problems", "Problems", "Every kind of error and what it means.", "application/json"
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the documentation."""

    uri: str
    title: str
    text: str


class Pages:
    """The pages of the documentation. They are parsed once, in a thread, because that takes long."""

    def __init__(self) -> None:
        self._pages: Mapping[str, Page] | None = None
        self._reading = asyncio.Lock()

    async def read(self, ask: Ask) -> Mapping[str, Page]:
        """Return the pages by their URIs; none if the documentation has not been built."""
        async with self._reading:
            if self._pages is None:
                reply = await ask(INDEX)
                if reply.status != HTTPStatus.OK:
                    return {}
                self._pages = await asyncio.to_thread(_parsed, reply.body)
            return self._pages


async def read_document(ask: Ask, pages: Pages, uri: str) -> tuple[str, str]:
    """Return the media type and the text of a resource. Raises a Problem if there is no resource with this URI."""
    if uri in DOCUMENTS:
        document = DOCUMENTS[uri]
        return document.mimetype, (await ask(RouteRequest("GET", document.path))).body.decode()
    page = (await pages.read(ask)).get(uri)
    if page is None:
        raise Problem("not-found", f"There is no resource {shortened(uri, 64)}; resources/list lists them.")
    return "text/plain", page.text


def _parsed(index: bytes) -> Mapping[str, Page]:
    """Return the pages in the index of the documentation, whose sections are consecutive."""
    sections: dict[str, list[Mapping[str, Any]]] = {}
    for section in json.loads(index)["docs"]:
        sections.setdefault(section["location"].partition("#")[0], []).append(section)
    pages = [
        Page(
            uri=PAGES + location.removesuffix(PAGE_END),
            title=parts[0]["title"],
            text="\n\n".join("\n\n".join(_parts(section)) for section in parts) + "\n",
        )
        for location, parts in sections.items()
    ]
    return {page.uri: page for page in pages}


def _parts(section: Mapping[str, Any]) -> Iterator[str]:
    """Yield the heading and the text of a section, if there are any."""
    yield str(section["title"])
    text = _Text()
    text.feed(section["text"])
    text.close()
    if said := "".join(text.parts).strip():
        yield said


class _Text(HTMLParser):
    """Collects the text of HTML, with a line for each block."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002, the signature is that of the parser
        """Start a line at a block element."""
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """Separate the cells of a table."""
        if tag in ("td", "th"):
            self.parts.append(" | ")

    def handle_data(self, data: str) -> None:
        """Add the text."""
        self.parts.append(data)
