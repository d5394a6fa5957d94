"""The application, put together. The only place that knows all the parts."""

import logging
from collections.abc import Callable
from math import ceil

from flask import Flask, Request, Response, request
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from service import __version__
from service.api.analysis import analysis_routes
from service.api.best_move import best_move_routes, quick_best_move
from service.api.documents import documents_routes
from service.api.door import ROUTE, Door, WSGIApp
from service.api.games import games_routes
from service.api.memo import Memo
from service.api.operations import operations_routes
from service.api.problems import INTERNAL, Problem, from_http_exception, overloaded, problem_response
from service.api.quick import Quick
from service.api.review import review_routes
from service.book.paths import read_books
from service.engine.oracle import Oracle
from service.engine.shared import SharedCache
from service.engine.slots import Overloaded, SearchSlots, Tallies
from service.games.catalogue import CATALOGUE
from service.games.position import Position
from service.kernel.search import KERNEL
from service.metrics import Metrics
from service.settings import Settings

MOST_TABLED = 9
"""Cells of the largest games that get a complete table: 3x3, where that saves half a millisecond a question."""

REMEMBERED = 8192
"""Responses that each worker remembers: every position of 3x3 in one notation, and some; some 10 MB, at most 40."""

LONGEST_REMEMBERED = 512
"""Bytes of the longest body or query whose response is remembered."""

LARGEST_REMEMBERED = 4096
"""Bytes of the largest response that is: every analysis of 3x3, but not those of 64 cells."""

SPARE_THREADS = 2
"""Threads of each worker that no long search blocks: there is always one for what needs no search."""

log = logging.getLogger("service")


def create_app(settings: Settings, *, search_slots: bool = True) -> Flask:
    """Return the WSGI application. Solves the catalogue's smallest games, which takes a fraction of a second.

    Raises InvalidBook where one of the books cannot be used.

    With ``search_slots`` long searches need one of a bounded number of slots; without, each runs at once in the
    thread that asks.
    """
    tabled = [game for game in CATALOGUE.values() if game.cells <= MOST_TABLED]
    metrics = Metrics()
    book_files = read_books(settings.books)
    books = {digest: found.book for digest, found in book_files.items()}
    oracle = Oracle(
        tabled,
        table_mb=settings.table_mb,
        shared=_shared_cache(settings, metrics),
        books=books,
        on_contradiction=_contradiction_reporter(metrics),
    )
    slots = _search_slots(settings, metrics) if search_slots else None
    app = _Application("service", static_folder=None)
    app.session_interface = _NoSessions()
    app.url_map.merge_slashes = False  # or //path would be answered by a redirect in HTML
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.config["CLIENT_TIMEOUT"] = settings.client_timeout
    app.before_request(_remember_route)
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(Overloaded, _overloaded)
    app.register_error_handler(HTTPException, from_http_exception)
    app.register_error_handler(Exception, _internal_error)
    app.register_blueprint(best_move_routes(oracle, settings, slots))
    app.register_blueprint(analysis_routes(oracle, settings, slots))
    app.register_blueprint(review_routes(oracle, settings, slots))
    app.register_blueprint(games_routes())
    app.register_blueprint(documents_routes())
    app.register_blueprint(operations_routes(metrics, settings, list(book_files.values())))
    if settings.rate_limit:
        _limit_rate(app, settings)
    app.wsgi_app = Door(_front(app, oracle, settings), metrics, cors_origin=settings.cors_origin)  # type: ignore[method-assign]
    metrics.build.labels(__version__, KERNEL).set(1)
    return app


def _shared_cache(settings: Settings, metrics: Metrics) -> SharedCache | None:
    if not settings.cache_url:
        return None
    from service.redis_cache import RedisCache  # noqa: PLC0415, 140 ms and 8 MB that nobody else should pay

    def count(result: str, entries: int) -> None:
        metrics.shared_cache.labels(result).inc(entries)

    return RedisCache(settings.cache_url, settings.cache_secret, count)


def _contradiction_reporter(metrics: Metrics) -> Callable[[Position], None]:
    def report(position: Position) -> None:
        metrics.contradictions.inc()
        game = position.game
        rules = {
            "game": game.id,
            "lines": game.lines,
            "cells": game.cells,
            "drop": game.drop,
            "misere": game.misere,
        }
        fields = {"position": str(position), "player": position.player, **rules}
        log.error("A search came upon contradictory bounds and was repeated", extra={"fields": fields})

    return report


def _limit_rate(app: Flask, settings: Settings) -> None:
    from service.api.rate_limit import limit_rate  # noqa: PLC0415, several megabytes that most do without

    limit_rate(app, settings.rate_limit, settings.rate_limit_storage)


def _front(app: Flask, oracle: Oracle, settings: Settings) -> WSGIApp:
    """Return the application behind what stands in front of Flask.

    Where requests are counted, nothing is answered there: it would be given uncounted.
    """
    answer = None if settings.rate_limit else quick_best_move(oracle, settings)
    front: WSGIApp = Quick(app.wsgi_app, "/best-move", answer)
    if not settings.rate_limit:
        front = Memo(front, entries=REMEMBERED, longest=LONGEST_REMEMBERED, largest=LARGEST_REMEMBERED)
    if settings.trusted_proxies:
        front = ProxyFix(front, x_for=settings.trusted_proxies, x_proto=0)
    return front


def _search_slots(settings: Settings, metrics: Metrics) -> SearchSlots:
    """Return the search slots of one worker: its even share of those of the machine, rounded up."""
    slots, queued = (ceil(number / settings.workers) for number in (settings.max_searches, settings.max_queued))
    metrics.search_slots.set(slots * settings.workers)
    tallies = Tallies(metrics.searches_running, metrics.searches_waiting, metrics.searches_refused)
    return SearchSlots(slots, queued, max(1, settings.threads - SPARE_THREADS), tallies)


class _Application(Flask):
    def make_default_options_response(self) -> Response:
        """Answer OPTIONS: what a browser's pre-flight asks for; the door says for which origin."""
        response = super().make_default_options_response()
        response.status_code = 204
        del response.headers["Content-Type"]
        response.headers["Allow"] = ", ".join(sorted(response.allow))
        response.headers["Access-Control-Allow-Methods"] = response.headers["Allow"]
        response.headers["Access-Control-Allow-Headers"] = "Content-Type, If-None-Match, X-Request-ID"
        response.headers["Access-Control-Max-Age"] = "86400"
        return response


class _NoSessions(SessionInterface):
    """The service is stateless; Flask would make a new empty session for each request."""

    _empty = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002
        return self._empty


def _remember_route() -> None:
    if request.url_rule is not None:
        request.environ[ROUTE] = request.url_rule.rule


def _overloaded(refusal: Overloaded) -> Response:
    return problem_response(overloaded(refusal))


def _internal_error(error: Exception) -> Response:
    log.error("Unhandled error", exc_info=error)
    return problem_response(INTERNAL)
