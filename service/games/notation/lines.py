"""The notation of moves in games of lines: cells, under gravity columns."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from service.games.boards.grid import mask
from service.games.game import Game, Violation
from service.games.notation.moves import MoveName
from service.games.surface import letters
from service.kernel.states.family import State

MOST_COLUMNS = 9
"""The maximum number of columns with one digit each, counted from 1."""


class LineNotation(Game):
    """A game whose moves are cells, or under gravity columns. ``drop`` is the distance to the cell below, else 0."""

    drop: int
    in_a_row: int | None

    def move_name(self, move: int) -> int:
        """Return the name of a move: its cell."""
        return move

    @property
    def units(self) -> tuple[str, int]:
        """The unit that the number of a move counts, and the number of these units."""
        return ("column", self.drop) if self.drop else ("cell", self.cells)

    @cached_property
    def _columns(self) -> tuple[int, ...]:
        """The mask of each column, only under gravity."""
        return tuple(mask(tuple(range(column, self.cells, self.drop))) for column in range(self.drop))

    @cached_property
    def spellings(self) -> Mapping[str, int]:
        """The numbers of cells, under gravity of columns, by all their names.

        Names are ``b3`` and ``2:b3``; ``d`` and ``column 4`` where a move is a column; ``b3`` for a column of several
        layers; ``cell 7`` in a game given by its lines.
        """
        if self.has_columns:
            columns = range(self.columns)
            by_number = {f"column {column + 1}": column for column in columns}
            return {letters(column): column for column in columns} | by_number
        if self.drop:
            return {self.cell_name(column).removeprefix("1:"): column for column in range(self.drop)}
        unit = "cell " if self.in_a_row is None else ""
        return {f"{unit}{self.cell_name(cell)}": cell for cell in range(self.cells)}

    @cached_property
    def names(self) -> Sequence[str]:
        """The displayed names of all moves: of their cells, under gravity of their columns."""
        names = {number: name for name, number in self.spellings.items()}
        return [names[self.listed(cell)] for cell in range(self.cells)]

    def move_in(self, cell: int, name: str) -> int:
        """Return the move in an answer: its cell."""
        del name
        return cell

    @cached_property
    def typed(self) -> Mapping[str, int]:
        """Moves by names that people type, but answers do not use: ``cell 4``, ``center``; ``col 4`` under gravity."""
        if self.has_columns:
            return {f"col {column + 1}": column for column in range(self.columns)}
        return {} if self.drop else self.typed_cells({cell: cell for cell in range(self.cells)})

    @property
    def no_columns(self) -> str | None:
        """The reason why moves cannot be a string of columns, with advice; None if they can."""
        unit = self.units[0]
        if not self.drop:
            why = "has no gravity, so its moves are not columns"
        elif not self.has_columns:
            why = f"has {self.layers} layers; a string of columns is for games with one"
        elif self.columns > MOST_COLUMNS:
            why = f"has {self.columns} columns; a string of columns is for at most {MOST_COLUMNS}"
        else:
            return None
        name, example = f"{self.name[0].upper()}{self.name[1:]}", ", ".join([*self.spellings][:2])
        return f'{name} {why}. Give moves as a list of {unit}s, or as names such as "{example}".'

    def find(self, state: State, written: MoveName) -> int | None:
        """Return the cell for a number or a name: under gravity the free one of the column, or its top if full."""
        number = super().find(state, written) if isinstance(written, str) else written
        if number is None or not 0 <= number < self.units[1]:
            return None
        if not self.drop:
            return number
        free = self._columns[number] & ~(state[0] | state[1])
        return free.bit_length() - 1 if free else number

    def counted_move(self, numbers: Sequence[int], first: int, place: int) -> int | None:
        """Return the cell in a text, under gravity the column; a row and a column name a cell of a flat board."""
        if len(numbers) == 1:
            move = numbers[0] - first
            return move if 0 <= move < self.units[1] else None
        row, column = numbers[place] - first, numbers[1 - place] - first
        is_flat = self.layers == 1 and not self.drop and not self.numbered
        return row * self.columns + column if is_flat and 0 <= row < self.rows and 0 <= column < self.columns else None

    def no_such_move(self, written: MoveName, shown: str, first: int = 0) -> tuple[str, str]:
        """Return the code and the sentence for a text that means no move, in the spelling of the text."""
        unit, count = self.units
        ends: Sequence[MoveName] = (first, count - 1 + first)
        hint = ""
        if isinstance(written, str):
            names = [*self.spellings]
            ends = names[0], names[count - 1]
            hint = ". Marks fall, so a move names only its column" if self.drop else ""
        detail = f"There is no {unit} {shown}; {self.name} has {unit}s {ends[0]} to {ends[1]}{hint}"
        return f"no-such-{unit}", detail

    def not_legal(self, shown: str, fault: Violation) -> str:
        """Return the beginning of a sentence about a marked cell or a full column."""
        return f"{self.units[0].capitalize()} {shown} is {'full' if self.drop else 'already marked'}"

    def listed(self, move: int) -> int:
        """Return a move in the form of requests: its cell, under gravity its column counted from 0."""
        return move % self.drop if self.drop else move

    def move_fields(self, move: int) -> Mapping[str, int]:
        """Return the layer of a move, on boards of several layers."""
        return {"layer": self.layer_of(move)} if self.layers > 1 else {}
