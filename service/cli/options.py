"""The options for the game, the position and the limits, and the requests that they make."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from service.api.problems import Problem
from service.api.read import question
from service.api.read.reading import Reading, parse_body, split_moves
from service.api.read.record import NAMES
from service.api.read.signs import SIGNS
from service.api.wire.contract import choices
from service.api.wire.requests import PositionRequest, Prove, TieBreak, family_named
from service.api.wire.rules import ALL_FAMILIES, IN_QUERIES
from service.cli.client import LIMITS, RULES, Request, refuse
from service.cli.colour import color_option
from service.games.catalogue import CATALOGUE, LINE_GAMES, STATE_GAMES, game_called
from service.games.families.lines import LineGame, LinePosition
from service.games.game import Game
from service.games.parameters import Parameter
from service.games.position import Position
from service.kernel.states.family import START

Function = TypeVar("Function", bound=Callable[..., Any])

EMPTY_BOARD: Request = {"moves": []}

MOVE = r"([0-9]{1,99}|\([0-9, ]{3,8}\)|([0-9]+:)?[a-z]{1,3}[0-9]{0,2}|(cell|col|column) +[0-9]{1,2}|cent(er|re))"
MOVES = re.compile(rf"{MOVE}([,\s]+{MOVE})*,?", re.IGNORECASE)
"""Moves: names, or numbers no longer than the longest number or game in single digits."""

DIGITS = re.compile(r"[0-9]+")
BOARD_CHARACTERS = {*"0123456789\n", *SIGNS}
"""The characters of a board in one string; a comma is not among them."""

BOARD_OF_DASHES = re.compile(r"-[XxOoRrYy._+/ -]{3,}")
"""A board that looks like an option, because its first cell is empty and written as a dash."""


class PositionCommand(click.Command):
    """A command whose argument may begin with a dash, as a board does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; replace the dashes of a board by dots."""
        dotted = [arg.replace("-", ".") if BOARD_OF_DASHES.fullmatch(arg) else arg for arg in args]
        return super().parse_args(ctx, dotted)


def _together(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Return one decorator that applies several, the first on top."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def completing(*ids: Iterable[str]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return a completion function: it returns those of the ids that begin with the typed text."""
    return lambda _, __, typed: [game for some in ids for game in some if game.startswith(typed)]


complete_game = completing(LINE_GAMES, STATE_GAMES)
complete_line_game = completing(LINE_GAMES)
complete_family_game = completing(STATE_GAMES)


def _rule_option(name: str, declared: Mapping[str, Parameter]) -> Callable[[Function], Function]:
    """Return the option for a rule parameter of some families, by its name in a query."""
    parameter = next(iter(declared.values()))
    option, text = f"--{name.replace('_', '-')}", parameter.about
    if LineGame.family not in declared:
        text = f"{', '.join(declared)}: {text}"
    if bool in parameter.types:
        negated = any(each.default is True for each in declared.values())
        return click.option(f"{option}/--no-{option[2:]}" if negated else option, is_flag=True, default=None, help=text)
    if isinstance(parameter.values, range):
        return click.option(option, type=int, metavar="N", help=text)
    kind = int if int in parameter.types else click.Choice([*map(str, parameter.legal)])
    return click.option(option, type=kind, metavar="|".join(map(str, parameter.legal)), help=text)


PLAYER = click.Choice(
    [*dict.fromkeys(player for game in CATALOGUE.values() for player in game.players)], case_sensitive=False
)
"""The players of all games; the service refuses those that the game does not have."""

game_options = _together(
    click.option(
        "--game",
        "-g",
        metavar="ID|JSON",
        shell_complete=complete_game,
        help='Id of a game, see move-oracle games, or rules such as {"family": "vanishing"}; by default tic-tac-toe.',
    ),
    click.option(
        "--family",
        type=click.Choice([*ALL_FAMILIES]),
        metavar="NAME",
        help=f"Family of a custom game: {', '.join(ALL_FAMILIES)}; by default line.",
    ),
    *(_rule_option(name, declared) for name, declared in IN_QUERIES.items()),
    click.option(
        "--lines",
        metavar="FILE|JSON",
        help='A custom game given by its lines: [[0,1,2], ...] or {"cells": 9, "lines": [...]}.',
    ),
)

