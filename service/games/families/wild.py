"""Wild tic-tac-toe, where any line of equal marks ends the game, and Order and Chaos, where it decides for Order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Unpack

from service.games.boards.geometry import Geometry, cycles
from service.games.boards.grid import Line
from service.games.boards.marks import (
    completed,
    first_line,
    mask_of_line,
    no_last_move,
    not_to_move,
    read_masks,
    shared,
    write_marks,
)
from service.games.boards.pairing import Pairs, cells_of, find_pairs
from service.games.game import Violation
from service.games.notation.moves import MoveName
from service.games.parameters import MISERE, Parameter, board_size
from service.games.rules.wild import OrderAndChaos, Wild
from service.games.states import Named, StateGame
from service.kernel.states.family import State

PAIR_STEPS = 2000
"""The maximum number of pairs of cells to try for Chaos: 5 to 20 ms."""


class EitherMark(StateGame):
    """A game in which a move chooses a cell and one of two marks."""

    players = ("first", "second")
    move_form = "the mark and the cell, such as `X4` or `Xb2`"
    _lines: Sequence[Line]

    def contents(self, state: State, turn: int) -> str:
        """Return the marks."""
        return write_marks(*state, self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the marks; their number determines whose turn it is."""
        state = read_masks(text, self.cells)
        written = sum(map(int.bit_count, state))
        return self.checked(state, written % 2, not_to_move(self.players, written, turn))

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if the last move cannot have completed all lines."""
        lines = [line for mask in state for line in completed(self._lines, mask)]
        if lines and not shared(lines):
            yield no_last_move("The board")

    def move_name(self, move: int) -> MoveName:
        """Return the mark and the cell."""
        return f"{'XO'[move % 2]}{move // 2}"

    def cell_of(self, move: int) -> int:
        """Return the cell."""
        return move // 2

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the mark."""
        return {"mark": "XO"[move % 2]}

    def line(self, state: State) -> Line | None:
        """Return the first line of equal marks."""
        return first_line(self._lines, state[0]) or first_line(self._lines, state[1])


class WildGame(EitherMark):
    """Wild tic-tac-toe."""

    family = "wild"
    title = "Wild tic-tac-toe"
    about = "Each move writes X or O, as the player likes."
    PARAMETERS = (*board_size(3, 3, 3), MISERE)

    def __init__(
        self,
        *,
        rows: int,
        columns: int,
        in_a_row: int,
        misere: bool = False,
        **named: Unpack[Named],
    ) -> None:
        geometry = Geometry(rows, columns, in_a_row)
        end = "loses" if misere else "wins"
        super().__init__(
            rules=f"Players write X or O, as they like; the first to complete {in_a_row} alike in a row {end}.",
            rows=rows,
            columns=columns,
            parameters={"rows": rows, "columns": columns, "in_a_row": in_a_row, "misere": misere},
            play=Wild(geometry.compiled(), misere),
            states=boards_of_either_mark(geometry),
            **named,
        )
        self._lines = geometry.lines


class OrderAndChaosGame(EitherMark):
    """Order and Chaos; ``first`` is the player who begins."""

    family = "order-and-chaos"
    title = "Order and Chaos"
    about = "Order wants a line of equal marks, Chaos a full board without one."
    PARAMETERS = (
        *board_size(4, 4, 4),
        Parameter(
            name="first",
            values=("order", "chaos"),
            default="order",
            about="The player who begins.",
            choices="FirstSide",
        ),
        Parameter(
            name="overlines",
            values=bool,
            default=True,
            about="Whether a longer row counts for Order too.",
            details="If not, the board is judged when it is full.",
            example=False,
        ),
    )
    players = ("Order", "Chaos")

    def __init__(
        self,
        *,
        rows: int,
        columns: int,
        in_a_row: int,
        first: str = "order",
        overlines: bool = True,
        **named: Unpack[Named],
    ) -> None:
        geometry = Geometry(rows, columns, in_a_row)
        play = OrderAndChaos(
            geometry.compiled(exactly=not overlines),
            _pairs_of_lines(geometry, overlines=overlines),
            first == "chaos",
            not overlines,
        )
        end = (
            f"Order wins if there are ever {in_a_row} alike in a row, Chaos if the board is full without that."
            if overlines
            else f"Order wins if the full board has exactly {in_a_row} alike in a row, else Chaos."
        )
        super().__init__(
            rules=f"Both players write X or O, as they like; {end}",
            rows=rows,
            columns=columns,
            parameters={
                "rows": rows,
                "columns": columns,
                "in_a_row": in_a_row,
                "first": first,
                "overlines": overlines,
            },
            play=play,
            states=boards_of_either_mark(geometry),
            **named,
        )
        if first == "chaos":
            self.players = ("Chaos", "Order")
        self._pairs = play.pairs
        self._lines = geometry.lines
        self._ends = {} if overlines else dict(zip(geometry.lines, map(mask_of_line, geometry.ends), strict=True))

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if the last move cannot have completed all lines; none if only a full board is judged."""
        return iter(()) if self._ends else super().violations(state, turn)

    def pairs(self, state: State) -> Pairs:
        """Return the pairs by which Chaos breaks every line that can still be completed; none if Chaos is to move."""
        return cells_of(self._pairs(state))

    def line(self, state: State) -> Line | None:
        """Return the first line of equal marks; if longer ones do not count, of a full board."""
        if not self._ends:
            return super().line(state)
        if self.remaining(state):
            return None
        exact = ([line for line, ends in self._ends.items() if not ends & mask] for mask in state)
        return next((line for lines, mask in zip(exact, state, strict=True) if (line := first_line(lines, mask))), None)


def _pairs_of_lines(geometry: Geometry, *, overlines: bool) -> list[int]:
    """Return for each line the mask of two cells by which Chaos breaks it; 0 if there are no such pairs.

    Two different marks in cells of all lines of a row, column or diagonal break these. So do two equal marks at both
    ends of one that has a cell more than a line, if longer lines do not count; of these, only diagonals have to use
    corners.
    """
    wanted: dict[Line, int] = {}
    rows = [geometry.from_edge_to_edge(line) for line in geometry.lines]
    for line, row in zip(geometry.lines, rows, strict=True):
        if not overlines and len(row) == len(line) + 1 and geometry.is_diagonal(row):
            wanted[row] = mask_of_line((row[0], row[-1]))
        else:
            wanted[row] = wanted.get(row, -1) & mask_of_line(line)
    pairs = find_pairs(list(wanted.values()), PAIR_STEPS) or ()
    masks = [mask_of_line(pair) for pair in pairs]
    return [next((mask for mask in masks if mask & wanted[row] == mask), 0) for row in rows]


def boards_of_either_mark(geometry: Geometry) -> int:
    """Return the number of boards up to symmetry and an exchange of the marks (Burnside)."""
    lengths = [cycles(symmetry) for symmetry in geometry.symmetries]
    # If a cycle of odd length exchanges the marks, its cells are empty.
    exchanged: int = sum(3 ** sum(length % 2 == 0 for length in found) for found in lengths)
    return (geometry.boards(3) * geometry.images + exchanged) // (2 * geometry.images)
