"""Proven entries that several instances of the service share, so that a fleet solves each position once."""

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
"""A search of more nodes is worth keeping: it takes half a millisecond, some times as long as asking a cache nearby.

Not more, because what was found out before makes a search cheap here that is costly elsewhere."""

MOST_CHEAP = 8
"""The most plies to come in positions that are not even asked for: of 297 random ones none took over 1,055 nodes."""


class SharedCache(Protocol):
    """What remembers entries for others too. Neither method ever raises, or takes longer than a fixed short time."""

    def look_up(self, positions: Sequence[Position], *, every: bool) -> Sequence[ProvenResult | None]:
        """Return what is kept of each of these unfinished positions, checked; None where nothing is."""

    def keep(self, entries: Mapping[Position, ProvenResult], *, every: bool) -> None:
        """Keep what a search has proven, with ``every`` best move or the lowest; or don't, if that fails."""


class Shared:
    """What a shared cache knows of the questions of an oracle.

    A search with limited nodes neither looks up nor keeps: its answer must not depend on what others have found out.
    A clock is no such limit, for what is proven in time is as true as any proof.
    """

    def __init__(self, cache: SharedCache | None = None) -> None:
        self._cache = cache

    def entry(self, position: Position, effort: Effort, *, every: bool) -> ProvenResult | None:
        """Return the entry of a position, if it is kept."""
        cache = self._cache_for(position, effort)
        return None if cache is None else cache.look_up([position], every=every)[0]

    def move_values(self, position: Position, effort: Effort) -> MoveValues | None:
        """Return the value of every legal move, if the entries of all positions that they lead to are kept."""
        cache = self._cache_for(position, effort)
        if cache is None:
            return None
        children = {move: position.play(move) for move in position.legal_moves}
        unfinished = [child for child in children.values() if child.status == "in_progress"]
        kept = dict(zip(unfinished, cache.look_up(unfinished, every=False), strict=True))
        values: dict[int, Known] = {}
        for move, child in children.items():
            entry = kept[child] if child in kept else finished_value(child)
            if entry is None:
                return None
            values[move] = for_previous_player(entry, move, position.game.most_plies)
        return values

    def keep_entry(self, position: Position, entry: ProvenResult, effort: Effort, *, every: bool) -> None:
        """Keep what has been proven of a position, if the effort was great."""
        cache = self._cache_for(position, effort)
        if cache is not None and entry.pv and effort.used > COSTLY_NODES:
            cache.keep({position: entry}, every=every)

    def keep_move_values(self, position: Position, values: MoveValues, effort: Effort) -> None:
        """Keep the proven values of all moves, each as the entry of what it leads to, if the effort was great."""
        cache = self._cache_for(position, effort)
        if cache is not None and effort.used > COSTLY_NODES:
            cache.keep(dict(_children(position, values)), every=False)

    def _cache_for(self, position: Position, effort: Effort) -> SharedCache | None:
        """Return the cache if this position is worth asking it for and may be."""
        if self._cache is None or effort.nodes is not None or position.status != "in_progress":
            return None
        return self._cache if position.remaining > MOST_CHEAP else None


def _children(position: Position, values: MoveValues) -> Iterator[tuple[Position, ProvenResult]]:
    """Yield the unfinished positions after each move, with the entry that follows from the value of the move."""
    for move, value in values.items():
        child = position.play(move)
        if isinstance(value, ProvenResult) and child.status == "in_progress":
            yield child, make_proven_result(position.game.most_plies, -value.score, value.pv[1:2], value.pv[1:])


def can_be_true(position: Position, entry: ProvenResult, *, every: bool) -> bool:
    """Return whether nothing short of a search speaks against the entry of an unfinished position.

    Its best moves are legal, ascending and, unless ``every`` one was asked for, only one. Its principal variation
    begins with the lowest, is legal to its last move and ends the game there, with the outcome that it promises.
    That no other move is better only a search could tell.
    """
    best = entry.best_moves
    if not best or entry.pv[:1] != best[:1] or best != tuple(sorted({*best} & {*position.legal_moves})):
        return False
    return (every or len(best) == 1) and _outcome_after(position, entry.pv) == entry.outcome


def _outcome_after(position: Position, pv: tuple[int, ...]) -> Outcome | None:
    """Return how the game ends for the player to move after these moves; None if it does not, or a move is illegal."""
    end = position
    for move in pv:
        if move not in end.legal_moves:
            return None
        end = end.play(move)
    if end.status == "in_progress":
        return None
    return "draw" if end.winner is None else "win" if end.winner == position.player else "loss"
