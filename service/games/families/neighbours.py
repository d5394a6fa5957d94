"""Col and Snort: a player who cannot mark a cell loses. Neighbours must differ in Col, and be equal in Snort."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Unpack

from service.games.boards.geometry import Geometry, cycles
from service.games.game import Game, Violation
from service.games.parameters import Parameter, board_size
from service.games.rules.neighbours import Neighbours
from service.games.states import MarksInTurn, Named
from service.kernel.states.family import State

WHOSE: Mapping[str, str] = MappingProxyType({"own": "the same player", "other": "different players"})
"""The owners of marks that may not be neighbours, in words."""


class NeighboursGame(MarksInTurn):
    """Col and Snort on a board of any size; ``apart`` names the marks that may not be neighbours."""

    family = "neighbours"
    title = "Col and Snort"
    about = "A player who cannot mark a cell loses; some marks may not be neighbours."
    PARAMETERS = (
        *board_size(4, 4, 1)[:2],
        Parameter(
            name="apart",
            values=("own", "other"),
            default="own",
            about="Which marks may not be neighbours.",
            details="Those of the same player (`own`, as in Col) or those of different players (`other`, as in "
            "Snort). Neighbours are next to each other in a row or a column.",
            choices="Apart",
        ),
        Parameter(name="misere", values=bool, default=False, about="Whether the player who cannot move wins."),
    )
    compared = tuple(
        {"rows": rows, "columns": columns, "apart": apart, "misere": misere}
        for (rows, columns), apart, misere in product(((3, 3), (3, 4), (4, 4), (4, 5)), WHOSE, (False, True))
    )
    largest = 36

    def __init__(
        self,
        *,
        rows: int,
        columns: int,
        apart: str = "own",
        misere: bool = False,
        **named: Unpack[Named],
    ) -> None:
        geometry, near = Geometry(rows, columns, 1), _near(rows, columns)
        whose = WHOSE[apart]
        super().__init__(
            rules=f"Players mark empty cells; marks of {whose} may not be neighbours in a row or a column; "
            f"a player who cannot move {'wins' if misere else 'loses'}.",
            rows=rows,
            columns=columns,
            parameters={"rows": rows, "columns": columns, "apart": apart, "misere": misere},
            play=Neighbours(geometry.compiled(), near, apart == "own", misere),
            states=_states(rows, columns, own=apart == "own"),
            **named,
        )
        self._near = near
        self._apart = apart

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation for each forbidden pair of neighbours."""
        for cell, near in enumerate(self._near):
            for before in range(cell):
                if near >> before & 1 and any(
                    mine >> cell & theirs >> before & 1 for mine, theirs in self._pairs(state)
                ):
                    detail = f"Cells {before} and {cell} are neighbours and have marks of {WHOSE[self._apart]}."
                    yield Violation("unreachable-position", detail, cell=cell)

    def _pairs(self, state: State) -> Sequence[State]:
        """Return pairs of masks; no cell of one mask may be a neighbour of a cell of the other."""
        first, second = state
        return ((first, first), (second, second)) if self._apart == "own" else ((first, second), (second, first))

    def end(self, state: State, turn: int) -> str:
        """Return the clause that a player cannot move, also on a full board."""
        return f"{self.players[turn]} cannot move"

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield a violation if the cell is marked, and one if it has a forbidden neighbour."""
        yield from Game.move_faults(self, state, turn, move)
        _, marks = self._pairs(state)[0]
        if self._near[move] & marks:
            owner = self.players[turn if self._apart == "own" else 1 - turn]
            yield Violation("illegal-move", f"cell {move} is next to a mark of {owner}")


def _near(rows: int, columns: int) -> list[int]:
    """Return for each cell the mask of its neighbours in its row and its column."""
    places = [divmod(cell, columns) for cell in range(rows * columns)]
    return [
        sum(1 << cell for cell, (y, x) in enumerate(places) if abs(y - row) + abs(x - column) == 1)
        for row, column in places
    ]


@cache
def _states(rows: int, columns: int, *, own: bool) -> int:
    """Return a lower bound on the number of boards up to symmetry (Burnside)."""
    boards = _boards(max(rows, columns), min(rows, columns), own=own)
    symmetries = Geometry(rows, columns, 1).symmetries
    kept: int = sum(min(boards, 3 ** len(cycles(symmetry))) for symmetry in symmetries[1:])
    return (boards + kept) // len(symmetries)


def _boards(rows: int, columns: int, *, own: bool) -> int:
    """Return the number of boards with as many X as O or one more, by their last ``columns`` cells.

    Boards with the same last cells are counted together, in a field of bits for each number of marks of X minus those
    of O.
    """
    width = 2 * rows * columns
    found = {"." * columns: 1}
    for cell in range(rows * columns):
        counts: dict[str, int] = {}
        for last, count in found.items():
            beside = last[0] + (last[columns - 1] if cell % columns else "")
            for shift, mark in enumerate("O.X"):
                apart = mark if own else {"X": "O", "O": "X"}.get(mark, "")
                if mark == "." or apart not in beside:
                    counts[last[1:] + mark] = counts.get(last[1:] + mark, 0) + (count << shift * width)
        found = counts
    equal = sum(found.values()) >> rows * columns * width
    return equal % (1 << width) + (equal >> width) % (1 << width)
