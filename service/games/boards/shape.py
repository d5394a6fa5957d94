"""The shape of a board: its cells in rows, columns and layers, their names, and how they are drawn."""

from collections.abc import Mapping
from functools import cached_property

from service.games.parameters import ParameterValue
from service.games.surface import Surface, letters


class Shape:
    """Cells in rows, columns and layers; several boards stand below each other.

    ``numbered``: cells have no rows and columns, and are named by numbers. ``has_columns``: a move is a column.
    ``upright``: marks are discs that fall.
    """

    rows: int
    columns: int
    layers: int
    parameters: Mapping[str, ParameterValue]
    numbered: bool = False
    has_columns: bool = False
    upright: bool = False

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.rows * self.columns * self.layers

    @property
    def boards(self) -> int:
        """The number of boards, which stand below each other."""
        return int(self.parameters.get("boards", 1))

    @cached_property
    def surface(self) -> Surface:
        """The description of the board for drawing."""
        has_names = self.boards == 1 and not self.numbered
        named = range(self.columns if has_names else 0)
        return Surface(
            rows=self.rows // self.boards,
            columns=self.columns,
            sheets=[f"Layer {layer + 1}" for layer in range(self.layers)] if self.layers > 1 else [""] * self.boards,
            column_names=[str(column + 1) if self.upright else letters(column) for column in named],
            row_names=[str(row + 1) for row in range(self.rows)] if has_names and not self.upright else (),
        )

    def row_of(self, cell: int) -> int:
        """Return the row of a cell within its layer, 0 at the top."""
        return cell // self.columns % self.rows

    def column_of(self, cell: int) -> int:
        """Return the column of a cell, 0 at the left."""
        return cell % self.columns

    def layer_of(self, cell: int) -> int:
        """Return the layer of a cell, 0 at the top."""
        return cell // (self.rows * self.columns)

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell: ``b3``, on the second of several layers or boards ``2:b3``; or its number.

        Where a move is a column, return the number of the column: ``4``.
        """
        if self.numbered:
            return str(cell)
        if self.has_columns:
            return str(self.column_of(cell) + 1)
        sheets, rows = len(self.surface.sheets), self.surface.rows
        sheet = f"{cell // (rows * self.columns) + 1}:" if sheets > 1 else ""
        return f"{sheet}{letters(self.column_of(cell))}{self.row_of(cell) % rows + 1}"
