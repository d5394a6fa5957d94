"""``/best-move``: the best move of one position. ``/best-moves``: those of many."""

from collections.abc import Callable
from time import perf_counter

from flask import Blueprint, Response, request

from service.api.answering import Answered, Answering
from service.api.batch import Batch
from service.api.caching import FOREVER, NEVER, cacheable, server_timing
from service.api.door import ANSWER, BATCH
from service.api.media import JSON
from service.api.models import BestMoveQuery, BestMoveRequest, BestMovesRequest
from service.api.problems import Problem, pointer
from service.api.question import read_question
from service.api.reading import Where, in_query, parse_body, parse_query, read_body
from service.api.request_context import CLOSED, RequestContext
from service.engine.gate import Gate
from service.settings import Settings


def best_move_routes(answering: Answering, settings: Settings, gate: Gate | None) -> Blueprint:
    """The routes, within the limits of the settings and of the ``gate``."""
    routes = Blueprint("best_move", __name__)
    batch = Batch(answering, settings)

    @routes.post("/best-move")
    def post_best_move() -> Response:
        wanted = parse_body(BestMoveRequest, read_body(request))
        body, headers = _answer(answering, settings, wanted, RequestContext(request.environ, gate), pointer)
        return Response(body, mimetype=JSON, headers={**headers, "Cache-Control": NEVER})

    @routes.get("/best-move")
    def get_best_move() -> Response:
        wanted = parse_query(BestMoveQuery, request.args)
        body, headers = _answer(answering, settings, wanted, RequestContext(request.environ, gate), in_query)
        return cacheable(request, body, JSON, headers)

    @routes.post("/best-moves")
    def post_best_moves() -> Response:
        wanted = parse_body(BestMovesRequest, read_body(request), apart="positions")
        client, started = RequestContext(request.environ, gate), perf_counter()
        with client.searching():
            body, notes = batch.answer(wanted, client)
        request.environ[BATCH] = notes
        timing = f"batch;dur={(perf_counter() - started) * 1000:.3f}"
        return Response(body, mimetype=JSON, headers={"Cache-Control": NEVER, "Server-Timing": timing})

    return routes


def _answer(
    answering: Answering, settings: Settings, wanted: BestMoveRequest, client: RequestContext, where: Where
) -> tuple[bytes, dict[str, str]]:
    """The body of the answer and the headers that tell how it was found and how long it holds."""
    asked = read_question(wanted, settings, client, where)
    started = perf_counter()
    with client.searching():
        answered = answering.answer(asked, asked.patience or asked.limit)
    note = answered.note
    if note.outcome == "unknown" and client.has_gone():
        raise Problem("malformed-request", CLOSED)
    request.environ[ANSWER] = note
    timing = server_timing(note.source, note.nodes, perf_counter() - started)
    return answered.body, {"Cache-Control": FOREVER if note.reproducible else NEVER, "Server-Timing": timing}


def quick_best_move(answering: Answering, settings: Settings) -> Callable[[bytes], Answered | None]:
    """What answers the body of a ``POST /best-move`` at once; None for all that takes longer or has a fault."""

    def answer(body: bytes) -> Answered | None:
        try:
            asked = read_question(parse_body(BestMoveRequest, body), settings, RequestContext({}, None), pointer)
        except Problem:
            return None
        return answering.answer(asked, asked.limit) if answering.is_quick(asked) else None

    return answer
