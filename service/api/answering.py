"""Answers of ``/best-move``, as they are sent."""

from typing import NamedTuple

from service.api.answers import best_move_answer
from service.api.models import BestMoveRequest
from service.api.problems import pointer
from service.api.question import Question, read_question
from service.api.request_context import AnswerNote, RequestContext, make_note
from service.engine.limit import Limit
from service.engine.oracle import Oracle
from service.engine.slots import Slot
from service.settings import Settings


class Answered(NamedTuple):
    """The JSON of an answer, what to count of it, and the nodes that it cost."""

    body: bytes
    note: AnswerNote
    cost: int


def answer_question(oracle: Oracle, asked: Question, limit: Limit, slot: Slot | None) -> Answered:
    """Return the answer to a question, found within the limit. Raises Overloaded if there is no room for a search."""
    position = asked.position
    best = oracle.best_move(position, seed=asked.seed, skill=asked.skill, limit=limit, slot=slot)
    reproducible = best.proven and not asked.drawn
    note = make_note(position.game.id, best.source, best.outcome, reproducible=reproducible, nodes=best.nodes)
    return Answered(best_move_answer(best).model_dump_json(exclude_unset=True).encode(), note, best.cost)


def answer_at_once(oracle: Oracle, settings: Settings, wanted: BestMoveRequest) -> Answered | None:
    """Return the answer from a complete table; None for a request that takes longer. Raises a Problem for a fault."""
    asked = read_question(wanted, settings, RequestContext(), pointer)
    if asked.skill is not None or asked.position.game not in oracle.tabled:
        return None
    return answer_question(oracle, asked, asked.limit, None)
