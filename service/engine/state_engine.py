"""The engine of games of states: complete tables, made on demand, and searches of larger games."""

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from random import Random
from statistics import pstdev
from zlib import crc32

from service.engine.certificates.state_strategy import SearchedMoves, StateStrategyBuilder
from service.engine.certificates.strategy import StrategyBuilder
from service.engine.engine import Engine, Found, FoundMoves
from service.engine.result import (
    OPPOSITE,
    Known,
    MoveValues,
    Outcome,
    ProvenResult,
    finished_value,
    nothing_known,
)
from service.engine.skill import carelessness, looks_best, sight
from service.engine.solver import Solver
from service.engine.tables.family_table import FamilyTable
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import PROOF_SHARE, Effort, NewSearch
from service.games.position import Position
from service.games.states import StateGame
from service.kernel.memory import private_memory
from service.kernel.states.family_search import FamilySearch
from service.kernel.stopping import Stopped

StatePosition = Position[StateGame]

NEAR_SHARE, NEAR_NODES = 0.25, 100_000
"""The part of a limit for a first search of near wins and losses, and its maximum nodes."""

GUIDE_SHARE = 0.75
"""The part of a limit after which a search by the guide of the rules ends."""

FIRST_NODES, GROWTH = 4_000, 4
"""The maximum nodes of the first proof and of the look-ahead after it, and their growth factor."""

PROVABLE, EARLY_NEAR_SHARE, HARDLY_PROVABLE_SHARE, LOOK_SHARE = 48, 0.05, 0.1, 0.9
"""The maximum plies left at which a proof is likely, and three parts of a limit.

With more plies left, the first part is for near wins and losses, and proofs end after the second. Look-aheads after
each move of an analysis end after the third.
"""

SIGHT_STEPS = 50_000
"""The maximum work of a weaker player's choice, about 15 ms: nodes, or without estimates nodes times moves.

The limit of the request does not count, so it changes no choice.
"""