moves_option = click.option(
    "--moves",
    "-m",
    metavar="3,3,2|443|b2,a1",
    help="Moves so far: indices of cells from 0; names; under gravity digits of columns from 1, without commas.",
)

position_options = _together(
    click.argument("position", required=False),
    click.option("--board", "-b", metavar="TEXT", help="Board: X, O or . for each cell, or JSON."),
    moves_option,
    click.option("--player", "-p", type=PLAYER, metavar="X|O", help="Player to move; by default from the marks."),
    game_options,
    color_option(),
)


def limit_options(otherwise: str, *, whose: str = "") -> Callable[[Function], Function]:
    """Return the options of the limit; ``otherwise`` is the help about the default, ``whose`` about what has it."""
    time = f"Time limit of a search in milliseconds{whose}; {otherwise}."
    return _together(
        click.option("--time-ms", type=int, metavar="MS", help=time),
        click.option("--nodes", type=int, metavar="N", help=f"Node limit of a search{whose}."),
        click.option("--prove", type=click.Choice(choices(Prove)), help="What to prove; all by default."),
    )


choice_options = _together(
    click.option("--tie-break", type=click.Choice(choices(TieBreak)), help="How to choose among equally good moves."),
    click.option("--seed", type=int, metavar="N", help="Seed of random choices."),
    click.option("--skill", type=int, metavar="0-100", help="Playing strength; 100, the default, is perfect play."),
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print the JSON body of the service's response.")


def read_request(given: Mapping[str, Any]) -> Request:
    """Return the request that the options make; without a position, about the empty board."""
    request = read_position(given)
    if "board" not in request and "moves" not in request:
        request |= EMPTY_BOARD
    request |= {name: given[name] for name in ("player", "tie_break", "seed", "skill") if given.get(name) is not None}
    return request | read_limit(given)


def read_limit(given: Mapping[str, Any]) -> Request:
    """Return the field ``limit`` of a request; nothing if it has the default."""
    limit = {name: given[name] for name in LIMITS if given.get(name) is not None}
    return {"limit": limit} if limit else {}


def read_position(given: Mapping[str, Any]) -> Request:
    """Return the given fields of ``board``, ``moves`` and ``game`` of a request."""
    game = read_game(given)
    request: Request = {name: _text(given[name]) for name in ("board", "moves") if given.get(name) is not None}
    if given.get("position") is not None and request:
        raise click.UsageError("Give the position once: as an argument, with --board or with --moves.")
    if family_named(game.get("game")) != LineGame.family:
        written = {} if given.get("position") is None else {"position": _text(given["position"])}
        return game | _read_family_position(request | written, game_of(game))
    if given.get("position") is not None:
        position = _text(given["position"])
        request = {"moves" if _are_moves(position.strip()) else "board": position}
    if "board" in request:
        request["board"] = _board(request["board"])
    if "moves" in request:
        request["moves"] = _moves(request["moves"].strip(), game.get("game"))
    return request | game


def _read_family_position(request: Request, game: Game) -> Request:
    """Return the field ``board`` or ``moves`` for a game of another family, from texts."""
    found: Request = {name: request[name] for name in ("board", "moves") if name in request}
    if "position" in request:
        written = request["position"]
        known = all(game.find(START, name) is not None for name in NAMES.findall(written))
        found = {"moves" if known else "board": written}
    if "board" in found:
        found["board"] = _board(found["board"])
    if "moves" in found:
        found["moves"] = NAMES.findall(found["moves"])
    return found


def _text(argument: str) -> str:
    """Return the argument, or standard input if it is a dash."""
    return sys.stdin.read().rstrip("\r\n") if argument == "-" else argument


def _are_moves(text: str) -> bool:
    """Return whether a text is a list of moves, and not a board with the same letters."""
    return MOVES.fullmatch(text) is not None and not (re.search("[A-Za-z]", text) and set(text) <= BOARD_CHARACTERS)


def _moves(text: str, game: object) -> list[object] | str:
    """Return moves. Digits alone are a string of columns in games with columns, else one number.

    Columns with commas between them stay texts, which the service refuses if they can count from 0 or from 1.
    """
    if text and not MOVES.fullmatch(text):
        message = f"{text!r} is neither a list of moves such as 4,0,8 or b2,a1 nor a string of columns such as 443."
        raise click.BadParameter(message, param_hint="--moves")
    if DIGITS.fullmatch(text) and _has_columns(game):
        return text
    moves = split_moves(text.removesuffix(",")) if text else []
    return [str(move) for move in moves] if _has_columns(game) else moves


def _has_columns(game: object) -> bool:
    """Return whether moves are columns in the game of a request; False if there is no such game."""
    if isinstance(game, dict):
        return bool(game.get("gravity")) and game.get("layers") in (None, 1)
    return isinstance(game, str) and (found := game_called(game)) is not None and found.has_columns


def _board(text: str) -> object:
    """Return a board as text, or as the lists of a JSON document."""
    if not text.lstrip().startswith("["):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"invalid JSON: {error}.", param_hint="--board") from None


