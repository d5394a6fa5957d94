"""``/random-position``: a legal unfinished position that random play leads to."""

from random import Random
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic import BeforeValidator, Field
from pydantic_core import to_json

from service.api.answer_types import PositionAnswer
from service.api.answers import position_answer
from service.api.problems import Error, faulty, pointer
from service.api.question import draw_seed, read_game
from service.api.reading import Where, parse_body, read_body
from service.api.record import as_moves
from service.api.requests import PLAYERS, NamedGame, Request, Seed, WrittenPlayer, whole
from service.api.responses import never_stored
from service.games.game import MAX_CELLS, Game
from service.games.position import position_after
from service.games.random_play import random_unfinished_game

Plies = Annotated[int, Field(ge=0, le=MAX_CELLS), BeforeValidator(whole)]


class PliesRequest(Request):
    """How many plies: just so many, or any number within the bounds that are given."""

    plies: Plies | None = None
    plies_at_least: Plies | None = None
    plies_at_most: Plies | None = None


class RandomPositionRequest(PliesRequest):
    """The body of ``POST /random-position``."""

    game: NamedGame | None = None
    first_player: WrittenPlayer | None = None
    seed: Seed | None = None


class RandomPositionAnswer(PositionAnswer):
    """The answer of ``/random-position``; ``moves`` are written as requests take them."""

    moves: list[int]
    seed: Seed


def random_position_routes() -> Blueprint:
    """Return the route."""
    routes = Blueprint("random_positions", __name__)

    @routes.post("/random-position")
    def post_random_position() -> Response:
        return never_stored(to_json(_answer(parse_body(RandomPositionRequest, read_body(request)))))

    return routes


def read_plies(wanted: PliesRequest, where: Where) -> tuple[int | None, int | None]:
    """Return the bounds on the plies. Raises a Problem if they contradict each other."""
    least, most = wanted.plies_at_least, wanted.plies_at_most
    if wanted.plies is None:
        if least is not None and most is not None and least > most:
            detail = f"plies_at_least is {least}; it must not exceed plies_at_most, which is {most}."
            raise faulty("invalid-request", [Error(where("plies_at_least"), "out-of-range", detail)])
        return least, most
    if least is not None or most is not None:
        other = "plies_at_most" if least is None else "plies_at_least"
        detail = f"Give plies or {other}, not both."
        raise faulty("invalid-request", [Error(where(other), "conflicting-field", detail)])
    return wanted.plies, wanted.plies


def _answer(wanted: RandomPositionRequest) -> RandomPositionAnswer:
    game = read_game(wanted.game, pointer)
    plies = _plies(wanted, game)
    seed = draw_seed() if wanted.seed is None else wanted.seed
    cells = random_unfinished_game(game, plies, Random(f"position {seed}"))  # noqa: S311, it guards nothing
    if cells is None:
        detail = f"No random game of {game.name} went on after so many plies; give fewer plies, or another seed."
        name = "plies" if wanted.plies_at_least is None else "plies_at_least"
        raise faulty("invalid-request", [Error(pointer(name), "none-found", detail)])
    position = position_after(game, cells, PLAYERS[wanted.first_player] or "X")
    return {**position_answer(position), "moves": as_moves(game, cells), "seed": seed}


def _plies(wanted: RandomPositionRequest, game: Game) -> range:
    """Return the plies to draw from. Raises a Problem if the game is over after so many."""
    least, most = read_plies(wanted, pointer)
    longest = game.cells - 1
    if least is not None and least > longest:
        name = "plies" if wanted.plies is not None else "plies_at_least"
        detail = f"{name} is {least}; {game.name} is over after {game.cells} plies, so it must be at most {longest}."
        raise faulty("invalid-request", [Error(pointer(name), "out-of-range", detail)])
    return range(least or 0, min(longest, longest if most is None else most) + 1)
