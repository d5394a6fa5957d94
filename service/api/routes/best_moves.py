"""``/best-moves``: the best moves of many positions, in order, within one limit and a maximum size."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Annotated, Literal

from flask import Blueprint, Response, request
from pydantic import Field, WrapValidator
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import Error, Problem, ProblemItem, faulty, pointer, problem_json
from service.api.read.http import read_body, read_query
from service.api.read.question import Question, read_limit, read_question, reading_nodes
from service.api.read.reading import Reading, parse_body, parse_item, parse_lines
from service.api.request_context import AnswerNote, request_context
from service.api.responses import JSON, NDJSON, server_timing
from service.api.routes.best_move import FULL, Answered, Form, TableAnswers, answer_question
from service.api.wire.answer_types import BestMoveAnswer, PositionValue
from service.api.wire.contract import Request, about, example, unread
from service.api.wire.requests import MAX_BATCH, BestMoveRequest, SearchLimit
from service.api.write.document import batch_response
from service.engine.oracle import Oracle
from service.engine.work.limit import Budget, Limit, tighter
from service.engine.work.slots import SearchSlots, Slot, reserve
from service.engine.work.turns import TURNS
from service.kernel.stopping import Poll
from service.settings import Settings

MAX_OWN_GAMES = 64
"""The maximum number of different games that one request can give by their rules: reading one takes milliseconds."""

MAX_ANSWER_BYTES = 2 << 20
"""The maximum size of an answer. A thousand positions of 64 cells need less, unless most are faulty."""

LEFT_OUT_BYTES = 512
"""The space reserved for each position: enough for the problem that it was left out of the batch."""

MAX_ITEM_ERRORS, MAX_MORE_ERRORS = 4, 64
"""The maximum number of errors of one position, and of all positions beyond the first error of each."""

TABLE_NODES, ANSWER_NODES = 1, 100
"""The nodes that an answer counts for beside its search: few from a complete table, so that a thousand are cheap."""

LIGHT_BYTES = 32 << 10
"""The maximum size of a body that is read before its work is admitted: a thousand boards of 3x3 are smaller.

Reading a larger one costs as much as refusing many.
"""

FIRST_SHARE = 0.25
"""The part of an even share of the limit that each of several positions gets in the first round."""

TABLE_SHARE = 0.5
"""The part of the remaining limit for which a position waits while the table of its game is made.

