"""``play``: a game in the terminal."""

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click

from service.cli import text
from service.cli.answers import move_text, summary_text
from service.cli.client import Client, Request, open_client, read_answer
from service.cli.options import (
    EMPTY_BOARD,
    PositionCommand,
    choice_options,
    limit_options,
    position_of,
    position_options,
    read_request,
    request_for,
)
from service.explain.names import cell_name, move_name
from service.games.position import PLAYERS, Player, Position

TYPED_PLAYERS: Mapping[str, tuple[Player, ...]] = MappingProxyType(
    {"X": ("X",), "O": ("O",), "both": PLAYERS, "none": ()}
)
"""The players whose moves are typed, by the value of ``--as``."""

SHORT_COMMANDS: Mapping[str, str] = MappingProxyType(
    {"u": "undo", "h": "hint", "?": "help", "q": "quit", "exit": "quit"}
)
"""Other names of what can be typed instead of a move."""

HELP = """Type a {unit}, such as {example}, to play there, or
  hint  (h)  show the best move and the reason for it
  undo  (u)  take back your last move
  help  (?)  show this help
  quit  (q)  leave the game"""


class GameLeft(Exception):
    """The player has left the game."""


@click.command(cls=PositionCommand)
@click.option(
    "--as",
    "players",
    type=click.Choice(list(TYPED_PLAYERS), case_sensitive=False),
    default="X",
    show_default=True,
    metavar="X|O|both|none",
    help="Player whose moves you type.",
)
@position_options
@limit_options("by default 5000")
@choice_options
def play(*, players: str, **given: Any) -> None:
    """Play a game in the terminal, against the oracle or a person beside you, or watch.

    It begins from the empty board, or from POSITION. --player says who moves first; by default X.
    """
    request = read_request(given, default=EMPTY_BOARD)
    match = Match(open_client(), request, position_of(request), TYPED_PLAYERS[players])
    try:
        match.run()
    except GameLeft:
        click.echo("The game was left unfinished." if match.position.legal_moves else "Goodbye.")


class Match:
    """A game that is being played: the positions so far, and the players whose moves are typed."""

    def __init__(self, client: Client, request: Request, start: Position, players: Sequence[Player]) -> None:
        self._client = client
        self._request = request
        self._players = players
        self._positions = [start]
        self._moves: list[int] = []

    @property
    def position(self) -> Position:
        """The position on the board now."""
        return self._positions[-1]

    def run(self) -> None:
        """Play the game to its end. Raises GameLeft if a player leaves, or the input ends."""
        if self._players:
            game = self.position.game
            click.echo(f"{game.name}. {game.rules}\nYou play {' and '.join(self._players)}. {self._help()}")
        self._show(None)
        while self.position.legal_moves:
            if self.position.player in self._players:
                self._read_command()
            else:
                self._play_best()
        click.echo(self._ask_best()["reason"])
        self._offer_review()

    def _help(self) -> str:
        return HELP.format(unit=self._unit, example=next(iter(self._legal())))

    @property
    def _unit(self) -> str:
        return "column" if self.position.game.has_columns else "cell"

    def _legal(self) -> dict[str, int]:
        """Return the legal moves by their names, columns from the left."""
        game = self.position.game
        moves = sorted(self.position.legal_moves, key=game.column_of if game.has_columns else None)
        return {cell_name(game, move): move for move in moves}

    def _listed(self, move: int) -> int:
        """Return a move as requests give it: its cell, or under gravity its column from 0."""
        game = self.position.game
        return move % game.drop if game.drop else move

    def _show(self, move: int | None) -> None:
        click.echo(f"\n{text.board(self.position, move)}\n")

    def _read_command(self) -> None:
        """Read one line from the player to move, and act on it: a command or a move."""
        line = read_line(f"{self.position.player} to move: ").lower()
        command = SHORT_COMMANDS.get(line, line)
        if command == "quit":
            raise GameLeft
        if command == "help":
            click.echo(self._help())
        elif command == "hint":
            answer = self._ask_best()
            click.echo(
                f"Best: {move_name(self.position.game, answer['move'])}. {answer['reason']} ({text.value(answer)})"
            )
        elif command == "undo":
            self._undo()
        elif line:
            self._try_move(line)

    def _try_move(self, line: str) -> None:
        """Play the move of this name or, unless a number is a column, of this index."""
        legal = self._legal()
        indices = {} if self.position.game.has_columns else {str(self._listed(move)): move for move in legal.values()}
        move = (indices | legal).get(line)
        if move is None:
            unknown = f"{line[:40]!r} is not a free {self._unit} and not one of hint, undo, help, quit."
            click.echo(f"{unknown} Free: {' '.join(legal)}.")
        else:
            self._play(move)

    def _play(self, move: int) -> None:
        self._moves.append(self._listed(move))
        self._positions.append(self.position.play(move))
        self._show(move)

    def _play_best(self) -> None:
        choice = {name: self._request[name] for name in ("tie_break", "seed", "skill") if name in self._request}
        answer = self._ask_best(**choice)
        click.echo(move_text(answer, self.position.game))
        self._play(answer["move"])

    def _undo(self) -> None:
        """Go back to before the last typed move."""
        plies = [ply for ply, before in enumerate(self._positions[:-1]) if before.player in self._players]
        if not plies:
            click.echo("There is no move of yours to take back.")
            return
        del self._positions[plies[-1] + 1 :]
        del self._moves[plies[-1] :]
        self._show(None)

    def _ask_best(self, **choice: Any) -> dict[str, Any]:
        return read_answer(self._client.ask("/best-move", request_for(self.position, self._request) | choice))

    def _offer_review(self) -> None:
        """Print a summary of the game to players who want it; a game from a position of its own has no review."""
        if not self._players or self._positions[0].occupied or not self._moves:
            return
        if read_line("Review the game? [y/N] ").lower() not in ("y", "yes"):
            return
        request: Request = {"moves": self._moves, "first_player": self._positions[0].player}
        request |= {name: self._request[name] for name in ("game", "limit") if name in self._request}
        answer = read_answer(self._client.ask("/review", request))
        for ply in answer["plies"]:
            if ply["gave_away"]:
                move = move_name(self.position.game, ply["move"])
                click.echo(f"Ply {ply['ply']}: {ply['player']} plays {move}, {ply['gave_away']}. {ply['reason']}")
        click.echo(summary_text(answer))


def read_line(prompt: str) -> str:
    """Read the next line of the input, and echo it unless it was typed. Raises GameLeft at the end of the input."""
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        click.echo()
        raise GameLeft
    if not sys.stdin.isatty():
        click.echo(line.strip())
    return line.strip()
