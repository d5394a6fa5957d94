"""Many positions in one request, answered in order, within one limit."""

from collections import Counter

from service.api.answering import Answered, answer_question
from service.api.models import BestMoveRequest, BestMovesRequest
from service.api.problems import Problem, pointer, problem_json
from service.api.question import read_question
from service.api.reading import parse_item
from service.api.request_context import AnswerNote, RequestContext
from service.api.rules import read_limit
from service.engine.limit import Budget, tighter
from service.engine.oracle import Oracle
from service.engine.slots import Slot
from service.settings import Settings


def answer_batch(
    oracle: Oracle, settings: Settings, wanted: BestMovesRequest, client: RequestContext, slot: Slot | None
) -> tuple[bytes, Counter[AnswerNote]]:
    """Return the body of the answer, and how many positions there were with each note.

    A fault in one position spoils only its own answer. Each may use an even part of what the ones before it have
    left of the limit. Raises a Problem for a limit that the service does not allow, and
    Overloaded where there is no room for a search: what was found until then is soon found again.
    """
    budget = Budget(read_limit(wanted.limit, settings, client, pointer), slot)
    results: list[bytes] = []
    notes: Counter[AnswerNote] = Counter()

    def answer(data: object, share: float) -> Answered:
        asked = read_question(parse_item(BestMoveRequest, data), settings, client, pointer)
        limit = budget.part(share)
        if asked.move_limit is not None:
            limit = tighter(limit, asked.move_limit)
        answered = answer_question(oracle, asked, limit, slot)
        budget.spend(answered.cost)
        return answered

    for number, data in enumerate(wanted.positions):
        try:
            answered = answer(data, 1 / (len(wanted.positions) - number))
        except Problem as problem:
            results.append(b'{"problem":%b}' % problem_json(problem.within(pointer("positions", number))))
            continue
        results.append(answered.body)
        notes[answered.note] += 1
    return b'{"results":[%b]}' % b",".join(results), notes
