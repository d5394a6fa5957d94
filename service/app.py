"""The composition root: puts the parts of the application together. No other module knows all of them."""

import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from math import ceil
from typing import Any, NamedTuple

from flask import Flask, Request, Response, request
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import HTTPException

from service import __version__
from service.api.problems import INTERNAL, Problem, overloaded
from service.api.request_context import request_context
from service.api.responses import contract_path, from_http_exception, problem_response
from service.api.routes.analysis import analysis_routes
from service.api.routes.best_move import TableAnswers, best_move_routes
from service.api.routes.best_moves import best_moves_routes
from service.api.routes.games import games_routes
from service.api.routes.operations import operations_routes
from service.api.routes.pictures import picture_routes
from service.api.routes.proof import proof_routes
from service.api.routes.puzzles import puzzle_routes
from service.api.routes.random_positions import random_position_routes
from service.api.routes.review import review_routes
from service.api.site.documents import document_routes
from service.api.site.embed import embed_routes
from service.api.site.guide import guide_routes, read_guide
from service.api.site.pages import page_routes
from service.book.paths import read_books
from service.engine.cache.shared import SharedCache
from service.engine.oracle import Oracle
from service.engine.tables.tablebases import Tablebases
from service.engine.work.slots import Overloaded, SearchSlots, Tallies
from service.engine.work.turns import TURNS
from service.games.game import Game
from service.games.position import Position
from service.kernel.alpha_beta.search import KERNEL
from service.metrics import Metrics
from service.oracles import make_oracle, make_tablebases, open_table_folder
from service.settings import Settings

ALLOWED_HEADERS = "Content-Encoding, Content-Type, If-None-Match, X-Request-ID, traceparent"
"""The headers that pages of other origins may send."""

SPARE_THREADS = 2
"""Threads of each worker that no long search can block, for requests without a search."""

log = logging.getLogger("service")


class Service(NamedTuple):
    """The Flask application, and the parts that it shares with the edge."""

    flask: Flask
    tables: TableAnswers
    metrics: Metrics


def create_app(settings: Settings, *, search_slots: bool = True) -> Flask:
    """Return the WSGI application alone; see ``create_service``."""
    return create_service(settings, search_slots=search_slots).flask


def create_service(settings: Settings, *, search_slots: bool = True) -> Service:
    """Return the application. Solve the catalogue's smallest games, which takes a fraction of a second.

    Raises InvalidBook if one of the books cannot be used.

    With ``search_slots`` long searches need one of a bounded number of slots; without, each runs at once in the thread
    of the request.
    """
    metrics = Metrics()
    book_files = read_books(settings.books)
    folder = open_table_folder(settings)
    tablebases = make_tablebases(settings, folder, metrics.refusals.labels("tables"))
    oracle = make_oracle(
        settings,
        book_files,
        tablebases,
        shared=_shared_cache(settings, metrics),
        on_contradiction=_contradiction_reporter(metrics),
    )
    tables = TableAnswers(oracle, settings)
    slots = _search_slots(settings, metrics) if search_slots else None
    app = _Application("service", static_folder=None)
    app.takes_turns = search_slots
    app.session_interface = _NoSessions()
    app.url_map.merge_slashes = False  # otherwise //path would be redirected in HTML
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.before_request(_note_route)
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(Overloaded, _overloaded)
    app.register_error_handler(HTTPException, from_http_exception)
    app.register_error_handler(Exception, _internal_error)
    app.register_blueprint(best_move_routes(oracle, settings, slots))
    app.register_blueprint(best_moves_routes(oracle, tables, settings, slots))
    app.register_blueprint(analysis_routes(oracle, settings, slots))
    app.register_blueprint(review_routes(oracle, settings, slots))
    app.register_blueprint(proof_routes(oracle, settings, slots))
    app.register_blueprint(picture_routes(oracle, settings, slots))
    app.register_blueprint(random_position_routes(settings, slots))
    app.register_blueprint(puzzle_routes(_puzzle_oracle(metrics, tablebases), settings, slots))
    app.register_blueprint(games_routes())
    app.register_blueprint(page_routes(settings.public_url))
    app.register_blueprint(document_routes())
    app.register_blueprint(embed_routes())
    app.register_blueprint(guide_routes(read_guide()))
    shares_tables = folder is not None
    app.register_blueprint(operations_routes(metrics, settings, list(book_files.values()), shares_tables=shares_tables))
    metrics.build.labels(__version__, KERNEL).set(1)
    metrics.measured[metrics.table_fill] = oracle.table_fill
    if folder is not None:
        metrics.measured[metrics.tablebases_bytes] = folder.bytes
    return Service(app, tables, metrics)


