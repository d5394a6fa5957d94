"""``/position.svg`` and ``/position.png``: the picture of a position, optionally with the best move and the value."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from time import perf_counter

from flask import Blueprint, Response, request

from service.api.read.http import read_body, read_query
from service.api.read.question import Question, checked_position, read_question
from service.api.read.reading import Reading, parse_body, parse_query
from service.api.read.record import read_record
from service.api.request_context import request_context
from service.api.responses import FOREVER, NEVER, PNG, SVG, cacheable, server_timing
from service.api.routes.best_move import note_of
from service.api.write.pictures import CardQuery, DrawnRequest, PictureQuery, PictureRequest, picture_of
from service.engine.oracle import BestMove, Oracle
from service.engine.work.slots import SearchSlots, reserve
from service.games.position import Position
from service.picture.colours import Theme, stylesheet
from service.picture.picture import Picture
from service.picture.png import PictureImages
from service.settings import Settings


def picture_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes; ``oracle`` finds the value to show, in ``slots`` if that takes long."""
    routes = Blueprint("pictures", __name__)
    images = PictureImages(slots)

    @routes.get("/position.png")
    def get_image() -> Response:
        reading = parse_query(PictureQuery, read_query(request))
        picture, headers = _draw(reading, oracle, settings, slots)
        stop = request_context().must_stop
        if reading.wanted.size is None:
            return cacheable(request, images.image(picture, stop), PNG, headers)
        alone = replace(picture, theme="dark" if picture.theme == "dark" else "light")
        return cacheable(request, images.image(alone, stop, Picture.svg), PNG, headers)

    @routes.get("/position.svg")
    def get_picture() -> Response:
        reading = parse_query(PictureQuery, read_query(request))
        picture, headers = _draw(reading, oracle, settings, slots)
        response = cacheable(request, picture.svg(), SVG, headers)
        response.headers["Content-Security-Policy"] = _policy(picture.theme)
        return response

    @routes.post("/position.svg")
    def post_picture() -> Response:
        reading = parse_body(PictureRequest, read_body(request))
        picture, headers = _draw(reading, oracle, settings, slots)
        headers |= {"Content-Security-Policy": _policy(picture.theme), "Cache-Control": NEVER}
        return Response(picture.svg(), mimetype=SVG, headers=headers)

    return routes


def card_of_link(query: Mapping[str, str]) -> tuple[Mapping[str, str], Position]:
    """Return the card query for a link to the page, and its position. Raises a Problem if it has no card.

    A link may have moves from a board that was set up; its card shows the board after them.
    """
    reading = parse_query(CardQuery, _listed(query))
    way = next((name for name in ("moves", "drops") if "board" in query and name in query), None)
    if way is None:
        return query, checked_position(reading)
    rest = {name: value for name, value in query.items() if name != way}
    start = checked_position(parse_query(CardQuery, _listed(rest)))
    _, position = read_record(start, getattr(reading.sound(), way), way)
    return {**rest, "board": str(position), "player": position.player}, position


def _listed(query: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    return {name: [text] for name, text in query.items()}


def _draw(
    reading: Reading[DrawnRequest], oracle: Oracle, settings: Settings, slots: SearchSlots | None
) -> tuple[Picture, dict[str, str]]:
    """Return a picture, and the headers with the source of its answer and its cache lifetime."""
    wanted, asked = reading.wanted, read_question(reading, settings, request_context().must_stop)
    if not wanted.show:
        return picture_of(wanted, asked.position, None), {"Cache-Control": FOREVER}
    best, headers = _find(asked, oracle, slots)
    return picture_of(wanted, asked.position, best), headers


def _find(asked: Question, oracle: Oracle, slots: SearchSlots | None) -> tuple[BestMove, dict[str, str]]:
    context, started = request_context(), perf_counter()
    with reserve(slots, asked.nodes) as slot:
        best = asked.best_move(oracle, slot)
    note = note_of(best, asked)
    context.notes = {note: 1}
    timing = server_timing(note.source, note.nodes, perf_counter() - started)
    return best, {"Cache-Control": FOREVER if note.reproducible else NEVER, "Server-Timing": timing}


@cache
def _policy(theme: Theme) -> str:
    """Return the policy of a picture opened by itself: it loads nothing, and only its own style sheet applies."""
    own = b64encode(sha256(stylesheet(theme).encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{own}'; frame-ancestors 'none'"
