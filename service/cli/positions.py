"""What a request or an answer is about: the game and the position, read by the code of the service."""

import json
from collections.abc import Mapping
from typing import Any

from service.api import notation, rules
from service.api.models import PositionRequest
from service.api.problems import Problem, pointer
from service.api.reading import parse_body
from service.cli.options import Request
from service.cli.replies import refuse
from service.games.game import Game
from service.games.position import Position

FIELDS = frozenset(PositionRequest.model_fields)
EMPTY_BOARD: Request = {"moves": []}


def position_of(request: Request) -> Position:
    """The position that a request asks about. Where there is none, that is said and ends the command."""
    try:
        wanted = _wanted(request)
        return notation.read_position(wanted, rules.read_game(wanted.game, pointer))
    except Problem as problem:
        refuse(problem.document())


def game_of(request: Request) -> Game:
    """The game of a request. Where there is none, that is said and ends the command."""
    try:
        return rules.read_game(_wanted(request).game, pointer)
    except Problem as problem:
        refuse(problem.document())


def _wanted(request: Request) -> PositionRequest:
    about = {name: value for name, value in request.items() if name in FIELDS}
    return parse_body(PositionRequest, json.dumps(about).encode())


def position_in(answer: Mapping[str, Any], game: Game) -> Position:
    """The position that an answer tells of."""
    return notation.read_board(game, answer["position"], answer["player"])


def request_for(position: Position, request: Request) -> Request:
    """The question about ``position`` in the game of the request."""
    about = {"board": str(position), "player": position.player}
    return about | ({"game": request["game"]} if "game" in request else {})


def typed(game: Game, move: int) -> int:
    """The number by which a move is typed: its cell, or under gravity its column, counted from 1 on one layer."""
    return sent(game, move) + game.has_columns


def sent(game: Game, move: int) -> int:
    """What a list of moves in a request calls a move: its cell, or under gravity its column."""
    return move % game.drop if game.drop else move
