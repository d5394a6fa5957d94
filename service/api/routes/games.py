"""``/games``: the catalogue of games."""

from flask import Blueprint, Response, request
from pydantic_core import to_json

from service.api.problems import Problem
from service.api.read.http import read_query
from service.api.read.question import no_such_game
from service.api.read.reading import parse_query
from service.api.responses import JSON
from service.api.wire.contract import Request
from service.api.write.document import document_response
from service.api.write.games import Catalogue, GameDescription, catalogue, game_description
from service.games.catalogue import game_called


class GamesQuery(Request):
    """The query of ``GET /games``."""

    solved: bool | None = None


def games_routes() -> Blueprint:
    """Return the routes for the list of all games, and for one game by its id."""
    routes = Blueprint("games", __name__)

    @routes.get("/games")
    def list_games() -> Response:
        wanted = parse_query(GamesQuery, read_query(request)).sound()
        return _respond(catalogue(solved=bool(wanted.solved)))

    @routes.get("/games/<id>")
    def get_game(id: str) -> Response:
        game = game_called(id)
        if game is None:
            raise Problem("unknown-game", no_such_game(id))
        return _respond(game_description(game))

    return routes


def _respond(answer: Catalogue | GameDescription) -> Response:
    return document_response(to_json(answer), JSON)
