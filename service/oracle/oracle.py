"""The oracle: the best move of a position, its score and the line of best play, proven or as far as is known."""

import random
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from service.games.game import Game
from service.games.position import Position
from service.kernel.search import Stopped
from service.oracle.entry import Bounds, Entry, Outcome, make_entry
from service.oracle.layout import lay_out
from service.oracle.limit import NEAR_NODES, NEAR_SHARE, PROOF_SHARE, Effort, Limit
from service.oracle.memory import private_memory, shared_memory
from service.oracle.reasons import reason
from service.oracle.solver import Solver
from service.oracle.table import Table
from service.oracle.turns import Turns

Source = Literal["table", "cache", "search"]

MOST_LAID_OUT = 32
"""Games whose rules are kept as the search wants them: up to 3 MB each."""

MOST_CACHED = 4096
"""Proven entries that are kept."""

Key = tuple[bytes, int, int, bool, int | None]
"""What an entry depends on: rules, masks, whether every best move is in it, and the nodes where they are limited."""

PATIENCE = Limit(seconds=3600)


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to a position; outcome, plies and score are for the player to move.

    ``move`` is None and ``pv`` empty when the game is over. ``known`` is an Entry where everything is
    proven, Bounds where the limit came first; ``source`` says where it was found, ``nodes`` how many
    positions were searched for it.
    """

    position: Position
    known: Entry | Bounds
    move: int | None
    pv: tuple[int, ...]
    reason: str
    source: Source
    nodes: int

    @property
    def proven(self) -> bool:
        """Whether outcome, distance and move are theorems."""
        return isinstance(self.known, Entry)

    @property
    def outcome(self) -> Outcome | Literal["unknown"]:
        """The outcome under best play, if it is proven."""
        return self.known.outcome if isinstance(self.known, Entry) else "unknown"

    @property
    def score(self) -> int | None:
        """The score under best play, if it is proven."""
        return self.known.score if isinstance(self.known, Entry) else None

    @property
    def plies(self) -> int | None:
        """The distance to the end of the game under best play, if it is proven."""
        return self.known.plies if isinstance(self.known, Entry) else None


class _Cached(NamedTuple):
    """An entry and the nodes that it cost."""

    entry: Entry
    cost: int


class Oracle:
    """Answers for any game. Those that it is made with are solved completely then, so they should be small.

    An answer is found where it is cheapest: at the end of the game, in a complete table, among proven
    entries that were asked for before, or else by a search in a memory of ``table_mb`` megabytes.
    Threads may share it, and so may processes forked from the one that made it.
    """

    def __init__(self, tabled: Iterable[Game] = (), *, table_mb: int = 16) -> None:
        self._tables = {game: Table(game) for game in tabled}
        self._memory = shared_memory(table_mb)
        self._rules = lru_cache(MOST_LAID_OUT)(lay_out)
        self._cache: dict[Key, _Cached] = {}
        self._turns: Turns[Entry | Bounds] = Turns()
        # Those who ask choose lines and marks, so the keys of what they all share must not be foreseen.
        secret = secrets.token_bytes(32)
        self._shared_rules = lru_cache(MOST_LAID_OUT)(lambda game: self._rules(game).seasoned(secret))

    def best_move(self, position: Position, *, seed: int | None = None, limit: Limit = PATIENCE) -> BestMove:
        """The best move of a position: the lowest cell of the equally good ones, or with a ``seed`` one drawn by it.

        A pure function of position, seed and limit, as long as the clock does not cut it off.
        """
        effort = Effort(limit)
        known, source = self._know(position, effort, every=seed is not None)
        if isinstance(known, Entry):
            move, pv = _choose(position, known, seed), known.pv
            if move is not None and move != pv[0]:
                after, _ = self._know(position.play(move), effort, every=False)
                if isinstance(after, Entry):
                    pv = (move, *after.pv)
                else:
                    known = Bounds(known.outcome, known.outcome, move)
        if isinstance(known, Bounds):
            move, pv = known.move, (known.move,)
        return BestMove(position, known, move, pv, reason(position, known, move), source, effort.used)

    def _know(self, position: Position, effort: Effort, *, every: bool) -> tuple[Entry | Bounds, Source]:
        """What is known of a position, from where it is found first."""
        table = self._tables.get(position.game)
        if table is not None:
            return table[position], "table"
        key = (position.game.digest, position.mine, position.theirs, every, effort.nodes)
        with self._turns.turn(key, effort.spent(1)) as turn:
            cached = self._cache.get(key)
            if cached is not None:
                effort.charge(cached.cost)
                return cached.entry, "cache"
            if turn.found is not None and (effort.nodes is not None or effort.spent(PROOF_SHARE)()):
                return turn.found, "cache"
            used = effort.used
            known = self._search(position, effort, every=every)
            if isinstance(known, Entry):
                self._keep(key, _Cached(known, effort.used - used))
            elif effort.nodes is None or not effort.spent(1)():
                turn.found = known  # not what the clock cut off, where only nodes should
            return known, "search"

    def _search(self, position: Position, effort: Effort, *, every: bool) -> Entry | Bounds:
        """A proof if the effort suffices for one. Where nodes are counted, nothing may be known before the search."""
        game, mine, theirs = position.game, position.mine, position.theirs
        if effort.nodes is None:
            rules, memory = self._shared_rules(game), self._memory
        else:
            rules, memory = self._rules(game), private_memory(effort.nodes)
        near = effort.search(rules, memory, NEAR_SHARE, NEAR_NODES)
        ended = near.ended(mine, theirs)
        if ended is not None:
            return make_entry(game.cells, ended, (), ())
        solver = Solver(near, mine, theirs, game.cells)
        solver.look_near(near)
        try:
            return solver.prove(effort.search(rules, memory, PROOF_SHARE), every=every)
        except Stopped:
            return solver.bounds(effort.search(rules, memory, 1))

    def _keep(self, key: Key, cached: _Cached) -> None:
        if len(self._cache) >= MOST_CACHED:
            with suppress(StopIteration, KeyError, RuntimeError):  # another thread made room at the same moment
                del self._cache[next(iter(self._cache))]
        self._cache[key] = cached


def _choose(position: Position, entry: Entry, seed: int | None) -> int | None:
    if not entry.best_moves:
        return None
    if seed is None:
        return entry.best_moves[0]
    # The position is part of the draw: a bot that keeps one seed would else always draw alike.
    return random.Random(f"{seed} {position}").choice(entry.best_moves)  # noqa: S311
