"""A position of a game of a family: its state, and whose turn it is."""

from dataclasses import dataclass, field
from functools import cached_property

from typing_extensions import TypeVar

from service.families.game import FamilyGame
from service.games.game import Line
from service.games.position import Position, Status
from service.kernel.family import START, Words

LOST, DRAWN, WON = 1, 2, 3
"""The results of a state for the player to move, as ``Family.result`` gives them."""


@dataclass(frozen=True)
class FamilyPosition:
    """A state of a game and the player to move, by number: 0 for the one who began.

    ``reached`` tells that play has led to it. A position that was read as a board may be one that no play leads to.
    """

    game: FamilyGame
    words: Words = START
    turn: int = 0
    reached: bool = field(default=True, compare=False)

    @property
    def player(self) -> str:
        """The player to move."""
        return self.game.players[self.turn]

    @property
    def opponent(self) -> str:
        """The player who moved last."""
        return self.game.players[1 - self.turn]

    @cached_property
    def result(self) -> int:
        """The result for the player to move; 0 while the game is on."""
        return self.game.play.result_of(self.words)

    @property
    def status(self) -> Status:
        """How the game stands."""
        return ("in_progress", "won", "drawn", "won")[self.result]

    @property
    def winner(self) -> str | None:
        """The player who has won."""
        return {WON: self.player, LOST: self.opponent}.get(self.result)

    @cached_property
    def winning_line(self) -> Line | None:
        """A line that ended the game; its owner has lost in misère games."""
        return self.game.line(self.words) if self.result in (WON, LOST) else None

    @cached_property
    def legal_moves(self) -> tuple[int, ...]:
        """The numbers of the legal moves, ascending; none when the game is over."""
        return tuple(self.game.play.legal_moves(self.words))

    def play(self, move: int) -> "FamilyPosition":
        """Return the position after a legal move."""
        return FamilyPosition(self.game, self.game.play.after(self.words, move), 1 - self.turn, self.reached)

    def passed(self) -> "FamilyPosition":
        """Return the same board with the other player to move, to judge what a record says after a fault."""
        return FamilyPosition(self.game, self.game.passed(self.words), 1 - self.turn)

    def play_anyway(self, move: int) -> "FamilyPosition":
        """Return the position after a move without faults, also where the turn was passed before."""
        return FamilyPosition(self.game, self.game.after(self.words, move), 1 - self.turn)

    @property
    def is_initial(self) -> bool:
        """Whether this is the initial state."""
        return self.words == START

    @property
    def remaining(self) -> int:
        """The plies to an end without a winner; 0 where play may go on for ever."""
        return self.game.play.remaining_of(self.words)

    @property
    def contents(self) -> str:
        """What the cells hold, a character for each."""
        return self.game.contents(self.words, self.turn)

    def __str__(self) -> str:
        """Write the position as the family writes it."""
        return self.game.text(self.words, self.turn)


AnyPosition = Position | FamilyPosition
"""A position of a line game or of a game of a family."""

SomePosition = TypeVar("SomePosition", bound=AnyPosition, default=Position)
"""The kind of position that an answer is about; that of line games where nothing is said of it."""


def read_position(game: FamilyGame, text: str, player: str | None = None) -> FamilyPosition:
    """Return the position in a text. Raises UnreadableError."""
    turn = None if player is None else game.players.index(player)
    words, turn = game.read(text, turn)
    return FamilyPosition(game, words, turn, reached=words == START)
