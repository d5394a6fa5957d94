"""``/best-move``: the best move of a position."""

from collections.abc import Callable, Mapping
from math import ceil
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

from flask import Blueprint, Response, request
from pydantic import BaseModel
from pydantic_core import to_json

from service.api.problems import Problem
from service.api.read.http import read_body, read_query
from service.api.read.question import Question, default_limit, read_question
from service.api.read.reading import Reading, parse_body, parse_query
from service.api.request_context import AnswerNote, make_note, request_context
from service.api.responses import FOREVER, JSON, NEVER, TEXT, cacheable, never_stored, preferred_type, server_timing
from service.api.wire.requests import MAX_BATCH, BestMoveQuery, BestMoveRequest
from service.api.write.answers import best_move_answer, best_moves_fields, value_answer
from service.api.write.plain import best_move_text
from service.engine.cache.lru_cache import LRUCache
from service.engine.oracle import LOWEST, BestMove, Oracle
from service.engine.work.limit import Limit, never
from service.engine.work.slots import SearchSlots, Slot, reserve
from service.games.catalogue import DEFAULT_GAME
from service.games.families.lines import LineGame
from service.games.game import Game
from service.games.position import Position
from service.kernel.states.family import State
from service.settings import Settings

MAX_TABLE_ANSWERS = 16384
"""The maximum number of answers kept: all positions of 3x3 for either player, and most of its misère form."""

TEXT_FIELDS = frozenset({"game", "board"})
"""The fields of a request whose position need not be read, if its board is the text of a position."""


class Form(NamedTuple):
    """The parts of an answer: the ``value`` alone, or also the line and the reason; optionally all ``best_moves``."""

    value: bool = False
    best_moves: bool = False

    def written(self, best: BestMove) -> bytes:
        """Return the JSON of an answer in this form."""
        answer = value_answer(best) if self.value else best_move_answer(best)
        more = best_moves_fields(best.position.game, best.known) if self.best_moves else {}
        return to_json({**answer, **more})


FULL = Form()

WRITTEN: Mapping[str, Callable[[BestMove], bytes]] = MappingProxyType(
    {JSON: FULL.written, TEXT: lambda best: best_move_text(best).encode()}
)
"""The function that writes an answer, by its media type."""


class Answered(NamedTuple):
    """The JSON of an answer, its note, the nodes that it cost, and whether all of it is proven."""

    body: bytes
    note: AnswerNote
    cost: int
    exact: bool


Key = tuple[Game, str, int | None]
"""A game, the text of a position, and the player to move, None if the first player began, as the text then shows."""


