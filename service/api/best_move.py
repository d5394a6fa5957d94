"""``/best-move``: the best move of one position. ``/best-moves``: those of many."""

from time import perf_counter

from flask import Blueprint, Response, request

from service.api.answering import answer_question
from service.api.batch import answer_batch
from service.api.caching import FOREVER, NEVER, cacheable, server_timing
from service.api.media import JSON
from service.api.models import BestMoveQuery, BestMoveRequest, BestMovesRequest
from service.api.problems import Problem, pointer
from service.api.question import read_question
from service.api.reading import Where, in_query, parse_body, parse_query, read_body
from service.api.request_context import request_context
from service.engine.oracle import Oracle
from service.engine.slots import SearchSlots, reserve
from service.settings import Settings


def best_move_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes, answered by ``oracle`` within the limits of the settings; long searches take ``slots``."""
    routes = Blueprint("best_move", __name__)

    def answer(wanted: BestMoveRequest, where: Where) -> tuple[bytes, dict[str, str]]:
        """Return the body of the answer and the headers that tell how it was found and how long it holds."""
        context = request_context()
        asked = read_question(wanted, settings, context, where)
        started = perf_counter()
        with reserve(slots) as slot:
            answered = answer_question(oracle, asked, asked.move_limit or asked.limit, slot)
        note = answered.note
        context.notes = {note: 1}
        timing = server_timing(note.source, note.nodes, perf_counter() - started)
        return answered.body, {"Cache-Control": FOREVER if note.reproducible else NEVER, "Server-Timing": timing}

    @routes.post("/best-move")
    def post_best_move() -> Response:
        wanted = request_context().wanted or parse_body(BestMoveRequest, read_body(request))
        if isinstance(wanted, Problem):
            raise wanted
        body, headers = answer(wanted, pointer)
        return Response(body, mimetype=JSON, headers={**headers, "Cache-Control": NEVER})

    @routes.get("/best-move")
    def get_best_move() -> Response:
        body, headers = answer(parse_query(BestMoveQuery, request.args), in_query)
        return cacheable(request, body, JSON, headers)

    @routes.post("/best-moves")
    def post_best_moves() -> Response:
        wanted = parse_body(BestMovesRequest, read_body(request), apart="positions")
        context, started = request_context(), perf_counter()
        with reserve(slots) as slot:
            body, context.notes = answer_batch(oracle, settings, wanted, context, slot)
        timing = f"batch;dur={(perf_counter() - started) * 1000:.3f}"
        return Response(body, mimetype=JSON, headers={"Cache-Control": NEVER, "Server-Timing": timing})

    return routes
