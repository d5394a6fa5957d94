"""Strategies of games of states: each position with the holder to move has an entry of one move."""

from collections.abc import Callable, Iterable, Sequence

from service.engine.certificates.certificate import Entry
from service.engine.certificates.strategy import StrategyBuilder
from service.games.position import Position
from service.games.states import StateGame
from service.kernel.states.family import State
from service.kernel.states.family_search import FamilySearch
from service.kernel.stopping import ContradictoryBoundsError

KeepingMove = Callable[[Position[StateGame]], int]
"""Return the move by which the holder, who is to move, keeps the claim."""


class StateStrategyBuilder(StrategyBuilder):
    """Builds a strategy from the moves of ``keeping_move``.

    In a game with loops these moves must bring a claimed win nearer, so that no position comes again.
    """

    def __init__(
        self,
        position: Position[StateGame],
        holder: str,
        *,
        wins: bool,
        keeping_move: KeepingMove,
        count: Callable[[], None],
    ) -> None:
        super().__init__(position, holder, wins=wins, count=count)
        self._game = position.game
        self._turn = position.game.players.index(holder)
        self._keeping_move = keeping_move

    def _needs_entry(self, state: State) -> bool:
        return not self._game.result(state)

    def _least_image(self, state: State) -> State:
        return min((state, *self._game.images(state)))

    def _choose(self, state: State) -> Entry:
        move = self._keeping_move(Position(self._game, state, self._turn))
        return Entry((move,), self._game.pairs(self._game.after(state, move)))

    def _replies(self, state: State) -> Iterable[State]:
        return (self._game.after(state, move) for move in self._game.legal_moves(state))

    def _after(self, state: State, entry: Entry) -> Iterable[State]:
        return () if entry.pairs else self._replies(self._game.after(state, entry.moves[0]))


class SearchedMoves:
    """Finds moves that keep a claim by searches, in a game without loops: a win if ``wins``, else at least a draw.

    The ``guided`` search tries few moves of the first player. If it proves that the holder wins at ``root``, all moves
    are its own: after each of them it proves the win again.
    """

    def __init__(
        self, root: Position[StateGame], *, wins: bool, search: FamilySearch, guided: FamilySearch | None
    ) -> None:
        self._moves: Callable[[int, int], Sequence[int]] = search.promising_moves
        self._search, self._least = search, int(wins)
        by_guide = 1 + root.game.most_plies - root.game.play.guide_plies
        if guided is not None and _wins_by_guide(guided, root, by_guide):
            self._search, self._moves, self._least = guided, guided.guided_moves, by_guide

    def __call__(self, position: Position[StateGame]) -> int:
        """Return the first move after which the claim is proven. Raises ContradictoryBoundsError."""
        for move in self._moves(*position.state):
            state = self._search.after(*position.state, move)
            if self._search.bound(*state, -self._least, 1 - self._least) <= -self._least:
                return move
        raise ContradictoryBoundsError


def _wins_by_guide(search: FamilySearch, position: Position[StateGame], score: int) -> bool:
    """Return whether the first player provably has at least a ``score``."""
    if position.turn == 0:
        return search.bound(*position.state, score - 1, score) >= score
    return search.bound(*position.state, -score, 1 - score) <= -score
