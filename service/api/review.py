"""``/review``: a whole game, move by move."""

from time import perf_counter

from flask import Blueprint, Response, request
from pydantic_core import to_json

from service.api.answers import review_answer
from service.api.problems import pointer
from service.api.question import read_game, read_limit
from service.api.reading import parse_body, read_body
from service.api.record import read_record
from service.api.request_context import request_context
from service.api.requests import PLAYERS, ReviewRequest
from service.api.responses import never_stored, server_timing
from service.engine.oracle import Oracle
from service.engine.slots import SearchSlots, reserve
from service.explain.review import review
from service.games.position import Position
from service.settings import Settings


def review_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route, answered by ``oracle`` within the limits of the settings; long searches take ``slots``."""
    routes = Blueprint("review", __name__)

    @routes.post("/review")
    def post_review() -> Response:
        wanted = parse_body(ReviewRequest, read_body(request))
        start = Position(read_game(wanted.game, pointer), 0, 0, PLAYERS[wanted.first_player] or "X")
        cells, _ = read_record(start, wanted.moves)
        limit = read_limit(wanted.limit, settings, request_context().must_stop, pointer)
        started = perf_counter()
        with reserve(slots) as slot:
            found = review(oracle, start, cells, limit, slot)
        timing = server_timing("review", 0, perf_counter() - started)
        return never_stored(to_json(review_answer(found)), {"Server-Timing": timing})

    return routes
