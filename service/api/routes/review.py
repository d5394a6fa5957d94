"""``/review``: a whole game, move by move; also as a stream of judged moves."""

from time import perf_counter
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import ProblemItem
from service.api.read.http import read_body
from service.api.read.question import Played, read_played
from service.api.read.reading import parse_body
from service.api.read.refusals import refusals
from service.api.request_context import RequestContext, request_context
from service.api.responses import never_stored, server_timing
from service.api.wire.contract import about
from service.api.wire.requests import ReviewRequest
from service.api.wire.review_types import ReviewAnswer, ReviewedMove
from service.api.write.answers import review_answer, reviewed_move_answer
from service.api.write.stream import Emit, ProgressLine, stream_response
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.engine.work.slots import SearchSlots, reserve
from service.explain.review import EmitMove, Review, review
from service.games.position import Position
from service.settings import Settings


class PlyLine(TypedDict):
    """A line of the stream of a review about one move, sent as soon as the move is judged."""

    ply: ReviewedMove


class ReviewResultLine(TypedDict):
    """The last line of the stream of a review, with the answer."""

    result: ReviewAnswer


ReviewLine = TypeAliasType(
    "ReviewLine",
    Annotated[
        PlyLine | ProgressLine | ReviewResultLine | ProblemItem,
        about(
            "One line of the stream of a review. The last line is a result or a problem; all earlier lines are plies "
            "or progress."
        ),
    ],
)


def review_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes; ``oracle`` answers within the limits of the settings, long searches take ``slots``."""
    routes = Blueprint("review", __name__)

    def played_in(client: RequestContext) -> Played:
        return read_played(parse_body(ReviewRequest, read_body(request)), settings, client.must_stop)

    @routes.post("/review")
    def post_review() -> Response:
        client = request_context()
        played, started = played_in(client), perf_counter()
        body = to_json(_review(oracle, played, slots, client))
        return never_stored(body, {"Server-Timing": server_timing("review", 0, perf_counter() - started)})

    @routes.post("/review/stream")
    def post_review_stream() -> Response:
        client = request_context()
        played = played_in(client)

        def search(emit: Emit) -> ReviewAnswer:
            return _review(oracle, played, slots, client, lambda move: emit("ply", reviewed_move_answer(move)))

        return stream_response(request, client, search)

    return routes


def _review(
    oracle: Oracle, played: Played, slots: SearchSlots | None, client: RequestContext, emit: EmitMove = lambda _: None
) -> ReviewAnswer:
    """Return the answer; emit each move as soon as it is judged."""

    def watch(position: Position, limit: Limit, ply: int) -> Limit:
        return client.watched(position, limit, ply=ply)

    with reserve(slots, played.nodes) as slot, refusals(played.start.game):
        found: Review = review(oracle, played.start, played.moves, played.limit, slot, watch=watch, emit=emit)
    return review_answer(found)