The other positions of the same game need the table too.
"""


POSITIONS = [{"board": "X...O...."}, {"game": "connect-four-5x4", "moves": [2, 2, 1]}]

BestMovesItem = TypeAliasType(
    "BestMovesItem",
    Annotated[BestMoveAnswer | PositionValue | ProblemItem, about("The answer or the problem of one position.")],
)


Detail = TypeAliasType(
    "Detail",
    Annotated[
        Literal["full", "value"],
        about(
            "What to tell of each position. `full`, the default, is the answer of `/best-move`. `value` is the best "
            "move and its value alone. That takes less time, because no line of best play is searched.",
            example="value",
        ),
    ],
)


ReadItem = tuple[Reading[BestMoveRequest], Answered | Question | None] | Problem
"""A position that was read, with its answer or its question, unless the rules of its game are still to be read."""


class BestMovesRequest(Request):
    """Positions of any games, each with the fields of ``POST /best-move``, and one limit that all of them share."""

    model_config = example({"positions": POSITIONS})

    positions: Annotated[
        list[Annotated[BestMoveRequest, WrapValidator(unread)]],
        Field(min_length=1, max_length=MAX_BATCH),
        about(
            "The positions. The service reads each one separately, so an invalid position does not affect the others. "
            "Each position is searched with a part of the shared limit; those that are not proven are searched again "
            "with what the others left. A position with a `limit` of its own is searched once, within the tighter of "
            "both. At most 64 different games can be given by their rules.",
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
    detail: Annotated[Detail | None, about("What to tell of each position.", example="value")] = None
    best_moves: Annotated[
        bool | None, about("Whether to list all best moves of each position; `false` by default.", example=True)
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

    A fault in one position affects only its own answer. In the first round each position may use a quarter of an even
    share of the limit. Unproven positions are searched again with even shares of the rest, as long as the shares grow:
    time that easy positions do not use goes to the hard ones. With a limit of nodes the same request gets the same
    answers.
    """

    def __init__(  # noqa: PLR0913, the parameters of answers
        self,
        oracle: Oracle,
        tables: TableAnswers,
        settings: Settings,
        wanted: "BestMovesRequest",
        *,
        limit: Limit,
        slot: Slot | None,
    ) -> None:
        """Start counting the limit."""
        self._oracle = oracle
        self._tables = tables
        self._settings = settings
        self._positions: Sequence[object] = wanted.positions
        self._form = Form(wanted.detail == "value", bool(wanted.best_moves))
        self._stop = limit.stop
        self._budget = Budget(limit, slot)
        self._slot = slot
        self._unread = iter(self._positions)
        self._ahead: deque[ReadItem] = deque()
        self._own_games: set[str] = set()
        self._more_errors = MAX_MORE_ERRORS
        self._room: float = MAX_ANSWER_BYTES - len(self._positions) * LEFT_OUT_BYTES
        self._results: list[bytes] = []
        self._answers: dict[int, Answered] = {}
        self._open: dict[int, Question] = {}
        self._first_share = FIRST_SHARE if len(self._positions) > 1 else 1.0

    @property
    def notes(self) -> Counter[AnswerNote]:
        """The notes of the answers, each with its number of positions."""
        return Counter(answered.note for answered in self._answers.values())

    def results(self) -> Sequence[bytes]:
        """Return the JSON of the answer or the problem of each position.

        Raises Overloaded if the work is not admitted; the results found until then stay in the caches.
        """
        with nullcontext() if self._slot is None else self._slot.meanwhile(self._read_ahead):
            self._budget.work(self._steps())
        return self._results

    def _steps(self) -> Iterator[int]:
        """Add the result of each position, then search again; yield the nodes of each step before the next."""
        nodes, even = 0, self._budget.left * self._first_share / len(self._positions)
        for number in range(len(self._positions)):
            yield nodes
            nodes = self._add(number)
        while self._open and self._budget.left / len(self._open) > even:
            even = self._budget.left / len(self._open)
            waiting, self._open = [*self._open.items()], {}
            for place, (number, asked) in enumerate(waiting):
                yield ANSWER_NODES
                if self._budget.is_over():
                    return
                self._improve(number, asked, 1 / (len(waiting) - place))

    def _add(self, number: int) -> int:
        """Add the answer or the problem of a position; return the nodes that it costs beside its search."""
        answered, nodes = None, ANSWER_NODES
        try:
            if self._room < 0:
                raise _too_large()
            answered, nodes = self._answer(number)
            result = answered.body
        except Problem as problem:
            result = self._problem(number, problem)
        self._room += LEFT_OUT_BYTES - len(result)
        if self._room < 0:
            self._room = -inf
            result, answered = self._problem(number, _too_large()), None
        if answered is None:
            self._open.pop(number, None)
        else:
            self._answers[number] = answered
        self._results.append(result)
        return nodes

    def _improve(self, number: int, asked: Question, share: float) -> None:
        """Search a position again; replace its answer unless the new one proves less or is too long."""
        before = self._answers[number]
        try:
            answered = self._search(number, asked, share)
        except Problem as problem:  # meanwhile its table was made, and shows that the position is unreachable
            del self._answers[number]
            self._results[number] = self._problem(number, problem)
            return
        more = len(answered.body) - len(before.body)
        if more <= self._room and _proven(answered) >= _proven(before):
            self._room -= more
            self._results[number] = answered.body
            self._answers[number] = answered

    def _problem(self, number: int, problem: Problem) -> bytes:
        """Return the JSON of a position's problem, with as many errors as fit."""
        most = 1 + min(self._more_errors, MAX_ITEM_ERRORS - 1)
        document = problem.within(pointer("positions", number), most)
        self._more_errors -= max(0, len(document.errors) - 1)
        return b'{"problem":%b}' % problem_json(document)

    def _answer(self, number: int) -> tuple[Answered, int]:
        read = self._ahead.popleft() if self._ahead else self._read(next(self._unread))
        if isinstance(read, Problem):
            raise read
        reading, asked = read
        nodes = self._reading_nodes(reading.wanted)
        if asked is None:
            asked = read_question(reading, self._settings, self._stop)
        if isinstance(asked, Answered):
            return asked, nodes + TABLE_NODES
        answered = self._tables.find(asked) if self._form == FULL else None
        if answered is not None:
            return answered, nodes + TABLE_NODES
        first_share = self._first_share if asked.move_limit is None else 1.0
        return self._search(number, asked, first_share / (len(self._positions) - number)), nodes + ANSWER_NODES

    def _read(self, data: object) -> ReadItem:
        """Return a position with its answer or its question, or its problem.

        Both are missing if the rules of the game are given: reading them counts, in the order of the positions.
        """
        try:
            reading = (
                parse_body(BestMoveRequest, data) if isinstance(data, bytes) else parse_item(BestMoveRequest, data)
            )
            if not isinstance(reading.wanted.game, str | None):
                return reading, None
            written = self._tables.written(reading) if self._form == FULL else None
            return reading, written or read_question(reading, self._settings, self._stop)
        except Problem as problem:
            return problem

    def _read_ahead(self, is_done: Poll) -> None:
        """Read the next positions while the search for one runs in another thread, until it ``is_done``."""
        for data in self._unread:
            with TURNS.turn():
                self._ahead.append(self._read(data))
            if is_done():
                return

    def _search(self, number: int, asked: Question, share: float) -> Answered:
        """Return the answer found within a share of the rest; note whether another search could prove more."""
        limit = self._limit(asked, share)
        answered = answer_question(self._oracle, asked, limit, self._slot, self._form.written, form=self._form)
        self._budget.spend(answered.cost)
        is_enough = answered.exact or (limit.outcome and answered.note.outcome != "unknown")
        if not is_enough and asked.move_limit is None:
            self._open[number] = asked
        return answered

    def _reading_nodes(self, wanted: BestMoveRequest) -> int:
        """Return the nodes that reading the game counts for. Raises a Problem if the limit of games is reached."""
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
        limit = replace(limit, outcome=limit.outcome or asked.limit.outcome)
        return limit if asked.move_limit is None else tighter(limit, asked.move_limit)