def read_game(given: Mapping[str, Any]) -> Request:
    """Return the field ``game`` of a request; nothing if it has the default."""
    rules = {name: given[name] for name in RULES if given.get(name) is not None}
    rules = {_in_body(name): value for name, value in rules.items()}
    if given.get("lines") is not None:
        if given.get("game") is not None or set(rules) - {"misere"}:
            raise click.UsageError("Give the game once: with --game, by its rules or with --lines.")
        return {"game": {**_lines(given["lines"]), **rules}}
    if given.get("game") is None:
        return {"game": rules} if rules else {}
    if rules:
        raise click.UsageError("Give --game or the rules of a custom game, not both.")
    return {"game": _json_rules(given["game"]) if given["game"].lstrip().startswith("{") else given["game"]}


def _in_body(name: str) -> str:
    """Return the name of a rule parameter in a body."""
    return next(iter(IN_QUERIES[name].values())).name if name in IN_QUERIES else name


def _json_rules(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"invalid JSON: {error}.", param_hint="--game") from None


def _lines(text: str) -> Request:
    """Return a game by its lines, from a file or from JSON on the command line."""
    try:
        source = text if text.lstrip().startswith(("[", "{")) else Path(text).read_text(encoding="utf-8")
        game = json.loads(source)
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{text!r} is neither a file nor JSON: {error}", param_hint="--lines") from None
    if isinstance(game, dict):
        return game
    if not isinstance(game, list):
        raise click.BadParameter(f"{text!r} contains neither a list of lines nor a game.", param_hint="--lines")
    cells = [cell for line in game if isinstance(line, list) for cell in line if isinstance(cell, int)]
    return {"cells": max(cells, default=0) + 1, "lines": game}


def position_of(request: Request) -> Position:
    """Return the position of a request; end the command if it is impossible."""
    try:
        return question.checked_position(_parse(request))
    except Problem as problem:
        refuse(problem.document())


def line_position_of(request: Request) -> LinePosition:
    """Return the position of a line game of a request; end the command for any other game."""
    game = line_game_of(request)
    try:
        reading = _parse(request)
        return reading.checked(question.read_position(reading, game))
    except Problem as problem:
        refuse(problem.document())


def game_of(request: Request) -> Game:
    """Return the game of a request; end the command if it is unknown."""
    try:
        reading = _parse(request)
        return reading.checked(question.read_game(reading))
    except Problem as problem:
        refuse(problem.document())


def line_game_of(request: Request) -> LineGame:
    """Return the line game of a request; end the command for any other game."""
    game = game_of(request)
    if not isinstance(game, LineGame):
        raise click.UsageError("This command is for line games.")
    return game


def _parse(request: Request) -> Reading[PositionRequest]:
    about = {name: value for name, value in request.items() if name in PositionRequest.model_fields}
    return parse_body(PositionRequest, json.dumps(about).encode())


def request_for(position: Position, request: Request) -> Request:
    """Return a request about another position of the same game, within the same limit."""
    about = {"board": str(position), "player": position.player}
    return about | {name: request[name] for name in ("game", "limit") if name in request}
