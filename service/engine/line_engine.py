"""The engine of games of lines: small complete tables, books, and the kernel's searches."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from service.book.book import NOTHING, Book, Knowledge
from service.book.strategy import AnyStrategyBook
from service.engine.cache.lru_cache import LRUCache
from service.engine.certificates.line_strategy import LineStrategyBuilder
from service.engine.certificates.strategy import StrategyBuilder
from service.engine.engine import Engine, Found, FoundMoves, Result, Source
from service.engine.line_solver import LineSolver
from service.engine.result import (
    Known,
    MoveValues,
    ProvenResult,
    finished_value,
    for_previous_player,
)
from service.engine.skill import weaker_move
from service.engine.tables.small_table import SmallTable
from service.engine.work.limit import PROOF_SHARE, Effort, NewSearch
from service.games.families.lines import LineGame, LinePosition
from service.games.position import Position
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_memory
from service.kernel.rules import Rules
from service.kernel.stopping import ContradictoryBoundsError, Stopped

MOST_LOOK_AHEAD = 250_000
"""The maximum nodes of a look-ahead between two proofs. One of its nodes takes half the time of a proof node."""

FORCE_EARLY, FORCE_LATE, OPENING = 20, 4, 8
"""The nodes of a forced-win search per node of the previous proof: with fewer than ``OPENING`` marks, and later.

A node of a forced-win search is cheaper than a proof node, and no other search finds a win on a large empty board.
"""

NODES_PER_BLOCK = 16
"""The nodes of a forced-win search per node of the search whether a player holds by blocking, which takes longer."""

MOST_NEARLY_PROVEN = 42
"""The maximum number of cells of a game with gravity for which a usual limit nearly suffices for a proof."""

SETTLE_SHARE, LOOK_SHARE = 0.75, 0.9
"""The parts of a limit after which the proofs of all moves, and the look-aheads, end.

The rest is for principal variations, or for whether the move that looks best draws.
"""

FORCE_SHARE = 0.3
"""The part of an analysis's limit after which the searches for forced wins after each move end."""

NEAR_SHARE, NEAR_NODES = 0.125, 10_000
"""The part of a limit for a first search of near wins and losses, and its maximum nodes in most games."""

MOST_LAID_OUT = 8 << 20
"""The maximum bytes of laid-out rules in memory: those of Qubic take 0.9 MB, of most games less."""

OTHER_BYTES = 250_000
"""The estimated bytes of a large game in addition to the arrays of its rules: up to 600 kB, mostly below 100 kB."""

AnyBook = Book | AnyStrategyBook


class SearchPlan(NamedTuple):
    """How a search divides its limit: nodes for near ends and for the first proof, and the part for all proofs.

    A failed proof is followed by searches for forced wins and a look-ahead; the next has ``growth`` times the nodes.
    ``look_ahead`` is the nodes of a look-ahead per node of the proof before; it orders the moves for the next proof.
    The rest of the limit is for a last look-ahead, where the solver wants one.
    """

    near_nodes: int
    first_nodes: int
    growth: int
    proof_share: float
    look_ahead: float


TO_PROVE, TO_GUESS = SearchPlan(300, 32_000, 2, 0.9, 0.1), SearchPlan(NEAR_NODES, 4_000, 4, PROOF_SHARE, 2)
"""The plans for games in which a limit nearly suffices for a proof, and for all others."""


def plan_of(game: LineGame) -> SearchPlan:
    """Return the plan of a game."""
    return TO_PROVE if game.gravity and game.cells <= MOST_NEARLY_PROVEN else TO_GUESS


def force_factor(position: LinePosition) -> int:
    """Return the forced-win nodes per node of the previous proof."""
    return FORCE_EARLY if position.game.cells - position.remaining < OPENING else FORCE_LATE


class _LaidOut(NamedTuple):
    """The laid-out rules of a game, for searches with their own table and for those in the shared table."""

    open: Rules
    secret: Rules


