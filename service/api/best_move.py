"""``/best-move``: the best move of one position. ``/best-moves``: those of many."""

from time import perf_counter

from flask import Blueprint, Response, request

from service.api.answers import best_move_answer
from service.api.batch import Batch
from service.api.caching import FOREVER, NEVER, cacheable, server_timing
from service.api.client import CLOSED, Client
from service.api.door import ANSWER, BATCH, AnswerNote
from service.api.media import JSON
from service.api.models import BestMoveRequest, BestMovesRequest
from service.api.problems import Problem, pointer
from service.api.question import read_question
from service.api.reading import Where, in_query, parse_body, parse_query, read_body
from service.oracle.oracle import Oracle
from service.settings import Settings


def best_move_routes(oracle: Oracle, settings: Settings) -> Blueprint:
    """The routes, answered by ``oracle`` within the limits of the settings."""
    routes = Blueprint("best_move", __name__)
    batch = Batch(oracle, settings)

    @routes.post("/best-move")
    def post_best_move() -> Response:
        wanted = parse_body(BestMoveRequest, read_body(request))
        body, headers = _answer(oracle, settings, wanted, pointer)
        return Response(body, mimetype=JSON, headers={**headers, "Cache-Control": NEVER})

    @routes.get("/best-move")
    def get_best_move() -> Response:
        wanted = parse_query(BestMoveRequest, request.args)
        body, headers = _answer(oracle, settings, wanted, in_query)
        return cacheable(request, body, JSON, headers)

    @routes.post("/best-moves")
    def post_best_moves() -> Response:
        wanted = parse_body(BestMovesRequest, read_body(request), apart="positions")
        started = perf_counter()
        body, notes = batch.answer(wanted, Client(request.environ))
        request.environ[BATCH] = notes
        timing = f"batch;dur={(perf_counter() - started) * 1000:.3f}"
        return Response(body, mimetype=JSON, headers={"Cache-Control": NEVER, "Server-Timing": timing})

    return routes


def _answer(oracle: Oracle, settings: Settings, wanted: BestMoveRequest, where: Where) -> tuple[bytes, dict[str, str]]:
    """The body of the answer and the headers that tell how it was found and how long it holds."""
    client = Client(request.environ)
    asked = read_question(wanted, settings, client, where)
    started = perf_counter()
    best = oracle.best_move(asked.position, seed=asked.seed, skill=asked.skill, limit=asked.patience or asked.limit)
    if not best.proven and client.has_gone():
        raise Problem("malformed-request", CLOSED)
    timing = server_timing(best.source, best.nodes, perf_counter() - started)
    reproducible = best.proven and not asked.drawn
    request.environ[ANSWER] = AnswerNote(asked.position.game.id, best.source, best.outcome, reproducible, best.nodes)
    body = best_move_answer(best).model_dump_json(exclude_unset=True).encode()
    return body, {"Cache-Control": FOREVER if reproducible else NEVER, "Server-Timing": timing}
