"""``/random-position``: a legal unfinished position that random play leads to."""

from collections.abc import Iterator
from random import Random
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic import BeforeValidator, Field
from pydantic_core import to_json

from service.api.problems import Error, Problem, faulty, pointer
from service.api.read.http import read_body
from service.api.read.question import begun_by, draw_seed, read_game, reading_nodes
from service.api.read.reading import Reading, Where, parse_body
from service.api.request_context import request_context
from service.api.responses import never_stored
from service.api.wire.answer_types import PositionAnswer
from service.api.wire.contract import Request, about, example, whole
from service.api.wire.fields import MovesPlayed, SeedOfDraw
from service.api.wire.requests import FirstPlayer, NamedGame, Seed
from service.api.write.answers import position_answer
from service.engine.work.limit import Effort, Limit
from service.engine.work.slots import SearchSlots, reserve
from service.games.game import MAX_CELLS, Game
from service.games.random_play import random_unfinished_games
from service.settings import Settings

Plies = Annotated[int, Field(ge=0, le=MAX_CELLS), BeforeValidator(whole)]


class PliesRequest(Request):
    """How many plies: a number, or any number within the bounds that are given."""

    plies: Annotated[
        Plies | None,
        about(
            "The number of plies. It must be smaller than the number of cells, except in games in which positions may "
            "come again.",
            example=4,
        ),
    ] = None
    plies_at_least: Annotated[Plies | None, about("The least number of plies, instead of `plies`.", example=2)] = None
    plies_at_most: Annotated[Plies | None, about("The greatest number of plies, instead of `plies`.", example=6)] = None


class RandomPositionRequest(PliesRequest):
    """The game, the number of plies and the seed.

    Send either ``plies`` or bounds on it; by default any number of plies is allowed. A null field counts as missing.
    """

    model_config = example({"plies": 4, "seed": 7})

    game: Annotated[NamedGame | None, about("The game; `tic-tac-toe` by default.", example="tic-tac-toe")] = None
    first_player: Annotated[
        FirstPlayer, about("The player of a line game who moves first; `X` by default.", example="X")
    ] = None
    seed: Annotated[
        Seed | None,
        about("The seed that makes the position repeatable. If it is missing, the service chooses one.", example=7),
    ] = None


class RandomPositionAnswer(PositionAnswer):
    """A position in progress, and the moves and the seed that lead to it."""

    moves: MovesPlayed
    seed: SeedOfDraw


def random_position_routes(settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route; where many games must be drawn, that takes ``slots``."""
    routes = Blueprint("random_positions", __name__)

    @routes.post("/random-position")
    def post_random_position() -> Response:
        reading = parse_body(RandomPositionRequest, read_body(request))
        # Nodes only, so that the clock stands still while the request waits.
        limit = Limit(settings.max_time_ms / 1000, settings.max_nodes, request_context().must_stop)
        with reserve(slots, reading_nodes(reading.wanted.game)) as slot:
            return never_stored(to_json(_answer(reading, Effort(limit, slot))))

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


def _first(games: Iterator[list[int] | None], most_plies: int, effort: Effort) -> list[int] | None:
    """Return the first game that goes on; None if there is none. A ply is drawn in the time of a node."""
    found: list[list[int]] = []

    def steps() -> Iterator[int]:
        over = effort.spent(1)
        for game in games:
            if game is not None:
                found.append(game)
            if found or over():
                return
            yield most_plies

    effort.work(steps())
    return found[0] if found else None


def _answer(reading: Reading[RandomPositionRequest], effort: Effort) -> RandomPositionAnswer:
    wanted, found = reading.wanted, read_game(reading)
    bounds = reading.part(lambda: _plies(wanted, found))
    game, plies = reading.checked(found), reading.checked(bounds)
    seed = draw_seed() if wanted.seed is None else wanted.seed
    moves = _first(random_unfinished_games(game, plies, _dice(seed)), plies.stop, effort)
    if moves is None:
        raise _none_found(wanted, game)
    position = begun_by(wanted.first_player, game)
    for move in moves:
        position = position.play(move)
    return {**position_answer(position), "moves": [game.listed(move) for move in moves], "seed": seed}


def _dice(seed: int) -> Random:
    return Random(f"position {seed}")  # noqa: S311, it guards nothing


def _none_found(wanted: PliesRequest, game: Game) -> Problem:
    detail = f"No random game of {game.name} went on after so many plies; give fewer plies, or another seed."
    name = "plies" if wanted.plies_at_least is None else "plies_at_least"
    return faulty("invalid-request", [Error(pointer(name), "none-found", detail)])


def _plies(wanted: PliesRequest, game: Game | None) -> range:
    """Return the plies to draw from. Raises a Problem if there are none, or the game is over after so many."""
    least, most = read_plies(wanted, pointer)
    # Where positions may come again, games are as long as one likes.
    longest = MAX_CELLS if game is None or game.loops else game.cells - 1
    if game is not None and least is not None and least > longest:
        name = "plies" if wanted.plies is not None else "plies_at_least"
        detail = f"{name} is {least}; {game.name} is over after {game.cells} plies, so it must be at most {longest}."
        raise faulty("invalid-request", [Error(pointer(name), "out-of-range", detail)])
    return range(least or 0, min(longest, longest if most is None else most) + 1)
