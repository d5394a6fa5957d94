"""The notation of moves: their names in answers and for people, and how names are read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from service.games.boards.shape import Shape
from service.kernel.states.family import State

MoveName = int | str
"""The name of a move: its cell if that is unambiguous, or a text."""

COLUMN = re.compile(r"[dp][0-9]+")
"""The name of a move in a column."""


class Notation(Shape):
    """The names of the moves of a game, on boards of a certain shape."""

    name: str

    @property
    def moves(self) -> int:
        """The number of moves, legal or not; a move is a smaller number."""
        return self.cells

    def move_name(self, move: int) -> MoveName:
        """Return the name of a move in answers."""
        return self.cell_of(move)

    def cell_of(self, move: int) -> int:
        """Return the cell that a move changes; of two cells, the one that it reaches."""
        return move

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the fields of a move beside its cell."""
        return {}

    def label(self, move: int) -> str:
        """Return the name of a move in tables: ``b2``, ``Xb2``, ``a1-b2``, ``0-1x9``."""
        fields = self.move_fields(move)
        cell, start, taken = self.cell_name(self.cell_of(move)), fields.get("from"), fields.get("takes")
        label = f"{fields.get('mark', '')}{cell}" if start is None else f"{self.cell_name(int(start))}-{cell}"
        return label if taken is None else f"{label}x{self.cell_name(int(taken))}"

    @cached_property
    def names(self) -> Sequence[str]:
        """The displayed names of all moves, which requests accept: ``b3``, ``Xb3``, ``a1-b3``, ``cell 7``."""
        labels = map(self.label, range(self.moves))
        return [f"cell {label}" if self.numbered and label.isdigit() else label for label in labels]

    def listed(self, move: int) -> MoveName:
        """Return a move in the form of requests: its name."""
        return self.move_name(move)

    @cached_property
    def moves_by_name(self) -> Mapping[str, int]:
        """Every move, legal or not, by its name in lower case."""
        return {str(self.move_name(move)).lower(): move for move in range(self.moves)}

    @cached_property
    def spellings(self) -> Mapping[str, int]:
        """Every move, legal or not, by all its names in lower case. No two moves share one."""
        others = {name.lower(): move for move in range(self.moves) for name in self.other_names(move)}
        return {**others, **self.moves_by_name}

    @cached_property
    def typed(self) -> Mapping[str, int]:
        """Moves by names that people type, but answers do not use: ``cell 4``, ``center``."""
        cells = {cell: self.spellings[str(cell)] for cell in range(self.cells) if str(cell) in self.spellings}
        return self.typed_cells(cells)

    def typed_cells(self, moves: Mapping[int, int]) -> Mapping[str, int]:
        """Return the moves by the numbers of their cells, and by the name of the centre if there is one."""
        named = {f"cell {cell}": move for cell, move in moves.items()}
        sides = self.rows, self.columns, self.layers
        if self.numbered or self.boards > 1 or not all(side % 2 for side in sides) or self.cells // 2 not in moves:
            return named
        return named | dict.fromkeys(("center", "centre"), moves[self.cells // 2])

    def other_names(self, move: int) -> Iterator[str]:
        """Yield the names of a move that answers do not use."""
        label, fields, cell = self.label(move), self.move_fields(move), self.cell_of(move)
        yield from (label, self.names[move])
        if "board_number" in fields:
            yield str(cell)
        if "mark" in fields:
            yield f"{fields['mark']}@{self.cell_name(cell)}"
        if fields.get("from") is not None:
            if fields.get("takes") is None:
                yield f"{fields['from']}-{cell}"
            yield label.replace("-", ">")
            if self.rows > 1:  # 12 could mean a point, or a move from 1 to 2
                yield label.replace("-", "")

    @property
    def no_columns(self) -> str | None:
        """The reason why digits cannot be columns, with advice; None if they can."""
        return None

    def move_in(self, cell: int, name: str) -> int:
        """Return the move in an answer, by its cell and its name."""
        del cell
        return self.spellings[name.lower()]

    def find(self, state: State, written: MoveName) -> int | None:
        """Return the move, legal or not, for a number or a name in any case; None if there is none."""
        del state
        name = plain(written)
        move = self.spellings.get(name)
        return self.typed.get(name) if move is None else move

    def counted_move(self, numbers: Sequence[int], first: int, place: int) -> int | None:
        """Return the number of a move in a text that counts from ``first``; None if there is none.

        The text has one number, or a row and a column, with the row at the ``place`` 0 or 1.
        """
        del numbers, first, place
        return None

    def no_such_move(self, written: MoveName, shown: str, first: int = 0) -> tuple[str, str]:
        """Return the code and the beginning of the sentence for a text that means no move.

        ``shown`` is the text as sentences repeat it, ``first`` the number of its first column or cell.
        """
        del first
        name = plain(written)
        if name.isdigit() and "0" in self.moves_by_name:
            return "no-such-cell", f"There is no cell {shown}; {self.name} has cells 0 to {self.cells - 1}"
        if self.upright and COLUMN.fullmatch(name):
            return "no-such-column", f"There is no move {shown}; {self.name} has columns 0 to {self.columns - 1}"
        return "no-such-move", f"There is no move {shown}"


def plain(written: MoveName) -> str:
    """Return a name of a move in lower case, with single spaces and without a full stop."""
    return " ".join(str(written).lower().split()).removesuffix(".")


def joined(names: Sequence[str], conjunction: str = "and") -> str:
    """Return names as a list within a sentence: ``b1, c2 and a3``."""
    *first, last = names
    return f"{', '.join(first)} {conjunction} {last}" if first else last
