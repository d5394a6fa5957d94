"""``/best-move``: the best move of one position."""

import secrets
from time import perf_counter

from flask import Blueprint, Response, request

from service.api.caching import FOREVER, NEVER, cacheable
from service.api.client import Client
from service.api.door import ANSWER, AnswerNote
from service.api.models import MAX_SEED, BestMoveAnswer, BestMoveRequest
from service.api.notation import read_position
from service.api.problems import Problem, pointer
from service.api.reading import Where, in_query, parse_body, parse_query, read_body
from service.api.rules import read_game, read_limit
from service.oracle.entry import Bounds
from service.oracle.oracle import BestMove, Oracle
from service.settings import Settings

JSON = "application/json"

CLOSED = "The client closed its side of the connection while its position was searched; keep it open for the answer."
"""What to say to nobody, or to a client that only seems to have gone."""


def best_move_routes(oracle: Oracle, settings: Settings) -> Blueprint:
    """The two forms of the route, answered by ``oracle`` within the limits of the settings."""
    routes = Blueprint("best_move", __name__)

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

    return routes


def _answer(oracle: Oracle, settings: Settings, wanted: BestMoveRequest, where: Where) -> tuple[bytes, dict[str, str]]:
    """The body of the answer and the headers that tell how it was found and how long it holds."""
    position = read_position(wanted, read_game(wanted.game, where))
    client = Client(request.environ)
    limit = read_limit(wanted.limit, settings, client.must_stop, where)
    chance = wanted.tie_break == "random"
    drawn = chance and wanted.seed is None
    seed = secrets.randbelow(MAX_SEED + 1) if drawn else wanted.seed if chance else None
    started = perf_counter()
    best = oracle.best_move(position, seed=seed, limit=limit)
    if not best.proven and client.has_gone():
        raise Problem("malformed-request", CLOSED)
    timing = _timing(best, perf_counter() - started)
    reproducible = best.proven and not drawn
    request.environ[ANSWER] = AnswerNote(position.game.id, best.source, best.outcome, reproducible, best.nodes)
    body = _wire(best, seed).model_dump_json(exclude_unset=True).encode()
    return body, {"Cache-Control": FOREVER if reproducible else NEVER, "Server-Timing": timing}


def _timing(best: BestMove, seconds: float) -> str:
    """Which source answered, after how long and, if it was the search, how many nodes."""
    nodes = f';desc="{best.nodes} nodes"' if best.nodes else ""
    return f"{best.source};dur={seconds * 1000:.3f}{nodes}"


def _wire(best: BestMove, seed: int | None) -> BestMoveAnswer:
    position, move, known = best.position, best.move, best.known
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
    if game.layers > 1:
        answer = answer.model_copy(update={"layer": None if move is None else game.layer_of(move)})
    if isinstance(known, Bounds):
        return answer.model_copy(update={"at_least": known.at_least, "at_most": known.at_most})
    return answer if seed is None else answer.model_copy(update={"seed": seed})
