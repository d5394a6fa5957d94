"""The oracle: the best move of a position, its score and the line of best play, proven or as far as is known."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Literal, NamedTuple, TypeVar

from service.engine.attempts import ignore
from service.engine.certificate import Unsupported
from service.engine.certify import Certified, certify
from service.engine.family_prover import FamilyProver
from service.engine.family_skill import weaker_family_move
from service.engine.limit import PROOF_SHARE, Budget, Effort, Limit
from service.engine.lru_cache import LRUCache
from service.engine.prover import AnyBook, Prover
from service.engine.result import (
    Bounds,
    Known,
    MoveValues,
    ProvenResult,
    WithResult,
    ends,
    for_previous_player,
    nothing_known,
    sharpened,
)
from service.engine.shared import Shared, SharedCache
from service.engine.single_flight import SingleFlight
from service.engine.skill import weaker_move
from service.engine.slots import Slot
from service.engine.tablebase import Tablebase, complete_table
from service.engine.tablebases import Tablebases
from service.games.lines import PLAYERS, LineGame, LinePosition, Player, is_line
from service.games.position import Position

Source = Literal["table", "book", "cache", "search"]

MOST_CACHED = 4096
"""Proven entries that are kept."""

MOST_ANALYSED = 256
"""Positions of which the proven values of all moves are kept, with the nodes that they cost."""

Found = TypeVar("Found", Certified, Unsupported)

EntryKey = tuple[bytes, int, int, bool, int | None]
"""What an entry depends on: search digest, masks, whether every best move is in it, and the limit of nodes, if any."""

MoveValuesKey = tuple[bytes, int, int, int | None, object]
"""What the values of all moves depend on: search digest, masks and, if nodes are limited, these and what was known."""

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

    ``threats`` are the cells where a player would complete a line now.
    """

    best: BestMove
    known: Known
    move_values: MoveValues
    threats: Mapping[Player, tuple[int, ...]]
    nodes: int

    @property
    def complete(self) -> bool:
        """Whether all is proven of the position and of every move: outcome, distance and the line of best play."""
        return self.best.exact and all(isinstance(value, ProvenResult) for value in self.move_values.values())


class Certification(NamedTuple, Generic[Found]):
    """The certificate of a position, or why there is none; where its outcome was found, and the nodes of both."""

    found: Found
    source: Source
    nodes: int


class _Found(NamedTuple):
    """What a search found, the nodes that it cost, where it was found, and whether the clock has cut it off."""

    known: Known
    cost: int
    source: Source
    cut_off: bool = False


