"""``play``: a game in the terminal."""

import re
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click

from service.cli import words
from service.cli.answers import played, summary
from service.cli.boards import draw
from service.cli.options import (
    PositionCommand,
    Request,
    choice_options,
    limit_options,
    position_options,
    read_request,
)
from service.cli.positions import EMPTY_BOARD, position_of, request_for, sent, typed
from service.cli.replies import answer_of
from service.cli.services import Service, find_service
from service.games.position import PLAYERS, Player, Position

SEATS: Mapping[str, tuple[Player, ...]] = MappingProxyType({"X": ("X",), "O": ("O",), "both": PLAYERS, "none": ()})
"""The players whose moves are typed, by what ``--as`` says."""

NUMBER = re.compile("[0-9]{1,4}")

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "u": "undo",
        "undo": "undo",
        "h": "hint",
        "hint": "hint",
        "?": "help",
        "help": "help",
        "q": "quit",
        "quit": "quit",
        "exit": "quit",
    }
)
"""What else can be typed instead of a move, and which command it is."""

HELP = """Type the number of a {unit} to {act}, or
  hint  (h)  the best move, and why
  undo  (u)  take your last move back
  help  (?)  this
  quit  (q)  leave the game"""


class Left(Exception):
    """The player has left the game."""


@click.command(cls=PositionCommand)
@click.option(
    "--as",
    "seat",
    type=click.Choice(list(SEATS), case_sensitive=False),
    default="X",
    show_default=True,
    metavar="X|O|both|none",
    help="Whose moves you type.",
)
@position_options
@limit_options("by default 5000")
@choice_options
def play(*, seat: str, **given: Any) -> None:
    """Play a game in the terminal, against the oracle, against somebody beside you, or watch.

    It begins from the empty board, or from POSITION. --player says who moves first; by default X.
    """
    request = read_request(given, default=EMPTY_BOARD)
    match = Match(find_service(), request, position_of(request), SEATS[seat])
    try:
        match.run()
    except Left:
        click.echo("The game was left unfinished." if match.position.legal_moves else "Goodbye.")


class Match:
    """A game that is being played: the positions so far, and the players whose moves are typed."""

    def __init__(self, service: Service, request: Request, start: Position, seats: Sequence[Player]) -> None:
        self._service = service
        self._request = request
        self._seats = seats
        self._positions = [start]
        self._moves: list[int] = []

    @property
    def position(self) -> Position:
        """What stands on the board now."""
        return self._positions[-1]

    def run(self) -> None:
        """Plays the game to its end. Raises Left where a player goes, or the input ends."""
        if self._seats:
            click.echo(self._introduction())
        self._show(None)
        while self.position.legal_moves:
            if self.position.player in self._seats:
                self._take_turn()
            else:
                self._answer()
        click.echo(self._ask_best()["reason"])
        self._offer_review()

    def _introduction(self) -> str:
        game = self.position.game
        seats = " and ".join(self._seats)
        return f"{game.name}. {game.rules}\nYou play {seats}. {self._help()}"

    def _help(self) -> str:
        return HELP.format(unit=self._unit, act="drop into it" if self.position.game.has_columns else "mark it")

    @property
    def _unit(self) -> str:
        return "column" if self.position.game.drop else "cell"

    def _named(self, move: int) -> str:
        number = typed(self.position.game, move)
        return f"column {number}" if self.position.game.has_columns else str(number)

    def _show(self, move: int | None) -> None:
        click.echo(f"\n{draw(self.position, move)}\n")

    def _take_turn(self) -> None:
        """One line from the player to move: a move, or a word."""
        line = read_line(f"{self.position.player} to move: ").lower()
        word = WORDS.get(line)
        if word == "quit":
            raise Left
        if word == "help":
            click.echo(self._help())
        elif word == "hint":
            self._hint()
        elif word == "undo":
            self._undo()
        elif line:
            self._try(line)

    def _try(self, line: str) -> None:
        legal = {typed(self.position.game, move): move for move in self.position.legal_moves}
        move = legal.get(int(line)) if NUMBER.fullmatch(line) else None
        if move is None:
            click.echo(self._why_not(line, sorted(legal)))
        else:
            self._play(move)

    def _why_not(self, line: str, legal: Sequence[int]) -> str:
        """Why what was typed is no move, and what would be one."""
        game, free = self.position.game, f"Free: {words.numbers(legal)}."
        if not NUMBER.fullmatch(line):
            return f"{line[:40]!r} is no number of a {self._unit}, and none of hint, undo, help, quit. {free}"
        if not game.has_columns <= int(line) < (game.drop or game.cells) + game.has_columns:
            return f"There is no {self._unit} {int(line)}. {free}"
        return f"{self._unit.capitalize()} {int(line)} is {'full' if game.drop else 'marked already'}. {free}"

    def _play(self, move: int) -> None:
        self._moves.append(sent(self.position.game, move))
        self._positions.append(self.position.play(move))
        self._show(move)

    def _answer(self) -> None:
        """The oracle's move."""
        weaker = {name: self._request[name] for name in ("tie_break", "seed", "skill") if name in self._request}
        answer = self._ask_best(**weaker)
        click.echo(played(answer, self.position.game, self._named(answer["move"])))
        self._play(answer["move"])

    def _hint(self) -> None:
        answer = self._ask_best()
        click.echo(f"{typed(self.position.game, answer['move'])}: {answer['reason']} ({words.value(answer)})")

    def _undo(self) -> None:
        """Goes back to the last turn of a player whose moves are typed."""
        turns = [ply for ply, before in enumerate(self._positions[:-1]) if before.player in self._seats]
        if not turns:
            click.echo("There is no move of yours to take back.")
            return
        del self._positions[turns[-1] + 1 :]
        del self._moves[turns[-1] :]
        self._show(None)

    def _ask_best(self, **choice: Any) -> dict[str, Any]:
        request = request_for(self.position, self._request) | choice
        if "limit" in self._request:
            request["limit"] = self._request["limit"]
        return answer_of(self._service.ask("/best-move", request), as_json=False) or {}

    def _offer_review(self) -> None:
        """The summary of the review to those who want it; a game from a set position cannot be reviewed."""
        if not self._seats or self._positions[0].occupied or not self._moves:
            return
        if read_line("Review the game? [y/N] ").lower() not in ("y", "yes"):
            return
        request: Request = {"moves": self._moves, "first_player": self._positions[0].player}
        request |= {name: self._request[name] for name in ("game", "limit") if name in self._request}
        answer = answer_of(self._service.ask("/review", request), as_json=False) or {}
        for ply in answer["plies"]:
            if ply["gave_away"]:
                move = self._named(ply["move"])
                click.echo(f"Ply {ply['ply']}: {ply['player']} at {move}, {ply['gave_away']}. {ply['reason']}")
        click.echo(summary(answer))


def read_line(prompt: str) -> str:
    """The next line of the input, which is shown where it does not come from a terminal. Raises Left at its end."""
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        click.echo()
        raise Left
    if not sys.stdin.isatty():
        click.echo(line.strip())
    return line.strip()
