"""What operators ask: ``/healthz``, ``/readyz``, ``/version`` and ``/metrics``. None of it is ever cached."""

import platform
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from flask import Blueprint, Response
from pydantic_core import to_json
from typing_extensions import TypedDict

from service import __version__
from service.api.requests import MAX_BATCH, MAX_LINES
from service.api.responses import NEVER, never_stored
from service.book.file import BookFile
from service.book.strategy_file import AnyBookFile
from service.families.all_games import ALL_GAMES
from service.games.game import MAX_CELLS
from service.kernel.search import KERNEL
from service.metrics import CONTENT_TYPE, Metrics
from service.settings import Settings


class Health(TypedDict):
    """The answer of ``GET /healthz``."""

    status: Literal["ok"]


class Readiness(TypedDict):
    """The answer of ``GET /readyz``."""

    status: Literal["ready"]
    kernel: str
    games: list[str]


class BookDescription(TypedDict):
    """A book of solved positions. ``lined`` are the most marks of a position whose line of best play it has too."""

    game: str
    kind: Literal["scores", "strategy"]
    plies: int
    lined: int | None
    positions: int
    source: str
    checksum: str


class Version(TypedDict):
    """The answer of ``GET /version``."""

    version: str
    kernel: str
    python: str
    max_body_bytes: int
    max_cells: int
    max_lines: int
    default_time_ms: int
    max_time_ms: int
    max_nodes: int
    max_searches: int
    max_queued: int
    max_batch: int
    books: list[BookDescription]


PROBES: Mapping[str, bytes] = MappingProxyType(
    {
        "/healthz": to_json(Health(status="ok")),
        "/readyz": to_json(Readiness(status="ready", kernel=KERNEL, games=list(ALL_GAMES))),
    }
)
"""The answers of the probes. They are constant, because a worker accepts no connection before it is ready."""

OPERATORS = frozenset({"/version", "/metrics"})
"""The paths that tell what runs and how much."""


def operations_routes(metrics: Metrics, settings: Settings, books: Sequence[AnyBookFile]) -> Blueprint:
    """Return the routes for probes and dashboards."""
    routes = Blueprint("operations", __name__)

    @routes.get("/healthz")
    def get_health() -> Response:
        return never_stored(PROBES["/healthz"])

    @routes.get("/readyz")
    def get_readiness() -> Response:
        return never_stored(PROBES["/readyz"])

    @routes.get("/version")
    def get_version() -> Response:
        answer = Version(
            version=__version__,
            kernel=KERNEL,
            python=platform.python_version(),
            max_body_bytes=settings.max_body_bytes,
            max_cells=MAX_CELLS,
            max_lines=MAX_LINES,
            default_time_ms=settings.default_time_ms,
            max_time_ms=settings.max_time_ms,
            max_nodes=settings.max_nodes,
            max_searches=settings.max_searches,
            max_queued=settings.max_queued,
            max_batch=MAX_BATCH,
            books=[_book(book) for book in books],
        )
        return never_stored(to_json(answer))

    @routes.get("/metrics")
    def get_metrics() -> Response:
        return Response(metrics.exposition(), headers={"Cache-Control": NEVER, "Content-Type": CONTENT_TYPE})

    return routes


def _book(found: AnyBookFile) -> BookDescription:
    has_scores = isinstance(found, BookFile)
    return BookDescription(
        game=found.game.id,
        kind="scores" if has_scores else "strategy",
        plies=found.plies,
        lined=found.book.line_depth if has_scores else None,
        positions=found.positions,
        source=found.source,
        checksum=found.checksum,
    )
