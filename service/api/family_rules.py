"""The wire models of the rules of a family's game, one for each family, and the games that they describe."""

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType

from service.api.contract import about, example
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


Points = TypeAliasType(
    "Points",
    Annotated[
        Literal[9, 13],
        BeforeValidator(whole),
        about("The number of points of the board; 9 by default, 13 for the larger picaria."),
    ],
)

FirstSide = TypeAliasType(
    "FirstSide",
    Annotated[Literal["order", "chaos"], about("The player who begins; `order` by default.")],
)

Removal = TypeAliasType(
    "Removal",
    Annotated[
        Literal["before", "before-closed", "after"],
        about(
            "When the oldest mark disappears; `before` by default. Before the new one is written, which may take its "
            "cell (`before`) or may not (`before-closed`); or after the new one is written and its lines are judged "
            "(`after`).",
        ),
    ],
)

PieceMoves = TypeAliasType(
    "PieceMoves",
    Annotated[
        Literal["orthogonal", "diagonals", "king", "fly"],
        about(
            "How a piece moves: to a neighbour in its row or column (`orthogonal`, the default), along the drawn "
            "diagonals too (`diagonals`), to any point around (`king`), or anywhere (`fly`).",
        ),
    ],
)

WhenStuck = TypeAliasType(
    "WhenStuck",
    Annotated[Literal["loss", "draw"], about("The result for a player who cannot move; `loss` by default.")],
)

CentreRule = TypeAliasType(
    "CentreRule",
    Annotated[
        Literal["open", "not-first", "closed"],
        about(
            "Whether a piece may be placed on the centre: yes (`open`, the default), not as the first of the game, or "
            "never.",
        ),
    ],
)

BothLines = TypeAliasType(
    "BothLines",
    Annotated[
        Literal["mover-wins", "draw", "opponent-wins"],
        about(
            "The winner after a pop that completes lines of both players; `mover-wins` by default.",
        ),
    ],
)

FAMILY = about("The family.")

Rows = Annotated[Side, about("The number of rows.", example=3)]
Columns = Annotated[Side, about("The number of columns.", example=3)]
InARow = Annotated[Side, about("The number of marks that make a line.", example=3)]

RowsOr3 = Annotated[Side | None, about("The number of rows; 3 by default.", example=3)]
ColumnsOr3 = Annotated[Side | None, about("The number of columns; 3 by default.", example=3)]
InARowOr3 = Annotated[Side | None, about("The number of marks that make a line; 3 by default.", example=3)]

Misere = Annotated[
    bool | None, about("Whether the player who completes a line loses; false by default.", example=False)
]


class WildRules(Request):
    """Wild tic-tac-toe: each move writes X or O, as the player likes."""

    model_config = example({"family": "wild", "rows": 3, "columns": 3, "in_a_row": 3})

    family: Annotated[Literal["wild"], FAMILY]
    rows: Rows
    columns: Columns
    in_a_row: InARow
    misere: Misere = None


class NotaktoRules(Request):
    """Notakto: both players write X, on one or several boards."""

    model_config = example({"family": "notakto", "boards": 2})

    family: Annotated[Literal["notakto"], FAMILY]
    boards: Annotated[Boards | None, about("The number of boards; 1 by default.", example=2)] = None
    rows: RowsOr3 = None
    columns: ColumnsOr3 = None
    in_a_row: InARowOr3 = None
    misere: Annotated[
        bool | None,
        about(
            "Whether the player who kills the last board loses; true by default, false in Treblecross.", example=True
        ),
    ] = None


class OrderAndChaosRules(Request):
    """Order and Chaos: Order wants a line of equal marks, Chaos a full board without one."""

    model_config = example({"family": "order-and-chaos", "rows": 4, "columns": 4, "in_a_row": 4})

    family: Annotated[Literal["order-and-chaos"], FAMILY]
    rows: Rows
    columns: Columns
    in_a_row: InARow
    first: Annotated[FirstSide | None, about("The player who begins; `order` by default.", example="order")] = None


class NumericalRules(Request):
    """Numerical tic-tac-toe: odd digits against even ones; a full line with the sum 15 decides."""

    model_config = example({"family": "numerical"})

    family: Annotated[Literal["numerical"], FAMILY]
    misere: Misere = None


class VanishingRules(Request):
    """Vanishing tic-tac-toe: a player keeps a number of marks, and the oldest one beyond it disappears."""

    model_config = example({"family": "vanishing", "remove": "after"})

    family: Annotated[Literal["vanishing"], FAMILY]
    rows: RowsOr3 = None
    columns: ColumnsOr3 = None
    in_a_row: InARowOr3 = None
    marks: Annotated[Kept | None, about("The number of marks that a player keeps; 3 by default.", example=3)] = None
    remove: Annotated[
        Removal | None, about("When the oldest mark disappears; `before` by default.", example="before")
    ] = None
    misere: Misere = None


class MorrisRules(Request):
    """Three men's morris and its relatives: pieces are placed, then moved."""

    model_config = example({"family": "morris", "moves": "diagonals"})

    family: Annotated[Literal["morris"], FAMILY]
    points: Annotated[
        Points | None, about("The number of points of the board; 9 by default, 13 for the larger picaria.", example=9)
    ] = None
    marks: Annotated[Pieces | None, about("The number of pieces of each player; 3 by default.", example=3)] = None
    moves: Annotated[PieceMoves | None, about("How a piece moves; `orthogonal` by default.", example="orthogonal")] = (
        None
    )
    diagonals_win: Annotated[bool | None, about("Whether the diagonals win too; true by default.", example=True)] = None
    stuck: Annotated[
        WhenStuck | None, about("The result for a player who cannot move; `loss` by default.", example="loss")
    ] = None
    centre: Annotated[
        CentreRule | None, about("Whether a piece may be placed on the centre; `open` by default.", example="open")
    ] = None


class PopOutRules(Request):
    """Pop-out Connect Four: a player drops a disc, or takes one of their own out at the bottom."""

    model_config = example({"family": "pop-out", "rows": 4, "columns": 4})

    family: Annotated[Literal["pop-out"], FAMILY]
    rows: Rows
    columns: Columns
    in_a_row: Annotated[Side | None, about("The number of marks that make a line; 4 by default.", example=4)] = None
    both: Annotated[
        BothLines | None,
        about(
            "The winner after a pop that completes lines of both players; `mover-wins` by default.",
            example="mover-wins",
        ),
    ] = None


class ExactlyRules(Request):
    """Exactly a number of marks in a row: a longer line does not count."""

    model_config = example({"family": "exactly", "rows": 4, "columns": 4, "in_a_row": 3})

    family: Annotated[Literal["exactly"], FAMILY]
    rows: Rows
    columns: Columns
    in_a_row: InARow
    misere: Misere = None


FamilyRules = TypeAliasType(
    "FamilyRules",
    Annotated[
        WildRules
        | NotaktoRules
        | OrderAndChaosRules
        | NumericalRules
        | VanishingRules
        | MorrisRules
        | PopOutRules
        | ExactlyRules,
        Field(discriminator="family"),
        about(
            "A game of a family by its rules; `family` says which parameters it has.",
            example={"family": "vanishing", "remove": "after"},
        ),
    ],
)


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
