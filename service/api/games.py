"""``/games``: the catalogue."""

from flask import Blueprint, Response, request

from service.api.caching import REVALIDATE, cacheable
from service.api.media import JSON
from service.api.models import Catalogue, GameDescription, GameValue
from service.api.problems import Problem
from service.api.rules import no_such_game
from service.games.catalogue import CATALOGUE
from service.games.game import Game


def games_routes() -> Blueprint:
    """Return the routes of the list of all games and of one game by its id."""
    routes = Blueprint("games", __name__)

    @routes.get("/games")
    def list_games() -> Response:
        return _respond(Catalogue(games=[_wire(game) for game in CATALOGUE.values()]))

    @routes.get("/games/<id>")
    def get_game(id: str) -> Response:
        if id not in CATALOGUE:
            raise Problem("unknown-game", no_such_game(id))
        return _respond(_wire(CATALOGUE[id]))

    return routes


def _respond(answer: Catalogue | GameDescription) -> Response:
    return cacheable(request, answer.model_dump_json().encode(), JSON, {"Cache-Control": REVALIDATE})


def _wire(game: Game) -> GameDescription:
    value = game.value
    return GameDescription(
        id=game.id,
        name=game.name,
        rules=game.rules,
        rows=game.rows,
        columns=game.columns,
        layers=game.layers,
        in_a_row=game.in_a_row,
        gravity=game.gravity,
        misere=game.misere,
        wrap=game.wrap,
        cells=game.cells,
        value=None if value is None else GameValue(outcome=value.outcome, plies=value.plies, source=value.source),
    )
