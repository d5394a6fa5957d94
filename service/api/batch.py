"""Many positions in one request, answered in order, within one limit."""

from collections import Counter

from service.api.answering import Answered, Answering
from service.api.door import AnswerNote
from service.api.models import BestMoveRequest, BestMovesRequest
from service.api.problems import Problem, pointer, problem_json
from service.api.question import read_question
from service.api.reading import parse_item
from service.api.request_context import CLOSED, RequestContext
from service.api.rules import read_limit
from service.engine.limit import Budget, tighter
from service.engine.lru_cache import LRUCache
from service.settings import Settings

REMEMBERED = 8192
"""Answers out of complete tables that are remembered by the text of the question."""

LONGEST_REMEMBERED = 512
"""Characters of the longest question that is."""


class Batch:
    """Answers the positions of a request one after the other; a bad one spoils only its own answer.

    Each may use an even part of what the ones before it have left of the limit. What a complete table
    knows costs nothing of it, so the answer can be remembered and given again at any place of any request.
    """

    def __init__(self, answering: Answering, settings: Settings) -> None:
        self._answering = answering
        self._settings = settings
        self._remembered: LRUCache[str, Answered] = LRUCache(REMEMBERED)

    def answer(self, wanted: BestMovesRequest, client: RequestContext) -> tuple[bytes, Counter[AnswerNote]]:
        """The body of the answer, and how many positions there were with each note.

        Raises a Problem for a limit that the service does not allow, where the client has gone, and where there is no
        room for a search: what was found until then is soon found again.
        """
        budget = Budget(read_limit(wanted.limit, self._settings, client, pointer))
        positions = wanted.positions
        results: list[bytes] = []
        notes: Counter[AnswerNote] = Counter()
        for number, data in enumerate(positions):
            # A string could read like an object; only an object is one.
            text = str(data) if type(data) is dict else ""
            answered = self._remembered.get(text)
            try:
                if answered is None:
                    answered = self._answer_one(data, text, budget, len(positions) - number, client)
            except Problem as problem:
                results.append(b'{"problem":%b}' % problem_json(problem.within(pointer("positions", number))))
                continue
            if answered.note.source != "table" and client.has_gone():
                raise Problem("malformed-request", CLOSED)
            results.append(answered.body)
            notes[answered.note] += 1
        return b'{"results":[%b]}' % b",".join(results), notes

    def _answer_one(self, data: object, text: str, budget: Budget, left: int, client: RequestContext) -> Answered:
        """The answer to one position, which ``left - 1`` others follow."""
        wanted = parse_item(BestMoveRequest, data)
        asked = read_question(wanted, self._settings, client, pointer)
        limit = budget.part(1 / left)
        if asked.patience is not None:
            limit = tighter(limit, asked.patience)
        answered = self._answering.answer(asked, limit)
        budget.spend(answered.cost)
        if answered.note.source == "table" and answered.note.reproducible and len(text) <= LONGEST_REMEMBERED:
            self._remembered.keep(text, answered)
        return answered
