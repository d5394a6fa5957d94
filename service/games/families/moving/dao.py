"""Dao: players slide one of four pieces as far as it goes; four in a row, a square or the corners win."""

from collections.abc import Iterator
from itertools import product
from typing import Unpack

from service.games.boards.cells import Cells
from service.games.boards.geometry import Geometry, in_turn
from service.games.boards.grid import Line
from service.games.boards.marks import completed, first_line, line_faults, read_masks, turn_of, write_marks
from service.games.game import Game, Violation
from service.games.parameters import Parameter
from service.games.rules.dao import AROUND, CORNERS, PIECES, SIDE, Dao, slide
from service.games.states import FromCellToCell, Named, cell_list
from service.kernel.states.family import State

MARKS = 4
"""The number of pieces of each player."""

LINES: tuple[Line, ...] = (
    *((4 * row, 4 * row + 1, 4 * row + 2, 4 * row + 3) for row in range(4)),
    *((column, column + 4, column + 8, column + 12) for column in range(4)),
    *((cell, cell + 1, cell + 4, cell + 5) for cell in (0, 1, 2, 4, 5, 6, 8, 9, 10)),
    CORNERS,
)


class DaoGame(FromCellToCell):
    """Dao; ``trapped_wins``: a piece in a corner enclosed by three of the other player wins for its owner."""

    family = "dao"
    title = "Dao"
    about = "Each player slides one of four pieces as far as it goes."
    PARAMETERS = (
        Parameter(
            name="trapped_wins",
            values=bool,
            default=True,
            about="Whether a player wins who has a piece in a corner, between three pieces of the opponent.",
        ),
    )
    move_form = "both cells of a move, such as `0>8`, `0-8`, `a1-a3` or `a1a3`"
    compared = ({"trapped_wins": True}, {"trapped_wins": False})
    relative = True
    loops = True
    needs_turn = True

    def __init__(self, *, trapped_wins: bool = True, **named: Unpack[Named]) -> None:
        trapped = "; so does a player with a piece in a corner between three of the opponent" if trapped_wins else ""
        super().__init__(
            rules="Players slide one of their four pieces in any direction as far as it goes; four in a row or a "
            f"column, a square of four or the four corners win{trapped}.",
            rows=SIDE,
            columns=SIDE,
            parameters={"trapped_wins": trapped_wins},
            play=Dao(Cells(16, LINES, Geometry(SIDE, SIDE, SIDE).symmetries), trapped_wins),
            states=(in_turn(16, 2 * MARKS) - in_turn(16, 2 * MARKS - 1)) // 7,  # fewer than 8: some images coincide
            **named,
        )
        self._trapped_wins = trapped_wins

    def contents(self, state: State, turn: int) -> str:
        """Return the pieces."""
        masks = _pieces(state)
        return write_marks(masks[turn], masks[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the pieces. X is to move, unless a player is named or the end of the game decides."""
        x, o = read_masks(text, self.cells)
        faults = [
            Violation("mark-count", f"{player} has {count} pieces; each player has {MARKS}.")
            for player, count in zip(self.players, (x.bit_count(), o.bit_count()), strict=True)
            if count != MARKS
        ]
        if turn is None and not faults and self._trapped(o, x):
            turn = 1
        lines = bool(completed(LINES, x)), bool(completed(LINES, o))
        found, others = turn_of((MARKS, MARKS), MARKS, lines, turn)
        return self.checked(_state((o, x) if found else (x, o)), found, [*faults, *others])

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if the game was over before the last move, or both players have won."""
        mine, theirs = _pieces(state)
        yield from line_faults(bool(completed(LINES, mine)), bool(completed(LINES, theirs)), turn, last=True)
        if self._trapped(theirs, mine):
            owner, other = self.players[1 - turn], self.players[turn]
            detail = f"{owner} had a piece between three of {other} in a corner, and so had won before the last move."
            yield Violation("played-after-the-end", detail)

    def _trapped(self, own: int, others: int) -> bool:
        """Return whether a player wins by a piece in a corner enclosed by three of the other player."""
        corners = zip(CORNERS, AROUND, strict=True)
        return self._trapped_wins and any(
            own >> corner & 1 and all(others >> cell & 1 for cell in around) for corner, around in corners
        )

    def passed(self, state: State) -> State:
        """Return the same board with the other player to move."""
        mine, theirs = _pieces(state)
        return _state((theirs, mine))

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield every reason why a piece cannot leave its cell or reach the other one."""
        start, end = divmod(move, self.cells)
        contents, player = self.contents(state, turn), self.players[turn]
        yield from Game.move_faults(self, state, turn, move)
        if contents[start] != player:
            yield Violation("illegal-move", f"{player} has no piece on cell {start}")
        ends = _ends(contents, start)
        if end not in ends and contents[end] == ".":
            yield Violation("illegal-move", f"from cell {start} a piece slides only to {cell_list(ends)}")

    def end(self, state: State, turn: int) -> str:
        """Return the clause about a trapped piece, the only way to win without a line."""
        return f"{self.players[turn]} has a piece in a corner between three of {self.players[1 - turn]}"

    def line(self, state: State) -> Line | None:
        """Return the row, the square or the corners of the player who moved last."""
        return first_line(LINES, _pieces(state)[1])


def _pieces(state: State) -> State:
    """Return the pieces of the player to move and of the other in a state."""
    return state[0] ^ PIECES[0], state[1] ^ PIECES[1]


def _state(pieces: State) -> State:
    """Return the state with these pieces."""
    return pieces[0] ^ PIECES[0], pieces[1] ^ PIECES[1]


def _ends(contents: str, start: int) -> list[int]:
    """Return the cells to which a piece slides from a cell, ascending."""
    found = []
    for down, right in product((-1, 0, 1), repeat=2):
        path = slide(start, down, right)
        free = next((place for place, cell in enumerate(path) if contents[cell] != "."), len(path))
        if free:
            found.append(path[free - 1])
    return sorted(found)
