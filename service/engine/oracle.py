"""The oracle: the best move of a position, its score and the line of best play, proven or as far as is known."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from service.engine.cache.proven_cache import ProvenCache
from service.engine.cache.shared import SharedCache
from service.engine.certificates.certificate import Unsupported
from service.engine.engine import Certified, Engine, Source
from service.engine.line_engine import AnyBook, LineEngine
from service.engine.result import (
    Bounds,
    Known,
    MoveValues,
    ProvenResult,
    WithResult,
    ends,
    for_previous_player,
    sharpened,
)
from service.engine.state_engine import StateEngine
from service.engine.tables.tablebase import Tablebase, complete_table
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Budget, Effort, Limit
from service.engine.work.slots import Slot
from service.games.families.lines import LineGame
from service.games.position import Position
from service.kernel.memory import shared_memory, used_part

UNHURRIED = Limit(seconds=3600)

BEST_SHARE = 0.75
"""The part of a limit that an analysis gives to the best move; the rest goes to all the others."""

QUICK_SHARE = 0.1
"""The part of a limit after which a certificate is begun, if the outcome is proven by then; else after BEST_SHARE."""


@dataclass(frozen=True, slots=True)
class BestMove(WithResult):
    """The answer to a position; outcome, plies and score are for the player to move.

    ``move`` is None and ``pv`` empty when the game is over. ``known`` is a ProvenResult where everything is
    proven, Bounds where the limit came first; ``source`` says where it was found, ``nodes`` how many
    positions were searched for it, ``cost`` how many count against its limit. ``seed`` is None unless it had
    a part in the choice. With a ``skill`` the move is what a player of that skill plays, and the rest tells
    what that leads to.
    """

    position: Position
    known: Known
    move: int | None
    pv: tuple[int, ...]
    source: Source
    nodes: int
    cost: int
    seed: int | None
    skill: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The best move of a position, what is ``known`` of the position and of every legal move, and the threats.

    ``threats`` are the cells where a player would complete a line now, in games of lines.
    """

    best: BestMove
    known: Known
    move_values: MoveValues
    threats: Mapping[str, tuple[int, ...]]
    nodes: int

    @property
    def complete(self) -> bool:
        """Whether all is proven of the position and of every move: outcome, distance and the line of best play."""
        return self.best.exact and all(isinstance(value, ProvenResult) for value in self.move_values.values())


class Certification(NamedTuple):
    """The certificate of a position, or why there is none; where its outcome was found, and the nodes of both."""

    found: Certified | Unsupported
    source: Source
    nodes: int


def ignore(_position: object) -> None:
    """Do nothing."""