class TableAnswers:
    """The answers of complete tables as sent bytes: each is written once, then found by the text of its position."""

    def __init__(self, oracle: Oracle, settings: Settings) -> None:
        self._oracle = oracle
        self._settings = settings
        self._games: dict[str | None, Game] = {None: DEFAULT_GAME, **{game.id: game for game in oracle.tabled}}
        self._answers: LRUCache[Key, Answered] = LRUCache(MAX_TABLE_ANSWERS)

    def fill(self, game: LineGame) -> None:
        """Write the answers to the positions of a game with a table in which X began: about 0.4 s for tic-tac-toe.

        Those in which O began are written when they are asked for.
        """
        limit = default_limit(self._settings, never)
        for state in self._oracle.tabled[game]:
            position = Position(game, state, _turn_if_first_began(state))
            self.find(Question(position, limit, None, LOWEST, seed_chosen=False))

    def batch(self) -> bytes:
        """Return the body of a batch of positions whose answers are written, from all parts of the memory."""
        boards = [text for game, text, turn in self._answers if game is DEFAULT_GAME and turn is None]
        spread = boards[:: ceil(len(boards) / MAX_BATCH) or 1]
        return to_json({"positions": [{"board": board} for board in spread]})

    def answer(self, reading: Reading[BestMoveRequest]) -> Answered | None:
        """Return the answer to a request; None if a search or another choice is needed. Raises a Problem."""
        game = reading.wanted.game
        if isinstance(game, BaseModel) or game not in self._games:
            return None
        return self.written(reading) or self.find(read_question(reading, self._settings, never))

    def written(self, reading: Reading[BestMoveRequest]) -> Answered | None:
        """Return the answer to a request that gives a position by its text alone, if it was written before."""
        wanted = reading.wanted
        if reading.errors or not isinstance(wanted.board, str) or isinstance(wanted.game, BaseModel):
            return None
        if wanted.game not in self._games or not wanted.model_fields_set <= TEXT_FIELDS:
            return None
        return self._answers.get((self._games[wanted.game], wanted.board, None))

    def find(self, asked: Question) -> Answered | None:
        """Return the answer to a question; None without a table for the game, or for another move than the lowest."""
        position = asked.position
        if position.game not in self._oracle.tabled:
            return None
        if asked.choice != LOWEST:
            return None
        # Keyed by the game, not by its digest: an answer names the game, rows, columns and layers of the request.
        turn = None if position.turn == _turn_if_first_began(position.state) else position.turn
        key = position.game, str(position), turn
        answered = self._answers.get(key)
        if answered is None:
            answered = answer_question(self._oracle, asked, asked.limit, None)
            self._answers.keep(key, answered)
        return answered


def _turn_if_first_began(state: State) -> int:
    """Return who is to move in a state of a line game in which the first player began."""
    return sum(map(int.bit_count, state)) % 2


def best_move_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes; ``oracle`` answers within the limits of the settings, long searches take ``slots``."""
    routes = Blueprint("best_move", __name__)

    def answer(reading: Reading[BestMoveRequest], mimetype: str) -> tuple[bytes, dict[str, str]]:
        """Return the body of the answer, and the headers with its source and its cache lifetime."""
        context = request_context()
        asked = read_question(reading, settings, context.must_stop)
        started = perf_counter()
        limit = context.watched(asked.position, asked.move_limit or asked.limit)
        with reserve(slots, asked.nodes) as slot:
            answered = answer_question(oracle, asked, limit, slot, WRITTEN[mimetype])
        note = answered.note
        context.notes = {note: 1}
        timing = server_timing(note.source, note.nodes, perf_counter() - started)
        return answered.body, {"Cache-Control": FOREVER if note.reproducible else NEVER, "Server-Timing": timing}

    @routes.post("/best-move")
    def post_best_move() -> Response:
        reading = request_context().reading or parse_body(BestMoveRequest, read_body(request))
        if isinstance(reading, Problem):
            raise reading
        mimetype = preferred_type(request, WRITTEN)
        body, headers = answer(reading, mimetype)
        return never_stored(body, headers, mimetype)

    @routes.get("/best-move")
    def get_best_move() -> Response:
        mimetype = preferred_type(request, WRITTEN)
        body, headers = answer(parse_query(BestMoveQuery, read_query(request)), mimetype)
        return cacheable(request, body, mimetype, headers | {"Vary": "Accept"})

    return routes


def answer_question(  # noqa: PLR0913, the parameters of an answer
    oracle: Oracle,
    asked: Question,
    limit: Limit,
    slot: Slot | None,
    written: Callable[[BestMove], bytes] = FULL.written,
    *,
    form: Form = FULL,
) -> Answered:
    """Return the answer to a question, found within the limit. Raises Overloaded if there is no search slot."""
    best = asked.best_move(oracle, slot, limit, all_best=form.best_moves, lines=not form.value)
    return Answered(written(best), note_of(best, asked), best.cost, best.exact)


def note_of(best: BestMove, asked: Question) -> AnswerNote:
    """Return the note of the best move."""
    reproducible = best.exact and not asked.seed_chosen
    game = asked.position.game.id
    return make_note(game, best.source, best.outcome, reproducible=reproducible, nodes=best.nodes)
