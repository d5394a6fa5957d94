"""The catalogue: games, families, and the rules atlas."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, cast

from typing_extensions import TypeAliasType, TypedDict

from service.api.wire.contract import about
from service.api.wire.fields import Outcome
from service.api.wire.position_fields import FamilyOfGame
from service.api.wire.rules import ALL_FAMILIES, IN_QUERY
from service.explain.outcomes import best_play
from service.games.atlas import Entry, read_atlas
from service.games.catalogue import CATALOGUE
from service.games.game import Game
from service.games.parameters import Parameter


class GameValue(TypedDict):
    """The game-theoretic value of a game."""

    outcome: Annotated[Outcome, about("The result for the player who moves first.", example="draw")]
    plies: Annotated[
        int | None,
        about(
            "The number of plies of the game under best play; null if it is not published, or if neither player can "
            "force an end.",
            example=9,
        ),
    ]
    source: Annotated[
        str, about("The source of the value.", example="Solved completely by this service when it starts.")
    ]


class _GameFacts(TypedDict):
    """The rules of one game."""

    id: Annotated[str, about("The id of the game in requests.", example="tic-tac-toe")]
    name: Annotated[str, about("The name of the game.", example="Tic-tac-toe")]
    rules: Annotated[
        str,
        about(
            "The rules in a sentence.",
            example="Players take turns to mark an empty cell; the first with three in a row wins.",
        ),
    ]
    rows: Annotated[int, about("The number of rows; several boards stand below each other.", example=3)]
    columns: Annotated[int, about("The number of columns.", example=3)]


class _PublishedValue(TypedDict):
    """What is known of the value of a game."""

    value: Annotated[
        GameValue | None, about("The result under best play from the initial position; null if it is unknown.")
    ]
    best_play: Annotated[
        str | None,
        about("What best play leads to, as a sentence; null if it is unknown.", example="Best play is a draw."),
    ]


class _LineFamily(TypedDict):
    family: Annotated[Literal["line"], about("The family; that of line games.", example="line")]


class _LineGameRules(TypedDict):
    layers: Annotated[int, about("The number of layers; 1 for a flat board.", example=1)]
    in_a_row: Annotated[
        int | None,
        about("The number of marks in a row that complete a line; null if the game lists its lines.", example=3),
    ]
    gravity: Annotated[bool, about("Whether marks fall to the lowest empty cell of their column.", example=False)]
    misere: Annotated[bool, about("Whether the player who completes a line loses.", example=False)]
    wrap: Annotated[bool, about("Whether lines continue at the opposite edge.", example=False)]
    cells: Annotated[int, about("The number of cells.", example=9)]


class LineGameDescription(_LineFamily, _GameFacts, _LineGameRules, _PublishedValue):
    """The rules of one line game."""


Switches = TypeAliasType(
    "Switches",
    Annotated[
        Mapping[str, int | str | bool],
        about("Switches of the rules of a game, by their names.", example={"marks": 3, "remove": "after"}),
    ],
)

Players = TypeAliasType(
    "Players",
    Annotated[Sequence[str], about("The names of the players; the first of them begins.", example=["X", "O"])],
)


class _OtherFamily(TypedDict):
    family: FamilyOfGame


class _FamilyGameRules(TypedDict):
    cells: Annotated[int, about("The number of cells.", example=9)]
    parameters: Annotated[
        Switches,
        about("The switches of the rules. With `family` they are the `game` of a request with the same rules."),
    ]
    players: Players
    move_fields: Annotated[
        Sequence[str],
        about(
            "The fields of a move beside its cell: `mark` where the player chooses one, `from` where a piece moves, "
            "`takes` where it may take one, `pop` where a disc is taken out, `board_number` on one of several boards.",
            example=[],
        ),
    ]
    loops: Annotated[bool, about("Whether a position may come again, so that a game may never end.", example=True)]


class FamilyGameDescription(_OtherFamily, _GameFacts, _FamilyGameRules, _PublishedValue):
    """The rules of one game of another family than line games."""


class SolvedGame(TypedDict):
    """A game of the rules atlas. Best play is from the initial position, for the player who begins."""

    family: Annotated[str, about("The family; `line` for line games.", example="vanishing")]
    rules: Annotated[
        Switches, about("The rules, as the `game` of a request. Switches that are left out have their defaults.")
    ]
    players: Players
    outcome: Annotated[Outcome, about("The result for the player who moves first.", example="win")]
    plies: Annotated[
        int | None,
        about("The number of plies under best play; null in a draw of a game that can go on forever.", example=9),
    ]
    repetition: Annotated[
        bool,
        about(
            "Whether the game is a draw that neither player can bring to an end, so that it goes on by repetition.",
            example=False,
        ),
    ]
    best_play: Annotated[
        str, about("What best play leads to, as a sentence.", example="The first player wins in 9 plies.")
    ]
    positions: Annotated[
        int | None, about("The number of positions that play can reach; null for line games.", example=218170)
    ]
    states: Annotated[int | None, about("The number of positions up to symmetry; null for line games.", example=15184)]
    seconds: Annotated[float, about("The time it took to solve the game, on one core.", example=0.02)]
    bytes: Annotated[int | None, about("The size of its table; null for line games.", example=191403)]


GameDescription = TypeAliasType(
    "GameDescription",
    Annotated[
        LineGameDescription | FamilyGameDescription,
        about("The rules of one game. `family` is `line` for a line game, else the name of another family."),
    ],
)


ParameterKind = TypeAliasType(
    "ParameterKind",
    Annotated[
        Literal["integer", "boolean", "choice"],
        about("What a parameter is: a whole number, true or false, or one of some choices.", example="integer"),
    ],
)

Switch = Annotated[int | str | bool | None, about("The value of a switch.", example=3)]


class ParameterDescription(TypedDict):
    """A parameter of the rules of a family."""

    name: Annotated[str, about("The name of the parameter, in the `game` of a request.", example="marks")]
    in_query: Annotated[str, about("The name of the parameter in the query of a GET request.", example="marks")]
    kind: ParameterKind
    minimum: Annotated[int | None, about("The least value of a whole number; else null.", example=1)]
    maximum: Annotated[int | None, about("The greatest value of a whole number; else null.", example=11)]
    choices: Annotated[
        Sequence[int | str | bool] | None,
        about("The values of a choice; else null.", example=["before", "before-closed", "after"]),
    ]
    required: Annotated[bool, about("Whether the parameter must be given.", example=False)]
    default: Annotated[
        int | str | bool | None, about("The value if none is given; null if one must be given.", example=3)
    ]
    example: Annotated[int | str | bool, about("A value to begin with.", example=3)]
    about: Annotated[str, about("What the parameter means.", example="The number of marks that a player keeps.")]


class FamilyDescription(TypedDict):
    """A family of games, and the parameters of its rules."""

    family: Annotated[str, about("The family; `line` for line games.", example="vanishing")]
    name: Annotated[str, about("The name of the family.", example="Vanishing tic-tac-toe")]
    about: Annotated[
        str,
        about(
            "The family in a sentence.",
            example="A player keeps a number of marks, and the oldest one beyond it disappears.",
        ),
    ]
    parameters: Annotated[
        list[ParameterDescription],
        about("The parameters, from which a form can be made. With `family` they are the `game` of a request."),
    ]


class Catalogue(TypedDict):
    """The games that have an id, and the families whose rules make further games."""

    games: Annotated[list[GameDescription], about("All games, the default game first.")]
    families: Annotated[list[FamilyDescription], about("All families, that of line games first.")]
    solved: NotRequired[Annotated[list[SolvedGame], about("The rules atlas, with `solved=true`.")]]


def catalogue(*, solved: bool = False) -> Catalogue:
    """Return the catalogue and the families; with ``solved`` also the rules atlas."""
    answer: Catalogue = {
        "games": [game_description(game) for game in CATALOGUE.values()],
        "families": [_describe_family(game) for game in ALL_FAMILIES.values()],
    }
    if solved:
        answer["solved"] = [solved_game(entry) for entry in read_atlas()]
    return answer


def solved_game(entry: Entry) -> SolvedGame:
    """Return a game of the atlas with the sentence about its value."""
    rules, shown = entry["rules"], {name: value for name, value in entry.items() if name != "digest"}
    sentence = best_play(entry["outcome"], entry["plies"], entry["players"], repetition=entry["repetition"])
    return cast("SolvedGame", {"family": rules.get("family", "line"), **shown, "best_play": sentence})


def _describe_family(game: type[Game]) -> FamilyDescription:
    return {
        "family": game.family,
        "name": game.title,
        "about": game.about,
        "parameters": [_describe_parameter(parameter) for parameter in game.PARAMETERS],
    }


def _describe_parameter(parameter: Parameter) -> ParameterDescription:
    values, numbers = parameter.values, isinstance(parameter.values, range)
    return {
        "name": parameter.name,
        "in_query": IN_QUERY.get(parameter.name, parameter.name),
        "kind": "integer" if numbers else "choice" if isinstance(values, tuple) else "boolean",
        "minimum": values[0] if isinstance(values, range) else None,
        "maximum": values[-1] if isinstance(values, range) else None,
        "choices": values if isinstance(values, tuple) else None,
        "required": parameter.default is None,
        "default": parameter.default,
        "example": parameter.sample,
        "about": " ".join(filter(None, (parameter.about, parameter.details))),
    }


def game_description(game: Game) -> GameDescription:
    """Return the attributes of the game that are fields of its description, with the derived ones."""
    value = game.value
    fields = (LineGameDescription if game.cells_tell_all else FamilyGameDescription).__annotations__
    own: dict[str, Any] = {"move_fields": [*game.move_fields(0)], "best_play": None}
    if value:  # draws of the catalogue without plies are endless ones
        repetition = game.loops and value.plies is None
        own["best_play"] = best_play(value.outcome, value.plies, game.players, repetition=repetition)
    found = {name: own[name] if name in own else getattr(game, name) for name in fields}
    return cast("GameDescription", found)
