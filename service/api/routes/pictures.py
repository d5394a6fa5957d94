"""``/position.svg`` and ``/position.png``: the picture of a position, on request with the best move and the value."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from time import perf_counter
from typing import Annotated, Literal

from flask import Blueprint, Response, request
from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType
from werkzeug.datastructures import MultiDict

from service.api.read.question import Question, checked_position, read_question
from service.api.read.reading import Reading, parse_body, parse_query, read_body
from service.api.read.record import read_record
from service.api.request_context import request_context
from service.api.responses import FOREVER, NEVER, PNG, SVG, cacheable, server_timing
from service.api.routes.best_move import note_of
from service.api.wire.contract import Request, about, example, whole
from service.api.wire.requests import BestMoveQuery, BestMoveRequest
from service.api.write.refusals import refusals
from service.engine.oracle import BestMove, Oracle
from service.engine.work.slots import SearchSlots, reserve
from service.games.position import Position
from service.picture.colours import Theme as AnyTheme
from service.picture.colours import stylesheet
from service.picture.picture import DEFAULT_SIZE, Picture
from service.picture.png import CardImages
from service.settings import Settings

Shown = TypeAliasType(
    "Shown",
    Annotated[
        Literal["best", "evaluation"],
        about(
            "What a picture shows in addition to the position. `best` is the best move. `evaluation` is a bar with the "
            "share of X on the left: solid as far as it is proven, hatched where it is estimated.",
            example="best",
        ),
    ],
)

Theme = TypeAliasType(
    "Theme",
    Annotated[
        AnyTheme,
        about(
            "The colours of the picture. `auto`, the default, follows the colour scheme of the viewer; programs "
            "without "
            "one show the light colours.",
            example="dark",
        ),
    ],
)

DRAWN = {"moves": [4, 0, 8], "show": ["best", "evaluation"]}

Pixels = Annotated[int, Field(ge=64, le=2048), BeforeValidator(whole)]


class Look(Request):
    """What all pictures take. Nothing that spoils a position is shown unless it is asked for."""

    theme: Annotated[Theme | None, about("The colours of the picture; `auto` by default.", example="dark")] = None
    show: Annotated[
        Annotated[list[Shown], Field(max_length=2)] | None,
        about("What to show in addition to the position; nothing by default.", example=["best", "evaluation"]),
    ] = None


class SizedLook(Look):
    """What pictures take that have no size of their own."""

    size: Annotated[Pixels | None, about("The longer side of the picture, in pixels; 480 by default.", example=240)] = (
        None
    )


class PictureRequest(BestMoveRequest, SizedLook):
    """A position, how to search it, and how to draw it. A null field counts as missing."""

    model_config = example(DRAWN)


SVGDocument = TypeAliasType(
    "SVGDocument",
    Annotated[str, about("An SVG document.", example='<svg xmlns="http://www.w3.org/2000/svg" role="img"></svg>')],
)


class PictureQuery(BestMoveQuery, SizedLook):
    """The query of ``GET /position.svg``."""


class CardQuery(BestMoveQuery, Look):
    """The query of ``GET /position.png``."""


SizedRequest = PictureRequest | PictureQuery
DrawnRequest = SizedRequest | CardQuery


def picture_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes; what is shown of the value is found by ``oracle``, in ``slots`` if that takes long."""
    routes = Blueprint("pictures", __name__)
    images = CardImages(slots)

    @routes.get("/position.png")
    def get_card() -> Response:
        picture, headers = _draw(parse_query(CardQuery, request.args), oracle, settings, slots)
        return cacheable(request, images.card(picture, request_context().must_stop), PNG, headers)

    @routes.get("/position.svg")
    def get_picture() -> Response:
        reading = parse_query(PictureQuery, request.args)
        picture, headers = _draw(reading, oracle, settings, slots)
        response = cacheable(request, _svg(picture, reading.wanted), SVG, headers)
        response.headers["Content-Security-Policy"] = _policy(_theme(reading.wanted))
        return response

    @routes.post("/position.svg")
    def post_picture() -> Response:
        reading = parse_body(PictureRequest, read_body(request))
        picture, headers = _draw(reading, oracle, settings, slots)
        headers |= {"Content-Security-Policy": _policy(_theme(reading.wanted)), "Cache-Control": NEVER}
        return Response(_svg(picture, reading.wanted), mimetype=SVG, headers=headers)

    return routes


def card_of_link(query: Mapping[str, str]) -> tuple[Mapping[str, str], Position]:
    """Return the query of the card of a link to the page, and its position. Raises a Problem where there is none.

    A link may tell moves from a board that was set up; the card gets the board after them.
    """
    reading = parse_query(CardQuery, MultiDict(query))
    way = next((name for name in ("moves", "drops") if "board" in query and name in query), None)
    if way is None:
        return query, checked_position(reading)
    rest = {name: value for name, value in query.items() if name != way}
    start = checked_position(parse_query(CardQuery, MultiDict(rest)))
    _, position = read_record(start, getattr(reading.sound(), way), way)
    return {**rest, "board": str(position), "player": position.player}, position


def _draw(
    reading: Reading[DrawnRequest], oracle: Oracle, settings: Settings, slots: SearchSlots | None
) -> tuple[Picture, dict[str, str]]:
    """Return a picture, and the headers that tell how its answer was found and how long it holds."""
    wanted, asked = reading.wanted, read_question(reading, settings, request_context().must_stop)
    if not wanted.show:
        return _picture(wanted, asked.position, None), {"Cache-Control": FOREVER}
    best, headers = _find(asked, oracle, slots)
    return _picture(wanted, asked.position, best), headers


def _svg(picture: Picture, wanted: SizedRequest) -> bytes:
    return replace(picture, size=wanted.size or DEFAULT_SIZE).svg()


def _find(asked: Question, oracle: Oracle, slots: SearchSlots | None) -> tuple[BestMove, dict[str, str]]:
    context, started = request_context(), perf_counter()
    limit = asked.move_limit or asked.limit
    with reserve(slots, asked.nodes) as slot, refusals(asked.position):
        best = oracle.best_move(asked.position, seed=asked.seed, skill=asked.skill, limit=limit, slot=slot)
    note = note_of(best, asked)
    context.notes = {note: 1}
    timing = server_timing(note.source, note.nodes, perf_counter() - started)
    return best, {"Cache-Control": FOREVER if note.reproducible else NEVER, "Server-Timing": timing}


def _picture(wanted: DrawnRequest, position: Position, best: BestMove | None) -> Picture:
    shown: Sequence[Shown] = wanted.show or ()
    return Picture(
        position,
        last_move=_last_move(wanted, position),
        best_move=best.move if best and "best" in shown else None,
        known=best.known if best and "evaluation" in shown else None,
        theme=_theme(wanted),
    )


def _theme(wanted: DrawnRequest) -> Theme:
    return wanted.theme or "auto"


def _last_move(wanted: DrawnRequest, position: Position) -> int | None:
    """Return the newest move, if the request tells the moves."""
    way = next((name for name in ("moves", "drops") if getattr(wanted, name, None)), None)
    if way is None:
        return None
    played, _ = read_record(Position(position.game), getattr(wanted, way), way)
    return played[-1]


@cache
def _policy(theme: Theme) -> str:
    """Return what a picture may load when it is opened by itself: nothing, and only its own style sheet applies."""
    own = b64encode(sha256(stylesheet(theme).encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{own}'; frame-ancestors 'none'"
