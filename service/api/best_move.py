"""``/best-move``: the best move of one position."""

import secrets
from time import perf_counter

from flask import Blueprint, Response, request

from service.api.caching import FOREVER, NEVER, cacheable
from service.api.door import ANSWER, AnswerNote
from service.api.models import MAX_SEED, BestMoveAnswer, BestMoveRequest
from service.api.notation import read_position
from service.api.reading import parse_body, parse_query, read_body
from service.oracle.oracle import BestMove, Oracle

JSON = "application/json"


def best_move_routes(oracle: Oracle) -> Blueprint:
    """The two forms of the route, answered by ``oracle``."""
    routes = Blueprint("best_move", __name__)

    @routes.post("/best-move")
    def post_best_move() -> Response:
        body, headers = _answer(oracle, parse_body(BestMoveRequest, read_body(request)))
        return Response(body, mimetype=JSON, headers={**headers, "Cache-Control": NEVER})

    @routes.get("/best-move")
    def get_best_move() -> Response:
        body, headers = _answer(oracle, parse_query(BestMoveRequest, request.args))
        return cacheable(request, body, JSON, headers)

    return routes


def _answer(oracle: Oracle, wanted: BestMoveRequest) -> tuple[bytes, dict[str, str]]:
    """The body of the answer and the headers that tell how it was found and how long it holds."""
    position = read_position(wanted)
    chance = wanted.tie_break == "random"
    drawn = chance and wanted.seed is None
    seed = secrets.randbelow(MAX_SEED + 1) if drawn else wanted.seed if chance else None
    started = perf_counter()
    best = oracle.best_move(position, seed=seed)
    timing = f"{best.source};dur={(perf_counter() - started) * 1000:.3f}"
    reproducible = best.proven and not drawn
    request.environ[ANSWER] = AnswerNote(position.game.id, best.source, best.outcome, reproducible)
    body = _wire(best, seed).model_dump_json(exclude_unset=True).encode()
    return body, {"Cache-Control": FOREVER if reproducible else NEVER, "Server-Timing": timing}


def _wire(best: BestMove, seed: int | None) -> BestMoveAnswer:
    position, move = best.position, best.move
    game, line = position.game, position.winning_line
    after = None if move is None else position.play(move)
    answer = BestMoveAnswer(
        game=game.id,
        position=str(position),
        player=position.player,
        status=position.status,
        winner=position.winner,
        winning_line=None if line is None else list(line),
        move=move,
        row=None if move is None else game.row_of(move),
        column=None if move is None else game.column_of(move),
        outcome=best.outcome,
        score=best.score,
        plies=best.plies,
        pv=list(best.pv),
        proven=best.proven,
        next_position=None if after is None else str(after),
        next_status=None if after is None else after.status,
        reason=best.reason,
    )
    return answer if seed is None else answer.model_copy(update={"seed": seed})
