"""What is known of positions of families: by the table of the game, or by a search where it is too large for one."""

from collections.abc import Callable
from functools import partial
from itertools import repeat
from typing import TypeVar

from service.engine.attempts import first_consistent, ignore
from service.engine.family_solver import FamilySolver
from service.engine.family_table import FamilyTable
from service.engine.family_values import end_value, move_values, position_value
from service.engine.limit import Effort
from service.engine.result import Known, MoveValues, for_previous_player, nothing_known
from service.engine.tablebases import Tablebases
from service.games.game import Game
from service.games.position import Position
from service.kernel.memory import shared_memory
from service.kernel.stopping import Stopped

Result = TypeVar("Result")

SEARCH_MB = 32
"""Megabytes of the table of a search."""

NEAR_SHARE, NEAR_NODES = 0.25, 100_000
"""The part of a limit that goes to looking for near ends at first, and the most nodes for that."""


class FamilyProver:
    """Values by the ``tablebases``; games without loops that are too large for these are searched.

    A search that comes upon contradictory bounds is repeated with an empty table, after a call of ``on_contradiction``.
    """

    def __init__(self, tablebases: Tablebases, *, on_contradiction: Callable[[Position], None] = ignore) -> None:
        self._tablebases = tablebases
        self._on_contradiction = on_contradiction

    def searches(self, game: Game) -> bool:
        """Return whether positions of the game are searched: it has no loops, and is too large for a table."""
        return not game.loops and not self._tablebases.has_table(game)

    def value(self, position: Position, effort: Effort, *, every: bool) -> Known:
        """Return what is known of a position, with ``every`` best move or the lowest.

        Raises UnreachableError, TooLargeError, Overloaded.
        """
        if not position.legal_moves and (position.reached or not self._tablebases.has_table(position.game)):
            return end_value(position)
        if self.searches(position.game):
            known = self._run(position, effort, partial(_prove, position, effort, every=every))
            return known or nothing_known(position)
        table = self._table_of(position.game, effort)
        return _without_table(position) if table is None else position_value(table, position)

    def move_value(self, position: Position, move: int, effort: Effort) -> Known:
        """Return what is known of a move, for the player who makes it. Raises as ``value`` does."""
        if self.searches(position.game):
            known = self.value(position.play(move), effort, every=False)
            return for_previous_player(known, move, position.game.most_plies)
        return move_values(self._table_of(position.game, effort), position, [move])[move]

    def move_values(self, position: Position, known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move, after what is ``known`` of the position. Raises as ``value`` does."""
        if not position.legal_moves:
            return {}
        if self.searches(position.game):
            values = self._run(position, effort, partial(_settle, position, known, effort))
            return values or {move: nothing_known(position, move) for move in position.legal_moves}
        table = self._table_of(position.game, effort)
        if table is None and position.reached and not position.game.loops:
            return FamilySolver(position).move_bounds()
        return move_values(table, position, position.legal_moves)

    def _run(self, position: Position, effort: Effort, search: Callable[[], Result]) -> Result | None:
        """Return what a search finds, at the second try if need be; None if that is contradictory too."""
        attempts = repeat(partial(effort.run, search), 2)  # each makes a table of its own
        return first_consistent(attempts, partial(self._on_contradiction, position))

    def _table_of(self, game: Game, effort: Effort) -> FamilyTable | None:
        """Return the table of a game, None if it is not made within the limit. Raises TooLargeError, Overloaded."""
        return self._tablebases.find(game, effort.wait_for_table)


def _without_table(position: Position) -> Known:
    """Return what the rules tell of a position: nothing is proven of one that perhaps no play leads to."""
    if not position.legal_moves or position.game.loops:
        return nothing_known(position)
    known = FamilySolver(position).known()
    return known if position.reached else nothing_known(position, known.move)


def _prove(position: Position, effort: Effort, *, every: bool) -> Known:
    solver, table = FamilySolver(position), shared_memory(SEARCH_MB)
    effort.watch(position, solver)
    solver.look_near(effort.family_search(position.game, table, NEAR_SHARE, effort.at_most(NEAR_NODES)))
    try:
        return solver.prove(effort.family_search(position.game, table, 1), every=every)
    except Stopped:
        return solver.known()


def _settle(position: Position, known: Known, effort: Effort) -> MoveValues:
    solver, table = FamilySolver(position), shared_memory(SEARCH_MB)
    solver.learn(known)
    search = effort.family_search(position.game, table, 1)
    solver.settle(search)
    return solver.move_values(search)