class Oracle:
    """Answers for any game. Games that it is made with are solved completely then, so they should be small.

    An answer is found where it is cheapest: the engine of the game looks it up, in a complete table or in the
    ``books``, by the digests of their games; it is among proven entries that were asked for before, here or by others
    that use the same ``shared`` cache; or else the engine searches, in a memory of ``table_mb`` megabytes.
    What the books know is never searched for, so an answer whose nodes are limited may depend on them.
    ``tablebases`` are the tables that are made when they are first asked for.
    A search that comes upon contradictory bounds is repeated with an empty table, after a call of ``on_contradiction``.
    Threads may share it, and so may processes forked from the one that made it.
    """

    def __init__(  # noqa: PLR0913, all that answers are found in
        self,
        tabled: Iterable[LineGame] = (),
        *,
        table_mb: int = 16,
        shared: SharedCache | None = None,
        books: Mapping[bytes, AnyBook] | None = None,
        tablebases: Tablebases | None = None,
        on_contradiction: Callable[[Position], None] = ignore,
    ) -> None:
        self.tabled: Mapping[LineGame, Tablebase] = {game: complete_table(game) for game in tabled}
        self._table = table = shared_memory(table_mb)
        self._engines: Mapping[str, Engine[Any, Any]] = {
            "lines": LineEngine(self.tabled, books or {}, table, on_contradiction),
            "states": StateEngine(tablebases or Tablebases(), table, on_contradiction),
        }
        self._proven = ProvenCache(shared)

    def table_fill(self) -> float:
        """Return about which part of the transposition table is used."""
        return used_part(self._table)

    def _engine(self, position: Position) -> Engine[Any, Any]:
        return self._engines[position.game.engine]

    def best_move(  # noqa: PLR0913, all that an answer depends on
        self,
        position: Position,
        *,
        seed: int | None = None,
        skill: int | None = None,
        limit: Limit = UNHURRIED,
        slot: Slot | None = None,
        every: bool = False,
        lines: bool = True,
    ) -> BestMove:
        """Return the best move of a position: the lowest of the equally good ones, or with a ``seed`` one drawn by it.

        With a ``skill`` from 0 to 99, which takes a seed, the move that a player of that skill makes. A pure
        function of position, seed, skill and limit, as long as the clock does not cut it off.
        Until a table that is needed for that is made, ignore the skill.
        What is known has ``every`` best move if all are proven; without ``lines`` it may lack the line of best play.
        Long searches run in the ``slot`` of the request, if it has one. Raises Overloaded if there is none free,
        UnreachableError if no play leads to the position, TooLargeError if the game has no table.
        """
        effort = Effort(limit, slot, lines=lines or skill is not None)
        if skill is not None and seed is not None and position.legal_moves:
            move = self._engine(position).weaker_move(position, effort, skill=skill, seed=seed)
            if move is not None:
                known, source = self._one_move(position, move, effort)
                chosen = BestMove(position, known, move, (), source, effort.used, effort.cost, seed, skill)
                return _weaker(chosen, known)
        known, source = self.lookup_or_search(position, effort, every=every or seed is not None)
        return self._answer(position, known, source=source, seed=seed, effort=effort)

    def analyse(
        self,
        position: Position,
        *,
        seed: int | None = None,
        skill: int | None = None,
        limit: Limit = UNHURRIED,
        slot: Slot | None = None,
    ) -> Analysis:
        """Return the answer of ``best_move`` and the value of every legal move, each as far as the limit goes."""
        budget = Budget(limit, slot)
        best = self.best_move(position, seed=seed, skill=skill, limit=budget.part(BEST_SHARE), slot=slot)
        budget.spend(best.cost)
        known, nodes = best.known, best.nodes
        if best.skill is not None:
            effort = Effort(budget.part(BEST_SHARE), slot)
            known, _ = self.lookup_or_search(position, effort, every=False)
            budget.spend(effort.cost)
            nodes += effort.used
        effort = Effort(budget.part(1), slot)
        values = {**self._all_moves(position, known, effort), **_proven(known), **_proven(best.known, best.pv)}
        if isinstance(known, Bounds) and position.game.loops:
            # The table may have been made meanwhile; what moves are worth does not tell whether a draw ends.
            known, _ = self.lookup_or_search(position, effort, every=True)
        known = sharpened(known, values)
        if best.move is not None and best.skill is not None:
            best = _weaker(best, values[best.move])
        elif known is not best.known:
            best = self._answer(position, known, source=best.source, seed=seed, effort=effort, values=values)
        return Analysis(best, known, values, position.game.threats(position.words, position.turn), nodes + effort.used)

    def certify(self, position: Position, *, limit: Limit = UNHURRIED, slot: Slot | None = None) -> Certification:
        """Return the certificate of the outcome of a position, or how far the limit went."""
        engine = self._engine(position)
        if not engine.certifies:
            return Certification(Unsupported(position.game.family), "table", 0)
        budget = Budget(limit, slot)
        nodes = 0
        for share in (QUICK_SHARE, BEST_SHARE):  # the outcome is enough, and the search goes on for the distance
            proof = Effort(budget.part(share), slot)
            known, source = self.lookup_or_search(position, proof, every=False)
            budget.spend(proof.cost)
            nodes += proof.used
            least, most = ends(known)
            if least == most:
                break
        effort = Effort(budget.part(1), slot)
        return Certification(engine.certify(position, known, effort), source, nodes + effort.used)

    def lookup_or_search(self, position: Position, effort: Effort, *, every: bool) -> tuple[Known, Source]:
        """Return what is known of a position, with every best move or the lowest, from where it is found first.

        Raises Overloaded where a long search is needed and there is no room for it; so do all that ask.
        """
        engine = self._engine(position)
        looked_up = engine.look_up(position, effort, every=every)
        return looked_up or self._proven.value(engine, position, effort, every=every)

    def _answer(  # noqa: PLR0913, all that an answer consists of
        self,
        position: Position,
        known: Known,
        *,
        source: Source,
        seed: int | None,
        effort: Effort,
        values: MoveValues | None = None,
    ) -> BestMove:
        """Return the best move by what is known: where there are several, the first or the one that the seed draws."""
        move: int | None = None
        pv: tuple[int, ...] = ()
        drawn = None
        if isinstance(known, ProvenResult) and known.best_moves:
            move, pv, drawn = _choose(position, known, seed), known.pv, seed
            if pv and move != pv[0]:
                value = values[move] if values else self._one_move(position, move, effort)[0]
                if isinstance(value, ProvenResult):
                    pv = value.pv
                else:
                    known = Bounds(known.score, known.score, move)
        if isinstance(known, Bounds) and position.legal_moves:
            move, pv = known.move, (known.move,)
        return BestMove(position, known, move, pv, source, effort.used, effort.cost, drawn, None)

    def _one_move(self, position: Position, move: int, effort: Effort) -> tuple[Known, Source]:
        """Return what is known of a move, for the player who makes it, from what is known of the position after it."""
        looked_up = self._engine(position).look_up_moves(position, [move], effort)
        if looked_up is not None:
            values, source = looked_up
            return values[move], source
        known, source = self.lookup_or_search(position.play(move), effort, every=False)
        return for_previous_player(known, move, position.game.most_plies), source

    def waits_for_table(self, position: Position) -> bool:
        """Return whether only a table answers positions of the game: until it is made, all of them wait for it."""
        return self._engine(position).waits_for_table(position)

    def _all_moves(self, position: Position, known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move, after what is ``known`` of the position."""
        if not position.legal_moves:
            return {}
        engine = self._engine(position)
        looked_up = engine.look_up_moves(position, position.legal_moves, effort)
        if looked_up is not None:
            return looked_up[0]
        return self._proven.move_values(engine, position, known, effort)


def _weaker(chosen: BestMove, value: Known) -> BestMove:
    """Return the move that a weaker player has chosen, with what is known of it."""
    move = chosen.move
    pv = value.pv if isinstance(value, ProvenResult) else () if move is None else (move,)
    return replace(chosen, known=value, pv=pv)


def _proven(known: Known, pv: tuple[int, ...] = ()) -> MoveValues:
    """Return the value of the first move of a principal variation, that of the entry if no other is given."""
    if not isinstance(known, ProvenResult) or not known.pv:
        return {}
    line = pv or known.pv
    return {line[0]: replace(known, best_moves=(), pv=line)}


def _choose(position: Position, entry: ProvenResult, seed: int | None) -> int:
    if seed is None:
        return entry.best_moves[0]
    # The position is part of the draw: a bot that keeps one seed would else always draw alike.
    return random.Random(f"{seed} {position}").choice(entry.best_moves)  # noqa: S311, chance in a game guards nothing
