"""``/best-moves``: the best moves of many positions, in order, within one limit and one size."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf
from time import perf_counter
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic import Field, WrapValidator
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import Error, Problem, ProblemItem, faulty, pointer, problem_json
from service.api.read.http import read_body
from service.api.read.question import Question, read_limit, read_question, reading_nodes
from service.api.read.reading import parse_body, parse_item
from service.api.request_context import AnswerNote, request_context
from service.api.responses import never_stored, server_timing
from service.api.routes.best_move import Answered, TableAnswers, answer_question
from service.api.wire.answer_types import BestMoveAnswer
from service.api.wire.contract import Request, about, example, unread
from service.api.wire.requests import MAX_BATCH, BestMoveRequest, SearchLimit
from service.engine.oracle import Oracle
from service.engine.work.limit import Budget, Limit, tighter
from service.engine.work.slots import SearchSlots, Slot, reserve
from service.settings import Settings

MAX_OWN_GAMES = 64
"""The most different games that one request can give by their rules: it takes milliseconds to read those."""

MAX_ANSWER_BYTES = 2 << 20
"""The most bytes of an answer. A thousand positions of 64 cells need less, unless most of them are faulty."""

LEFT_OUT_BYTES = 512
"""The room that each position has at least: enough for the problem that it was left out of the batch."""

MAX_ITEM_ERRORS, MAX_MORE_ERRORS = 4, 64
"""The most errors of one position, and of all positions beside the first of each."""

TABLE_NODES, ANSWER_NODES = 1, 100
"""What a position takes beside its search: little if a complete table has it, so that a thousand of those are light."""

LIGHT_BYTES = 32 << 10
"""The most bytes of a body that is read before there is room for its work: more than a thousand boards of 3x3 have.

To read a larger one takes as long as to refuse many.
"""

TABLE_SHARE = 0.5
"""The part of what is left of the limit for which a position waits until the table of its game is made.