class StateEngine(Engine[FamilySearch, StateGame]):
    """Answers by ``tablebases``; games without loops that are too large for a table are searched."""

    def __init__(self, tablebases: Tablebases, table: memoryview, on_contradiction: Callable[[Position], None]) -> None:
        super().__init__(table, on_contradiction)
        self._tablebases = tablebases
        self._secret = secrets.token_bytes(32)

    def waits_for_table(self, position: StatePosition) -> bool:
        """Return whether the game is never searched: it has loops, or is small enough for a table."""
        return position.game.loops or self._tablebases.has_table(position.game)

    def look_up(self, position: StatePosition, effort: Effort, *, all_best: bool) -> Found | None:  # noqa: ARG002
        """Return the result by the table, or by the rules until the table is made; None if the game is searched.

        A finished position may be unreachable; only the table can decide that.
        """
        game = position.game
        if not position.legal_moves and (position.reached or not self._tablebases.has_table(game)):
            return finished_value(position), "table"
        if not self.waits_for_table(position):
            return None
        table = self._table_of(game, effort)
        return (_without_table(position) if table is None else _position_value(table, position)), "table"

    def look_up_moves(
        self, position: StatePosition, moves: Iterable[int], effort: Effort, *, lines: bool
    ) -> FoundMoves | None:
        """Return the values of moves by the table, or by the rules until that is made; None if the game is searched."""
        if not self.waits_for_table(position):
            return None
        table = self._table_of(position.game, effort)
        if table is None:
            return _moves_without_table(position, moves), "table"
        table.known_value(position)
        return {move: _move_value(table, position, move, lines=lines) for move in moves}, "table"

    def _has_table(self, position: StatePosition) -> bool:
        return self.waits_for_table(position)

    def weaker_move(self, position: StatePosition, effort: Effort, *, skill: int, seed: int) -> int | None:
        """Return a best-looking move for a player who sees only near ends; None if a table is not ready in time."""
        # The position is part of the seed: a bot with a constant seed would otherwise see equally far all game.
        dice = Random(f"{seed} {position}")  # noqa: S311, no secret depends on it
        skill, plies = sight(skill, dice)
        if position.game.has_estimates:
            return _likely_move(position, plies, carelessness(skill), dice)
        looked_up = self.look_up_moves(position, position.legal_moves, effort, lines=False)
        values = _near_values(position, plies) if looked_up is None else looked_up[0]
        if looked_up is not None and not all(isinstance(value, ProvenResult) for value in values.values()):
            return None
        return dice.choice(looks_best(values, plies, position.game.most_plies))

    def _new_search(self, position: StatePosition, memory: memoryview, *, secret: bool) -> NewSearch[FamilySearch]:
        game = position.game
        key = self._secret if secret else b""
        seeds = blake2b(game.search_digest, key=key, digest_size=16).digest()
        first, second = (int.from_bytes(seeds[start : start + 8], "big") for start in (0, 8))
        root = crc32(str(position).encode())
        return partial(FamilySearch, game.play, game.most_plies, memory, seeds=(first, second), root=root)

    def _prove(self, position: StatePosition, effort: Effort, new: NewSearch[FamilySearch], *, all_best: bool) -> Known:
        near = effort.search(new, _near_share(position), effort.at_most(NEAR_NODES))
        solver = Solver(near, position)
        effort.watch(position, solver)
        by_guide = self._follow_guide(position, effort, new, solver)
        if by_guide and effort.outcome:
            return solver.known()
        solver.find_near_ends(near)
        if by_guide and position.remaining > PROVABLE:
            return solver.known()
        nodes = FIRST_NODES if position.game.has_estimates else None
        while True:
            proof = effort.search(new, _proof_share(position), nodes)
            with suppress(Stopped):
                return solver.prove_outcome(proof) if effort.outcome else solver.prove(proof, all_best=all_best)
            if nodes is None:
                return solver.known()
            is_last = proof.nodes < nodes
            if is_last or not solver.knows_outcome:
                solver.look_ahead(effort.search(new, 1, None if is_last else nodes))
            if is_last:
                return solver.known()
            nodes *= GROWTH

    @staticmethod
    def _follow_guide(
        position: StatePosition, effort: Effort, new: NewSearch[FamilySearch], solver: Solver[FamilySearch]
    ) -> bool:
        """Search for a win by guided moves; return whether the outcome of the position is proven then."""
        plies = position.game.play.guide_plies - (position.game.most_plies - position.remaining)
        if plies <= 0:
            return False
        guided = effort.search(new, GUIDE_SHARE)
        guided.keep_to_guide()
        solver.follow_guide(guided, plies)
        return solver.knows_outcome

    def _settle(
        self, position: StatePosition, known: Known, effort: Effort, new: NewSearch[FamilySearch]
    ) -> MoveValues:
        search = effort.search(new, _proof_share(position))
        solver = Solver(search, position)
        solver.learn(known)
        effort.watch(position, solver)
        solver.settle(search, outcome=effort.outcome)
        if position.game.has_estimates:
            solver.look_ahead_every_move(effort.search(new, LOOK_SHARE))
            search = effort.search(new, 1)
        return solver.move_bounds() if effort.outcome else solver.move_values(search)

    def _strategy_builder(
        self, position: StatePosition, holder: str, effort: Effort, *, wins: bool
    ) -> Callable[[NewSearch[FamilySearch]], StrategyBuilder] | None:
        """Return a function that makes the builder of a strategy by the table, else by searches."""
        searched = not self.waits_for_table(position)
        table = None if searched else self._table_of(position.game, effort)
        if table is None and not searched:
            return None
        return lambda new: StateStrategyBuilder(
            position,
            holder,
            wins=wins,
            keeping_move=_searched(position, holder, effort, new, wins=wins) if table is None else table.best_move,
            count=effort.steps().count,
        )

    def _table_of(self, game: StateGame, effort: Effort) -> FamilyTable | None:
        """Return the table of a game; None if it is not ready within the limit. Raises TooLargeError, Overloaded."""
        return self._tablebases.find(game, effort.wait_for_table)


def _searched(
    position: StatePosition, holder: str, effort: Effort, new: NewSearch[FamilySearch], *, wins: bool
) -> SearchedMoves:
    """Return the searches for the moves of a certificate; a guide only helps the first player to win."""
    guided = None
    if wins and position.game.play.guide_plies and holder == position.game.players[0]:
        guided = effort.search(new, 1)
        guided.keep_to_guide()
    return SearchedMoves(position, wins=wins, search=effort.search(new, 1), guided=guided)


def _near_share(position: StatePosition) -> float:
    """Return the part of a limit for near ends; far from the end of a game with estimates, look-aheads see most."""
    return EARLY_NEAR_SHARE if position.game.has_estimates and position.remaining > PROVABLE else NEAR_SHARE


def _proof_share(position: StatePosition) -> float:
    """Return the part of a limit after which proofs end; the rest is for look-aheads, in games with estimates."""
    if not position.game.has_estimates:
        return 1
    return PROOF_SHARE if position.remaining <= PROVABLE else HARDLY_PROVABLE_SHARE


def _position_value(table: FamilyTable, position: StatePosition) -> ProvenResult:
    """Return the value of a position, with all best moves. Raises UnreachableError."""
    outcome, plies = table.known_value(position)
    if not position.legal_moves:
        return finished_value(position)
    found = _proven(position, outcome, plies, table.best_moves(position), table.line(position))
    return replace(found, repetition=table.is_endless(position))


