"""The prover: what the books know of a position without a search, and what a search proves of it."""

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeVar

from service.book.book import NOTHING, Book, Knowledge
from service.book.strategy import StrategyBook
from service.engine.attempts import first_consistent, ignore
from service.engine.certificate import Strategy
from service.engine.images import Images
from service.engine.limit import (
    FIRST_NODES,
    FORCE_EARLY,
    FORCE_LATE,
    FORCE_SHARE,
    GROWTH,
    LOOK_AHEAD,
    LOOK_SHARE,
    MOST_LOOK_AHEAD,
    MOST_NEARLY_PROVEN,
    NEAR_NODES,
    NEAR_SHARE,
    NEARLY_ALL,
    OPENING,
    PROOF_SHARE,
    SETTLE_SHARE,
    Effort,
)
from service.engine.lru_cache import LRUCache
from service.engine.result import (
    Known,
    MoveValues,
    ProvenResult,
    for_previous_player,
    make_proven_result,
    nothing_known,
)
from service.engine.solver import Solver
from service.engine.strategy import StrategyBuilder
from service.games.lines import LineGame, LinePosition, Player, marked
from service.kernel.memory import private_memory, shared_memory
from service.kernel.rules import Rules
from service.kernel.search import ContradictoryBoundsError, Search, Stopped

MOST_LAID_OUT = 8 << 20
"""Bytes of the rules that are kept as the search wants them: those of Qubic have 0.9 MB, of most games less."""

OTHER_BYTES = 250_000
"""About what a large game takes beside the arrays of its rules: up to 600 kB, most of them less than 100."""

AnyBook = Book | StrategyBook

Result = TypeVar("Result")


def proof_share(game: LineGame) -> float:
    """Return the part of a limit after which no more is proven."""
    return NEARLY_ALL if game.gravity and game.cells <= MOST_NEARLY_PROVEN else PROOF_SHARE


def force_factor(position: LinePosition) -> int:
    """Return how many nodes a search for a forced win has for each of the proof before it."""
    return FORCE_EARLY if marked(position).bit_count() < OPENING else FORCE_LATE


class _LaidOut(NamedTuple):
    """The rules of a game for searches alone, and for those in the table that all share."""

    open: Rules
    secret: Rules


def _bytes(laid_out: _LaidOut) -> int:
    """Return about how many bytes the rules have, and the game that they belong to."""
    return OTHER_BYTES + laid_out.open.nbytes


