"""Proven results, kept in this process or in the shared cache, and searches that several requests share."""

from functools import partial
from typing import Any, NamedTuple

from service.engine.cache.lru_cache import LRUCache
from service.engine.cache.shared import Shared, SharedCache
from service.engine.engine import Engine, Found, Source
from service.engine.result import Known, MoveValues, ProvenResult, is_decided
from service.engine.work.limit import PROOF_SHARE, Effort
from service.engine.work.single_flight import SingleFlight
from service.games.position import Position

MOST_CACHED = 4096
"""The maximum number of proven results of positions that are kept."""

MOST_ANALYSED = 256
"""The maximum number of positions whose proven move values are kept, with the nodes that they cost."""

EntryKey = tuple[bytes, int, int, bool, bool, object]
"""The key of an entry: search digest, state, whether it has all best moves and the line, the limit of nodes.

The key of a shared search also has its goal: whether a proven outcome suffices.
"""

MoveValuesKey = tuple[bytes, int, int, object, object]
"""The key of move values: search digest, state and, with a limit of nodes, that limit and the earlier results."""


class _Searched(NamedTuple):
    """The result of a search, its cost in nodes, its source, and whether the clock has cut it off."""

    known: Known
    cost: int
    source: Source
    cut_off: bool = False


class ProvenCache:
    """Searches of engines, each run once: results are kept, and requests for the same position share a search.

    Proven results are kept in this process and in the ``shared`` cache. The nodes that a kept result cost count against
    a limit of nodes like a search, so that the rest of the answer does not depend on the cache.
    """

    def __init__(self, shared: SharedCache | None) -> None:
        self._proven: LRUCache[EntryKey, _Searched] = LRUCache(MOST_CACHED)
        self._move_values: LRUCache[MoveValuesKey, tuple[MoveValues, int]] = LRUCache(MOST_ANALYSED)
        self._flights: SingleFlight[_Searched] = SingleFlight()
        self._shared = Shared(shared)

    def value(self, engine: Engine[Any, Any], position: Position, effort: Effort, *, all_best: bool) -> Found:
        """Return the result of a position, with ``all_best`` moves or the lowest, and its source. Raises Overloaded."""
        key = (position.game.search_digest, *position.state, all_best, effort.lines, _node_limit(effort))

        def suffices(found: _Searched) -> bool:
            if isinstance(found.known, ProvenResult):
                return True
            if effort.outcome and is_decided(found.known):
                return True
            return not found.cut_off if effort.nodes is not None else effort.spent(PROOF_SHARE)()

        find = partial(self._find, engine, key, position, effort, all_best=all_best)
        found, shared = self._flights.run((*key, effort.outcome), find, wait=effort.wait, suffices=suffices)
        if shared or found.source == "cache":
            effort.charge(found.cost)
        return found.known, "cache" if shared else found.source

    def _find(
        self, engine: Engine[Any, Any], key: EntryKey, position: Position, effort: Effort, *, all_best: bool
    ) -> _Searched:
        """Look a position up among the results kept here and in the shared cache, or search it."""
        cached = self._proven.get(key)
        if cached is not None:
            return cached
        shared = self._shared.entry(position, effort, all_best=all_best)
        if shared is not None:
            found = _Searched(shared, 0, "cache")  # the shared cache is not asked with a limit of nodes
            self._proven.keep(key, found)
            return found
        used = effort.used
        known, source = engine.prove(position, effort, all_best=all_best)
        cost = effort.used - used
        if isinstance(known, ProvenResult):
            self._proven.keep(key, _Searched(known, cost, "cache"))
            self._shared.keep_entry(position, known, effort, all_best=all_best)
        return _Searched(known, cost, source, cut_off=effort.spent(1)())

    def move_values(self, engine: Engine[Any, Any], position: Position, known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move, given what is ``known`` of the position."""
        key = (position.game.search_digest, *position.state, _node_limit(effort), _dependence(known, effort))
        cached = self._move_values.get(key)
        if cached is not None:
            values, cost = cached
            effort.charge(cost)
            return values
        shared = self._shared.move_values(position, effort)
        if shared is not None:
            self._move_values.keep(key, (shared, 0))
            return shared
        values = engine.settle(position, known, effort)
        if all(isinstance(value, ProvenResult) for value in values.values()):
            self._move_values.keep(key, (values, effort.used))
            self._shared.keep_move_values(position, values, effort)
        return values


def _node_limit(effort: Effort) -> object:
    """Return the nodes left, and whether a proven outcome suffices; None without a limit of nodes."""
    return None if effort.nodes is None else (effort.nodes, effort.outcome)


def _dependence(known: Known, effort: Effort) -> object:
    """Return the earlier results on which move values depend with a limit of nodes; None without such a limit."""
    if effort.nodes is None:
        return None
    return known if isinstance(known, ProvenResult) else (known.move, known.guess, known.scores)
