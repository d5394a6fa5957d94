"""Exactly in a row: a line must have the exact length; a longer one neither wins nor loses."""

from collections.abc import Iterator
from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.boards.grid import Line
from service.games.boards.marks import line_faults, mask_of_line
from service.games.game import Violation
from service.games.parameters import MISERE, board_size
from service.games.rules.exactly import Exactly
from service.games.states import MarksInTurn, Named
from service.kernel.states.family import State


class ExactlyGame(MarksInTurn):
    """Only lines of the exact length count, on a board of any size."""

    family = "exactly"
    title = "Exactly a number of marks in a row"
    about = "A longer line does not count."
    PARAMETERS = (*board_size(4, 4, 3), MISERE)

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
            rules=f"The first with exactly {in_a_row} in a row {end}; a longer row does not count.",
            rows=rows,
            columns=columns,
            parameters={"rows": rows, "columns": columns, "in_a_row": in_a_row, "misere": misere},
            play=Exactly(geometry.compiled(exactly=True), misere),
            states=geometry.boards_in_turn(),
            **named,
        )
        self._masks = {
            line: (mask_of_line(line), mask_of_line(ends))
            for line, ends in zip(geometry.lines, geometry.ends, strict=True)
        }

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield violations shown by lines of the exact length and by longer ones."""
        first, second = (self._has_run(mask) for mask in state)
        last = not state[1] or any(not self._has_run(before) for before in _one_less(state[1]))
        return line_faults(first, second, turn, last=last)

    def _has_run(self, mask: int) -> bool:
        """Return whether a player has a line of the exact length."""
        return next(self._runs(mask), None) is not None

    def _runs(self, mask: int) -> Iterator[Line]:
        """Yield the lines of exact length of a player."""
        return (line for line, (own, ends) in self._masks.items() if own & ~mask == 0 and not ends & mask)

    def line(self, state: State) -> Line | None:
        """Return the first line of exact length of the player who moved last."""
        return next(self._runs(state[1]), None)


def _one_less(mask: int) -> Iterator[int]:
    """Yield the mask without one of its cells, for each cell."""
    left = mask
    while left:
        yield mask & ~(left & -left)
        left &= left - 1
