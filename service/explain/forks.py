"""Forks: two threats at once, of which the opponent can answer one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from service.games.grid import Line
from service.games.lines import OPPONENT, PLAYERS, LinePosition, Player, marked

Threats = dict[int, tuple[Line, ...]]
"""The lines that a player would complete, by the cell that completes them."""


@dataclass(frozen=True, slots=True)
class _Reach:
    """The lines on which a player lacks one cell or two, and the other has no mark.

    ``lines``: each with the mask of its missing cells. ``singles``: the mask of the cells that complete a line.
    ``partners``: for each cell of a missing pair, the mask of the cells that it is paired with.
    """

    lines: list[tuple[Line, int]]
    singles: int
    partners: Mapping[int, int]


class Tactics:
    """Finds the forks of a position; it goes through the lines once for all moves."""

    def __init__(self, position: LinePosition) -> None:
        self.position = position
        self._occupied = marked(position)
        self._mover, self._opponent = position.player, OPPONENT[position.player]

    def fork(self, move: int) -> Threats:
        """Return the threats of ``move`` if it makes a fork: several cells to win on, and none for the opponent."""
        own, other = self._reach[self._mover], self._reach[self._opponent]
        if self.position.game.misere or not self._is_fork(own, other.singles, self._occupied, move):
            return {}
        return self._threats(self._mover, move)

    def stopped_forks(self, move: int) -> dict[int, Threats]:
        """Return the forks that the opponent could make on the move now, if ``move`` leaves them none.

        There are none if the opponent threatens to win at once: then that has to be stopped.
        """
        own = self._reach[self._mover]
        answers = own.singles | own.partners.get(move, 0)
        if not self._feared or self._forks(self._reach[self._opponent], answers, self._occupied | 1 << move):
            return {}
        return {feared: self._threats(self._opponent, feared) for feared in self._feared}

    @cached_property
    def _feared(self) -> list[int]:
        """The moves with which the opponent would make a fork, none if they can win at once."""
        own, game = self._reach[self._opponent], self.position.game
        if game.misere or own.singles & game.playable(self._occupied):
            return []
        return self._forks(own, self._reach[self._mover].singles, self._occupied)

    @cached_property
    def _reach(self) -> Mapping[Player, _Reach]:
        return {player: self._reach_of(player) for player in PLAYERS}

    def _reach_of(self, player: Player) -> _Reach:
        position = self.position
        own, other = position.words if player == position.player else position.words[::-1]
        lines, singles, partners = [], 0, dict[int, int]()
        for line, mask in zip(position.game.lines, position.game.line_masks, strict=True):
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
        """Return the moves that make forks on these ``occupied`` cells; ``answers``: where the opponent wins."""
        return [
            move
            for move in _cells(self.position.game.playable(occupied))
            if self._is_fork(own, answers, occupied, move)
        ]

    def _is_fork(self, own: _Reach, answers: int, occupied: int, move: int) -> bool:
        """Return whether a move makes a fork and does not win at once; ``answers``: where the opponent wins."""
        playable = self.position.game.playable(occupied | 1 << move)
        threats = (own.singles | own.partners.get(move, 0)) & playable
        return not own.singles >> move & 1 and not answers & playable and bool(threats & threats - 1)

    def _threats(self, player: Player, move: int) -> Threats:
        """Return the cells on which a player could win after ``move``, with the lines completed there."""
        playable = self.position.game.playable(self._occupied | 1 << move)
        found: dict[int, list[Line]] = {}
        for line, missing in self._reach[player].lines:
            last = missing & ~(1 << move)
            if last & playable and not last & last - 1:
                found.setdefault(last.bit_length() - 1, []).append(line)
        return {cell: tuple(lines) for cell, lines in found.items()}


def _cells(mask: int) -> Iterator[int]:
    """Yield the cells of a mask, ascending."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
