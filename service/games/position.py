"""A position: a game, its state, and whose turn it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, Literal

from typing_extensions import TypeVar

from service.games.boards.grid import Line
from service.games.game import LOST, WON, Game
from service.kernel.states.family import START, State

Status = Literal["in_progress", "won", "drawn"]

SomeGame_co = TypeVar("SomeGame_co", bound=Game, default=Game, covariant=True)


@dataclass(frozen=True)
class Position(Generic[SomeGame_co]):
    """A state of a game and the player to move, by number: 0 for the first of the game's players.

    ``reached``: play has led to it. A position read as a board may be unreachable.
    """

    game: SomeGame_co
    state: State = START
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
        return self.game.result(self.state)

    @property
    def status(self) -> Status:
        """The status of the game."""
        return STATUS[self.result]

    @property
    def winner(self) -> str | None:
        """The player who has won."""
        result = self.result
        return self.player if result == WON else self.opponent if result == LOST else None

    @cached_property
    def winning_line(self) -> Line | None:
        """A line that ended the game; its owner has lost in misère games."""
        return self.game.line(self.state) if self.result in (WON, LOST) else None

    @cached_property
    def legal_moves(self) -> tuple[int, ...]:
        """The numbers of the legal moves, ascending; none when the game is over."""
        return tuple(self.game.legal_moves(self.state))

    def play(self, move: int) -> "Position[SomeGame_co]":
        """Return the position after a legal move."""
        return Position(self.game, self.game.after(self.state, move), 1 - self.turn, self.reached)

    def passed(self) -> "Position[SomeGame_co]":
        """Return the same board with the other player to move, to continue after a fault in a record."""
        return Position(self.game, self.game.passed(self.state), 1 - self.turn)

    def play_anyway(self, move: int) -> "Position[SomeGame_co]":
        """Return the position after a move without faults, also after passed turns."""
        return Position(self.game, self.game.after_any(self.state, move), 1 - self.turn)

    @property
    def is_initial(self) -> bool:
        """Whether this is the initial state."""
        return self.state == START

    @property
    def remaining(self) -> int:
        """The plies to an end without a winner; 0 in games with loops."""
        return self.game.remaining(self.state)

    @property
    def contents(self) -> str:
        """The contents of the cells, a character for each."""
        return self.game.contents(self.state, self.turn)

    def __str__(self) -> str:
        """Return the position in the notation of the family."""
        return self.game.text(self.state, self.turn)


STATUS: tuple[Status, ...] = ("in_progress", "won", "drawn", "won")
"""The status of a game by its result."""


def read_position(game: Game, text: str, player: str | None = None) -> Position:
    """Return the position in a text. Raises UnreadableError."""
    turn = None if player is None else game.players.index(player)
    state, turn = game.read(text, turn)
    return Position(game, state, turn, reached=state == START)


def unfinished_positions(game: Game) -> Iterator[Sequence[Position]]:
    """Yield, for each number of plies from 0 on, the unfinished positions then, one of each set of symmetric ones.

    That one is reached by the lowest moves, so the positions are the same every time. In a game with loops a position
    is yielded for the fewest plies alone.
    """
    level, seen = [Position(game)], set[State]()
    while level:
        yield level
        if game.loops:
            seen.update(game.least_image(position.state) for position in level)
        found = dict[State, Position]()
        for after in (position.play(move) for position in level for move in position.legal_moves):
            image = game.least_image(after.state)
            if image not in seen and image not in found and after.legal_moves:
                found[image] = after
        level = [*found.values()]
