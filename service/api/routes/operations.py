"""Routes for operators: ``/healthz``, ``/readyz``, ``/version`` and ``/metrics``. None is ever cached."""

import platform
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Literal

from flask import Blueprint, Response
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service import __version__
from service.api.responses import NEVER, never_stored
from service.api.wire.contract import about
from service.api.wire.requests import MAX_BATCH, MAX_LINES
from service.book.file import BookFile
from service.book.strategy_file import AnyBookFile
from service.games.catalogue import CATALOGUE
from service.games.game import MAX_CELLS
from service.kernel.alpha_beta.search import KERNEL
from service.metrics import CONTENT_TYPE, Metrics
from service.settings import Settings

KERNEL_FIELD = about(
    "How the kernel runs; `compiled`, or `interpreted` if no C compiler was available.", example="compiled"
)


class Health(TypedDict):
    """The state of the process."""

    status: Annotated[Literal["ok"], about("Always `ok`.", example="ok")]


class Readiness(TypedDict):
    """The readiness of the service, its kernel and its games."""

    status: Annotated[Literal["ready"], about("Always `ready`.", example="ready")]
    kernel: Annotated[str, KERNEL_FIELD]
    games: Annotated[
        list[str],
        about("The ids of all games of the catalogue.", example=["tic-tac-toe", "misere-tic-tac-toe", "notakto"]),
    ]


BookKind = TypeAliasType(
    "BookKind",
    Annotated[
        Literal["scores", "strategy"],
        about(
            "`scores`: the book has the score of every position of few marks. `strategy`: it has the positions after "
            "the moves by which the first player wins, or the second holds a draw, as far as a search would take long "
            "to find them.",
            example="scores",
        ),
    ],
)


class BookDescription(TypedDict):
    """An opening book, which is a table of solved positions."""

    game: Annotated[
        str,
        about(
            "The id of the game of the book; `custom` for a game that is not in the catalogue.", example="connect-four"
        ),
    ]
    kind: BookKind
    plies: Annotated[int, about("The largest number of marks of a position in the book.", example=12)]
    pv_depth: Annotated[
        int | None,
        about(
            "The largest number of marks of a position for which the book also has the principal variation; null for a "
            "strategy.",
            example=6,
        ),
    ]
    positions: Annotated[
        int, about("The number of positions in the book. Symmetric positions count once.", example=11040401)
    ]
    source: Annotated[
        str,
        about(
            "The source of the scores.",
            example="bitbully-databases 0.0.2 by Markus Thill (MIT licence), positions of 12 marks",
        ),
    ]
    checksum: Annotated[
        str, about("A checksum of the content of the book.", example="0800b648621c976de5f2b3e8b216475a")
    ]


class Version(TypedDict):
    """The version of the service and its limits."""

    version: Annotated[str, about("The version of the service.", example=__version__)]
    kernel: Annotated[str, KERNEL_FIELD]
    python: Annotated[str, about("The version of Python.", example="3.11.7")]
    max_body_bytes: Annotated[int, about("The largest request body, in bytes.", example=1048576)]
    max_cells: Annotated[int, about("The largest number of cells of a board.", example=MAX_CELLS)]
    max_lines: Annotated[int, about("The largest number of lines of a game that lists its lines.", example=MAX_LINES)]
    default_time_ms: Annotated[int, about("The default time limit of a search, in milliseconds.", example=5000)]
    max_time_ms: Annotated[int, about("The largest time limit of a search, in milliseconds.", example=60000)]
    max_nodes: Annotated[int, about("The largest node limit of a search.", example=10000000)]
    max_searches: Annotated[
        int,
        about(
            "The number of longer searches that can run at once. The workers share it evenly, rounded up.", example=2
        ),
    ]
    max_queued: Annotated[
        int,
        about(
            "The number of longer searches that can wait in the queue, shared in the same way. The service answers any "
            "further one with 503.",
            example=4,
        ),
    ]
    max_batch: Annotated[
        int, about("The largest number of positions in a request to `/best-moves`.", example=MAX_BATCH)
    ]
    shared_tables: Annotated[
        bool,
        about(
            "Whether the workers share the complete tables of games of families, as files in a folder. False if "
            "`TABLEBASES` is `none` or names a folder that cannot be used, which the log explains.",
            example=True,
        ),
    ]
    books: Annotated[
        list[BookDescription],
        about(
            "The opening books. The service looks a position up in them before it searches. A node-limited answer can "
            "be proven with a book and unproven without it; all other answers are the same, only faster."
        ),
    ]


PROBES: Mapping[str, bytes] = MappingProxyType(
    {
        "/healthz": to_json(Health(status="ok")),
        "/readyz": to_json(Readiness(status="ready", kernel=KERNEL, games=list(CATALOGUE))),
    }
)
"""The answers of the probes. They are constant: a worker accepts no connection before it is ready."""

OPERATORS = frozenset({"/version", "/metrics"})
"""The paths that reveal the version, the limits and the load."""


def operations_routes(
    metrics: Metrics, settings: Settings, books: Sequence[AnyBookFile], *, shares_tables: bool
) -> Blueprint:
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
            shared_tables=shares_tables,
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
        pv_depth=found.book.pv_depth if has_scores else None,
        positions=found.positions,
        source=found.source,
        checksum=found.checksum,
    )
