"""``play``: a game in the terminal."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
from click.core import ParameterSource

from service.cli import text
from service.cli.client import Client, Request, open_client, read_answer
from service.cli.commands.answers import move_of, move_text, summary_text
from service.cli.game.match import CHOICE, TYPED_PLAYERS, Match, loaded
from service.cli.game.saved_game import FileFault, Typed, write_game
from service.cli.game.typed import InputEnded, moves_by_name, read_line, read_move
from service.cli.options import (
    PositionCommand,
    choice_options,
    limit_options,
    position_of,
    position_options,
    read_limit,
    read_request,
    request_for,
)
from service.cli.progress import ask

PERFECT = 100

SHORT_COMMANDS: Mapping[str, str] = MappingProxyType(
    {"u": "undo", "h": "hint", "?": "help", "q": "quit", "exit": "quit"}
)
"""Short and other names of the commands that can be typed in place of a move."""

HELP = """Type a {unit}, such as {example}, to play there, or
  hint  (h)    show the best move and the reason for it
  undo  (u)    take back your last move
  skill 0-100  change the strength of the oracle: 0 random, 100 perfect
  save FILE    write the game to a file
  load FILE    go on with the game in a file
  help  (?)    show this help
  quit  (q)    leave the game"""

ELSEWHERE = ("position", "board", "moves", "player", "game", "rows", "columns", "in_a_row", "layers", "lines")
"""Options that contradict a saved game, beside the flags of rules."""


REPEATED = "This position has come three times: a draw by repetition."


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
    help="Player whose moves you type; in games with other players, X begins.",
)
@click.option(
    "--load", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Go on with a saved game."
)
@position_options
@limit_options("by default 5000")
@choice_options
@click.pass_context
def play(ctx: click.Context, /, *, players: Typed, load: Path | None, **given: Any) -> None:
    """Play a game in the terminal, against the oracle or a person beside you, or watch.

    It begins from the empty board, or from POSITION. --player says who moves first; by default X. Type ? in the game
    for what you can type beside moves. Ctrl-C while the oracle thinks makes it move.
    """
    if load is None:
        request = read_request(given)
        match = Match(request, [position_of(request)], players)
    else:
        match = _loaded(ctx, load, given)
        if ctx.get_parameter_source("players") is not ParameterSource.DEFAULT:
            match.play_as = players
    session = Session(open_client(), match)
    try:
        session.run()
    except (GameLeft, InputEnded):
        match = session.match
        unfinished = match.position.legal_moves and not match.repeats
        text.echo("The game was left unfinished." if unfinished else "Goodbye.")


def _loaded(ctx: click.Context, file: Path, given: Mapping[str, Any]) -> Match:
    """Return the game in a file, with the limit and the choices of the command line."""
    for name in (*ELSEWHERE, "gravity", "misere", "wrap"):
        if given.get(name):
            raise click.UsageError("A saved game has its own rules and position: give --load alone.", ctx)
    match = loaded(file, read_limit(given))
    match.request |= {name: given[name] for name in CHOICE if given.get(name) is not None}
    return match


class Session:
    """The conversation about a match: input of commands and moves, output of the board."""

    def __init__(self, client: Client, match: Match) -> None:
        self.match = match
        self._client = client
        self._commands: Mapping[str, Callable[[str], None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "skill": self._change_skill,
            "save": self._save,
            "load": self._load,
            "help": self._show_help,
            "quit": self._leave,
        }

    def run(self) -> None:
        """Play the game to its end. Raises GameLeft or InputEnded if a player leaves."""
        self._introduce()
        while self.match.position.legal_moves and not self.match.repeats:
            if self.match.position.player in self.match.typed_players:
                self._read_command()
            else:
                self._play_best()
        text.echo(REPEATED if self.match.repeats else self._ask_best()["reason"])
        self._offer_review()

    def _introduce(self) -> None:
        if self.match.typed_players:
            game = self.match.position.game
            rules = f"{game.name[0].upper()}{game.name[1:]}. {game.rules}"
            text.echo(f"{rules}\nYou play {' and '.join(self.match.typed_players)}. {self._help()}")
        self._show()

    def _help(self) -> str:
        return HELP.format(unit=self._unit, example=next(iter(moves_by_name(self.match.position)), "b2"))

    @property
    def _unit(self) -> str:
        game = self.match.position.game
        return "column" if game.has_columns else "cell" if game.cells_tell_all else "move"

    def _show(self) -> None:
        """Show the board, and the last move on it."""
        text.echo(f"\n{text.board(self.match.position, self.match.last_move)}\n")

    def _read_command(self) -> None:
        """Read a line from the player to move, and execute it as a command or a move."""
        line = read_line(f"{text.player(self.match.position.player)} to move: ")
        word, _, rest = line.partition(" ")
        command = self._commands.get(SHORT_COMMANDS.get(word.lower(), word.lower()))
        if command is not None:
            command(rest.strip())
        elif line:
            self._try_move(line)

    def _try_move(self, line: str) -> None:
        move = read_move(self.match.position, line)
        if move is not None:
            self._play(move)
            return
        possible = "legal" if self._unit == "move" else "free"
        names = " ".join(moves_by_name(self.match.position))
        text.echo(
            f"{line[:40]!r} is not a {possible} {self._unit}. Type one of {names}, or ? for all that you can type."
        )

    def _play(self, move: int) -> None:
        self.match.play(move)
        self._show()

    def _play_best(self) -> None:
        answer = self._ask_best(**self.match.choice)
        text.echo(move_text(answer))
        self._play(move_of(answer, self.match.position.game))

    def _hint(self, _: str) -> None:
        answer = self._ask_best()
        text.echo(f"Best: {answer['name']}. {answer['reason']} ({text.value(answer)})")

    def _undo(self, _: str) -> None:
        if self.match.take_back():
            self._show()
        else:
            text.echo("There is no move of yours to take back.")

    def _change_skill(self, wanted: str) -> None:
        """Change the oracle's strength, or print it."""
        if wanted and not (wanted.isdecimal() and len(wanted) <= len(str(PERFECT)) and int(wanted) <= PERFECT):
            text.echo(f"{wanted[:40]!r} is no skill. Type a number from 0, random, to {PERFECT}, perfect.")
            return
        if wanted:
            self.match.request["skill"] = int(wanted)
        text.echo(f"The oracle plays with skill {self.match.request.get('skill', PERFECT)} of {PERFECT}.")

    def _save(self, file: str) -> None:
        if not file:
            text.echo("Type the name of a file too, such as save game.json.")
            return
        try:
            write_game(Path(file).expanduser(), self.match.saved())
        except FileFault as fault:
            text.echo(fault.message)
            return
        text.echo(f"The game is saved in {file}.")

    def _load(self, file: str) -> None:
        if not file:
            text.echo("Type the name of a file too, such as load game.json.")
            return
        limit = {name: self.match.request[name] for name in ("limit",) if name in self.match.request}
        try:
            self.match = loaded(Path(file).expanduser(), limit)
        except FileFault as fault:
            text.echo(fault.message)
            return
        self._introduce()

    def _show_help(self, _: str) -> None:
        text.echo(self._help())

    def _leave(self, _: str) -> None:
        raise GameLeft

    def _ask_best(self, **choice: Any) -> dict[str, Any]:
        request = request_for(self.match.position, self.match.request) | choice
        return read_answer(ask(self._client, "/best-move", request))

    def _offer_review(self) -> None:
        """Print a summary of the game if players want it; a game from a set-up position has no review."""
        match = self.match
        if not match.typed_players or not match.positions[0].is_initial or not match.moves:
            return
        while (line := read_line("Review the game? [y/N] ")).lower().startswith("save"):
            self._save(line[len("save") :].strip())
        if line.lower() in ("y", "yes"):
            self._review()

    def _review(self) -> None:
        match = self.match
        request: Request = {"moves": match.moves}
        if match.positions[0].turn:
            request["first_player"] = match.positions[0].player
        request |= {name: match.request[name] for name in ("game", "limit") if name in match.request}
        answer = read_answer(ask(self._client, "/review", request))
        for ply in answer["plies"]:
            if ply["gave_away"]:
                text.echo(f"Ply {ply['ply']}: {ply['player']} plays {ply['name']}, {ply['gave_away']}. {ply['reason']}")
        text.echo(summary_text(answer))
