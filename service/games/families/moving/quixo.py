"""Quixo: players take cubes from the edge, and push them back in with their marks."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.boards.grid import Line
from service.games.boards.marks import first_line, no_move_before, read_masks, write_marks
from service.games.game import Violation
from service.games.parameters import Parameter
from service.games.rules.quixo import Quixo, pushes
from service.games.states import FromCellToCell, Named, cell_list
from service.kernel.states.family import START, State


class QuixoGame(FromCellToCell):
    """Quixo on a square board."""

    family = "quixo"
    title = "Quixo"
    about = "Each player takes a cube from the edge, blank or with their mark, and pushes it back in with their mark."
    PARAMETERS = (
        Parameter(
            name="side",
            values=range(2, 5),
            default=4,
            about="The number of rows, of columns, and of marks that make a line.",
            example=3,
        ),
    )
    move_form = "the cell that the cube leaves and the one that it reaches, such as `0>3`, `0-3`, `a1-d1` or `a1d1`"
    compared = ({"side": 3}, {"side": 4})
    largest = 16
    relative = True
    loops = True
    needs_turn = True

    def __init__(self, *, side: int = 4, **named: Unpack[Named]) -> None:
        geometry = Geometry(side, side, side)
        super().__init__(
            rules="Players take a cube from the edge, blank or with their mark, and push it in with their mark at "
            f"another end of its row or column; {side} in a row win. If a move makes lines of both players, the "
            "opponent wins.",
            rows=side,
            columns=side,
            parameters={"side": side},
            play=Quixo(geometry.compiled(), side),
            states=geometry.boards(3),
            **named,
        )
        self._lines = geometry.lines
        self._ends = {start: [end for first, end, _ in pushes(side) if first == start] for start in range(side * side)}

    def contents(self, state: State, turn: int) -> str:
        """Return the marks."""
        return write_marks(state[turn], state[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the marks. If no player is named, the owner of the only line has moved last; without one, X is to move.

        If no move can lead to that, the other player is to move.
        """
        masks = read_masks(text, self.cells)
        has_line = [first_line(self._lines, mask) is not None for mask in masks]
        usual = int(has_line == [True, False])
        turns = (usual, 1 - usual) if turn is None else (turn,)
        found = next((each for each in turns if not [*self.violations(_of(masks, each), each)]), turns[0])
        return self.checked(_of(masks, found), found)

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if no move of an unfinished game leads to the state."""
        if state == START and turn:
            yield Violation("player-not-to-move", "X makes the first move.", about_player=True)
        if not state[0] and state[1].bit_count() > turn:
            detail = f"{self.players[turn]} has no mark, but has moved before, and each move leaves a mark."
            yield Violation("mark-count", detail)
        if state != START and all(self.result(before) for before in self._before(state)):
            yield no_move_before(self.players[1 - turn])

    def _before(self, state: State) -> Iterator[State]:
        """Yield the states from which a move of the last mover leads here, finished ones included."""
        theirs, mine = state
        for start, end, step in pushes(self.rows):
            if not mine >> end & 1:
                continue
            path = (*range(start, end, step), end)
            mine_before, theirs_before = (_pulled(mask, path) for mask in (mine, theirs))
            yield mine_before, theirs_before
            yield mine_before | 1 << start, theirs_before

    def passed(self, state: State) -> State:
        """Return the same board with the other player to move."""
        return state[1], state[0]

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield every reason why a cube cannot be taken or put there."""
        start, end = divmod(move, self.cells)
        if state[1] >> start & 1:
            yield Violation("illegal-move", f"the cube on cell {start} has the mark of {self.players[1 - turn]}")
        if not self._ends[start]:
            yield Violation("illegal-move", f"cell {start} is not on the edge")
        elif end not in self._ends[start]:
            ends = cell_list(self._ends[start])
            yield Violation("illegal-move", f"the cube of cell {start} goes only to {ends}")

    def line(self, state: State) -> Line | None:
        """Return the winner's line; if both players have one, that of the player to move."""
        return first_line(self._lines, state[0]) or first_line(self._lines, state[1])


def _of(masks: State, turn: int) -> State:
    """Return the state with these masks of X and O."""
    return masks[::-1] if turn else masks


def _pulled(mask: int, path: Line) -> int:
    """Return a mask as it was before the cubes of a path moved up, without the cube that was taken."""
    moved = sum(1 << cell for before, cell in pairwise(path) if mask >> before & 1)
    return mask & ~sum(1 << cell for cell in path) | moved
