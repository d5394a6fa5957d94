"""Strategies of certificates: for every position that a defence can reach, a move that keeps the claim."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence

from service.engine.certificates.certificate import Entry, Strategy
from service.games.boards.grid import Symmetry
from service.games.position import Position
from service.kernel.states.family import State
from service.kernel.stopping import Stopped


class StrategyBuilder(ABC):
    """Builds the strategy of a ``holder``, who provably wins or holds a draw, from a position on.

    Every choice depends only on facts: the rules and proven results. So the strategy is always the same. ``count`` is
    called for every visited position, and may raise Stopped. A strategy has at most ``most`` entries.
    """

    symmetries: Sequence[Symmetry] = ()
    """The permutations that make two positions count as one, without the identity."""

    def __init__(self, position: Position, holder: str, *, wins: bool, count: Callable[[], None], most: int) -> None:
        self._root = position
        self._holder = holder
        self._wins = wins
        self._count = count
        self._most = most
        self._entries: dict[State, Entry] = {}
        self._used: dict[int, None] = {}

    def build(self) -> Strategy:
        """Return the strategy; it is incomplete if the search is stopped, or the maximum of entries is reached."""
        complete = True
        try:
            self._visit_all()
        except Stopped:
            complete = False
        symmetries = tuple(self.symmetries[number] for number in self._used)
        return Strategy(self._holder, self._wins, self._entries, symmetries, complete)

    def _visit_all(self) -> None:
        """Add an entry for each position with the holder to move that needs one, depth first."""
        start = self._root.state
        waiting = [start] if self._root.player == self._holder else [*self._replies(start)][::-1]
        while waiting:
            self._count()
            state = waiting.pop()
            if not self._needs_entry(state) or self._has_entry(state):
                continue
            if len(self._entries) == self._most:
                raise Stopped
            entry = self._choose(state)
            self._entries[state] = entry
            waiting += [*self._after(state, entry)][::-1]

    def _has_entry(self, state: State) -> bool:
        """Return whether the position or a symmetric one has an entry; record the symmetry."""
        if state in self._entries:
            return True
        for number, image in self._images(state):
            if image in self._entries:
                self._used[number] = None
                return True
        return False

    def _images(self, state: State) -> Iterator[tuple[int, State]]:  # noqa: ARG002
        """Yield the index of each symmetry, and the image of a state."""
        yield from ()

    @abstractmethod
    def _needs_entry(self, state: State) -> bool:
        """Return whether a checker does not see from the rules alone that the claim holds, with the holder to move."""

    @abstractmethod
    def _choose(self, state: State) -> Entry:
        """Return the holder's play, after which the claim is proven. Raises ContradictoryBoundsError."""

    @abstractmethod
    def _replies(self, state: State) -> Iterable[State]:
        """Return the states after each move of the opponent, who is to move; none if a checker needs no more."""

    @abstractmethod
    def _after(self, state: State, entry: Entry) -> Iterable[State]:
        """Return the states that the opponent can reach after an entry; none if a checker needs no more."""
