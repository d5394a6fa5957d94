"""``/games``: the catalogue."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, cast

from flask import Blueprint, Response, request
from pydantic import WithJsonSchema
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.api.document import document_response
from service.api.family_answers import MOVE_FIELDS
from service.api.problems import Problem
from service.api.question import no_such_game
from service.api.reading import parse_query
from service.api.requests import Request
from service.api.responses import JSON
from service.engine.result import Outcome
from service.explain.best_play import best_play
from service.families.all_games import ALL_GAMES
from service.families.atlas import Entry, read_atlas
from service.families.catalogue import FAMILIES
from service.families.game import FamilyGame
from service.games.game import Game
from service.games.position import PLAYERS


class GameValue(TypedDict):
    """The theoretical value of a game for the first player, and who says so."""

    outcome: Outcome
    plies: int | None
    source: str


class LineGameDescription(TypedDict):
    """One line game of the catalogue."""

    family: Literal["line"]
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
    best_play: str | None


FamilyName = Annotated[str, WithJsonSchema({"type": "string", "enum": [*FAMILIES]})]


class FamilyGameDescription(TypedDict):
    """One game of another family of the catalogue."""

    family: FamilyName
    id: str
    name: str
    rules: str
    rows: int
    columns: int
    cells: int
    parameters: Mapping[str, int | str | bool]
    players: Sequence[str]
    move_fields: Sequence[str]
    loops: bool
    value: GameValue | None
    best_play: str | None


class SolvedGame(TypedDict):
    """A game of the rules atlas: its rules as requests give them, its value and its size."""

    family: str
    rules: Mapping[str, int | str | bool]
    players: Sequence[str]
    outcome: Outcome
    plies: int | None
    repetition: bool
    best_play: str
    positions: int | None
    states: int | None
    seconds: float
    bytes: int | None


GameDescription = TypeAliasType("GameDescription", LineGameDescription | FamilyGameDescription)
"""One game of the catalogue."""


class Catalogue(TypedDict):
    """The answer of ``GET /games``."""

    games: list[GameDescription]
    solved: NotRequired[list[SolvedGame]]


class GamesQuery(Request):
    """The query of ``GET /games``."""

    solved: bool | None = None


def games_routes() -> Blueprint:
    """Return the routes of the list of all games and of one game by its id."""
    routes = Blueprint("games", __name__)

    @routes.get("/games")
    def list_games() -> Response:
        wanted = parse_query(GamesQuery, request.args)
        answer: Catalogue = {"games": [_describe(game) for game in ALL_GAMES.values()]}
        if wanted.solved:
            answer["solved"] = [solved_game(entry) for entry in read_atlas()]
        return _respond(answer)

    @routes.get("/games/<id>")
    def get_game(id: str) -> Response:
        if id not in ALL_GAMES:
            raise Problem("unknown-game", no_such_game(id))
        return _respond(_describe(ALL_GAMES[id]))

    return routes


def solved_game(entry: Entry) -> SolvedGame:
    """Return a game of the atlas with the sentence about its value."""
    rules = entry["rules"]
    sentence = best_play(entry["outcome"], entry["plies"], entry["players"], repetition=entry["repetition"])
    return cast("SolvedGame", {"family": rules.get("family", "line"), **entry, "best_play": sentence})


def _describe(game: Game | FamilyGame) -> GameDescription:
    """Return the attributes of the game that its description names, and those that it has not."""
    value = game.value
    if isinstance(game, FamilyGame):
        fields = FamilyGameDescription.__annotations__
        own: dict[str, Any] = {"move_fields": [MOVE_FIELDS.get(name, name) for name in game.move_fields(0)]}
        players, loops = game.players, game.loops
    else:
        fields = LineGameDescription.__annotations__
        own = {"family": "line"}
        players, loops = PLAYERS, False
    own["best_play"] = None
    if value:  # draws of the catalogue without plies are endless ones
        repetition = loops and value.plies is None
        own["best_play"] = best_play(value.outcome, value.plies, players, repetition=repetition)
    found = {name: own[name] if name in own else getattr(game, name) for name in fields}
    return cast("GameDescription", found)


def _respond(answer: Catalogue | GameDescription) -> Response:
    return document_response(to_json(answer), JSON)
