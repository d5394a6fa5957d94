"""The oracle: the best move of a position, its score and the line of best play."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from service.games.game import Game
from service.games.position import Position
from service.oracle.reasons import reason
from service.oracle.table import Entry, Outcome, Table

Source = Literal["table"]


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to a position; outcome, plies and score are for the player to move.

    ``move`` is None and ``pv`` empty when the game is over. ``proven`` says that the outcome is a
    theorem; ``source`` says where it was found.
    """

    position: Position
    move: int | None
    outcome: Outcome
    score: int
    plies: int
    pv: tuple[int, ...]
    proven: bool
    reason: str
    source: Source


class Oracle:
    """Answers for the games that it was made with. Solves them completely when it is made."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._tables = {game: Table(game) for game in games}

    def best_move(self, position: Position, *, seed: int | None = None) -> BestMove:
        """The best move of a position: the lowest cell of the equally good ones, or with a ``seed`` one drawn by it.

        A pure function of position and seed.
        """
        entry = self._tables[position.game][position]
        move = _choose(position, entry, seed)
        pv = entry.pv if move is None else (move, *self._tables[position.game][position.play(move)].pv)
        return BestMove(
            position=position,
            move=move,
            outcome=entry.outcome,
            score=entry.score,
            plies=entry.plies,
            pv=pv,
            proven=True,
            reason=reason(position, entry, move),
            source="table",
        )


def _choose(position: Position, entry: Entry, seed: int | None) -> int | None:
    if not entry.best_moves:
        return None
    if seed is None:
        return entry.best_moves[0]
    # The position is part of the draw: a bot that keeps one seed would else always draw alike.
    return random.Random(f"{seed} {position}").choice(entry.best_moves)  # noqa: S311
