"""The effect of a move on lines: it blocks some, and makes or stops forks.

A fork is two threats at once; the opponent can answer only one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from service.games.boards.grid import Line
from service.kernel.states.family import State

if TYPE_CHECKING:
    from service.games.families.lines import LineGame

Threats = dict[int, tuple[Line, ...]]
"""The lines that a player would complete, by the completing cell."""

MOVER, OPPONENT = range(2)
"""The owner of the mask in each word of a state."""


@dataclass(frozen=True, slots=True)
class _Reach:
    """The open lines on which a player lacks one cell or two.

    ``lines``: each with the mask of its missing cells. ``singles``: the mask of the cells that complete a line.
    ``partners``: for each cell of a missing pair, the mask of the cells that it is paired with.
    """

    lines: list[tuple[Line, int]]
    singles: int
    partners: Mapping[int, int]


class Tactics:
    """Finds the effects of the moves of a state; it goes through the lines once for all moves."""

    def __init__(self, game: "LineGame", state: State) -> None:
        self._game = game
        self._state = state
        self._occupied = state[MOVER] | state[OPPONENT]

    def blocked(self, move: int) -> tuple[Line, ...]:
        """Return the lines that the opponent would complete by ``move``; none in misère games, where that loses."""
        return () if self._game.misere else self._game.completed(self._state[OPPONENT], move)

    def fork(self, move: int) -> Threats:
        """Return the threats of ``move`` if it makes a fork: several winning cells, and none for the opponent."""
        if self._game.misere:
            return {}
        own, other = self._reach
        return self._threats(own, move) if self._is_fork(own, other.singles, self._occupied, move) else {}

    def stopped_forks(self, move: int) -> dict[int, Threats]:
        """Return the forks that the opponent could make now, if ``move`` prevents all of them.

        None if the opponent threatens to win at once: then the move must stop that.
        """
        if not self._feared:
            return {}
        own, other = self._reach
        answers = own.singles | own.partners.get(move, 0)
        if self._forks(other, answers, self._occupied | 1 << move):
            return {}
        return {feared: self._threats(other, feared) for feared in self._feared}

    @cached_property
    def _feared(self) -> list[int]:
        """The moves with which the opponent would make a fork; none if the opponent can win at once."""
        if self._game.misere:
            return []
        own, other = self._reach
        if other.singles & self._game.playable(self._occupied):
            return []
        return self._forks(other, own.singles, self._occupied)

    @cached_property
    def _reach(self) -> tuple[_Reach, _Reach]:
        """The lines that the player to move can complete, and those of the other player."""
        first, second = self._state
        return self._reach_of(first, second), self._reach_of(second, first)

    def _reach_of(self, own: int, other: int) -> _Reach:
        lines, singles, partners = [], 0, dict[int, int]()
        for line, mask in zip(self._game.lines, self._game.line_masks, strict=True):
            missing = mask & ~own
            first, second = missing & -missing, missing & missing - 1
            if mask & other or second & second - 1:
                continue
            lines.append((line, missing))
            if not second:
                singles |= first
                continue
            for cell, partner in ((first, second), (second, first)):
                index = cell.bit_length() - 1
                partners[index] = partners.get(index, 0) | partner
        return _Reach(lines, singles, partners)

    def _forks(self, own: _Reach, answers: int, occupied: int) -> list[int]:
        """Return the moves that make forks, given ``occupied`` cells; ``answers`` are the opponent's winning cells."""
        return [move for move in _cells(self._game.playable(occupied)) if self._is_fork(own, answers, occupied, move)]

    def _is_fork(self, own: _Reach, answers: int, occupied: int, move: int) -> bool:
        """Return whether a move makes a fork and does not win at once; ``answers`` are the opponent's winning cells."""
        playable = self._game.playable(occupied | 1 << move)
        threats = (own.singles | own.partners.get(move, 0)) & playable
        return not own.singles >> move & 1 and not answers & playable and bool(threats & threats - 1)

    def _threats(self, own: _Reach, move: int) -> Threats:
        """Return the cells by which a player could win after ``move``, with the lines completed there."""
        playable = self._game.playable(self._occupied | 1 << move)
        found: dict[int, list[Line]] = {}
        for line, missing in own.lines:
            last = missing & ~(1 << move)
            if last & playable and not last & last - 1:
                found.setdefault(last.bit_length() - 1, []).append(line)
        return {cell: tuple(lines) for cell, lines in found.items()}


def _cells(mask: int) -> Iterator[int]:
    """Yield the cells of a mask, ascending."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