class Prover:
    """Searches in a table of ``table_mb`` megabytes, and with the ``books``, by the digests of their games.

    A search that comes upon contradictory bounds is repeated with an empty table, after a call of ``on_contradiction``.
    """

    def __init__(
        self,
        books: Mapping[bytes, AnyBook],
        *,
        table_mb: int,
        on_contradiction: Callable[[LinePosition], None] = ignore,
    ) -> None:
        self._books = books
        self._table = shared_memory(table_mb)
        self._on_contradiction = on_contradiction
        # Clients choose lines and marks, so the keys of the table that all share must not be foreseen.
        self._secret = secrets.token_bytes(32)
        self._rules: LRUCache[LineGame, _LaidOut] = LRUCache(MOST_LAID_OUT, _bytes)

    def rules(self, game: LineGame) -> Rules:
        """Return the rules of a game as the search wants them."""
        return self._laid_out(game).open

    def _laid_out(self, game: LineGame) -> "_LaidOut":
        kept = self._rules.get(game)
        if kept is None:
            rules = game.lay_out()
            kept = _LaidOut(rules, rules.with_secret(self._secret))
            self._rules.keep(game, kept)
        return kept

    def look_up(self, position: LinePosition, *, every: bool) -> ProvenResult | None:
        """Return the entry of a position that its book knows without any search."""
        book, mine, theirs = self._books.get(position.game.digest), *position.words
        if book is None or marked(position).bit_count() > book.line_depth or book.score(mine, theirs) is None:
            return None
        search = Search(self.rules(position.game), private_memory(0), limit=0)
        ended = search.ended(mine, theirs)
        if ended is not None:
            return make_proven_result(position.game.cells, ended, (), ())
        try:
            return Solver(search, position, book).prove(search, every=every)
        except (Stopped, ContradictoryBoundsError):  # the search that follows reports it
            return None

    def look_up_moves(self, position: LinePosition) -> MoveValues | None:
        """Return the value of every legal move, if the book of the game knows all of them without any search."""
        values: dict[int, Known] = {}
        for move in position.legal_moves:
            entry = self.look_up(position.play(move), every=False)
            if entry is None:
                return None
            values[move] = for_previous_player(entry, move, position.game.cells)
        return values

    def has_score(self, position: LinePosition) -> bool:
        """Return whether a book knows the score of a position; a search may still be needed for best play."""
        return self._book(position.game).score(*position.words) is not None

    def has_strategy(self, position: LinePosition) -> bool:
        """Return whether a book knows a strategy by which a player wins."""
        book, after = self._book(position.game), map(position.play, position.legal_moves)
        return any(book.lost_in(*each.words) is not None for each in (position, *after))

    def prove(self, position: LinePosition, effort: Effort, *, every: bool) -> Known:
        """Return a proof, with ``every`` best move or the lowest, or bounds if the effort does not suffice for one."""
        known = self._run(position, effort, partial(self._prove, position, effort, every=every))
        return known or nothing_known(position)

    def move_values(self, position: LinePosition, known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move as far as the effort suffices, after what is ``known`` already."""
        values = self._run(position, effort, partial(self._settle, position, known, effort))
        return values or {move: nothing_known(position, move) for move in position.legal_moves}

    def strategy(
        self, position: LinePosition, holder: Player, effort: Effort, *, wins: bool, most: int
    ) -> Strategy | None:
        """Return the strategy by which the holder gets a proven outcome; None where searches contradict each other."""

        def build(rules: Rules, table: memoryview) -> Strategy:
            return StrategyBuilder(
                position,
                holder,
                wins=wins,
                search=effort.search(rules, table, 1),
                book=self._book(position.game),
                images=Images(position.game, rules),
                count=effort.steps().count,
                most=most,
            ).build()

        return self._run(position, effort, build)

    def _book(self, game: LineGame) -> Knowledge:
        return self._books.get(game.digest, NOTHING)

    def _prove(self, position: LinePosition, effort: Effort, rules: Rules, table: memoryview, *, every: bool) -> Known:
        game, mine, theirs = position.game, *position.words
        near = effort.search(rules, table, NEAR_SHARE, NEAR_NODES)
        ended = near.ended(mine, theirs)
        if ended is not None:
            return make_proven_result(game.cells, ended, (), ())
        solver = Solver(near, position, self._book(game))
        effort.watch(position, solver)
        if solver.has_strategy:
            # No search within a limit finds out more, and what was asked before must not change the answer.
            alone = effort.search(self.rules(game), private_memory(NEAR_NODES), NEAR_SHARE, NEAR_NODES)
            solver.look_near(alone)
            return _with_line(solver, alone, every=every)
        solver.look_near(near)
        force = effort.search(rules, table, PROOF_SHARE)
        nodes = FIRST_NODES
        while True:
            proof = effort.search(rules, table, proof_share(game), nodes)
            with suppress(Stopped):
                return solver.prove(proof, every=every)
            if not effort.spent(1)():  # it takes long to begin
                solver.force(force, effort.at_most(force_factor(position) * nodes))
            is_last = proof.nodes < nodes
            most = None if is_last else min(LOOK_AHEAD * nodes, MOST_LOOK_AHEAD)
            solver.look_ahead(effort.search(rules, table, 1, most))
            if is_last:
                return solver.known()
            nodes *= GROWTH

    def _settle(
        self, position: LinePosition, known: Known, effort: Effort, rules: Rules, table: memoryview
    ) -> MoveValues:
        near = effort.search(rules, table, NEAR_SHARE, NEAR_NODES)
        solver = Solver(near, position, self._book(position.game))
        solver.learn(known)
        effort.watch(position, solver)
        solver.look_near_every_move(near)
        solver.force_every_move(effort.search(rules, table, FORCE_SHARE))
        solver.settle(effort.search(rules, table, SETTLE_SHARE))
        solver.look_ahead_every_move(effort.search(rules, table, LOOK_SHARE))
        return solver.move_values(effort.search(rules, table, 1))

    def _run(
        self, position: LinePosition, effort: Effort, search: Callable[[Rules, memoryview], Result]
    ) -> Result | None:
        """Return what a search finds, at the second try with an empty table; None if that is contradictory too.

        Each call begins with rules and a table of its own, because the second phase of a search calls it again.
        The rules are laid out in this thread: that holds the interpreter's lock, and a slot's priority is low.
        """
        self._laid_out(position.game)

        def first_try() -> Result:
            if effort.nodes is None:
                return search(self._laid_out(position.game).secret, self._table)
            return search(self.rules(position.game), private_memory(effort.nodes))  # where nothing is known before

        def second_try() -> Result:
            return search(self.rules(position.game), private_memory(0))

        attempts = (partial(effort.run, attempt) for attempt in (first_try, second_try))
        return first_consistent(attempts, partial(self._on_contradiction, position))


def _with_line(solver: Solver, search: Search, *, every: bool) -> Known:
    """Return what the solver knows; with the line of best play if only that is missing and the search gets so far."""
    known = solver.known()
    if known.least == known.greatest:
        with suppress(Stopped):
            return solver.prove(search, every=every)
    return known
