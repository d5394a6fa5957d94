"""Vanishing tic-tac-toe: a player keeps a fixed number of marks; with one more, the oldest disappears."""

import re
from collections.abc import Iterator, Sequence
from math import ceil, perm
from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.boards.grid import Line
from service.games.boards.marks import completed, first_line, line_faults, shared, turn_of, write_marks
from service.games.game import Game, UnreadableError, Violation
from service.games.parameters import MISERE, Parameter, board_size
from service.games.rules.vanishing import REMOVALS, Vanishing
from service.games.states import Named, StateGame
from service.kernel.states.family import State

CELLS = "(?:[0-9]{1,2}(?:-[0-9]{1,2})*)?"
"""The pattern of a player's cells in the text of a position."""


class VanishingGame(StateGame):
    """Vanishing tic-tac-toe, where a player keeps ``marks`` marks."""

    family = "vanishing"
    marks = ""
    title = "Vanishing tic-tac-toe"
    about = "A player keeps a number of marks, and the oldest one beyond it disappears."
    board_form = "the cells of each player from the oldest mark to the newest, such as `X0-4-7/O8-1`"
    PARAMETERS = (
        *board_size(3, 3, 3, defaults=(3, 3, 3)),
        Parameter(name="marks", values=range(1, 12), default=3, about="The number of marks that a player keeps."),
        Parameter(
            name="remove",
            values=REMOVALS,
            default="before",
            about="When the oldest mark disappears.",
            details="Before the new one is written, which may take its cell (`before`) or may not (`before-closed`); "
            "or after the new one is written and its lines are judged (`after`).",
            example="after",
            choices="Removal",
        ),
        MISERE,
    )
    largest = 31
    relative = True
    loops = True
    needs_turn = True

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        rows: int = 3,
        columns: int = 3,
        in_a_row: int = 3,
        marks: int = 3,
        remove: str = "before",
        misere: bool = False,
        **named: Unpack[Named],
    ) -> None:
        geometry = Geometry(rows, columns, in_a_row)
        end = "loses" if misere else "wins"
        when = {
            "before": "before the new one is written",
            "before-closed": "before the new one is written, which may not take its cell",
            "after": "after the new one is written, unless that ends the game",
        }
        super().__init__(
            rules=f"The first with {in_a_row} in a row {end}; a player keeps {marks} marks, and the oldest disappears "
            f"{when[remove]}.",
            rows=rows,
            columns=columns,
            parameters={
                "rows": rows,
                "columns": columns,
                "in_a_row": in_a_row,
                "marks": marks,
                "remove": remove,
                "misere": misere,
            },
            play=Vanishing(geometry.compiled(), marks, REMOVALS.index(remove), misere),
            states=_states(geometry, marks, extra=remove == "after"),
            **named,
        )
        self._marks = marks
        self._lines = geometry.lines
        self._frees = remove == "before"
        self._extra = remove == "after"  # the mark that ends the game is an additional one

    def contents(self, state: State, turn: int) -> str:
        """Return the marks."""
        x, o = (sum(1 << cell for cell in _cells(marks)) for marks in (state[turn], state[1 - turn]))
        return write_marks(x, o, self.cells)

    def text(self, state: State, turn: int) -> str:
        """Return the cells of X and of O, each from the oldest mark to the newest: ``X0-4-7/O8-1``."""
        x, o = ("-".join(map(str, _cells(marks))) for marks in (state[turn], state[1 - turn]))
        return f"X{x}/O{o}"

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the cells of both players. With all marks written, X is to move, unless a name or a line decides."""
        match = re.fullmatch(rf"x({CELLS})/o({CELLS})", "".join(text.lower().split()))
        if match is None:
            detail = (
                "A position says in which order the marks were written: X and its cells from the oldest to the newest, "
                "then a slash, O and its cells, such as X0-4-7/O8-1."
            )
            raise UnreadableError([Violation("unreadable-position", detail)])
        x, o = ([int(cell) for cell in cells.split("-") if cell] for cells in match.groups())
        faults = [*self._wrong_cells(x + o)]
        if faults:
            raise UnreadableError([*faults, *self._turn(x, o, turn)[1]])
        found, faults = self._turn(x, o, turn)
        state = _packed(x), _packed(o)
        return self.checked(state[::-1] if found else state, found, faults)

    def _wrong_cells(self, cells: Sequence[int]) -> Iterator[Violation]:
        """Yield a violation for each cell that the board does not have or that is listed twice."""
        for cell in dict.fromkeys(cells):
            if cell >= self.cells:
                yield Violation("no-such-cell", f"There is no cell {cell}; the game has cells 0 to {self.cells - 1}.")
            elif cells.count(cell) > 1:
                yield Violation("repeated-cell", f"Cell {cell} is named twice.")

    def _turn(self, x: Sequence[int], o: Sequence[int], turn: int | None) -> tuple[int, list[Violation]]:
        """Return whose turn it is, and the violations by the numbers of marks."""
        lines = bool(self._completed(x)), bool(self._completed(o))
        faults = []
        for player, cells, line in zip(self.players, (x, o), lines, strict=True):
            if len(cells) > self._marks + (self._extra and line):
                detail = f"{player} has {len(cells)} marks; a player keeps {self._marks}."
                faults.append(Violation("mark-count", detail))
        found, others = turn_of((len(x), len(o)), self._marks, lines, turn)
        return found, [*faults, *others]

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield violations shown by lines about the last move, which wrote the newest mark."""
        theirs, mine = map(_cells, state)
        lines = self._completed(mine)
        newest = (state[1] & 31) - 1
        last = not lines or bool(shared(lines) >> newest & 1)
        return line_faults(bool(self._completed(theirs)), bool(lines), turn, last=last)

    def _completed(self, cells: Sequence[int]) -> list[int]:
        """Return the lines of a player."""
        return completed(self._lines, sum(1 << cell for cell in cells))

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield a fault if the cell is marked, unless its mark disappears first."""
        if not (self._frees and move in self.fading(state, turn)):
            yield from Game.move_faults(self, state, turn, move)

    def fading(self, state: State, turn: int) -> Sequence[int]:
        """Return the cell of the oldest mark of the player to move, if the player has all marks on the board."""
        own = _cells(state[0])
        return own[: len(own) == self._marks]

    def line(self, state: State) -> Line | None:
        """Return the first line of the player who moved last."""
        return first_line(self._lines, sum(1 << cell for cell in _cells(state[1])))


def _states(geometry: Geometry, marks: int, *, extra: bool) -> int:
    """Return the number of ordered placements of up to ``marks`` marks each, up to symmetry."""
    most = min(2 * marks + extra, geometry.cells)
    # A symmetry keeps a position with ordered marks only if it keeps each of its cells.
    return sum(ceil(perm(geometry.cells, written) / geometry.images) + 1 for written in range(most + 1))


def _cells(marks: int) -> list[int]:
    """Return the cells of a player's marks, the oldest first."""
    found = []
    while marks:
        found.append((marks & 31) - 1)
        marks >>= 5
    return found[::-1]


def _packed(cells: list[int]) -> int:
    packed = 0
    for cell in cells:
        packed = packed << 5 | cell + 1
    return packed