class Oracle:
    """Answers for any game. Those that it is made with are solved completely then, so they should be small.

    An answer is found where it is cheapest: at the end of the game, in a complete table, in the ``books``, by the
    digests of their games, among proven entries that were asked for before, here or by others who use the same
    ``shared`` cache, or else by a search in a memory of ``table_mb`` megabytes. What the books know is never searched
    for, so an answer whose nodes are limited may hang on them.
    Games of families are answered from their complete tables, the ``tablebases``, which are made when they are first
    asked for.
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
        self._tables = {game: complete_table(game) for game in tabled}
        self._prover = Prover(books or {}, table_mb=table_mb, on_contradiction=on_contradiction)
        self._proven: LRUCache[EntryKey, _Found] = LRUCache(MOST_CACHED)
        self._move_values: LRUCache[MoveValuesKey, tuple[MoveValues, int]] = LRUCache(MOST_ANALYSED)
        self._flights: SingleFlight[_Found] = SingleFlight()
        self._shared = Shared(shared)
        self._tablebases = tablebases or Tablebases()
        self._families = FamilyProver(self._tablebases, on_contradiction=on_contradiction)

    @property
    def tabled(self) -> Mapping[LineGame, Tablebase]:
        """The games that are solved completely, with their tables."""
        return self._tables

    @property
    def tablebases(self) -> Tablebases:
        """The tables of games of families."""
        return self._tablebases

    def best_move(
        self,
        position: Position,
        *,
        seed: int | None = None,
        skill: int | None = None,
        limit: Limit = UNHURRIED,
        slot: Slot | None = None,
    ) -> BestMove:
        """Return the best move of a position: the lowest of the equally good ones, or with a ``seed`` one drawn by it.

        With a ``skill`` from 0 to 99, which takes a seed, the move that a player of that skill makes. A pure
        function of position, seed, skill and limit, as long as the clock does not cut it off.
        Long searches run in the ``slot`` of the request, if it has one. Raises Overloaded if there is none free, and
        for positions of families UnreachableError if no play leads there, TooLargeError if the game has no table.
        """
        effort = Effort(limit, slot)
        if skill is not None and seed is not None and position.legal_moves:
            return self._weaker_move(position, skill, seed, effort)
        known, source = self.lookup_or_search(position, effort, every=seed is not None)
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
        threats: Mapping[Player, tuple[int, ...]] = {}
        if is_line(position):
            threats = {player: tuple(sorted(position.game.completions(position, player))) for player in PLAYERS}
        return Analysis(best, known, values, threats, nodes + effort.used)

    def certify(
        self, position: Position, *, limit: Limit = UNHURRIED, slot: Slot | None = None
    ) -> Certification[Certified] | Certification[Unsupported]:
        """Return the certificate of the outcome of a position, or how far the limit went.

        Certificates are those of line games; there are none for other families.
        """
        if not is_line(position):
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
        return Certification(certify(self._prover, position, known, effort), source, nodes + effort.used)

    def lookup_or_search(self, position: Position, effort: Effort, *, every: bool) -> tuple[Known, Source]:
        """Return what is known of a position, with every best move or the lowest, from where it is found first.

        Raises Overloaded where a long search is needed and there is no room for it; so do all that ask.
        """
        if not is_line(position):
            return self._families.value(position, effort, every=every), self._family_source(position)
        table = self._tables.get(position.game)
        if table is not None:
            return table[position], "table"
        entry = self._prover.look_up(position, every=every)
        if entry is not None:
            return entry, "book"
        key = (position.game.search_digest, *position.words, every, effort.nodes)

        def suffices(found: _Found) -> bool:
            if isinstance(found.known, ProvenResult):
                return True
            return not found.cut_off if effort.nodes is not None else effort.spent(PROOF_SHARE)()

        find = partial(self._find, key, position, effort, every=every)
        found, shared = self._flights.run(key, find, wait=effort.wait, suffices=suffices)
        if shared or found.source == "cache":
            effort.charge(found.cost)
        return found.known, "cache" if shared else found.source

    def _find(self, key: EntryKey, position: LinePosition, effort: Effort, *, every: bool) -> _Found:
        """Look a position up among proven results, here and in the shared cache, or search it."""
        cached = self._proven.get(key)
        if cached is not None:
            return cached
        shared = self._shared.entry(position, effort, every=every)
        if shared is not None:
            found = _Found(shared, 0, "cache")  # where nodes don't count
            self._proven.keep(key, found)
            return found
        used = effort.used
        known = self._prover.prove(position, effort, every=every)
        cost = effort.used - used
        if isinstance(known, ProvenResult):
            self._proven.keep(key, _Found(known, cost, "cache"))
            self._shared.keep_entry(position, known, effort, every=every)
        # A book may know the score and lack only best play.
        has = self._prover.has_score if isinstance(known, ProvenResult) else self._prover.has_strategy
        in_book = has(position)
        return _Found(known, cost, "book" if in_book else "search", cut_off=effort.spent(1)())

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
            if move != pv[0]:
                value = values[move] if values else self._one_move(position, move, effort)[0]
                if isinstance(value, ProvenResult):
                    pv = value.pv
                else:
                    known = Bounds(known.score, known.score, move)
        if isinstance(known, Bounds) and position.legal_moves:
            move, pv = known.move, (known.move,)
        return BestMove(position, known, move, pv, source, effort.used, effort.cost, drawn, None)

    def _weaker_move(self, position: Position, skill: int, seed: int, effort: Effort) -> BestMove:
        if not is_line(position):
            return self._weaker_family_move(position, skill, seed, effort)
        move = weaker_move(position, self._prover.rules(position.game), skill=skill, seed=seed)
        known, source = self._one_move(position, move, effort)
        return _weaker(BestMove(position, known, move, (), source, effort.used, effort.cost, seed, skill), known)

    def _weaker_family_move(self, position: Position, skill: int, seed: int, effort: Effort) -> BestMove:
        """Return the move of a weaker player; until the table is made, what is said if nobody asks for a skill."""
        values = self._all_moves(position, nothing_known(position), effort)
        source = self._family_source(position)
        if source == "table" and not all(isinstance(value, ProvenResult) for value in values.values()):
            return self._answer(position, nothing_known(position), source=source, seed=None, effort=effort)
        move = weaker_family_move(position, values, skill=skill, seed=seed)
        found = BestMove(position, values[move], move, (), source, effort.used, effort.cost, seed, skill)
        return _weaker(found, values[move])

    def _one_move(self, position: Position, move: int, effort: Effort) -> tuple[Known, Source]:
        """Return what is known of a move, for the player who makes it, from what is known of the position after it."""
        if not is_line(position):
            return self._families.move_value(position, move, effort), self._family_source(position)
        known, source = self.lookup_or_search(position.play(move), effort, every=False)
        return for_previous_player(known, move, position.game.most_plies), source

    def needs_table(self, position: Position) -> bool:
        """Return whether only a table answers positions of the game: until it is made, all of them wait for it."""
        return not is_line(position) and not self._families.searches(position.game)

    def _family_source(self, position: Position) -> Source:
        return "search" if self._families.searches(position.game) and position.legal_moves else "table"

    def _all_moves(self, position: Position, known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move, after what is ``known`` of the position."""
        if not is_line(position):
            return self._families.move_values(position, known, effort)
        game = position.game
        if game in self._tables or not position.legal_moves:
            return {move: self._one_move(position, move, effort)[0] for move in position.legal_moves}
        looked_up = self._prover.look_up_moves(position)
        if looked_up is not None:
            return looked_up
        before = (
            None
            if effort.nodes is None
            else known
            if isinstance(known, ProvenResult)
            else (known.move, known.guess, known.scores)
        )
        key = (game.search_digest, *position.words, effort.nodes, before)
        cached = self._move_values.get(key)
        if cached is not None:
            values, cost = cached
            effort.charge(cost)
            return values
        shared = self._shared.move_values(position, effort)
        if shared is not None:
            self._move_values.keep(key, (shared, 0))
            return shared
        values = self._prover.move_values(position, known, effort)
        if all(isinstance(value, ProvenResult) for value in values.values()):
            self._move_values.keep(key, (values, effort.used))
            self._shared.keep_move_values(position, values, effort)
        return values


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
