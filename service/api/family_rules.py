"""The wire models of the rules of a family's game, one for each family, and the games that they describe."""

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from service.api.requests import Request, whole
from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.families.game import FamilyGame, Parameter
from service.families.morris import SMALL

MOST_CELLS = 64
"""Cells of the largest board: its marks are the bits of a word."""

MOST_KEPT_CELLS = 31
"""Cells of the largest board on which marks have an age: each is a number of five bits, and zero is none."""

MOST_KEPT_MARKS = 11
"""Marks of a player that have an age, one fewer than fit into a word: the new one is written before one disappears."""

Side = Annotated[int, Field(ge=1, le=8), BeforeValidator(whole)]
Boards = Annotated[int, Field(ge=1, le=8), BeforeValidator(whole)]
Kept = Annotated[int, Field(ge=1, le=MOST_KEPT_MARKS), BeforeValidator(whole)]
Pieces = Annotated[int, Field(ge=1, le=4), BeforeValidator(whole)]
Points = Annotated[Literal[9, 13], BeforeValidator(whole)]


class WildRules(Request):
    """Wild tic-tac-toe: each move writes X or O."""

    family: Literal["wild"]
    rows: Side
    columns: Side
    in_a_row: Side
    misere: bool | None = None


class NotaktoRules(Request):
    """Notakto: both players write X, on one or several boards."""

    family: Literal["notakto"]
    boards: Boards | None = None
    rows: Side | None = None
    columns: Side | None = None
    in_a_row: Side | None = None
    misere: bool | None = None


class OrderAndChaosRules(Request):
    """Order and Chaos; ``first`` begins."""

    family: Literal["order-and-chaos"]
    rows: Side
    columns: Side
    in_a_row: Side
    first: Literal["order", "chaos"] | None = None


class NumericalRules(Request):
    """Numerical tic-tac-toe: odd digits against even ones, to 15."""

    family: Literal["numerical"]
    misere: bool | None = None


class VanishingRules(Request):
    """Vanishing tic-tac-toe: the oldest of more than ``marks`` marks disappears."""

    family: Literal["vanishing"]
    rows: Side | None = None
    columns: Side | None = None
    in_a_row: Side | None = None
    marks: Kept | None = None
    remove: Literal["before", "before-closed", "after"] | None = None
    misere: bool | None = None


class MorrisRules(Request):
    """Three men's morris and its relatives: pieces are placed, then moved."""

    family: Literal["morris"]
    points: Points | None = None
    marks: Pieces | None = None
    moves: Literal["orthogonal", "diagonals", "king", "fly"] | None = None
    diagonals_win: bool | None = None
    stuck: Literal["loss", "draw"] | None = None
    centre: Literal["open", "not-first", "closed"] | None = None


class PopOutRules(Request):
    """Pop-out Connect Four: a player drops a disc, or takes one of their own out."""

    family: Literal["pop-out"]
    rows: Side
    columns: Side
    in_a_row: Side | None = None
    both: Literal["mover-wins", "draw", "opponent-wins"] | None = None


class ExactlyRules(Request):
    """Lines of exactly ``in_a_row`` cells; a longer one does not count."""

    family: Literal["exactly"]
    rows: Side
    columns: Side
    in_a_row: Side
    misere: bool | None = None


FamilyRules = Annotated[
    WildRules
    | NotaktoRules
    | OrderAndChaosRules
    | NumericalRules
    | VanishingRules
    | MorrisRules
    | PopOutRules
    | ExactlyRules,
    Field(discriminator="family"),
]


MOST_KEPT_GAMES = 64
"""Games that are kept, so that what was worked out for one serves the next request too."""

_NAMED = {game.digest: game for game in FAMILY_GAMES.values()}


class RulesError(ValueError):
    """The family has no game with these rules: the parameter at fault, the code of the fault, and a sentence."""

    def __init__(self, parameter: str, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.parameter = parameter
        self.code = code


def game_by_family(rules: FamilyRules) -> FamilyGame:
    """Return the game that the rules describe; what they leave out has the default of the family.

    It is the one of the catalogue if that has the same rules, else one kept for the next request. Raises RulesError
    if its board is too large or no line fits on it.
    """
    parameters: dict[str, Parameter] = rules.model_dump(exclude={"family"}, exclude_none=True)
    _check_size(rules.family, parameters)
    return _game(rules.family, tuple(sorted(parameters.items())))


@lru_cache(MOST_KEPT_GAMES)
def _game(family: str, parameters: tuple[tuple[str, Parameter], ...]) -> FamilyGame:
    game: FamilyGame = FAMILIES[family](**dict(parameters))  # type: ignore[arg-type]  # each model fits its family
    return _NAMED.get(game.digest, game)


def _check_size(family: str, parameters: dict[str, Parameter]) -> None:
    """Raise RulesError where the rules give a board that the family cannot have."""
    rows, columns = (int(parameters.get(side, 3)) for side in ("rows", "columns"))
    boards = int(parameters.get("boards", 1))
    cells = rows * columns * boards
    most = MOST_KEPT_CELLS if family == "vanishing" else MOST_CELLS
    if cells > most:
        detail = f"The board has {cells} cells; the maximum of the family {family} is {most}."
        raise RulesError("boards" if boards > 1 else "rows", "too-many-cells", detail)
    in_a_row = int(parameters.get("in_a_row", 4 if family == "pop-out" else 3))
    if in_a_row > max(rows, columns):
        detail = f"No line of {in_a_row} cells fits on the board; give a smaller in_a_row or a larger board."
        raise RulesError("in_a_row", "no-line-fits", detail)
    if parameters.get("moves") == "king" and parameters.get("points", SMALL) != SMALL:
        detail = f"Marks move like a king only on a board of {SMALL} points."
        raise RulesError("moves", "conflicting-field", detail)
