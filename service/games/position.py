"""A legal position of a game: two masks and the player to move."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from service.games.game import Game, Line, permute

Player = Literal["X", "O"]
Status = Literal["in_progress", "won", "drawn"]

PLAYERS: tuple[Player, Player] = ("X", "O")
OPPONENT: dict[Player, Player] = {"X": "O", "O": "X"}


@dataclass(frozen=True)
class Position:
    """The marks on the board and the side to move. Legal by construction: ``Setup.position`` makes it.

    ``x`` and ``o`` are the masks of the cells that each player has marked.
    """

    game: Game
    x: int
    o: int
    player: Player

    @property
    def mine(self) -> int:
        """The mask of the player to move."""
        return self.x if self.player == "X" else self.o

    @property
    def theirs(self) -> int:
        """The mask of the player who moved last."""
        return self.o if self.player == "X" else self.x

    @property
    def occupied(self) -> int:
        """The mask of all marked cells."""
        return self.x | self.o

    @property
    def is_initial(self) -> bool:
        """Whether no cell is marked yet."""
        return not self.occupied

    @property
    def remaining(self) -> int:
        """The most plies to come."""
        return self.game.cells - self.occupied.bit_count()

    @property
    def contents(self) -> str:
        """The contents of the cells, a character for each."""
        return str(self)

    @cached_property
    def winning_line(self) -> Line | None:
        """The completed line, the first of the game's order if the last move completed several; else None.

        In misère games its owner has lost.
        """
        theirs = self.theirs
        for index, mask in enumerate(self.game.line_masks):
            if mask & theirs == mask:
                return self.game.lines[index]
        return None

    @property
    def status(self) -> Status:
        """``won`` before ``drawn``: a full board with a line is not a draw."""
        if self.winning_line is not None:
            return "won"
        return "drawn" if self.occupied == self.game.full else "in_progress"

    @property
    def winner(self) -> Player | None:
        """The winner: the owner of the line, or in misère games the other player."""
        if self.winning_line is None:
            return None
        return self.player if self.game.misere else OPPONENT[self.player]

    @cached_property
    def legal_moves(self) -> tuple[int, ...]:
        """The cells that may be marked now, ascending; none when the game is over."""
        if self.status != "in_progress":
            return ()
        playable = self.game.playable(self.occupied)
        return tuple([cell for cell in range(self.game.cells) if playable >> cell & 1])

    def play(self, move: int) -> "Position":
        """Return the position after a legal ``move``."""
        bit = 1 << move
        x, o = (self.x | bit, self.o) if self.player == "X" else (self.x, self.o | bit)
        return Position(self.game, x, o, OPPONENT[self.player])

    def completed_by(self, player: Player, move: int) -> tuple[Line, ...]:
        """Return the lines that ``player`` would complete by marking ``move``."""
        marks = (self.x if player == "X" else self.o) | 1 << move
        return tuple([line for line, mask in self.game.lines_through[move] if mask & marks == mask])

    def completions(self, player: Player) -> dict[int, tuple[Line, ...]]:
        """Map each cell by which ``player`` would complete lines, were it their move now, to those lines."""
        occupied, supports = self.occupied, self.game.supports
        marks = self.x if player == "X" else self.o
        found: dict[int, tuple[Line, ...]] = {}
        if self.status == "in_progress":
            for line, mask in zip(self.game.lines, self.game.line_masks, strict=True):
                missing = mask & ~marks
                if not missing & missing - 1 and not missing & occupied:
                    cell = missing.bit_length() - 1
                    if supports[cell] & occupied == supports[cell]:
                        found[cell] = (*found.get(cell, ()), line)
        return found

    def canonical(self) -> "Position":
        """Return the canonical position, the same for all positions that symmetries of the game map to each other."""
        x, o = min((permute(self.x, s), permute(self.o, s)) for s in self.game.symmetries)
        return Position(self.game, x, o, self.player)

    def __str__(self) -> str:
        """Write the cells in order, ``X``, ``O`` and ``.`` for empty: ``O.XX.X.OO``."""
        x, o = self.x, self.o
        return "".join(["X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(self.game.cells)])


def position_after(game: Game, cells: Iterable[int], first_player: Player = "X") -> Position:
    """Return the position after legal moves to these cells from the empty board."""
    position = Position(game, 0, 0, first_player)
    for cell in cells:
        position = position.play(cell)
    return position
