"""The wire models: what requests and answers hold. ``openapi.yaml`` says the same; a test compares them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from service.games.game import MAX_CELLS
from service.games.position import Player, Status
from service.oracle.table import Outcome

MAX_SEED = 2**53 - 1
"""The largest whole number that every JSON implementation reads exactly."""


def _whole(value: object) -> object:
    """JSON knows one kind of number: 4.0 is the whole number 4, while true and "4" are none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if type(value) is not int:
        raise PydanticCustomError("not-whole", "not a whole number")
    return value


Cell = Annotated[int, Field(ge=0, le=MAX_CELLS - 1), BeforeValidator(_whole)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED), BeforeValidator(_whole)]

TieBreak = Literal["first", "random"]


class Request(BaseModel):
    """What every request body has in common: unknown fields are refused, null means left out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PositionRequest(Request):
    """A position, as a board or as the moves that led to it."""

    board: Any = None
    """Read by ``notation``, which knows the shape of the game and can name each wrong cell."""
    moves: Annotated[list[Cell], Field(max_length=MAX_CELLS)] | None = None
    player: Player | None = None
    game: str | None = None


class BestMoveRequest(PositionRequest):
    """The body of ``POST /best-move`` and the query of ``GET /best-move``."""

    tie_break: TieBreak | None = None
    seed: Seed | None = None


class Answer(BaseModel):
    """What every answer has in common."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PositionAnswer(Answer):
    """The position that was understood, and how its game stands."""

    game: str
    position: str
    player: Player
    status: Status
    winner: Player | None
    winning_line: list[int] | None


class BestMoveAnswer(PositionAnswer):
    """The answer of ``/best-move``. ``seed`` is left unset, and out, unless chance decided."""

    move: int | None
    row: int | None
    column: int | None
    outcome: Outcome
    score: int
    plies: Annotated[int, Field(ge=0)]
    pv: list[int]
    proven: bool
    next_position: str | None
    next_status: Status | None
    reason: str
    seed: Seed = 0


class GameValue(Answer):
    """The theoretical value of a game for the first player, and who says so."""

    outcome: Outcome
    plies: int
    source: str


class GameDescription(Answer):
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


class Catalogue(Answer):
    """The answer of ``GET /games``."""

    games: list[GameDescription]


class Health(Answer):
    """The answer of ``GET /healthz``."""

    status: Literal["ok"]


class Readiness(Answer):
    """The answer of ``GET /readyz``."""

    status: Literal["ready"]
    kernel: str
    games: list[str]


class Version(Answer):
    """The answer of ``GET /version``."""

    version: str
    kernel: str
    python: str
    max_body_bytes: int