def _shared_cache(settings: Settings, metrics: Metrics) -> SharedCache | None:
    if not settings.cache_url:
        return None
    from service.redis_cache import RedisCache  # noqa: PLC0415, 140 ms and 8 MB, only with CACHE_URL

    def count(result: str, entries: int) -> None:
        metrics.shared_cache.labels(result).inc(entries)

    return RedisCache(settings.cache_url, settings.cache_secret, count)


def _puzzle_oracle(metrics: Metrics, tablebases: Tablebases) -> Oracle:
    """Return an oracle without books, which would change node-limited results where they are installed."""
    return Oracle(table_mb=1, tablebases=tablebases, on_contradiction=_contradiction_reporter(metrics))


def _contradiction_reporter(metrics: Metrics) -> Callable[[Position], None]:
    def report(position: Position) -> None:
        metrics.contradictions.inc()
        fields = {"position": str(position), "player": position.player, **_rules(position.game)}
        log.error("A search found contradictory bounds and was repeated", extra=fields)

    return report


def _rules(game: Game) -> Mapping[str, object]:
    """Return the fields of a log line with the rules of a game."""
    return {"game": game.id, **game.rule_data}


def _search_slots(settings: Settings, metrics: Metrics) -> SearchSlots:
    """Return the search slots of a worker: its even share of the machine's, rounded up."""
    slots, queued = (ceil(number / settings.workers) for number in (settings.max_searches, settings.max_queued))
    metrics.search_slots.set(slots * settings.workers)
    tallies = Tallies(metrics.searches_running, metrics.searches_waiting, metrics.refusals.labels("searches"))
    return SearchSlots(slots, queued, max(1, settings.threads - SPARE_THREADS), tallies)


class _Application(Flask):
    takes_turns = False
    """Whether requests take turns to run Python. Without search slots a long search would keep the turn."""

    def wsgi_app(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Answer one request.

        The host is hidden from the routes, which do not depend on it, because Flask fails on hosts that it cannot
        decode. The ``Upgrade`` header is hidden too, because werkzeug would refuse a web socket. ``GET http://host``
        gets the path ``/``, because Flask would redirect it in HTML.
        """
        environ.pop("HTTP_UPGRADE", None)
        environ["HTTP_HOST"] = "localhost"
        environ["PATH_INFO"] = environ["PATH_INFO"] or "/"
        with TURNS.turn() if self.takes_turns else nullcontext():
            return super().wsgi_app(environ, start_response)

    def make_default_options_response(self) -> Response:
        """Answer OPTIONS with the headers of a preflight; the edge adds the origin."""
        response = super().make_default_options_response()
        response.status_code = 204
        del response.headers["Content-Type"]
        response.headers["Allow"] = ", ".join(sorted(response.allow))
        response.headers["Access-Control-Allow-Methods"] = response.headers["Allow"]
        response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        response.headers["Access-Control-Max-Age"] = "86400"
        return response


class _NoSessions(SessionInterface):
    """The service is stateless; Flask would make an empty session for each request."""

    _empty = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002
        return self._empty


def _note_route() -> None:
    if request.environ["PATH_INFO"].startswith("//"):  # the router ignores the slashes, but rules of a proxy may not
        raise Problem("not-found", "There is nothing at paths that begin with two slashes.")
    if request.url_rule is not None:
        request_context().route = contract_path(request.url_rule.rule)


def _overloaded(refusal: Overloaded) -> Response:
    return problem_response(overloaded(refusal))


def _internal_error(error: Exception) -> Response:
    log.error("Unhandled error", exc_info=error)
    return problem_response(INTERNAL)
