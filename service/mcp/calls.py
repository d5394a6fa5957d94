"""The functions of the tools: each asks a route, and puts its answer into a sentence."""

from typing import Any, NamedTuple

from service.api.problems import Error, Problem, faulty, pointer
from service.api.read.question import checked_position, no_such_game, read_game
from service.api.read.reading import parse_item
from service.api.read.record import NAMES, Record, read_record
from service.api.wire.requests import BestMoveRequest
from service.games.catalogue import DEFAULT_GAME, game_called
from service.games.position import Position
from service.mcp import sentences
from service.mcp.routes import Arguments, Ask, RouteRequest, fetched, posted, read

MAX_COMPARED = 64
"""The maximum number of moves in a comparison; no line game has more."""


class ToolAnswer(NamedTuple):
    """The sentence and the data of an answer."""

    sentence: str
    data: dict[str, Any]


def counted(arguments: Arguments) -> dict[str, Any]:
    """Return the arguments with the numbers of columns as texts.

    Models count columns from 0 or from 1; a route refuses a text that can mean either.
    """
    moves = arguments.get("moves")
    if not isinstance(moves, list) or not _has_columns(arguments):
        return dict(arguments)
    return {**arguments, "moves": [str(move) if type(move) is int else move for move in moves]}


async def best_move(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return the best move of a position."""
    answer = await read(ask, posted("/best-move", arguments))
    return ToolAnswer(sentences.best_move(answer), answer)


async def analyze_position(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return every legal move of a position."""
    answer = await read(ask, posted("/analysis", arguments))
    return ToolAnswer(sentences.analysis(answer), answer)


async def compare_moves(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return the analysis of a position, reduced to the moves to compare, best first."""
    compared, asked = _taken(arguments, "compare")
    answer = await read(ask, posted("/analysis", asked))
    position = _position(asked)
    chosen = [_read_move(position, move, "compare") for move in _listed(compared)]
    answer["moves"] = [move for move in answer["moves"] if move["name"] in chosen]
    return ToolAnswer(sentences.comparison(answer), answer)


async def explain_move(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return the analysis of a position, reduced to the move to explain, by default the best one."""
    given, asked = _taken(arguments, "move")
    answer = await read(ask, posted("/analysis", asked))
    chosen = answer["name"] if given is None else _read_move(_position(asked), given, "move")
    answer["moves"] = [move for move in answer["moves"] if move["name"] == chosen]
    return ToolAnswer(sentences.explanation(answer), answer)


async def review_game(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return the review of a game."""
    answer = await read(ask, posted("/review", arguments))
    return ToolAnswer(sentences.review(answer), answer)


async def find_puzzle(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return positions with exactly one solution."""
    answer = await read(ask, fetched("/puzzles", arguments))
    return ToolAnswer(sentences.puzzles(answer), answer)


async def list_games(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return the catalogue."""
    answer = await read(ask, fetched("/games", arguments))
    return ToolAnswer(sentences.catalogue(answer), answer)


async def describe_rules(ask: Ask, arguments: Arguments) -> ToolAnswer:
    """Return the rules and the value of one game."""
    game, others = _taken(arguments, "game")
    if others:
        fault = f"There is no field {next(iter(others))}. The only field is game."
        raise faulty("invalid-request", [Error(pointer(next(iter(others))), "unknown-field", fault)])
    if not isinstance(game, str | None):
        fault = "game must be an id of the catalogue; the tool list_games lists the games."
        raise faulty("invalid-request", [Error(pointer("game"), "wrong-type", fault)])
    found = DEFAULT_GAME if game is None else game_called(game)
    if found is None:
        raise Problem("unknown-game", no_such_game(str(game)))
    answer = await read(ask, RouteRequest("GET", f"/games/{found.id}"))
    return ToolAnswer(sentences.rules(answer), answer)


def _taken(arguments: Arguments, name: str) -> tuple[Any, dict[str, Any]]:
    """Return the tool's own argument, and the arguments of the route."""
    others = dict(arguments)
    return others.pop(name, None), others


def _has_columns(arguments: Arguments) -> bool:
    """Return whether moves are columns in the game of the arguments; False if a route will refuse the game."""
    try:
        game = read_game(parse_item(BestMoveRequest, {"game": arguments.get("game")}))
    except Problem:
        return False
    return game is not None and game.has_columns


def _position(arguments: Arguments) -> Position:
    """Return the position in arguments that a route has accepted."""
    fields = {name: arguments[name] for name in ("game", "board", "moves", "player") if name in arguments}
    return checked_position(parse_item(BestMoveRequest, fields))


def _listed(compared: object) -> list[Any]:
    """Return the moves of a list, or the names in a text."""
    moves = NAMES.findall(compared) if isinstance(compared, str) else compared
    if isinstance(moves, list) and 1 <= len(moves) <= MAX_COMPARED:
        return moves
    detail = f'compare must be a list of 1 to {MAX_COMPARED} moves, such as ["b2", "a1"].'
    raise faulty("invalid-request", [Error(pointer("compare"), "wrong-type" if moves else "required", detail)])


def _read_move(position: Position, move: object, field: str) -> str:
    """Return the name of one legal move. Raises a Problem with the reason if there is none."""
    if type(move) is not int and not isinstance(move, str):
        detail = f'{field} must be a number counted from 0, or a name such as "b2".'
        raise faulty("invalid-request", [Error(pointer(field), "wrong-type", detail)])
    record: Record = move if isinstance(move, str) else [move]
    if position.game.has_columns and str(move).strip().isdigit():
        record = [str(move)]
    played, _ = read_record(position, record, field)
    if len(played) != 1:
        raise faulty("invalid-request", [Error(pointer(field), "wrong-type", f"{field} must name one move at a time.")])
    return position.game.names[played[0]]
