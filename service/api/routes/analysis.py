"""``/analysis``: every legal move of one position, at once or as a stream that tells how the search goes on."""

from time import perf_counter
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import ProblemItem
from service.api.read.http import read_body, read_query
from service.api.read.question import Question, read_question
from service.api.read.reading import parse_body, parse_query
from service.api.request_context import RequestContext, make_note, request_context
from service.api.responses import FOREVER, JSON, NEVER, cacheable, never_stored, server_timing
from service.api.wire.answer_types import AnalysisAnswer
from service.api.wire.contract import about
from service.api.wire.requests import BestMoveQuery, BestMoveRequest
from service.api.write.answers import analysis_answer
from service.api.write.stream import ProgressLine, stream_response, stream_type
from service.engine.oracle import Oracle
from service.engine.work.slots import SearchSlots, reserve
from service.settings import Settings


class ResultLine(TypedDict):
    """The last line of a stream, with the answer."""

    result: AnalysisAnswer


StreamLine = TypeAliasType(
    "StreamLine",
    Annotated[
        ProgressLine | ResultLine | ProblemItem,
        about("One line of a stream. The last line is a result or a problem; all earlier lines are progress."),
    ],
)


def analysis_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route, answered by ``oracle`` within the limits of the settings; long searches take ``slots``."""
    routes = Blueprint("analysis", __name__)

    def streamed(asked: Question, mimetype: str) -> Response:
        client = request_context()
        return stream_response(request, mimetype, client, lambda _: _answer(oracle, asked, slots, client)[0])

    @routes.post("/analysis")
    def post_analysis() -> Response:
        client = request_context()
        reading = parse_body(BestMoveRequest, read_body(request))
        asked = read_question(reading, settings, client.must_stop)
        mimetype = stream_type(request)
        if mimetype is not None:
            return streamed(asked, mimetype)
        answer, headers = _answer(oracle, asked, slots, client)
        return never_stored(to_json(answer), headers)

    @routes.get("/analysis")
    def get_analysis() -> Response:
        client = request_context()
        reading = parse_query(BestMoveQuery, read_query(request))
        asked = read_question(reading, settings, client.must_stop)
        mimetype = stream_type(request)
        if mimetype is not None:
            response = streamed(asked, mimetype)
        else:
            answer, headers = _answer(oracle, asked, slots, client)
            response = cacheable(request, to_json(answer), JSON, headers)
        response.vary.add("Accept")
        return response

    return routes


def _answer(
    oracle: Oracle, asked: Question, slots: SearchSlots | None, client: RequestContext
) -> tuple[AnalysisAnswer, dict[str, str]]:
    """Return the answer and the headers that tell how it was found and how long it holds."""
    started = perf_counter()
    limit = client.watched(asked.position, asked.limit)
    with reserve(slots, asked.nodes) as slot:
        analysis = asked.analysis(oracle, slot, limit)
    best = analysis.best
    timing = server_timing(best.source, analysis.nodes, perf_counter() - started)
    reproducible = analysis.complete and not asked.drawn
    note = make_note(asked.position.game.id, best.source, best.outcome, reproducible=reproducible, nodes=analysis.nodes)
    client.notes = {note: 1}
    headers = {"Cache-Control": FOREVER if reproducible else NEVER, "Server-Timing": timing}
    return analysis_answer(analysis), headers
