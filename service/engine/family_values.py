"""What is known of positions and moves of families, by the complete table of the game if it is made."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from service.engine.family_table import FamilyTable
from service.engine.result import OPPOSITE, MoveValues, Outcome, ProvenResult, nothing_known
from service.games.game import DRAWN, LOST, WON
from service.games.position import Position

ENDS: Mapping[int, Outcome] = MappingProxyType({LOST: "loss", DRAWN: "draw", WON: "win"})
"""The outcome for the player to move when the game is over, by the result."""


def end_value(position: Position) -> ProvenResult:
    """Return the value of a position in which the game is over."""
    outcome = ENDS[position.result]
    return ProvenResult(outcome, 0, position.game.score(outcome, 0), (), ())


def position_value(table: FamilyTable, position: Position) -> ProvenResult:
    """Return the value of a position, with all best moves. Raises UnreachableError."""
    outcome, plies = table.known_value(position)
    if not position.legal_moves:
        return end_value(position)
    found = _proven(position, outcome, plies, table.best_moves(position), table.line(position))
    return replace(found, repetition=table.is_endless(position))


def move_values(table: FamilyTable | None, position: Position, moves: Iterable[int]) -> MoveValues:
    """Return what is known of some legal moves, for the player who makes them. Raises UnreachableError."""
    if table is None:
        return {move: nothing_known(position, move) for move in moves}
    table.known_value(position)
    return {move: _move_value(table, position, move) for move in moves}


def _move_value(table: FamilyTable, position: Position, move: int) -> ProvenResult:
    after = position.play(move)
    outcome, plies = table.known_value(after)
    later = None if plies is None else plies + 1
    found = _proven(position, OPPOSITE[outcome], later, (), table.line(position, move))
    return replace(found, repetition=table.is_endless(after))


def _proven(
    position: Position, outcome: Outcome, plies: int | None, best: tuple[int, ...], line: tuple[int, ...]
) -> ProvenResult:
    """Return a proven result; a draw of a game without loops takes as long as its line."""
    if plies is None and not position.game.loops:
        plies = len(line)
    return ProvenResult(outcome, plies, position.game.score(outcome, plies), best, line)