def _bytes(laid_out: _LaidOut) -> int:
    """Return the estimated bytes of the rules, with the game that they belong to."""
    return OTHER_BYTES + laid_out.open.nbytes


class LineEngine(Engine[Search, LineGame]):
    """Answers by complete ``tables`` of small games, by ``books`` (keyed by game digest), and by searches."""

    def __init__(
        self,
        tables: Mapping[LineGame, SmallTable],
        books: Mapping[bytes, AnyBook],
        table: memoryview,
        on_contradiction: Callable[[Position], None],
    ) -> None:
        super().__init__(table, on_contradiction)
        self._tables = tables
        self._books = books
        # Clients choose lines and marks, so they must not be able to predict keys of the shared table.
        self._secret = secrets.token_bytes(32)
        self._rules: LRUCache[LineGame, _LaidOut] = LRUCache(MOST_LAID_OUT, _bytes)

    def waits_for_table(self, position: LinePosition) -> bool:  # noqa: ARG002
        """Return False: positions without an entry in a table or a book are searched."""
        return False

    def look_up(self, position: LinePosition, effort: Effort, *, all_best: bool) -> Found | None:
        """Return the result by the complete table, by the rules if the game is over, or by the book; else None."""
        table = self._tables.get(position.game)
        if table is not None:
            return table[position], "table"
        if not position.legal_moves:
            return finished_value(position), "table"
        entry = self._in_book(position, all_best=all_best, lines=effort.lines)
        return None if entry is None else (entry, "book")

    def look_up_moves(
        self,
        position: LinePosition,
        moves: Iterable[int],
        effort: Effort,
        *,
        lines: bool,  # noqa: ARG002
    ) -> FoundMoves | None:
        """Return the values of moves if all positions after them can be looked up, else None."""
        values: dict[int, Known] = {}
        source: Source = "table"
        for move in moves:
            found = self.look_up(position.play(move), effort, all_best=False)
            if found is None:
                return None
            known, source = found
            values[move] = for_previous_player(known, move, position.game.most_plies)
        return values, source

    def _has_table(self, position: LinePosition) -> bool:
        return position.game in self._tables

    def weaker_move(self, position: LinePosition, effort: Effort, *, skill: int, seed: int) -> int:  # noqa: ARG002
        """Return the move of a weaker player."""
        return weaker_move(position, self.rules(position.game), skill=skill, seed=seed)

    def rules(self, game: LineGame) -> Rules:
        """Return the laid-out rules of a game."""
        return self._laid_out(game).open

    def _laid_out(self, game: LineGame) -> _LaidOut:
        kept = self._rules.get(game)
        if kept is None:
            rules = game.lay_out()
            kept = _LaidOut(rules, rules.with_secret(self._secret))
            self._rules.keep(game, kept)
        return kept

    def _run(
        self, position: LinePosition, effort: Effort, work: Callable[[NewSearch[Search]], Result]
    ) -> Result | None:
        self._laid_out(position.game)  # here, not in a slot: it holds the interpreter's lock
        return super()._run(position, effort, work)

    def _new_search(self, position: LinePosition, memory: memoryview, *, secret: bool) -> NewSearch[Search]:
        laid_out = self._laid_out(position.game)
        return partial(Search, laid_out.secret if secret else laid_out.open, memory)

    def _in_book(self, position: LinePosition, *, all_best: bool, lines: bool) -> ProvenResult | None:
        """Return the result of a position if its book suffices for it without any search, else None."""
        book, state = self._books.get(position.game.digest), position.state
        if book is None or book.score(*state) is None:
            return None
        if lines and position.game.cells - position.remaining > book.pv_depth:
            return None
        search = Search(self.rules(position.game), private_memory(0), limit=0)
        try:
            return LineSolver(search, position, book).prove(search, all_best=all_best, lines=lines)
        except (Stopped, ContradictoryBoundsError):  # the following search reports it
            return None

    def _book(self, game: LineGame) -> Knowledge:
        return self._books.get(game.digest, NOTHING)

    def _source(self, position: LinePosition, known: Known) -> Source:
        """Return ``book`` if the book has the proven score, else ``search``.

        For an unproven position it is ``book`` if a strategy covers it or a position after a move.
        """
        book, state = self._book(position.game), position.state
        if isinstance(known, ProvenResult):
            return "search" if book.score(*state) is None else "book"
        states = [state, *(position.play(move).state for move in position.legal_moves)]
        return "book" if any(book.at_most(*state) is not None for state in states) else "search"

    def _prove(self, position: LinePosition, effort: Effort, new: NewSearch[Search], *, all_best: bool) -> Known:
        near_nodes, nodes, growth, proof_share, look_ahead = plan_of(position.game)
        near = effort.search(new, NEAR_SHARE, near_nodes)
        solver = LineSolver(near, position, self._book(position.game))
        effort.watch(position, solver)
        if solver.has_strategy:
            # No limited search can prove more, and earlier requests must not change the answer.
            apart = self._new_search(position, private_memory(near_nodes), secret=False)
            alone = effort.search(apart, NEAR_SHARE, near_nodes)
            solver.find_near_ends(alone)
            if effort.outcome:
                return solver.known()
            return _with_line(solver, alone, all_best=all_best, lines=effort.lines)
        solver.find_near_ends(near)
        force = effort.search(new, PROOF_SHARE) if solver.can_force else None
        while True:
            proof = effort.search(new, proof_share if solver.wants_look_ahead else 1, nodes)
            with suppress(Stopped):
                if effort.outcome:
                    return solver.prove_outcome(proof)
                return solver.prove(proof, all_best=all_best, lines=effort.lines)
            if force and not effort.spent(1)():  # the start of this search takes long
                budget = effort.at_most(force_factor(position) * nodes)
                solver.force(force, budget)
                solver.block(force, budget // NODES_PER_BLOCK)
            if proof.nodes < nodes:
                solver.look_ahead(effort.search(new, LOOK_SHARE if solver.may_hold_more else 1))
                solver.block(effort.search(new, 1), nodes // NODES_PER_BLOCK)
                return solver.known()
            if not solver.knows_outcome:
                solver.look_ahead(effort.search(new, 1, min(int(look_ahead * nodes), MOST_LOOK_AHEAD)))
            nodes *= growth

    def _settle(self, position: LinePosition, known: Known, effort: Effort, new: NewSearch[Search]) -> MoveValues:
        near = effort.search(new, NEAR_SHARE, NEAR_NODES)
        solver = LineSolver(near, position, self._book(position.game))
        solver.learn(known)
        effort.watch(position, solver)
        solver.find_near_ends_of_moves(near)
        solver.force_every_move(effort.search(new, FORCE_SHARE))
        solver.settle(effort.search(new, SETTLE_SHARE), outcome=effort.outcome)
        solver.look_ahead_every_move(effort.search(new, LOOK_SHARE))
        if effort.outcome:
            return solver.move_bounds()
        return solver.move_values(effort.search(new, 1))

    def _strategy_builder(
        self, position: LinePosition, holder: str, effort: Effort, *, wins: bool
    ) -> Callable[[NewSearch[Search]], StrategyBuilder]:
        """Return a function that makes the builder of a strategy."""
        book = self._book(position.game)
        return lambda new: LineStrategyBuilder(
            position,
            holder,
            wins=wins,
            new_search=partial(effort.search, new, 1),
            book=book,
            count=effort.steps().count,
        )


def _with_line(solver: LineSolver, search: Search, *, all_best: bool, lines: bool) -> Known:
    """Return the solver's result; if its score is proven, with the line of best play that the search finds in time."""
    known = solver.known()
    if known.least == known.greatest:
        with suppress(Stopped):
            return solver.prove(search, all_best=all_best, lines=lines)
    return known
