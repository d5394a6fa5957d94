"""Proven entries shared by several instances of the service, so that a fleet solves each position once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from service.engine.result import (
    Known,
    MoveValues,
    Outcome,
    ProvenResult,
    finished_value,
    for_previous_player,
    make_proven_result,
)
from service.engine.work.limit import Effort
from service.games.position import Position

COSTLY_NODES = 1_000
"""The number of nodes beyond which a result is shared: half a millisecond, longer than a nearby cache takes.

The threshold is low, because a search can be cheap here, thanks to earlier results, but costly elsewhere.
"""

MOST_CHEAP = 8
"""The maximum plies left of a position that is not shared: of 297 random ones, none took over 1,055 nodes."""


class SharedCache(Protocol):
    """A cache outside of the process. Its methods never raise, and return within a fixed short time."""

    def look_up(self, positions: Sequence[Position], *, all_best: bool) -> Sequence[ProvenResult | None]:
        """Return the checked entries of these unfinished positions; None for a position without one."""

    def keep(self, entries: Mapping[Position, ProvenResult], *, all_best: bool) -> None:
        """Store proven entries, with ``all_best`` moves or the lowest; do nothing if the cache fails."""


class Shared:
    """The oracle's access to a shared cache.

    Requests with a limit of nodes neither read nor write the cache, because their answers must not depend on other
    searches. Requests limited by the clock do, because a proof is true, however long it took.
    """

    def __init__(self, cache: SharedCache | None = None) -> None:
        self._cache = cache

    def entry(self, position: Position, effort: Effort, *, all_best: bool) -> ProvenResult | None:
        """Return the entry of a position, if there is one."""
        cache = self._cache_for(position, effort)
        return None if cache is None else cache.look_up([position], all_best=all_best)[0]

    def move_values(self, position: Position, effort: Effort) -> MoveValues | None:
        """Return the value of every legal move, if the positions after all moves have entries."""
        cache = self._cache_for(position, effort)
        if cache is None:
            return None
        children = {move: position.play(move) for move in position.legal_moves}
        unfinished = [child for child in children.values() if child.status == "in_progress"]
        kept = dict(zip(unfinished, cache.look_up(unfinished, all_best=False), strict=True))
        values: dict[int, Known] = {}
        for move, child in children.items():
            entry = kept[child] if child in kept else finished_value(child)
            if entry is None:
                return None
            values[move] = for_previous_player(entry, move, position.game.most_plies)
        return values

    def keep_entry(self, position: Position, entry: ProvenResult, effort: Effort, *, all_best: bool) -> None:
        """Store the proven result of a position, if it took many nodes."""
        cache = self._cache_for(position, effort)
        if cache is not None and entry.pv and effort.used > COSTLY_NODES:
            cache.keep({position: entry}, all_best=all_best)

    def keep_move_values(self, position: Position, values: MoveValues, effort: Effort) -> None:
        """Store the proven values of all moves, each as the entry of the position after it, if they took many nodes."""
        cache = self._cache_for(position, effort)
        if cache is not None and effort.used > COSTLY_NODES:
            cache.keep(dict(_children(position, values)), all_best=False)

    def _cache_for(self, position: Position, effort: Effort) -> SharedCache | None:
        """Return the cache if it may hold this position; None for cheap or finished positions and limits of nodes."""
        if self._cache is None or effort.nodes is not None or position.status != "in_progress":
            return None
        return self._cache if position.remaining > MOST_CHEAP else None


def _children(position: Position, values: MoveValues) -> Iterator[tuple[Position, ProvenResult]]:
    """Yield the unfinished positions after each move, with the entry that follows from the value of the move."""
    for move, value in values.items():
        child = position.play(move)
        if isinstance(value, ProvenResult) and child.status == "in_progress":
            yield child, make_proven_result(position.game.most_plies, -value.score, value.pv[1:2], value.pv[1:])


def can_be_true(position: Position, entry: ProvenResult, *, all_best: bool) -> bool:
    """Return whether an entry of an unfinished position passes all checks short of a search.

    Its best moves are legal and ascending, only one unless ``all_best``. Its principal variation begins with
    the lowest of them, is legal to its end, and ends the game with the promised outcome. It is not checked that no
    other move is better.
    """
    best = entry.best_moves
    if not best or entry.pv[:1] != best[:1] or best != tuple(sorted({*best} & {*position.legal_moves})):
        return False
    return (all_best or len(best) == 1) and _outcome_after(position, entry.pv) == entry.outcome


def _outcome_after(position: Position, pv: tuple[int, ...]) -> Outcome | None:
    """Return the outcome for the player to move after these moves; None if the game goes on, or a move is illegal."""
    end = position
    for move in pv:
        if move not in end.legal_moves:
            return None
        end = end.play(move)
    if end.status == "in_progress":
        return None
    return "draw" if end.winner is None else "win" if end.winner == position.player else "loss"