def _move_value(table: FamilyTable, position: StatePosition, move: int, *, lines: bool) -> ProvenResult:
    """Return the value of a move, for the player who makes it, with its line or without. Raises UnreachableError."""
    after = position.play(move)
    outcome, plies = table.known_value(after)
    later = None if plies is None else plies + 1
    found = _proven(position, OPPOSITE[outcome], later, (), table.line(position, move) if lines else ())
    return replace(found, repetition=table.is_endless(after))


def _proven(
    position: StatePosition, outcome: Outcome, plies: int | None, best: tuple[int, ...], line: tuple[int, ...]
) -> ProvenResult:
    """Return a proven result; in a game without loops, the plies of a draw are those of its line."""
    if plies is None and not position.game.loops:
        plies = len(line)
    return ProvenResult(outcome, plies, position.game.score(outcome, plies), best, line)


def _without_table(position: StatePosition) -> Known:
    """Return what the rules show of the result without a table: bounds, or in a game with loops ends within two plies.

    Nothing is proven of a position that may be unreachable.
    """
    if not position.legal_moves:
        return nothing_known(position)
    known = _near_result(position) if position.game.loops else _solver(position, 0)[0].known()
    return known if position.reached else nothing_known(position, _move_of(known))


def _moves_without_table(position: StatePosition, moves: Iterable[int]) -> MoveValues:
    """Return what the rules show of the values of ``moves`` without a table, as ``_without_table`` does."""
    if not position.reached:
        return {move: nothing_known(position, move) for move in moves}
    if position.game.loops:
        return {move: _near_value(position, move) for move in moves}
    known = _solver(position, 0)[0].move_bounds()
    return {move: known[move] for move in moves}


def _near_result(position: StatePosition) -> Known:
    """Return a win by the next move or a loss by the one after it; else nothing, with a move that does not lose so."""
    values = {move: _near_value(position, move) for move in position.legal_moves}
    proven = {move: value for move, value in values.items() if isinstance(value, ProvenResult)}
    for outcome, choose in (("win", min), ("loss", max)):
        plies = {move: value.plies or 0 for move, value in proven.items() if value.outcome == outcome}
        if plies and (outcome == "win" or len(plies) == len(values)):
            best = tuple(move for move in plies if plies[move] == choose(plies.values()))
            return replace(proven[best[0]], best_moves=best)
    return nothing_known(position, next(move for move, value in values.items() if _is_open(value)))


def _is_open(value: Known) -> bool:
    """Return whether a move is not proven to lose."""
    return not isinstance(value, ProvenResult) or value.outcome != "loss"


def _near_value(position: StatePosition, move: int) -> Known:
    """Return the value of a move that ends the game, or that the opponent can answer by a win; else nothing."""
    after = position.play(move)
    if not after.legal_moves:
        outcome = OPPOSITE[finished_value(after).outcome]
        return _proven(position, outcome, None if outcome == "draw" else 1, (), (move,))
    reply = next((reply for reply in after.legal_moves if after.play(reply).winner == after.player), None)
    return nothing_known(position, move) if reply is None else _proven(position, "loss", 2, (), (move, reply))


def _move_of(known: Known) -> int:
    """Return the move of a result of an unfinished position."""
    return known.pv[0] if isinstance(known, ProvenResult) else known.move


def _likely_move(position: StatePosition, plies: int, error: float, dice: Random) -> int:
    """Return the move that looks best to a player who sees ``plies`` plies ahead.

    The player judges each move with an error: ``error`` is in standard deviations of the moves' estimates.
    """
    solver, search = _solver(position, SIGHT_STEPS)
    found: dict[int, float] = {}
    with suppress(Stopped):
        for depth in range(max(1, plies)):
            found |= {move: solver.expected(search, move, depth) for move in position.legal_moves}
    spread = error * pstdev(found.values())
    judged = {move: value + spread * dice.gauss(0, 1) for move, value in found.items()}
    return max(judged, key=judged.__getitem__)


def _near_values(position: StatePosition, plies: int) -> MoveValues:
    """Return bounds on the values of all moves, by a short search for ends within ``plies`` plies."""
    solver, search = _solver(position, SIGHT_STEPS // position.game.play.moves)
    solver.find_near_ends_of_moves(search, plies)
    return solver.move_bounds()


def _solver(position: StatePosition, nodes: int) -> tuple[Solver[FamilySearch], FamilySearch]:
    """Return a solver, and a search of at most ``nodes`` nodes; neither depends on earlier requests."""
    game = position.game
    search = FamilySearch(game.play, game.most_plies, private_memory(nodes), limit=nodes)
    return Solver(search, position), search
