"""A game that is being played: its positions, the oracle's choices, and who plays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from service.cli.client import Request
from service.cli.saved_game import Typed, read_game
from service.cli.typed import listed
from service.games.position import PLAYERS, Player, Position

TYPED_PLAYERS: Mapping[Typed, tuple[Player, ...]] = MappingProxyType(
    {"X": ("X",), "O": ("O",), "both": PLAYERS, "none": ()}
)
"""The players whose moves are typed, by the value of ``--as``."""

CHOICE = ("tie_break", "seed", "skill")
"""Fields of a request that tell how the oracle chooses among moves."""


@dataclass
class Match:
    """The positions of a game so far, the last one on the board; ``request`` holds its rules, limit and choices."""

    request: Request
    positions: list[Position]
    play_as: Typed

    @property
    def position(self) -> Position:
        """The position on the board now."""
        return self.positions[-1]

    @property
    def typed_players(self) -> Sequence[Player]:
        """The players whose moves are typed."""
        return TYPED_PLAYERS[self.play_as]

    @property
    def last_move(self) -> int | None:
        """The cell of the last move, None before the first."""
        return _between(*self.positions[-2:]) if len(self.positions) > 1 else None

    @property
    def moves(self) -> list[int]:
        """The moves so far, as requests list them."""
        pairs = zip(self.positions, self.positions[1:], strict=False)
        return [listed(before, _between(before, after)) for before, after in pairs]

    @property
    def choice(self) -> Request:
        """How the oracle chooses among moves."""
        return {name: self.request[name] for name in CHOICE if name in self.request}

    def play(self, move: int) -> None:
        """Make a legal move."""
        self.positions.append(self.position.play(move))

    def take_back(self) -> bool:
        """Go back to before the last typed move; return whether there was one."""
        plies = [ply for ply, before in enumerate(self.positions[:-1]) if before.player in self.typed_players]
        if plies:
            del self.positions[plies[-1] + 1 :]
        return bool(plies)

    def saved(self) -> dict[str, Any]:
        """Return the game as it is written to a file, see ``SavedGame``."""
        start = self.positions[0]
        rules = {"game": self.request["game"]} if "game" in self.request else {}
        board = {"board": str(start)} if start.occupied else {}
        players = {"first_player": start.player, "moves": self.moves, "play_as": self.play_as}
        return {"format": 1, **rules, **board, **players, **self.choice}


def _between(before: Position, after: Position) -> int:
    """Return the cell that was marked between two positions."""
    return (before.occupied ^ after.occupied).bit_length() - 1


def loaded(path: Path, limit: Request) -> Match:
    """Return the game in a file, to go on within this limit. Raises FileFault."""
    saved, positions = read_game(path)
    about = {name: given for name in CHOICE if (given := getattr(saved, name)) is not None}
    return Match(about | saved.rules() | limit, positions, saved.play_as)
