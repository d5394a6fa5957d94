"""``/analysis``: every legal move of one position, at once or as a stream that tells how the search goes on."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event, Thread
from time import perf_counter
from typing import Any, cast

from flask import Blueprint, Response, request
from pydantic_core import to_json
from typing_extensions import TypedDict

from service.api.answer_types import AnalysisAnswer, ProgressAnswer
from service.api.answers import analysis_answer, proof_fields, value_fields
from service.api.problems import INTERNAL, Problem, overloaded, pointer, problem_json
from service.api.question import Question, read_question
from service.api.reading import in_query, parse_body, parse_query, read_body
from service.api.request_context import RequestContext, make_note, request_context
from service.api.requests import BestMoveQuery, BestMoveRequest
from service.api.responses import FOREVER, JSON, NDJSON, NEVER, cacheable, never_stored, server_timing
from service.engine.oracle import Oracle
from service.engine.progress import Progress, Step
from service.engine.slots import Overloaded, SearchSlots, reserve
from service.games.game import Game
from service.settings import Settings

FIRST_LINE_SECONDS, LINE_SECONDS = 0.1, 0.2
"""Before the first line of a stream, and between any two."""

log = logging.getLogger("service")


class ProgressLine(TypedDict):
    """A line of a stream while the search runs."""

    progress: ProgressAnswer


class ResultLine(TypedDict):
    """The last line of a stream."""

    result: AnalysisAnswer


def analysis_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route, answered by ``oracle`` within the limits of the settings; long searches take ``slots``."""
    routes = Blueprint("analysis", __name__)

    @routes.post("/analysis")
    def post_analysis() -> Response:
        client = request_context()
        asked = read_question(parse_body(BestMoveRequest, read_body(request)), settings, client.must_stop, pointer)
        if request.accept_mimetypes.best_match([JSON, NDJSON]) == NDJSON:
            stream = _Stream(oracle, asked, slots, client)
            stream.begin()
            return Response(stream, mimetype=NDJSON, headers={"Cache-Control": NEVER})
        answer, headers = _answer(oracle, asked, slots, client)
        return never_stored(to_json(answer), headers)

    @routes.get("/analysis")
    def get_analysis() -> Response:
        client = request_context()
        asked = read_question(parse_query(BestMoveQuery, request.args), settings, client.must_stop, in_query)
        answer, headers = _answer(oracle, asked, slots, client)
        return cacheable(request, to_json(answer), JSON, headers)

    return routes


def _answer(
    oracle: Oracle, asked: Question, slots: SearchSlots | None, client: RequestContext
) -> tuple[AnalysisAnswer, dict[str, str]]:
    """Return the answer and the headers that tell how it was found and how long it holds."""
    started = perf_counter()
    limit = client.watched(asked.position, asked.limit)
    with reserve(slots) as slot:
        analysis = oracle.analyse(asked.position, seed=asked.seed, skill=asked.skill, limit=limit, slot=slot)
    best = analysis.best
    timing = server_timing(best.source, analysis.nodes, perf_counter() - started)
    reproducible = analysis.complete and not asked.drawn
    note = make_note(asked.position.game.id, best.source, best.outcome, reproducible=reproducible, nodes=analysis.nodes)
    client.notes = {note: 1}
    headers = {"Cache-Control": FOREVER if reproducible else NEVER, "Server-Timing": timing}
    return analysis_answer(analysis), headers


class _Stream:
    """An analysis that goes on in a thread of its own, while the lines that tell of it are sent."""

    def __init__(self, oracle: Oracle, asked: Question, slots: SearchSlots | None, client: RequestContext) -> None:
        self._game = asked.position.game
        self._progress = Progress(asked.position)
        self._ended = Event()
        self._abandoned = False
        self._last = b""
        self._problem: Problem | None = None
        limit = asked.limit
        stop = limit.stop
        watched = replace(limit, stop=lambda: self._abandoned or stop(), progress=self._progress)
        question = replace(asked, limit=watched)
        self._thread = Thread(target=self._search, args=(lambda: _answer(oracle, question, slots, client),))

    def begin(self) -> None:
        """Start the search. Raises its Problem where one is known before the first line is due."""
        self._thread.start()
        if self._ended.wait(FIRST_LINE_SECONDS) and self._problem is not None:
            raise self._problem

    def __iter__(self) -> Iterator[bytes]:
        """Yield a line now and then while the search runs, and the answer at its end."""
        while not self._ended.is_set():
            yield _line({"progress": progress_answer(self._game, self._progress.now())})
            self._ended.wait(LINE_SECONDS)
        yield self._last

    def close(self) -> None:
        """Stop the search, if it still runs: the last line is out, or nobody reads it."""
        self._abandoned = True
        self._thread.join()

    def _search(self, answer: Callable[[], tuple[AnalysisAnswer, dict[str, str]]]) -> None:
        try:
            self._last = _line({"result": answer()[0]})
        except Problem as problem:
            self._fail(problem)
        except Overloaded as refusal:
            self._fail(overloaded(refusal))
        except Exception:
            log.exception("Unhandled error")
            self._last = b'{"problem":%b}\n' % problem_json(INTERNAL)
        finally:
            self._ended.set()

    def _fail(self, problem: Problem) -> None:
        self._problem = problem
        self._last = b'{"problem":%b}\n' % problem_json(problem)


def progress_answer(game: Game, step: Step) -> ProgressAnswer:
    """Return the progress that a line of a stream reports."""
    fields: dict[str, Any] = {"depth": step.depth, "nodes": step.nodes, **value_fields(step), **proof_fields(step)}
    fields["move"] = step.move
    if game.has_columns:
        fields["column"] = None if step.move is None else game.column_of(step.move)
    return cast("ProgressAnswer", {**fields, "settled": step.settled, "moves": step.moves})


def _line(line: ProgressLine | ResultLine) -> bytes:
    return to_json(line) + b"\n"