def _proven(answered: Answered) -> tuple[bool, bool]:
    """Return a sort key: exact answers above those with a proven outcome, these above unproven ones."""
    return answered.exact, answered.note.outcome != "unknown"


def _left_out(error: Error) -> Problem:
    return faulty("left-out", [error])


def _too_large() -> Problem:
    detail = f"The answers to the positions before this one fill the {MAX_ANSWER_BYTES} bytes of a batch."
    return _left_out(Error("", "too-large", f"{detail} Ask about this one in another."))


def best_moves_routes(oracle: Oracle, tables: TableAnswers, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes; ``oracle`` answers within the limits of the settings, long work takes ``slots``."""
    routes = Blueprint("best_moves", __name__)

    def answered(body: bytes, read: Callable[[], Reading[BestMovesRequest]]) -> tuple[Sequence[bytes], str]:
        context, started = request_context(), perf_counter()
        with reserve(slots) as slot:
            if slot is not None and len(body) > LIGHT_BYTES:
                slot.enter(settings.default_time_ms / 1000)
            reading = read()
            limit = read_limit(reading, settings, context.must_stop)
            batch = Batch(oracle, tables, settings, reading.sound(), limit=limit, slot=slot)
            results = batch.results()
        context.notes = batch.notes
        return results, server_timing("batch", 0, perf_counter() - started)

    @routes.post("/best-moves")
    def post_best_moves() -> Response:
        body = read_body(request)
        results, timing = answered(body, lambda: parse_body(BestMovesRequest, body, apart="positions"))
        return batch_response(b'{"results":[%b]}' % b",".join(results), JSON, timing)

    @routes.post("/best-moves/lines")
    def post_best_moves_lines() -> Response:
        body, query = read_body(request, or_lines=True), read_query(request)
        results, timing = answered(body, lambda: parse_lines(BestMovesRequest, body, query, apart="positions"))
        return batch_response(b"\n".join((*results, b"")), NDJSON, timing)

    return routes
