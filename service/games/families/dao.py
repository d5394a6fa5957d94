"""Dao: each player slides one of four pieces as far as it goes, and wants four in a row, a square or the corners.

A state is the mask of the player to move and that of the other, each exclusive-or the pieces of the initial position.
A move is 16 times the cell that it leaves, and the cell that it reaches.
"""

from array import array
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Unpack

import cython

from service.games.boards.cells import Cells
from service.games.boards.geometry import Geometry, in_turn
from service.games.boards.grid import Line
from service.games.boards.marks import completed, first_line, line_faults, mask_of, read_marks, turn_of, write_marks
from service.games.game import Game, MoveName, Violation
from service.games.parameters import Parameter
from service.games.states import Named, StateGame
from service.kernel import bits
from service.kernel.states import family
from service.kernel.states.family import Family, Words

SIDE = cython.declare(cython.int, 4)
CELLS = cython.declare(cython.int, 16)
PIECES = cython.declare(cython.int, 4)

FIRST = cython.declare(cython.ulonglong, 0b1000010000100001)
SECOND = cython.declare(cython.ulonglong, 0b0001001001001000)
"""The pieces of both players in the initial position: the diagonals."""

CORNERS: Line = (0, 3, 12, 15)
AROUND: tuple[Line, ...] = ((1, 4, 5), (2, 6, 7), (8, 9, 13), (10, 11, 14))
"""The cells around each corner."""

LINES: tuple[Line, ...] = (
    *((4 * row, 4 * row + 1, 4 * row + 2, 4 * row + 3) for row in range(4)),
    *((column, column + 4, column + 8, column + 12) for column in range(4)),
    *((cell, cell + 1, cell + 4, cell + 5) for cell in (0, 1, 2, 4, 5, 6, 8, 9, 10)),
    CORNERS,
)


