"""``/position.svg``: the picture of a position; on request with the best move and the value."""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from time import perf_counter
from typing import Annotated, Literal, get_args

from flask import Blueprint, Response, request
from pydantic import BeforeValidator, Field

from service.api.best_move import note_of
from service.api.problems import pointer
from service.api.question import Question, read_question
from service.api.reading import Where, in_query, parse_body, parse_query, read_body
from service.api.record import read_record
from service.api.request_context import request_context
from service.api.requests import BestMoveQuery, BestMoveRequest, whole
from service.api.responses import FOREVER, NEVER, SVG, cacheable, server_timing
from service.engine.oracle import BestMove, Oracle
from service.engine.slots import SearchSlots, reserve
from service.games.position import Position
from service.picture.colours import Theme, stylesheet
from service.picture.picture import DEFAULT_SIZE, Picture
from service.settings import Settings

Shown = Literal["best", "evaluation"]

Pixels = Annotated[int, Field(ge=64, le=2048), BeforeValidator(whole)]


class PictureRequest(BestMoveRequest):
    """The body of ``POST /position.svg``. Nothing that spoils a position is shown unless it is asked for."""

    theme: Theme | None = None
    size: Pixels | None = None
    show: Annotated[list[Shown], Field(max_length=len(get_args(Shown)))] | None = None


class PictureQuery(BestMoveQuery, PictureRequest):
    """The query of ``GET /position.svg``."""


def picture_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes; what is shown of the value is found by ``oracle``, in ``slots`` if that takes long."""
    routes = Blueprint("pictures", __name__)

    @routes.get("/position.svg")
    def get_picture() -> Response:
        wanted = parse_query(PictureQuery, request.args)
        body, headers = _draw(wanted, in_query, oracle, settings, slots)
        response = cacheable(request, body, SVG, headers)
        response.headers["Content-Security-Policy"] = _policy(_theme(wanted))
        return response

    @routes.post("/position.svg")
    def post_picture() -> Response:
        wanted = parse_body(PictureRequest, read_body(request))
        body, headers = _draw(wanted, pointer, oracle, settings, slots)
        policy = {"Content-Security-Policy": _policy(_theme(wanted))}
        return Response(body, mimetype=SVG, headers={**headers, **policy, "Cache-Control": NEVER})

    return routes


def _draw(
    wanted: PictureRequest, where: Where, oracle: Oracle, settings: Settings, slots: SearchSlots | None
) -> tuple[bytes, dict[str, str]]:
    """Return a picture, and the headers that tell how its answer was found and how long it holds."""
    asked = read_question(wanted, settings, request_context().must_stop, where)
    if not wanted.show:
        return _picture(wanted, asked.position, None).svg(), {"Cache-Control": FOREVER}
    best, headers = _find(asked, oracle, slots)
    return _picture(wanted, asked.position, best).svg(), headers


def _find(asked: Question, oracle: Oracle, slots: SearchSlots | None) -> tuple[BestMove, dict[str, str]]:
    context, started = request_context(), perf_counter()
    limit = asked.move_limit or asked.limit
    with reserve(slots) as slot:
        best = oracle.best_move(asked.position, seed=asked.seed, skill=asked.skill, limit=limit, slot=slot)
    note = note_of(best, asked)
    context.notes = {note: 1}
    timing = server_timing(note.source, note.nodes, perf_counter() - started)
    return best, {"Cache-Control": FOREVER if note.reproducible else NEVER, "Server-Timing": timing}


def _picture(wanted: PictureRequest, position: Position, best: BestMove | None) -> Picture:
    shown: Sequence[Shown] = wanted.show or ()
    return Picture(
        position,
        last_move=_last_move(wanted, position),
        best_move=best.move if best and "best" in shown else None,
        known=best.known if best and "evaluation" in shown else None,
        theme=_theme(wanted),
        size=wanted.size or DEFAULT_SIZE,
    )


def _theme(wanted: PictureRequest) -> Theme:
    return wanted.theme or "auto"


def _last_move(wanted: PictureRequest, position: Position) -> int | None:
    """Return the cell of the newest mark, if the request tells the moves."""
    way = next((name for name in ("moves", "drops") if getattr(wanted, name, None)), None)
    if way is None:
        return None
    cells, _ = read_record(Position(position.game, 0, 0, "X"), getattr(wanted, way), way)
    return cells[-1]


@cache
def _policy(theme: Theme) -> str:
    """Return what a picture may load when it is opened by itself: nothing, and only its own style sheet applies."""
    own = b64encode(sha256(stylesheet(theme).encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{own}'; frame-ancestors 'none'"
