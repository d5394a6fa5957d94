"""``/games``: the catalogue."""

from typing import cast

from flask import Blueprint, Response, request
from pydantic_core import to_json
from typing_extensions import TypedDict

from service.api.problems import Problem
from service.api.question import no_such_game
from service.api.responses import JSON, REVALIDATE, cacheable
from service.engine.result import Outcome
from service.games.catalogue import CATALOGUE
from service.games.game import Game


class GameValue(TypedDict):
    """The theoretical value of a game for the first player, and who says so."""

    outcome: Outcome
    plies: int | None
    source: str


class GameDescription(TypedDict):
    """One game of the catalogue."""

    id: str
    name: str
    rules: str
    rows: int
    columns: int
    layers: int
    in_a_row: int | None
    gravity: bool
    misere: bool
    wrap: bool
    cells: int
    value: GameValue | None


class Catalogue(TypedDict):
    """The answer of ``GET /games``."""

    games: list[GameDescription]


def games_routes() -> Blueprint:
    """Return the routes of the list of all games and of one game by its id."""
    routes = Blueprint("games", __name__)

    @routes.get("/games")
    def list_games() -> Response:
        return _respond({"games": [_describe(game) for game in CATALOGUE.values()]})

    @routes.get("/games/<id>")
    def get_game(id: str) -> Response:
        if id not in CATALOGUE:
            raise Problem("unknown-game", no_such_game(id))
        return _respond(_describe(CATALOGUE[id]))

    return routes


def _describe(game: Game) -> GameDescription:
    """Return the attributes of the game that its description names."""
    return cast("GameDescription", {name: getattr(game, name) for name in GameDescription.__annotations__})


def _respond(answer: Catalogue | GameDescription) -> Response:
    return cacheable(request, to_json(answer), JSON, {"Cache-Control": REVALIDATE})