class Dao(Family):
    """``trapped_wins`` says whether a piece in a corner between three of the other player wins for its owner."""

    def __init__(self, cells: Cells, trapped_wins: bool) -> None:
        super().__init__(CELLS * CELLS, cells.images)
        self._cells = cells
        self._trapped_wins = trapped_wins
        self._corners = array("Q", [1 << corner for corner in CORNERS])
        self._around = array("Q", [sum(1 << cell for cell in around) for around in AROUND])
        self._paths = array("Q", [0] * CELLS * CELLS)
        self._stops = array("Q", [0] * CELLS * CELLS)
        for start, down, right in product(range(CELLS), (-1, 0, 1), (-1, 0, 1)):
            path = _path(start, down, right)
            for place, end in enumerate(path):
                self._paths[start * CELLS + end] = sum(1 << cell for cell in path[: place + 1])
                self._stops[start * CELLS + end] = sum(1 << cell for cell in path[place + 1 : place + 2])

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Slide a piece along an empty path, to the edge or to another piece."""
        one: cython.ulonglong = 1
        mine: cython.ulonglong = first ^ FIRST
        theirs: cython.ulonglong = second ^ SECOND
        start: cython.ulonglong = one << move // CELLS
        path: cython.ulonglong = self._paths[move]
        stop: cython.ulonglong = self._stops[move]
        if not mine & start or not path or path & (mine | theirs) or stop & ~(mine | theirs):
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return bits.Pair(first=theirs ^ FIRST, second=mine ^ start ^ one << move % CELLS ^ SECOND)

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Judge the pieces of the player who moved last. There is always a move: four pieces block no other four."""
        corner: cython.int
        theirs: cython.ulonglong = second ^ SECOND
        if self._cells.has_line(theirs):
            return family.LOST
        if self._trapped_wins:
            for corner in range(PIECES):
                trapped: cython.bint = (first ^ FIRST) & self._corners[corner] != 0
                if trapped and self._around[corner] & ~theirs == 0:
                    return family.WON
        return family.ONGOING

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the cells."""
        mine: cython.ulonglong = self._cells.image(first ^ FIRST, symmetry)
        theirs: cython.ulonglong = self._cells.image(second ^ SECOND, symmetry)
        return bits.Pair(first=mine ^ FIRST, second=theirs ^ SECOND)


class DaoGame(StateGame):
    """Dao; ``trapped_wins`` says whether a piece in a corner between three of the other player wins for its owner."""

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
    turn_is_free = True

    def __init__(self, *, trapped_wins: bool = True, **named: Unpack[Named]) -> None:
        trapped = "; so does a player with a piece in a corner between three of the opponent" if trapped_wins else ""
        super().__init__(
            rules="Players slide one of their four pieces in any direction as far as it goes; four in a row or a "
            f"column, a square of four or the four corners win{trapped}.",
            rows=SIDE,
            columns=SIDE,
            parameters={"trapped_wins": trapped_wins},
            play=Dao(Cells(CELLS, LINES, Geometry(SIDE, SIDE, SIDE).symmetries), trapped_wins),
            states=(in_turn(CELLS, 2 * PIECES) - in_turn(CELLS, 2 * PIECES - 1)) // 7,  # of eight, some are the same
            **named,
        )
        self._trapped_wins = trapped_wins

    def contents(self, words: Words, turn: int) -> str:
        """Return the pieces."""
        masks = _pieces(words)
        return write_marks(masks[turn], masks[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[Words, int]:
        """Read the pieces. X is to move if neither the end of the game nor a name says otherwise."""
        marks = read_marks(text, self.cells)
        x, o = mask_of(marks, "X"), mask_of(marks, "O")
        faults = [
            Violation("mark-count", f"{player} has {count} pieces; each player has {PIECES}.")
            for player, count in zip(self.players, (x.bit_count(), o.bit_count()), strict=True)
            if count != PIECES
        ]
        if turn is None and not faults and self._trapped(o, x):
            turn = 1
        lines = bool(completed(LINES, x)), bool(completed(LINES, o))
        found, others = turn_of((PIECES, PIECES), PIECES, lines, turn)
        return self.checked(_words((o, x) if found else (x, o)), found, [*faults, *others])

    def violations(self, words: Words, turn: int) -> Iterator[Violation]:
        """Yield that the game was over before the last move, or that two players have won."""
        mine, theirs = _pieces(words)
        yield from line_faults(bool(completed(LINES, mine)), bool(completed(LINES, theirs)), turn, last=True)
        if self._trapped(theirs, mine):
            owner, other = self.players[1 - turn], self.players[turn]
            detail = f"{owner} had a piece between three of {other} in a corner, and so had won before the last move."
            yield Violation("played-after-the-end", detail)

    def _trapped(self, own: int, others: int) -> bool:
        """Return whether a player has a piece in a corner between three of the other, and that wins."""
        corners = zip(CORNERS, AROUND, strict=True)
        return self._trapped_wins and any(
            own >> corner & 1 and all(others >> cell & 1 for cell in around) for corner, around in corners
        )

    def passed(self, words: Words) -> Words:
        """Return the same board with the other player to move."""
        mine, theirs = _pieces(words)
        return _words((theirs, mine))

    def move_faults(self, words: Words, turn: int, move: int) -> Iterator[Violation]:
        """Yield what keeps a piece from leaving its cell and reaching another."""
        start, end = divmod(move, CELLS)
        contents, player = self.contents(words, turn), self.players[turn]
        yield from Game.move_faults(self, words, turn, move)
        if contents[start] != player:
            yield Violation("illegal-move", f"{player} has no piece on cell {start}")
        ends = _ends(contents, start)
        if end not in ends and contents[end] == ".":
            yield Violation("illegal-move", f"from cell {start} a piece slides only to {_listed(ends)}")

    def move_name(self, move: int) -> MoveName:
        """Return the cells that the piece leaves and reaches."""
        return f"{move // CELLS}>{move % CELLS}"

    def cell_of(self, move: int) -> int:
        """Return the cell that is reached."""
        return move % self.cells

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the cell that the piece leaves."""
        return {"from": move // CELLS}

    def end(self, words: Words, turn: int) -> str:
        """Return that a piece has been trapped: there is always a move."""
        return f"{self.players[turn]} has a piece in a corner between three of {self.players[1 - turn]}"

    def line(self, words: Words) -> Line | None:
        """Return the row, the square or the corners of the player who moved last."""
        return first_line(LINES, _pieces(words)[1])


def _pieces(words: Words) -> Words:
    """Return the pieces of the player to move and of the other in a state."""
    return words[0] ^ FIRST, words[1] ^ SECOND


def _words(pieces: Words) -> Words:
    """Return the state with these pieces."""
    return pieces[0] ^ FIRST, pieces[1] ^ SECOND


def _ends(contents: str, start: int) -> list[int]:
    """Return the cells to which a piece slides from a cell, ascending."""
    found = []
    for down, right in product((-1, 0, 1), repeat=2):
        path = _path(start, down, right)
        free = next((place for place, cell in enumerate(path) if contents[cell] != "."), len(path))
        if free:
            found.append(path[free - 1])
    return sorted(found)


def _listed(cells: list[int]) -> str:
    return f"cell {', '.join(map(str, cells))}" if cells else "no cell"


def _path(start: int, down: int, right: int) -> Line:
    """Return the cells from a cell to the edge in a direction, without that cell."""
    row, column = divmod(start, SIDE)
    steps = range(1, SIDE if down or right else 1)
    points = ((row + step * down, column + step * right) for step in steps)
    return tuple(y * SIDE + x for y, x in points if 0 <= y < SIDE and 0 <= x < SIDE)
