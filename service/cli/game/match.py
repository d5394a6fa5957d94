"""A game in progress: its positions, the oracle's choices, and the players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from service.cli.client import Request
from service.cli.game.saved_game import Typed, read_game
from service.games.position import Position

TYPED_PLAYERS: Mapping[Typed, tuple[int, ...]] = MappingProxyType({"X": (0,), "O": (1,), "both": (0, 1), "none": ()})
"""The players whose moves are typed, by the value of ``--as``: 0 for X, or for the first player of another family."""

MOST_REPETITIONS = 3
"""The number of repetitions of a position that make a draw."""

CHOICE = ("tie_break", "seed", "skill")
"""Fields of a request that control the oracle's choice among moves."""


@dataclass
class Match:
    """The positions of a game so far, the last one on the board, and the moves between them.

    ``request`` holds its rules, limit and choices.
    """

    request: Request
    positions: list[Position]
    play_as: Typed
    played: list[int] = field(default_factory=list)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def repeats(self) -> bool:
        """Whether the position has occurred so often that the game is a draw."""
        game = self.position.game
        return game.loops and self.positions.count(self.position) >= MOST_REPETITIONS

    @property
    def typed_players(self) -> Sequence[str]:
        """The players whose moves are typed."""
        players = self.position.game.players
        return [players[number] for number in TYPED_PLAYERS[self.play_as]]

    @property
    def last_move(self) -> int | None:
        """The cell of the last move, None before the first."""
        if not self.played:
            return None
        game, move = self.position.game, self.played[-1]
        return game.cell_of(move)

    @property
    def moves(self) -> list[int | str]:
        """The moves so far, in the form of requests."""
        return [before.game.listed(move) for before, move in zip(self.positions, self.played, strict=False)]

    @property
    def choice(self) -> Request:
        """The fields of a request that control the oracle's choice."""
        return {name: self.request[name] for name in CHOICE if name in self.request}

    def play(self, move: int) -> None:
        """Make a legal move."""
        self.positions.append(self.position.play(move))
        self.played.append(move)

    def take_back(self) -> bool:
        """Take back all moves since the last typed one, and that one too; return whether there was one."""
        plies = [ply for ply, before in enumerate(self.positions[:-1]) if before.player in self.typed_players]
        if plies:
            del self.positions[plies[-1] + 1 :], self.played[plies[-1] :]
        return bool(plies)

    def saved(self) -> dict[str, Any]:
        """Return the game as a ``SavedGame`` for a file."""
        start = self.positions[0]
        rules = {"game": self.request["game"]} if "game" in self.request else {}
        board = {} if start.is_initial else {"board": str(start)}
        players = {"first_player": start.player, "moves": self.moves, "play_as": self.play_as}
        return {"format": 1, **rules, **board, **players, **self.choice}


def loaded(path: Path, limit: Request) -> Match:
    """Return the game in a file, to continue within this limit. Raises FileFault."""
    saved, (positions, played) = read_game(path)
    about = {name: given for name in CHOICE if (given := getattr(saved, name)) is not None}
    return Match(about | saved.rules() | limit, positions, saved.play_as, played)
