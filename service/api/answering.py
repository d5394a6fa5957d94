"""Answers of ``/best-move`` as they are sent, those out of complete tables remembered."""

from typing import NamedTuple

from service.api.answers import best_move_answer
from service.api.door import AnswerNote, make_note
from service.api.question import Question
from service.engine.limit import Limit
from service.engine.lru_cache import LRUCache
from service.engine.oracle import Oracle
from service.games.game import Game

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
        self._kept: LRUCache[tuple[Game, int, int, str], Answered] = LRUCache(REMEMBERED)

    def answer(self, asked: Question, limit: Limit) -> Answered:
        """The answer to a question, found within the limit."""
        position = asked.position
        # The game itself, not its digest: an answer names the game, rows, columns and layers of the request.
        key = position.game, position.x, position.o, position.player
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
