"""Strategies of certificates: for every position that a defence can reach, a move that keeps the claim."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from service.engine.certificates.certificate import Entry, Strategy
from service.games.position import Position
from service.kernel.states.family import State
from service.kernel.stopping import Stopped


class Expansion(NamedTuple):
    """The entry of a position, and the positions after it that need one: those with the holder to move again.

    Of positions that are symmetric to each other there is one.
    """

    entry: Entry
    after: Sequence[State]


ExpandAll = Callable[[Sequence[State]], Iterable[Expansion]]
"""Expands many positions: in this process or in others."""


class StrategyBuilder(ABC):
    """Builds the strategy of a ``holder``, who provably wins or holds a draw, from a position on.

    Every choice depends only on facts: the rules and proven results. So the strategy is always the same. ``count`` is
    called for every position that is looked at, and may raise Stopped.
    """

    def __init__(self, position: Position, holder: str, *, wins: bool, count: Callable[[], None]) -> None:
        self._root = position
        self._holder = holder
        self._wins = wins
        self._count = count
        self._waiting = 0  # positions that still need an entry, as far as they are known
        self.symmetric = False
        """Whether an entry so far counts for a position that is symmetric to its own."""

    def build(self, most: int) -> Strategy:
        """Return the strategy; it is incomplete if building it is stopped, or will take more than ``most`` entries."""
        entries: dict[State, Entry] = {}
        try:
            for state, entry in self.entries(lambda states: map(self.expand, states)):
                entries[state] = entry
                if len(entries) + self._waiting > most:
                    return Strategy(self._holder, self._wins, entries, "too many")
        except Stopped:
            return Strategy(self._holder, self._wins, entries, "stopped")
        return Strategy(self._holder, self._wins, entries, symmetric=self.symmetric)

    def entries(self, expand_all: ExpandAll) -> Iterator[tuple[State, Entry]]:
        """Yield each position that needs an entry, and the entry; positions after fewer moves of the holder come first.

        Of symmetric positions only the first has an entry.
        """
        start = self._root.state
        known: dict[State, State] = {}
        first = [start] if self._root.player == self._holder else self._replies(start)
        level = [*self._unknown(filter(self._is_open, first), known)]
        while level:
            if not self._root.game.loops:
                known.clear()  # all later positions have more moves behind them
            later: list[State] = []
            for number, (state, (entry, after)) in enumerate(zip(level, expand_all(level), strict=True), 1):
                later += self._unknown(after, known)
                self._waiting = len(level) - number + len(later)
                yield state, entry
            level = later

    def expand(self, state: State) -> Expansion:
        """Return the entry of a position with the holder to move. Raises ContradictoryBoundsError, Stopped."""
        entry = self._choose(state)
        return Expansion(entry, [*self._unknown(filter(self._is_open, self._after(state, entry)), {})])

    def _is_open(self, state: State) -> bool:
        self._count()
        return self._needs_entry(state)

    def _unknown(self, states: Iterable[State], known: dict[State, State]) -> Iterator[State]:
        """Yield the positions that are not symmetric to a known one, and add them to those, by their least images."""
        for state in states:
            least = self._least_image(state)
            if least not in known:
                known[least] = state
                yield state
            self.symmetric |= known[least] != state

    @abstractmethod
    def _least_image(self, state: State) -> State:
        """Return the position that stands for all that are symmetric to this one."""

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