The other positions of the same game need it too.
"""


POSITIONS = [{"board": "X...O...."}, {"game": "connect-four-5x4", "moves": [2, 2, 1]}]

BestMovesItem = TypeAliasType(
    "BestMovesItem",
    Annotated[BestMoveAnswer | ProblemItem, about("The answer or the problem of one position.")],
)


class BestMovesRequest(Request):
    """Positions of any games, each with the fields of ``POST /best-move``, and one limit that all of them share."""

    model_config = example({"positions": POSITIONS})

    positions: Annotated[
        list[Annotated[BestMoveRequest, WrapValidator(unread)]],
        Field(min_length=1, max_length=MAX_BATCH),
        about(
            "The positions. The service reads each one separately, so an invalid position does not affect the others. "
            "Each position gets an even share of what the earlier positions left of the shared limit. A `limit` of "
            "its own applies too, if it is tighter. At most 64 different games can be given by their rules.",
            example=POSITIONS,
        ),
    ]
    limit: Annotated[
        SearchLimit | None,
        about(
            "The limit for all positions together. Nodes do not include setting up games and choosing the moves of "
            "weaker players. Once the time is over, the rest is answered without a search.",
            example={"time_ms": 1000},
        ),
    ] = None


class BestMovesAnswer(TypedDict):
    """An answer for each position, in the order of the request."""

    results: Annotated[
        list[BestMovesItem],
        about(
            "The answers in the order of the positions. All together have at most 2 MiB; positions for which there is "
            "no room get the problem `left-out`. A problem lists the first error, and at most three more; all "
            "problems together list at most 64 more."
        ),
    ]


class Batch:
    """The answers to the positions of one request.

    A fault in one position spoils only its own answer. Each may use an even part of what the ones before it have
    left of the limit. ``notes`` says how many positions there were with each note.
    """

    def __init__(  # noqa: PLR0913, all that answers depend on
        self,
        oracle: Oracle,
        tables: TableAnswers,
        settings: Settings,
        positions: Sequence[object],
        *,
        limit: Limit,
        slot: Slot | None,
    ) -> None:
        """Begin to count the limit."""
        self._oracle = oracle
        self._tables = tables
        self._settings = settings
        self._positions = positions
        self._stop = limit.stop
        self._budget = Budget(limit, slot)
        self._slot = slot
        self._own_games: set[str] = set()
        self._more_errors = MAX_MORE_ERRORS
        self._room: float = MAX_ANSWER_BYTES - len(positions) * LEFT_OUT_BYTES
        self._results: list[bytes] = []
        self.notes: Counter[AnswerNote] = Counter()

    def body(self) -> bytes:
        """Return the body of the answer.

        Raises Overloaded where there is no room for the work: what was found until then is soon found again.
        """
        self._budget.work(self._steps())
        return b'{"results":[%b]}' % b",".join(self._results)

    def _steps(self) -> Iterator[int]:
        """Add the result of each position, and yield what it takes before the next one."""
        nodes = 0
        for number, data in enumerate(self._positions):
            yield nodes
            nodes = self._add(number, data)

    def _add(self, number: int, data: object) -> int:
        """Add the answer or the problem of a position; return the nodes that it takes beside its search."""
        note, nodes = None, ANSWER_NODES
        try:
            if self._room < 0:
                raise _too_large()
            answered, nodes = self._answer(data, 1 / (len(self._positions) - number))
            result, note = answered.body, answered.note
        except Problem as problem:
            result = self._problem(number, problem)
        self._room += LEFT_OUT_BYTES - len(result)
        if self._room < 0:
            self._room = -inf
            result, note = self._problem(number, _too_large()), None
        if note is not None:
            self.notes[note] += 1
        self._results.append(result)
        return nodes

    def _problem(self, number: int, problem: Problem) -> bytes:
        """Return the JSON of a position's problem, with as many errors as there is room for."""
        most = 1 + min(self._more_errors, MAX_ITEM_ERRORS - 1)
        told = problem.within(pointer("positions", number), most)
        self._more_errors -= max(0, len(told.errors) - 1)
        return b'{"problem":%b}' % problem_json(told)

    def _answer(self, data: object, share: float) -> tuple[Answered, int]:
        reading = parse_item(BestMoveRequest, data)
        nodes = self._reading_nodes(reading.wanted)
        asked = read_question(reading, self._settings, self._stop)
        answered = self._tables.find(asked)
        if answered is not None:
            return answered, nodes + TABLE_NODES
        answered = answer_question(self._oracle, asked, self._limit(asked, share), self._slot)
        self._budget.spend(answered.cost)
        return answered, nodes + ANSWER_NODES

    def _reading_nodes(self, wanted: BestMoveRequest) -> int:
        """Return what it takes to read the game. Raises a Problem if no more are read."""
        if wanted.game is None or isinstance(wanted.game, str):
            return 0
        rules = wanted.game.model_dump_json()
        if rules in self._own_games:
            return 0
        if len(self._own_games) == MAX_OWN_GAMES:
            detail = f"The positions before have {MAX_OWN_GAMES} games by their rules, the most in one batch."
            raise _left_out(Error(pointer("game"), "too-many-games", f"{detail} Ask about this one in another."))
        if self._budget.is_over():
            detail = "The limit was over before the rules of this game were read. Give a higher limit."
            raise _left_out(Error(pointer("game"), "unfinished", detail))
        self._own_games.add(rules)
        return reading_nodes(wanted.game)

    def _limit(self, asked: Question, share: float) -> Limit:
        waits = self._oracle.waits_for_table(asked.position)
        limit = self._budget.part(max(share, TABLE_SHARE) if waits else share)
        return limit if asked.move_limit is None else tighter(limit, asked.move_limit)


def _left_out(error: Error) -> Problem:
    return faulty("left-out", [error])


def _too_large() -> Problem:
    detail = f"The answers to the positions before this one fill the {MAX_ANSWER_BYTES} bytes of a batch."
    return _left_out(Error("", "too-large", f"{detail} Ask about this one in another."))


def best_moves_routes(oracle: Oracle, tables: TableAnswers, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route, answered by ``oracle`` within the limits of the settings; long work takes ``slots``."""
    routes = Blueprint("best_moves", __name__)

    @routes.post("/best-moves")
    def post_best_moves() -> Response:
        body = read_body(request)
        context, started = request_context(), perf_counter()
        with reserve(slots) as slot:
            if slot is not None and len(body) > LIGHT_BYTES:
                slot.enter(settings.default_time_ms / 1000)
            reading = parse_body(BestMovesRequest, body, apart="positions")
            limit = read_limit(reading, settings, context.must_stop)
            wanted = reading.sound()
            batch = Batch(oracle, tables, settings, wanted.positions, limit=limit, slot=slot)
            answer = batch.body()
        context.notes = batch.notes
        return never_stored(answer, {"Server-Timing": server_timing("batch", 0, perf_counter() - started)})

    return routes
