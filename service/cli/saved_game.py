"""Games in files: how each began, its moves, and who plays."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import click
from pydantic import Field

from service.api import notation, question
from service.api.problems import Problem, pointer
from service.api.reading import parse_body
from service.api.requests import Cell, NamedGame, Request, Seed, Skill, TieBreak
from service.cli.exit_codes import INVALID
from service.cli.typed import listed
from service.games.game import MAX_CELLS
from service.games.position import Player, Position

Typed = Literal["X", "O", "both", "none"]


class SavedGame(Request):
    """A game in a file. ``moves`` follow ``board``, by default the empty one; ``play_as``: whose moves are typed."""

    format: Literal[1] = 1
    game: NamedGame | None = None
    board: str | None = None
    first_player: Player | None = None
    moves: Annotated[list[Cell], Field(max_length=MAX_CELLS)]
    play_as: Typed = "X"
    skill: Skill | None = None
    tie_break: TieBreak | None = None
    seed: Seed | None = None

    def rules(self) -> dict[str, Any]:
        """Return the field ``game`` of a request, if it is needed."""
        if self.game is None:
            return {}
        return {"game": self.game if isinstance(self.game, str) else self.game.model_dump(exclude_none=True)}

    def positions(self) -> list[Position]:
        """Return the position before the first move and that after each. Raises a Problem or a ValueError."""
        game = question.read_game(self.game, pointer)
        found = [notation.read_board(game, self.board or "." * game.cells, self.first_player)]
        for number, move in enumerate(self.moves, start=1):
            legal = {listed(found[-1], cell): cell for cell in found[-1].legal_moves}
            if move not in legal:
                unit = "column" if game.drop else "cell"
                raise ValueError(f"Move {number} is impossible: {unit} {move} is not free.")
            found.append(found[-1].play(legal[move]))
        return found


class FileFault(click.ClickException):
    """A game cannot be read from a file, or not be written to it."""

    exit_code = INVALID


def read_game(path: Path) -> tuple[SavedGame, list[Position]]:
    """Return the game in a file, and its positions. Raises FileFault."""
    try:
        saved = parse_body(SavedGame, path.read_bytes())
        return saved, saved.positions()
    except OSError as error:
        raise FileFault(f"{path} cannot be read: {error.strerror}.") from None
    except Problem as problem:
        details = [error.detail for error in problem.errors] or [problem.detail]
        raise FileFault(f"{path} contains no saved game: {' '.join(details)}") from None
    except ValueError as error:
        raise FileFault(f"{path} contains no saved game: {error}") from None


def write_game(path: Path, saved: Mapping[str, Any]) -> None:
    """Write a game to a file, which may exist only if it is a saved game. Raises FileFault."""
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
