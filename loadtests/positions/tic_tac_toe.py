"""The rules of tic-tac-toe once more, written apart from the service under test.

A board is a string of nine cells, ``X``, ``O`` and ``.`` for empty, row by row from the top left.
"""

from dataclasses import dataclass
from random import Random

EMPTY = "." * 9
OPPONENT = {"X": "O", "O": "X"}
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

MISERE = {"tic-tac-toe": False, "misere-tic-tac-toe": True}
"""The games of 3x3, and whether a completed line loses."""


@dataclass(frozen=True)
class Position:
    """A position and the ``moves`` that led to it; ``first`` is the player who began."""

    first: str = "X"
    moves: tuple[int, ...] = ()
    board: str = EMPTY

    @property
    def player(self) -> str:
        """The player to move, or who would move if the game went on."""
        return self.first if len(self.moves) % 2 == 0 else OPPONENT[self.first]

    @property
    def lines(self) -> list[tuple[int, ...]]:
        """The completed lines; all belong to the player who moved last."""
        owner = OPPONENT[self.player]
        return [line for line in LINES if all(self.board[cell] == owner for cell in line)]

    @property
    def status(self) -> str:
        """``won``, ``drawn`` or ``in_progress``."""
        if self.lines:
            return "won"
        return "in_progress" if "." in self.board else "drawn"

    @property
    def legal_moves(self) -> list[int]:
        """The empty cells, unless the game is over."""
        return [cell for cell in range(9) if self.board[cell] == "."] if self.status == "in_progress" else []

    def winner(self, game: str) -> str | None:
        """Return the winner by the rules of ``game``."""
        if self.status != "won":
            return None
        return self.player if MISERE[game] else OPPONENT[self.player]

    def play(self, move: int) -> "Position":
        """Return the position after a legal move."""
        board = f"{self.board[:move]}{self.player}{self.board[move + 1 :]}"
        return Position(self.first, (*self.moves, move), board)


def every_position(plies: int = 9) -> list[Position]:
    """List the positions that play can reach within ``plies`` when X begins, each board once: 5,478 in all."""
    found = {EMPTY: Position()}
    for position in (reached := list(found.values())):
        if len(position.moves) < plies:
            after = [position.play(move) for move in position.legal_moves]
            reached += [each for each in after if found.setdefault(each.board, each) is each]
    return reached


def random_position(rng: Random) -> Position:
    """Draw a position from a random game, which either player may have begun and which may have ended."""
    position = Position(rng.choice("XO"))
    for _ in range(rng.randint(0, 9)):
        if position.status != "in_progress":
            break
        position = position.play(rng.choice(position.legal_moves))
    return position
