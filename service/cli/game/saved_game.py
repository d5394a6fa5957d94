"""Saved games: the start, the moves, and the players of a game in a file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import click
from pydantic import Field

from service.api.problems import Error, Problem, pointer
from service.api.read import question
from service.api.read.notation import read_position
from service.api.read.reading import parse_body
from service.api.read.record import read_record
from service.api.wire.contract import Request
from service.api.wire.requests import Move, NamedGame, Seed, Skill, TieBreak, WrittenPlayer
from service.cli.exit_codes import INVALID
from service.cli.text import advice
from service.games.game import MOST_MOVES
from service.games.position import Position

Typed = Literal["X", "O", "both", "none"]
"""Whose moves are typed; in games of other families X means the first player and O the second."""

Played = tuple[list[Position], list[int]]
"""The positions of a game, from before the first move to after the last, and the moves between them."""


class SavedGame(Request):
    """A saved game. ``moves`` start at ``board``, by default the initial one; ``play_as``: whose moves are typed."""

    format: Literal[1] = 1
    game: NamedGame | None = None
    board: str | None = None
    first_player: WrittenPlayer | None = None
    moves: Annotated[list[Move], Field(max_length=MOST_MOVES)]
    play_as: Typed = "X"
    skill: Skill | None = None
    tie_break: TieBreak | None = None
    seed: Seed | None = None

    def rules(self) -> dict[str, Any]:
        """Return the field ``game`` of a request, if it is needed."""
        if self.game is None:
            return {}
        return {"game": self.game if isinstance(self.game, str) else self.game.model_dump(exclude_none=True)}

    def played(self) -> Played:
        """Return the positions and the moves. Raises a Problem."""
        game = question.game_named(self.game, pointer)
        start = read_position(game, self.board or None, player=self.first_player)
        moves, _ = read_record(start, self.moves)
        found = [start]
        for move in moves:
            found.append(found[-1].play(move))
        return found, moves


class FileFault(click.ClickException):
    """A saved game cannot be read or written."""

    exit_code = INVALID


def read_game(path: Path) -> tuple[SavedGame, Played]:
    """Return the game in a file, with its positions and moves. Raises FileFault."""
    try:
        saved = parse_body(SavedGame, path.read_bytes()).sound()
        return saved, saved.played()
    except OSError as error:
        raise FileFault(f"{path} cannot be read: {error.strerror}.") from None
    except Problem as problem:
        details = [*map(_sentence, problem.errors)] or [problem.detail]
        raise FileFault(f"{path} contains no saved game: {advice(' '.join(details))}") from None


def _sentence(error: Error) -> str:
    """Return the sentence of an error, with the number of the move that it is about, from 1."""
    place = error.pointer.removeprefix("/moves/")
    return f"move {int(place) + 1}: {error.detail}" if place.isdigit() else error.detail


def write_game(path: Path, saved: Mapping[str, Any]) -> None:
    """Write a game to a file; overwrite it only if it is a saved game. Raises FileFault."""
    if path.exists():
        try:
            read_game(path)
        except FileFault:
            raise FileFault(f"{path} exists and is no saved game; choose another name.") from None
    try:
        with click.open_file(str(path), "w", encoding="utf-8", atomic=True) as file:
            file.write(json.dumps(saved) + "\n")
    except OSError as error:
        raise FileFault(f"{path} cannot be written: {error.strerror}.") from None
