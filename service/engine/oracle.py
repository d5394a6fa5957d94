"""The oracle: the best move of a position, its score and the line of best play, proven or bounded."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from service.engine.cache.proven_cache import ProvenCache
from service.engine.cache.shared import SharedCache
from service.engine.certificates.certificate import Certified
from service.engine.certificates.strategy import StrategyBuilder
from service.engine.engine import Engine, Source
from service.engine.line_engine import AnyBook, LineEngine
from service.engine.result import (
    Bounds,
    Known,
    MoveValues,
    ProvenResult,
    WithResult,
    for_previous_player,
    sharpened,
)
from service.engine.state_engine import StateEngine
from service.engine.tables.small_table import SmallTable, complete_table
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Budget, Effort, Limit
from service.engine.work.slots import Slot
from service.games.families.lines import LineGame
from service.games.position import Position
from service.kernel.memory import shared_memory, used_part

UNHURRIED = Limit(seconds=3600)

BEST_SHARE = 0.75
"""The part of a limit for the best move of an analysis, or for the outcome of a certificate.

The rest is for the values of all moves, or for the strategies.
"""


class MoveChoice(NamedTuple):
    """How to choose the move of an answer: by default the lowest of the best moves.

    With a ``seed`` it is a random one of them, with ``hardest`` the one that ``Engine.hardest`` names. With a ``skill``
    from 0 to 99, which needs a seed, it is the move of a player of that skill.
    """

    seed: int | None = None
    skill: int | None = None
    hardest: bool = False


LOWEST = MoveChoice()


@dataclass(frozen=True, slots=True)
class BestMove(WithResult):
    """The answer about a position; outcome, plies and score are for the player to move.

    ``move`` is None and ``pv`` empty when the game is over. ``known`` is a ProvenResult if everything is proven, else
    Bounds, and ``source`` is its source. ``nodes`` is the number of positions searched, ``cost`` the number of nodes
    that count against the limit. ``seed`` is None unless it was used. With a ``skill`` the move is that of a player of
    this skill, and the other fields are about that move.
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
    """The best move of a position, the results ``known`` of the position and of every legal move, and the threats.

    ``threats`` are the cells where a player would complete a line now, in games of lines.
    """

    best: BestMove
    known: Known
    move_values: MoveValues
    threats: Mapping[str, tuple[int, ...]]
    nodes: int

    @property
    def complete(self) -> bool:
        """Whether everything is proven of the position and of every move: outcome, distance and line of best play."""
        return self.best.exact and all(isinstance(value, ProvenResult) for value in self.move_values.values())


class Certification(NamedTuple):
    """The certificate of a position or the reason why there is none, the source of its outcome, the nodes searched."""

    found: Certified
    source: Source
    nodes: int


def ignore(_position: object) -> None:
    """Do nothing."""


