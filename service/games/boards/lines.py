"""Boards with lines: masks of cells and of lines, gravity, and random play."""

from collections.abc import Iterator
from functools import cached_property
from random import Random

from service.games.boards.grid import Line, Symmetry, Wrap, mask, renumberings
from service.games.boards.shape import Shape
from service.kernel.patterns import Patterns, has_line
from service.kernel.rules import patterns_of

MOST_GAMES = 1000
"""The maximum number of random games in search of an unfinished position; fewer in a game with many lines."""

FEW_LINES = 100
"""The number of lines above which fewer random games are played."""


class LineBoard(Shape):
    """Cells with ``lines`` over them. ``full`` is the mask of all cells.

    Under gravity a cell is playable if the cell at distance ``drop`` is filled, or is not on the board; ``drop`` is 0
    without gravity.
    """

    lines: tuple[Line, ...]
    drop: int
    full: int
    in_a_row: int | None
    wrap: Wrap
    symmetries: tuple[Symmetry, ...]

    @cached_property
    def supports(self) -> tuple[int, ...]:
        """For each cell the mask of the cell that must be filled before it; 0 at the bottom and without gravity."""
        below = range(self.drop, self.cells) if self.drop else range(0)
        return tuple(1 << cell for cell in below) + (0,) * (self.cells - len(below))

    def playable(self, occupied: int) -> int:
        """Return the mask of the playable cells, given the ``occupied`` ones."""
        free = self.full & ~occupied
        return free & (~(self.full >> self.drop) | occupied >> self.drop) if self.drop else free

    @cached_property
    def line_masks(self) -> tuple[int, ...]:
        """Each line as a mask, in the order of ``lines``."""
        return tuple(mask(line) for line in self.lines)

    @property
    def potential(self) -> float:
        """The potential of the empty board (Erdős and Selfridge, 1973): 2 ** -cells of each line, summed; 3 on 8x8."""
        return sum(0.5 ** len(line) for line in self.lines)

    def has_line(self, marks: int) -> bool:
        """Return whether the marks contain a whole line: all lines of a pattern are tested together."""
        return has_line(self._patterns, marks)

    @cached_property
    def _patterns(self) -> Patterns:
        return [(starts, offsets) for offsets, starts in patterns_of(self.lines).items()]

    @cached_property
    def lines_through(self) -> tuple[tuple[tuple[Line, int], ...], ...]:
        """For each cell the lines through it, in the order of ``lines``, each with its mask."""
        found: list[list[tuple[Line, int]]] = [[] for _ in range(self.cells)]
        for pair in zip(self.lines, self.line_masks, strict=True):
            for cell in pair[0]:
                found[cell].append(pair)
        return tuple(map(tuple, found))

    @cached_property
    def automorphisms(self) -> tuple[Symmetry, ...]:
        """All permutations known to keep the rules: ``symmetries``, and some that are no rotation or reflection.

        If the lines run from side to side, every coordinate can be renumbered in the same way, as long as opposite
        numbers stay opposite: 4x4x4 has 192 permutations instead of 48 (Silver, 1967). Only searches with few,
        expensive nodes use them, because comparing that many images takes time.
        """
        shape = (self.layers, self.rows, self.columns)
        if self.drop or self.wrap or self.in_a_row is None or not {*shape} <= {1, self.in_a_row} <= {*range(8)}:
            return self.symmetries
        renumbered = renumberings(shape, self.in_a_row)
        return tuple(dict.fromkeys(tuple(new[cell] for cell in old) for new in renumbered for old in self.symmetries))

    def completed(self, marks: int, move: int) -> tuple[Line, ...]:
        """Return the lines that the owner of the ``marks`` would complete by marking a cell."""
        own = marks | 1 << move
        return tuple([line for line, cells in self.lines_through[move] if cells & own == cells])

    @property
    def random_games(self) -> int:
        """The number of random games to play in search of an unfinished position."""
        return MOST_GAMES * FEW_LINES // max(FEW_LINES, len(self.lines))

    def random_game(self, dice: Random) -> Iterator[tuple[int, bool]]:
        """Yield the cells of a random game, each with whether the game continues after it."""
        playable = self.playable(0)
        free = [cell for cell in range(self.cells) if playable >> cell & 1]
        marks = [0, 0]
        for ply in range(self.cells):
            place = int(dice.random() * len(free))
            cell = free[place]
            marks[ply % 2] |= 1 << cell
            above = cell - self.drop
            if self.drop and above >= 0:
                free[place] = above
            else:
                free[place] = free[-1]
                free.pop()
            goes_on = bool(free) and all(line & ~marks[ply % 2] for _, line in self.lines_through[cell])
            yield cell, goes_on
            if not goes_on:
                return
