"""``/analysis``: every legal move of a position; also as a stream of the search's progress."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import ProblemItem
from service.api.read.http import read_body, read_query
from service.api.read.question import Question, read_question
from service.api.read.reading import Reading, parse_body, parse_query
from service.api.request_context import RequestContext, make_note, request_context
from service.api.responses import FOREVER, NEVER, TEXT, cacheable, never_stored, preferred_type, server_timing
from service.api.wire.analysis_types import AnalysisAnswer
from service.api.wire.contract import about
from service.api.wire.requests import BestMoveQuery, BestMoveRequest
from service.api.write.answers import analysis_answer
from service.api.write.plain import analysis_text
from service.api.write.stream import ProgressLine, stream_response
from service.engine.oracle import Analysis, Oracle
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
    """Return the routes; ``oracle`` answers within the limits of the settings, long searches take ``slots``."""
    routes = Blueprint("analysis", __name__)

    def asked_in(reading: Reading[BestMoveRequest]) -> Question:
        return read_question(reading, settings, request_context().must_stop)

    def answer(
        reading: Reading[BestMoveRequest], response: Callable[[bytes, Mapping[str, str], str], Response]
    ) -> Response:
        mimetype = preferred_type(request, (TEXT,))
        found, headers = _analyse(oracle, asked_in(reading), slots, request_context())
        return response(_written(found, mimetype), headers, mimetype)

    @routes.post("/analysis")
    def post_analysis() -> Response:
        return answer(parse_body(BestMoveRequest, read_body(request)), never_stored)

    @routes.get("/analysis")
    def get_analysis() -> Response:
        reading = parse_query(BestMoveQuery, read_query(request))
        response = answer(reading, lambda body, headers, mimetype: cacheable(request, body, mimetype, headers))
        response.vary.add("Accept")
        return response

    def streamed(asked: Question) -> Response:
        client = request_context()
        return stream_response(request, client, lambda _: analysis_answer(_analyse(oracle, asked, slots, client)[0]))

    @routes.post("/analysis/stream")
    def post_analysis_stream() -> Response:
        return streamed(asked_in(parse_body(BestMoveRequest, read_body(request))))

    @routes.get("/analysis/stream")
    def get_analysis_stream() -> Response:
        return streamed(asked_in(parse_query(BestMoveQuery, read_query(request))))

    return routes


def _written(analysis: Analysis, mimetype: str) -> bytes:
    return analysis_text(analysis).encode() if mimetype == TEXT else to_json(analysis_answer(analysis))


def _analyse(
    oracle: Oracle, asked: Question, slots: SearchSlots | None, client: RequestContext
) -> tuple[Analysis, dict[str, str]]:
    """Return the analysis, and the headers with its source and its cache lifetime."""
    started = perf_counter()
    limit = client.watched(asked.position, asked.limit)
    with reserve(slots, asked.nodes) as slot:
        analysis = asked.analysis(oracle, slot, limit)
    best = analysis.best
    timing = server_timing(best.source, analysis.nodes, perf_counter() - started)
    reproducible = analysis.complete and not asked.seed_chosen
    note = make_note(asked.position.game.id, best.source, best.outcome, reproducible=reproducible, nodes=analysis.nodes)
    client.notes = {note: 1}
    headers = {"Cache-Control": FOREVER if reproducible else NEVER, "Server-Timing": timing}
    return analysis, headers
