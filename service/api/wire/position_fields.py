"""The fields of positions and moves in answers, each with its description and example for the contract."""

from collections.abc import Sequence
from typing import Annotated, Literal

from typing_extensions import TypeAliasType

from service.api.wire.contract import about, documented
from service.games.catalogue import FAMILIES
from service.games.families.lines import PLAYERS
from service.games.position import Status as AnyStatus

PLAYER_NAMES = [*dict.fromkeys((*PLAYERS, *(name for family in FAMILIES.values() for name in family.players)))]
"""The names of the players of all families."""

GameId = TypeAliasType(
    "GameId",
    Annotated[
        str, about("The id of the game; `custom` for a game that is not in the catalogue.", example="tic-tac-toe")
    ],
)

FamilyName = TypeAliasType(
    "FamilyName",
    Annotated[
        str,
        documented({"type": "string", "enum": [*FAMILIES]}, "The name of a family of games other than line games."),
    ],
)

FamilyOfGame = Annotated[FamilyName, about("The family of the game. Absent in line games.", example="wild")]

PositionText = TypeAliasType(
    "PositionText",
    Annotated[
        str,
        about(
            "The position as the service understood it. In line games it lists the cells in order: `X`, `O`, and `.` "
            "for an empty cell. In other families it tells all that the rest of the game depends on. Send it as "
            "`board` to ask about the same position, with `player` where the board does not tell whose turn it is.",
            example="O.XX.X.OO",
        ),
    ],
)

BoardContents = TypeAliasType(
    "BoardContents",
    Annotated[
        str,
        about(
            "The contents of the cells, a character for each, row by row from the top left; `.` for an empty cell. "
            "Absent in line games, whose `position` is the board.",
            example="X.O.X...O",
        ),
    ],
)

PlayerName = TypeAliasType(
    "PlayerName",
    Annotated[
        str,
        documented(
            {"type": "string", "enum": PLAYER_NAMES}, "A player of the game; `X` or `O` in line games.", example="X"
        ),
    ],
)

PlayerToMove = Annotated[
    PlayerName,
    about("The player to move. If the game is over, it is the player whose turn it would be.", example="X"),
]

Status = TypeAliasType(
    "Status",
    Annotated[
        AnyStatus,
        about(
            "The state of the game. `won` means that a player has completed a line; in misère games that player has "
            "lost.",
            example="in_progress",
        ),
    ],
)

InProgress = TypeAliasType(
    "InProgress", Annotated[Literal["in_progress"], about("The game is in progress.", example="in_progress")]
)

FinishedStatus = TypeAliasType(
    "FinishedStatus",
    Annotated[
        Literal["won", "drawn"],
        about(
            "How the game ended. `won` means that a player has completed a line; in misère games that player has lost.",
            example="won",
        ),
    ],
)

Winner = TypeAliasType(
    "Winner",
    Annotated[
        PlayerName | None, about("The player who has won; null if the game is in progress or drawn.", example="X")
    ],
)

WinningLine = TypeAliasType(
    "WinningLine",
    Annotated[
        Sequence[int] | None,
        about(
            "The cells of the line that decided the game; null if there is none. If one move completed several "
            "lines, this is the first of them. In misère games the owner of the line has lost.",
            example=[0, 1, 2],
        ),
    ],
)

# A type that is always null would be more exact, but generators of clients omit such fields.
NoNumber = TypeAliasType(
    "NoNumber", Annotated[int | None, about("Null; the game is over, so there is no move.", example=None)]
)

NoText = TypeAliasType(
    "NoText", Annotated[str | None, about("Null; the game is over, so there is no move.", example=None)]
)

NoFlag = TypeAliasType(
    "NoFlag", Annotated[bool | None, about("Null; the game is over, so there is no move.", example=None)]
)

CellIndex = TypeAliasType(
    "CellIndex",
    Annotated[
        int,
        about(
            "The cell of the move: the one that it marks, or that a piece reaches. Indices count from 0, row by row "
            "from the top left, layer by layer. In pop-out games it is the lowest cell of the column.",
            example=4,
        ),
    ],
)

RowIndex = TypeAliasType("RowIndex", Annotated[int, about("The row of the move; 0 is the top row.", example=1)])

ColumnIndex = TypeAliasType(
    "ColumnIndex", Annotated[int, about("The column of the move; 0 is the leftmost column.", example=1)]
)

LayerIndex = TypeAliasType(
    "LayerIndex",
    Annotated[
        int, about("The layer of the move; 0 is the top layer. Present only on boards of several layers.", example=0)
    ],
)

MoveName = TypeAliasType(
    "MoveName",
    Annotated[
        str,
        about(
            "What people call the move, and `moves` of a request takes too: `b3`, on the second of several layers "
            "`2:b3`, `column 4` under gravity, `cell 7` where cells have numbers; `Xb3` with a mark, `a1-b3` for a "
            "piece that moves, `popping column 4`.",
            example="b2",
        ),
    ],
)

WrittenMark = TypeAliasType(
    "WrittenMark",
    Annotated[
        str,
        documented(
            {"type": "string", "pattern": "^[XO1-9]$"},
            "The mark or the digit that the move writes. Present only in families where a player can choose it.",
            example="X",
        ),
    ],
)

LeftPoint = TypeAliasType(
    "LeftPoint",
    Annotated[
        int | None,
        about(
            "The point that the piece leaves; null where a piece is placed, or the game is over. Present only in "
            "families whose pieces move.",
            example=0,
        ),
    ],
)

TakenPoint = TypeAliasType(
    "TakenPoint",
    Annotated[
        int | None,
        about(
            "The point from which the move takes a piece of the opponent; null where it takes none, or the game is "
            "over. Present only in the family `mills`.",
            example=9,
        ),
    ],
)

IsPop = TypeAliasType(
    "IsPop",
    Annotated[
        bool,
        about(
            "Whether the move takes a disc out, instead of dropping one. Present only in the family `pop-out`.",
            example=False,
        ),
    ],
)

BoardNumber = TypeAliasType(
    "BoardNumber",
    Annotated[
        int, about("The board of the move, counted from 0. Present only where there are several boards.", example=1)
    ],
)
