"""Answers of ``/best-move`` as they are sent, those out of complete tables remembered."""

from typing import NamedTuple

from service.api.answers import best_move_answer
from service.api.door import AnswerNote, make_note
from service.api.question import Question
from service.oracle.bounded import Bounded
from service.oracle.limit import Limit
from service.oracle.oracle import Oracle

REMEMBERED = 16384
"""Answers that are kept: every position of 3x3 with either player to move, and most of its misère form."""


class Answered(NamedTuple):
    """The JSON of an answer, what to count of it, and the nodes that it cost."""

    body: bytes
    note: AnswerNote
    cost: int


class Answering:
    """Asks the oracle for best moves. What a complete table says of a position never changes, so it is written once."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._kept: Bounded[tuple[bytes, int, int, str], Answered] = Bounded(REMEMBERED)

    def answer(self, asked: Question, limit: Limit) -> Answered:
        """The answer to a question, found within the limit."""
        position = asked.position
        key = position.game.digest, position.x, position.o, position.player
        kept = self._kept.get(key) if asked.seed is None and asked.skill is None else None
        if kept is not None:
            return kept
        best = self._oracle.best_move(position, seed=asked.seed, skill=asked.skill, limit=limit)
        reproducible = best.proven and not asked.drawn
        note = make_note(position.game.id, best.source, best.outcome, reproducible=reproducible, nodes=best.nodes)
        answered = Answered(best_move_answer(best).model_dump_json(exclude_unset=True).encode(), note, best.cost)
        if best.source == "table" and best.seed is None:
            self._kept.keep(key, answered)
        return answered

    def is_quick(self, asked: Question) -> bool:
        """Whether the answer takes no search: it stands in a complete table."""
        return asked.skill is None and asked.position.game in self._oracle.tabled
