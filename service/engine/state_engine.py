"""The engine of games as states: complete tables, made when they are first asked for; searches of larger games."""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from random import Random

from service.engine.engine import Engine, Found, FoundMoves
from service.engine.result import (
    OPPOSITE,
    Known,
    MoveValues,
    Outcome,
    ProvenResult,
    finished_value,
    nothing_known,
)
from service.engine.skill import looks_best, sight
from service.engine.solver import Solver
from service.engine.tables.family_table import FamilyTable
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Effort, NewSearch
from service.games.position import Position
from service.games.states import StateGame
from service.kernel.memory import private_memory
from service.kernel.states.family_search import FamilySearch
from service.kernel.stopping import Stopped

StatePosition = Position[StateGame]

NEAR_SHARE, NEAR_NODES = 0.25, 100_000
"""The part of a limit that goes to looking for near ends at first, and the most nodes for that."""

SIGHT_STEPS = 50_000
"""Moves that a weaker player looks at, all nodes together: 15 ms. The limit of the request changes no choice."""


class StateEngine(Engine[FamilySearch, StateGame]):
    """Answers by the ``tablebases``; games without loops that are too large for these are searched."""

    def __init__(self, tablebases: Tablebases, table: memoryview, on_contradiction: Callable[[Position], None]) -> None:
        super().__init__(table, on_contradiction)
        self._tablebases = tablebases
        self._secret = secrets.token_bytes(32)

    def waits_for_table(self, position: StatePosition) -> bool:
        """Return whether the game is not searched: it has loops, or is small enough for a table."""
        return position.game.loops or self._tablebases.has_table(position.game)

    def look_up(self, position: StatePosition, effort: Effort, *, every: bool) -> Found | None:  # noqa: ARG002
        """Return what the table tells, or the rules while it is not made; None where the game is searched.

        A finished position that was read may be one that no play leads to, which only a table tells.
        """
        game = position.game
        if not position.legal_moves and (position.reached or not self._tablebases.has_table(game)):
            return finished_value(position), "table"
        if not self.waits_for_table(position):
            return None
        table = self._table_of(game, effort)
        return (_without_table(position) if table is None else _position_value(table, position)), "table"

    def look_up_moves(self, position: StatePosition, moves: Iterable[int], effort: Effort) -> FoundMoves | None:
        """Return what the table tells of moves, or the rules while it is not made; None where the game is searched."""
        if not self.waits_for_table(position):
            return None
        table = self._table_of(position.game, effort)
        if table is None:
            return _moves_without_table(position, moves), "table"
        table.known_value(position)
        return {move: _move_value(table, position, move) for move in moves}, "table"

    def weaker_move(self, position: StatePosition, effort: Effort, *, skill: int, seed: int) -> int | None:
        """Return a move that looks best to a player who sees only near ends; None if a table is not made in time."""
        # The position is part of the draw: a bot that keeps one seed would else see equally far all game long.
        dice = Random(f"{seed} {position}")  # noqa: S311, chance in a game guards nothing
        _, plies = sight(skill, dice)
        looked_up = self.look_up_moves(position, position.legal_moves, effort)
        values = _near_values(position, plies) if looked_up is None else looked_up[0]
        if looked_up is not None and not all(isinstance(value, ProvenResult) for value in values.values()):
            return None
        return dice.choice(looks_best(values, plies, position.game.most_plies))

    def _new_search(self, position: StatePosition, memory: memoryview, *, secret: bool) -> NewSearch[FamilySearch]:
        game = position.game
        key = self._secret if secret else b""
        seeds = blake2b(game.search_digest, key=key, digest_size=16).digest()
        first, second = (int.from_bytes(seeds[start : start + 8], "big") for start in (0, 8))
        return partial(FamilySearch, game.play, game.most_plies, memory, seeds=(first, second))

    def _prove(self, position: StatePosition, effort: Effort, new: NewSearch[FamilySearch], *, every: bool) -> Known:
        near = effort.search(new, NEAR_SHARE, effort.at_most(NEAR_NODES))
        solver = Solver(near, position)
        effort.watch(position, solver)
        solver.look_near(near)
        try:
            return solver.prove(effort.search(new, 1), every=every)
        except Stopped:
            return solver.known()

    def _settle(
        self, position: StatePosition, known: Known, effort: Effort, new: NewSearch[FamilySearch]
    ) -> MoveValues:
        search = effort.search(new, 1)
        solver = Solver(search, position)
        solver.learn(known)
        effort.watch(position, solver)
        solver.settle(search)
        return solver.move_values(search)

    def _table_of(self, game: StateGame, effort: Effort) -> FamilyTable | None:
        """Return the table of a game, None if it is not made within the limit. Raises TooLargeError, Overloaded."""
        return self._tablebases.find(game, effort.wait_for_table)


def _position_value(table: FamilyTable, position: StatePosition) -> ProvenResult:
    """Return the value of a position, with all best moves. Raises UnreachableError."""
    outcome, plies = table.known_value(position)
    if not position.legal_moves:
        return finished_value(position)
    found = _proven(position, outcome, plies, table.best_moves(position), table.line(position))
    return replace(found, repetition=table.is_endless(position))


def _move_value(table: FamilyTable, position: StatePosition, move: int) -> ProvenResult:
    """Return the value of a move, for the player who makes it. Raises UnreachableError."""
    after = position.play(move)
    outcome, plies = table.known_value(after)
    later = None if plies is None else plies + 1
    found = _proven(position, OPPOSITE[outcome], later, (), table.line(position, move))
    return replace(found, repetition=table.is_endless(after))


def _proven(
    position: StatePosition, outcome: Outcome, plies: int | None, best: tuple[int, ...], line: tuple[int, ...]
) -> ProvenResult:
    """Return a proven result; a draw of a game without loops takes as long as its line."""
    if plies is None and not position.game.loops:
        plies = len(line)
    return ProvenResult(outcome, plies, position.game.score(outcome, plies), best, line)


def _without_table(position: StatePosition) -> Known:
    """Return what the rules tell of a position: nothing is proven of one that perhaps no play leads to."""
    if not position.legal_moves or position.game.loops:
        return nothing_known(position)
    known = _solver(position, 0)[0].known()
    return known if position.reached else nothing_known(position, known.move)


def _moves_without_table(position: StatePosition, moves: Iterable[int]) -> MoveValues:
    """Return what the rules tell of moves."""
    if position.reached and not position.game.loops:
        known = _solver(position, 0)[0].move_bounds()
        return {move: known[move] for move in moves}
    return {move: nothing_known(position, move) for move in moves}


def _near_values(position: StatePosition, plies: int) -> MoveValues:
    """Return the values of all moves as far as a short search shows ends within a number of plies."""
    solver, search = _solver(position, SIGHT_STEPS // position.game.play.moves)
    solver.look_near_every_move(search, plies)
    return solver.move_bounds()


def _solver(position: StatePosition, nodes: int) -> tuple[Solver[FamilySearch], FamilySearch]:
    """Return a solver and a search of at most a number of nodes, which depend on nothing that was asked before."""
    game = position.game
    search = FamilySearch(game.play, game.most_plies, private_memory(nodes), limit=nodes)
    return Solver(search, position), search
