"""``/random-position`` and ``/random-positions``: legal unfinished positions, reached by random play."""

from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic import BeforeValidator, Field
from pydantic_core import to_json
from typing_extensions import TypedDict

from service.api.problems import Error, Problem, faulty, pointer
from service.api.read.http import read_body
from service.api.read.question import begun_by, draw_seed, read_game, reading_nodes
from service.api.read.reading import Reading, Where, parse_body
from service.api.request_context import request_context
from service.api.responses import JSON, never_stored, server_timing
from service.api.wire.contract import Request, about, example, whole
from service.api.wire.fields import MovesPlayed, SeedOfDraw
from service.api.wire.groups import PositionAnswer
from service.api.wire.requests import MAX_BATCH, MAX_SEED, FirstPlayer, NamedGame, Seed
from service.api.write.answers import position_answer
from service.api.write.document import batch_response
from service.engine.work.limit import Effort, Limit
from service.engine.work.slots import SearchSlots, reserve
from service.games.game import MAX_CELLS, MOST_CELLS, Game
from service.games.position import Position
from service.games.random_play import random_unfinished_games
from service.settings import Settings

Count = Annotated[int, Field(ge=1, le=MAX_BATCH), BeforeValidator(whole)]

Plies = Annotated[int, Field(ge=0, le=MOST_CELLS), BeforeValidator(whole)]


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


class RandomPositionsRequest(RandomPositionRequest):
    """The number of positions, and the properties of each, as for ``POST /random-position``."""

    model_config = example({"game": "connect-four", "count": 2, "seed": 7})

    count: Annotated[
        Count,
        about("The number of positions. Each has a seed of its own: `seed`, and the numbers after it.", example=2),
    ]


class RandomPositionsAnswer(TypedDict):
    """Positions in progress."""

    positions: Annotated[
        list[RandomPositionAnswer],
        about("The positions, each with the seed for which `/random-position` gives it. Some may be equal."),
    ]


def random_position_routes(settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the routes; playing many random games takes ``slots``."""
    routes = Blueprint("random_positions", __name__)

    def sample(reading: Reading[RandomPositionRequest], count: int) -> list[RandomPositionAnswer]:
        # A limit of nodes only, so that time in the queue does not count.
        limit = Limit(settings.max_time_ms / 1000, settings.max_nodes, request_context().must_stop)
        with reserve(slots, reading_nodes(reading.wanted.game)) as slot:
            return _answers(reading, Effort(limit, slot), count)

    @routes.post("/random-position")
    def post_random_position() -> Response:
        (answer,) = sample(parse_body(RandomPositionRequest, read_body(request)), 1)
        return never_stored(to_json(answer))

    @routes.post("/random-positions")
    def post_random_positions() -> Response:
        reading, started = parse_body(RandomPositionsRequest, read_body(request)), perf_counter()
        answer = RandomPositionsAnswer(positions=sample(reading, reading.wanted.count))
        return batch_response(to_json(answer), JSON, server_timing("random", 0, perf_counter() - started))

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


def _answers(reading: Reading[RandomPositionRequest], effort: Effort, count: int) -> list[RandomPositionAnswer]:
    """Return ``count`` positions; each ply counts as a node. Raises a Problem if none is found."""
    wanted, found = reading.wanted, read_game(reading)
    bounds = reading.part(lambda: _plies(wanted, found))
    game, plies = reading.checked(found), reading.checked(bounds)
    first = draw_seed() if wanted.seed is None else wanted.seed
    answers: list[RandomPositionAnswer] = []

    def steps() -> Iterator[int]:
        over = effort.spent(1)
        for seed in ((first + number) % (MAX_SEED + 1) for number in range(count)):
            for moves in random_unfinished_games(game, plies, _dice(seed)):
                if moves is not None:
                    answers.append(_answer(begun_by(wanted.first_player, game), moves, seed))
                    break
                if over():
                    raise _none_found(wanted, game)
                yield plies.stop
            else:
                raise _none_found(wanted, game)
            if len(answers) < count:
                yield plies.stop
                if over():
                    raise _none_found(wanted, game)

    effort.work(steps())
    return answers


def _answer(position: Position, moves: Sequence[int], seed: int) -> RandomPositionAnswer:
    for move in moves:
        position = position.play(move)
    return {**position_answer(position), "moves": [position.game.listed(move) for move in moves], "seed": seed}


def _dice(seed: int) -> Random:
    return Random(f"position {seed}")  # noqa: S311, no secret depends on it


def _none_found(wanted: PliesRequest, game: Game) -> Problem:
    detail = f"No random game of {game.name} went on after so many plies; give fewer plies, or another seed."
    name = "plies" if wanted.plies_at_least is None else "plies_at_least"
    return faulty("invalid-request", [Error(pointer(name), "none-found", detail)])


def _plies(wanted: PliesRequest, game: Game | None) -> range:
    """Return the range of plies to choose from. Raises a Problem if it is empty, or the game is over by then."""
    least, most = read_plies(wanted, pointer)
    # Where positions may repeat, games have no maximum length.
    longest = MAX_CELLS if game is None or game.loops else game.cells - 1
    if game is not None and least is not None and least > longest:
        name = "plies" if wanted.plies is not None else "plies_at_least"
        detail = f"{name} is {least}; {game.name} is over after {game.cells} plies, so it must be at most {longest}."
        raise faulty("invalid-request", [Error(pointer(name), "out-of-range", detail)])
    return range(least or 0, min(longest, longest if most is None else most) + 1)
