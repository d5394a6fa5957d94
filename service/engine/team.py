"""A team: a search that others join, each in a thread of its own, while it takes long and there is room for them."""

from array import array
from collections.abc import Callable
from threading import Thread
from typing import Protocol

from service.kernel.search import ContradictoryBoundsError, Search, Stopped
from service.kernel.searcher import Poll

SIGNALS = 4096
"""Words in which the searches of one position tell each other what they are at: 32 KB."""

Question = tuple[int, int, int, int]
"""The masks and the window of a bound."""


class Room(Protocol):
    """Where there may be places for those who help."""

    helpers: int

    def lend(self) -> int | None:
        """A place; None where there is none."""

    def take_back(self, place: int) -> None:
        """Gives a place back."""

    def is_wanted(self) -> bool:
        """Whether somebody else waits for one."""

    def give_way(self) -> None:
        """Lets others go before this thread."""


class Team:
    """Answers what a ``Search`` answers, and the same; who first knows a bound stops the others.

    ``enlist`` makes a search with a poll and signals. The first runs in the thread that asks. As long as its poll,
    ``poll``, lets it go on, each look at that is an occasion for another to join; those leave when ``room`` is wanted.
    """

    def __init__(self, enlist: Callable[[Poll, memoryview], Search], poll: Poll, room: Room) -> None:
        self._enlist = enlist
        self._poll = poll
        self._room = room
        self._question: Question | None = None
        self._answers: list[int] = []
        self._contradicted = False
        self._helpers: list[Thread] = []
        self._searches: list[Search] = []
        self._begin()

    @property
    def nodes(self) -> int:
        """Positions searched so far, by all of them."""
        return sum(search.nodes for search in self._searches)

    def bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        """A bound on the score of a position; see ``Search.bound``. Raises Stopped or ContradictoryBoundsError."""
        self._question = mine, theirs, alpha, beta
        try:
            return self._first.bound(*self._question)
        except Stopped:
            if self._contradicted:
                raise ContradictoryBoundsError from None
            if not self._answers:
                raise
            return self._answers[0]
        finally:
            self._question = None
            if self._helpers:
                self._dismiss()

    def look_ahead(self, mine: int, theirs: int, depth: int, alpha: int, beta: int) -> int:
        """An estimate of it; see ``Search.look_ahead``. Raises Stopped."""
        return self._first.look_ahead(mine, theirs, depth, alpha, beta)

    def ended(self, mine: int, theirs: int) -> int | None:
        """The score of a finished game for the player who would move; None while it goes on."""
        return self._first.ended(mine, theirs)

    def moves(self, mine: int, theirs: int) -> list[int]:
        """The legal moves, ascending."""
        return self._first.moves(mine, theirs)

    def promising_moves(self, mine: int, theirs: int) -> list[int]:
        """The same, the most promising first."""
        return self._first.promising_moves(mine, theirs)

    def _begin(self) -> None:
        """A first search and signals that nobody has used."""
        self._signals = memoryview(array("Q", bytes(8 * SIGNALS)))
        self._first = self._enlist(self._look_around, self._signals)
        self._searches.append(self._first)

    def _look_around(self) -> bool:
        stops = self._poll()
        if not stops and self._question is not None and len(self._helpers) < self._room.helpers:
            place = self._room.lend()
            if place is not None:
                self._hire(self._question, place)
        return stops

    def _hire(self, question: Question, place: int) -> None:
        signals = self._signals
        search = self._enlist(lambda: bool(signals[0]) or self._room.is_wanted(), signals)
        helper = Thread(target=self._help, args=(search, question, signals, place), daemon=True)
        try:
            helper.start()
        except RuntimeError:  # the system has no more threads
            self._room.take_back(place)
            return
        self._searches.append(search)
        self._helpers.append(helper)

    def _help(self, search: Search, question: Question, signals: memoryview, place: int) -> None:
        try:
            self._room.give_way()
            self._answers.append(search.bound(*question))
            signals[0] = 1
        except Stopped:
            pass
        except ContradictoryBoundsError:
            self._contradicted = True
            signals[0] = 1
        finally:
            self._room.take_back(place)

    def _dismiss(self) -> None:
        """Stops those who help, and begins anew without them: the first may have been stopped too."""
        self._signals[0] = 1
        for helper in self._helpers:
            helper.join()
        self._helpers.clear()
        self._answers.clear()
        self._begin()