class Oracle:
    """Answers about positions of any game. The ``tabled`` games get complete tables, so they should be small.

    An oracle asks the cheapest source first. The engine of the game looks the position up, in a complete table or in
    the ``books`` (keyed by the digests of games). The next sources are the proven results of this process and of the
    ``shared`` cache, and then searches, with a transposition table of ``table_mb`` megabytes. A result of a book
    replaces a search, so a node-limited answer may depend on the books. ``tablebases`` are the tables that are made on
    demand. If a search finds contradictory bounds, ``on_contradiction`` is called and the search is repeated with an
    empty table. Threads can share an oracle, and so can processes forked from the one that made it.
    """

    def __init__(  # noqa: PLR0913, the sources of answers
        self,
        tabled: Iterable[LineGame] = (),
        *,
        table_mb: int = 16,
        shared: SharedCache | None = None,
        books: Mapping[bytes, AnyBook] | None = None,
        tablebases: Tablebases | None = None,
        on_contradiction: Callable[[Position], None] = ignore,
    ) -> None:
        self.tabled: Mapping[LineGame, SmallTable] = {game: complete_table(game) for game in tabled}
        self._table = table = shared_memory(table_mb)
        self._engines: Mapping[str, Engine[Any, Any]] = {
            "lines": LineEngine(self.tabled, books or {}, table, on_contradiction),
            "states": StateEngine(tablebases or Tablebases(), table, on_contradiction),
        }
        self._proven = ProvenCache(shared)

    def table_fill(self) -> float:
        """Return the estimated used part of the transposition table, from 0 to 1."""
        return used_part(self._table)

    def _engine(self, position: Position) -> Engine[Any, Any]:
        return self._engines[position.game.engine]

    def best_move(  # noqa: PLR0913, the parameters of an answer
        self,
        position: Position,
        choice: MoveChoice = LOWEST,
        *,
        limit: Limit = UNHURRIED,
        slot: Slot | None = None,
        all_best: bool = False,
        lines: bool = True,
    ) -> BestMove:
        """Return the best move of a position by this ``choice``.

        If the table for a weaker player's move is not ready in time, return the best move known. Unless the clock cuts
        it off, the answer is a pure function of position, choice and limit. The result has ``all_best`` moves if they
        are proven; without ``lines`` it may lack the line of best play. Long searches run in the ``slot`` of the
        request, if it has one. Raises Overloaded if no slot is free, UnreachableError if no play leads to the position,
        TooLargeError if the game has no table.
        """
        seed, skill, hardest = choice
        effort = Effort(limit, slot, lines=lines or skill is not None)
        if skill is not None and seed is not None and position.legal_moves:
            move = self._engine(position).weaker_move(position, effort, skill=skill, seed=seed)
            if move is not None:
                known, source = self._one_move(position, move, effort)
                chosen = BestMove(position, known, move, (), source, effort.used, effort.cost, seed, skill)
                return _weaker(chosen, known)
        known, source = self.lookup_or_search(position, effort, all_best=all_best or hardest or seed is not None)
        return self._answer(position, known, source=source, choice=choice, effort=effort)

    def analyse(
        self,
        position: Position,
        choice: MoveChoice = LOWEST,
        *,
        limit: Limit = UNHURRIED,
        slot: Slot | None = None,
    ) -> Analysis:
        """Return the answer of ``best_move`` and the value of every legal move, proven or bounded by the limit."""
        budget = Budget(limit, slot)
        best = self.best_move(position, choice, limit=budget.part(BEST_SHARE), slot=slot)
        budget.spend(best.cost)
        known, nodes = best.known, best.nodes
        if best.skill is not None:
            effort = Effort(budget.part(BEST_SHARE), slot)
            known, _ = self.lookup_or_search(position, effort, all_best=False)
            budget.spend(effort.cost)
            nodes += effort.used
        effort = Effort(budget.part(1), slot)
        values = {**self._all_moves(position, known, effort), **_proven(known), **_proven(best.known, best.pv)}
        if isinstance(known, Bounds) and position.game.loops:
            # The table may be ready by now; move values do not say whether a draw can be ended.
            known, _ = self.lookup_or_search(position, effort, all_best=True)
        known = sharpened(known, values)
        if best.move is not None and best.skill is not None:
            best = _weaker(best, values[best.move])
        elif known is not best.known:
            best = self._answer(position, known, source=best.source, choice=choice, effort=effort, values=values)
        return Analysis(best, known, values, position.game.threats(position.state, position.turn), nodes + effort.used)

    def certify(self, position: Position, *, limit: Limit = UNHURRIED, slot: Slot | None = None) -> Certification:
        """Return the certificate of a position, or the reason why there is none. Raises Overloaded."""
        engine = self._engine(position)
        budget = Budget(limit, slot)
        proof = Effort(replace(budget.part(BEST_SHARE), outcome=True), slot)
        known, source = self.lookup_or_search(position, proof, all_best=False)
        budget.spend(proof.cost)
        effort = Effort(budget.part(1), slot)
        return Certification(engine.certify(position, known, effort), source, proof.used + effort.used)

    def strategy_builder(self, position: Position, holder: str, effort: Effort, *, wins: bool) -> StrategyBuilder:
        """Return the builder of the strategy that gives the holder a proven outcome, for as long as ``effort`` lives.

        This is for work outside of requests. Raises TooLargeError, or Stopped if a table is not ready in time.
        """
        return self._engine(position).strategy_builder(position, holder, effort, wins=wins)

    def lookup_or_search(self, position: Position, effort: Effort, *, all_best: bool) -> tuple[Known, Source]:
        """Return the result of a position, with ``all_best`` moves or the lowest, from the first source that has one.

        Raises Overloaded if the position needs a long search and no slot is free.
        """
        engine = self._engine(position)
        looked_up = engine.look_up(position, effort, all_best=all_best)
        return looked_up or self._proven.value(engine, position, effort, all_best=all_best)

    def _answer(  # noqa: PLR0913, the parts of an answer
        self,
        position: Position,
        known: Known,
        *,
        source: Source,
        choice: MoveChoice,
        effort: Effort,
        values: MoveValues | None = None,
    ) -> BestMove:
        """Return the answer for a result; of several best moves, with the lowest, a random or the hardest one."""
        move: int | None = None
        pv: tuple[int, ...] = ()
        used_seed = None
        if isinstance(known, ProvenResult) and known.best_moves:
            move, finished = self._choose(position, known, choice, effort)
            pv, used_seed = known.pv, choice.seed
            if pv and move != pv[0]:
                value = values[move] if values else self._one_move(position, move, effort)[0]
                if isinstance(value, ProvenResult):
                    pv = value.pv
                else:
                    finished = False
            if not finished:
                known = Bounds(known.score, known.score, move)
        if isinstance(known, Bounds) and position.legal_moves:
            move, pv = known.move, (known.move,)
        return BestMove(position, known, move, pv, source, effort.used, effort.cost, used_seed, None)

    def _choose(self, position: Position, known: ProvenResult, choice: MoveChoice, effort: Effort) -> tuple[int, bool]:
        """Return one of the best moves, and whether the clock let the choice finish."""
        if choice.hardest:
            return self._engine(position).hardest(position, known, effort)
        if choice.seed is None:
            return known.best_moves[0], True
        # The position is part of the seed: a bot with a constant seed would otherwise always choose alike.
        dice = random.Random(f"{choice.seed} {position}")  # noqa: S311, no secret depends on it
        return dice.choice(known.best_moves), True

    def _one_move(self, position: Position, move: int, effort: Effort) -> tuple[Known, Source]:
        """Return the value of a move, for the player who makes it, from the position after it."""
        looked_up = self._engine(position).look_up_moves(position, [move], effort, lines=effort.lines)
        if looked_up is not None:
            values, source = looked_up
            return values[move], source
        known, source = self.lookup_or_search(position.play(move), effort, all_best=False)
        return for_previous_player(known, move, position.game.most_plies), source

    def waits_for_table(self, position: Position) -> bool:
        """Return whether only a complete table can answer positions of the game, so that requests wait for it."""
        return self._engine(position).waits_for_table(position)

    def _all_moves(self, position: Position, known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move, given what is ``known`` of the position."""
        if not position.legal_moves:
            return {}
        engine = self._engine(position)
        looked_up = engine.look_up_moves(position, position.legal_moves, effort, lines=True)
        if looked_up is not None:
            return looked_up[0]
        return self._proven.move_values(engine, position, known, effort)


def _weaker(chosen: BestMove, value: Known) -> BestMove:
    """Return the answer ``chosen`` for a weaker player, with the value of its move as result."""
    move = chosen.move
    pv = value.pv if isinstance(value, ProvenResult) else () if move is None else (move,)
    return replace(chosen, known=value, pv=pv)


def _proven(known: Known, pv: tuple[int, ...] = ()) -> MoveValues:
    """Return the value of the first move of ``pv``, by default of the result's line of best play; empty if unproven."""
    if not isinstance(known, ProvenResult) or not known.pv:
        return {}
    line = pv or known.pv
    return {line[0]: replace(known, best_moves=(), pv=line)}
