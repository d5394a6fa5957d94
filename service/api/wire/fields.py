"""The fields of values, lines and reasons in answers, each with its description and example for the contract."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from service.api.wire.contract import about
from service.api.wire.position_fields import Status
from service.api.wire.requests import MAX_SEED
from service.engine.result import Outcome as AnyOutcome
from service.explain.review import Verdict as AnyVerdict
from service.explain.statements import Code
from service.games.notation.moves import MoveName as AnyMoveName

NotKnown = TypeAliasType("NotKnown", Annotated[int | None, about("Null; it is not proven.", example=None)])

Outcome = TypeAliasType(
    "Outcome", Annotated[AnyOutcome, about("The result under best play, for the player to move.", example="win")]
)

Unknown = TypeAliasType(
    "Unknown",
    Annotated[
        Literal["unknown"],
        about("The result is not proven; see `at_least`, `at_most` and `estimate`.", example="unknown"),
    ],
)

OutcomeOrUnknown = TypeAliasType(
    "OutcomeOrUnknown",
    Annotated[
        Outcome | Unknown,
        about("The result under best play; `unknown` if it is not proven.", example="win"),
    ],
)

Score = TypeAliasType(
    "Score",
    Annotated[
        int,
        about(
            "The score for the player to move. It is 0 for a draw, and the higher, the sooner a win comes: in line "
            "games the number of cells plus 1 minus `plies`. A loss has the negative of that.",
            example=9,
        ),
    ],
)

ScoreOrNull = TypeAliasType(
    "ScoreOrNull",
    Annotated[int | None, about("The score on the scale of `score`; null if it is not proven.", example=0)],
)

Plies = TypeAliasType(
    "Plies",
    Annotated[
        Annotated[int, Field(ge=1)] | None,
        about(
            "The number of plies to the end of the game under best play. Null in a draw that neither player can "
            "bring to an end, and in every draw of a game whose drawn games differ in length.",
            example=1,
        ),
    ],
)

PliesOrNull = TypeAliasType(
    "PliesOrNull",
    Annotated[
        Annotated[int, Field(ge=0)] | None,
        about(
            "The number of plies to the end of the game under best play; 0 if it is over. Null if it is not proven, "
            "and in a draw that neither player can bring to an end, or whose length varies.",
            example=1,
        ),
    ],
)

MoveOrNull = TypeAliasType(
    "MoveOrNull", Annotated[int | None, about("The best move found, as a cell; null without one.", example=38)]
)

ColumnOrNull = TypeAliasType(
    "ColumnOrNull",
    Annotated[
        int | None,
        about("The column of that move; 0 is the leftmost column. Present only with gravity on one layer.", example=3),
    ],
)

NameOrNull = TypeAliasType(
    "NameOrNull", Annotated[AnyMoveName | None, about("The name of that move; null without one.", example="X4")]
)

AllBestMoves = TypeAliasType(
    "AllBestMoves",
    Annotated[
        Sequence[AnyMoveName],
        about(
            "All best moves, as in `pv`; empty if they are not all proven, or if a weaker player moves. Present only "
            "if the request asks for them.",
            example=[1, 3, 5, 7],
        ),
    ],
)

AllBestColumns = TypeAliasType(
    "AllBestColumns",
    Annotated[
        Sequence[int],
        about(
            "The columns of `best_moves`; 0 is the leftmost column. Present only with gravity on one layer.",
            example=[3, 4],
        ),
    ],
)

NoPlies = TypeAliasType(
    "NoPlies", Annotated[Literal[0], about("The game is over, so there are no plies to its end.", example=0)]
)

PrincipalVariation = TypeAliasType(
    "PrincipalVariation",
    Annotated[
        Sequence[AnyMoveName],
        about(
            "The principal variation, which is the moves of best play from the position: cells in line games, moves "
            "in the notation of their family in others. It reaches the end of the game if `exact` is true, or a "
            "position that comes again if there is no end. It has the move alone if `exact` is false.",
            example=[4],
        ),
    ],
)

ColumnsOfLine = TypeAliasType(
    "ColumnsOfLine",
    Annotated[
        Sequence[int],
        about(
            "The columns of `pv`; 0 is the leftmost column. Present only if a move is a column, that is, with "
            "gravity on one layer.",
            example=[3, 3, 2],
        ),
    ],
)

EmptyLine = TypeAliasType(
    "EmptyLine", Annotated[Annotated[Sequence[int], Field(max_length=0)], about("Empty; the game is over.", example=[])]
)

Proven = TypeAliasType("Proven", Annotated[Literal[True], about("The outcome is proven.", example=True)])

NotProven = TypeAliasType("NotProven", Annotated[Literal[False], about("The outcome is not proven.", example=False)])

Exact = TypeAliasType(
    "Exact",
    Annotated[
        Literal[True],
        about("The distance, the lowest best move and best play to the end are proven too.", example=True),
    ],
)

NotExact = TypeAliasType(
    "NotExact",
    Annotated[
        Literal[False],
        about("The distance or best play to the end is not proven, so `score` and `plies` are null.", example=False),
    ],
)

Repetition = TypeAliasType(
    "Repetition",
    Annotated[
        bool,
        about(
            "Whether the game is a draw that neither player can bring to an end, so that it goes on by repetition. "
            "Absent in line games.",
            example=False,
        ),
    ],
)

PliesAtLeast = TypeAliasType(
    "PliesAtLeast",
    Annotated[
        Annotated[int, Field(ge=1)],
        about("The lower bound of the distance; equal to the upper one if only best play is missing.", example=7),
    ],
)

PliesAtMost = TypeAliasType(
    "PliesAtMost", Annotated[Annotated[int, Field(ge=1)], about("The upper bound of the distance.", example=19)]
)

AtLeast = Annotated[Outcome, about("The lower bound of the outcome.", example="loss")]

AtMost = Annotated[Outcome, about("The upper bound of the outcome.", example="win")]

Estimate = TypeAliasType(
    "Estimate",
    Annotated[
        Annotated[float, Field(ge=-1, le=1)],
        about(
            "The expected result, from -1 for a loss to 1 for a win. It is an estimate and not proven; it lies "
            "between `at_least` and `at_most`. It is left out in games whose results are not estimated: all but "
            "games of lines and ultimate tic-tac-toe.",
            example=0.24,
        ),
    ],
)

NextPosition = TypeAliasType("NextPosition", Annotated[str, about("The position after the move.", example="O.XXXX.OO")])

NextStatus = Annotated[Status, about("The state of the game after the move.", example="in_progress")]

NextWinningLine = TypeAliasType(
    "NextWinningLine",
    Annotated[
        Sequence[int] | None,
        about("The cells of the line that the move completes to decide the game; null if there is none.", example=None),
    ],
)

ReasonSentence = TypeAliasType(
    "ReasonSentence",
    Annotated[
        str,
        about(
            "The reason for the move in words; if the game is over, how it ended.", example="Completes the middle row."
        ),
    ],
)

SeedUsed = TypeAliasType(
    "SeedUsed",
    Annotated[
        Annotated[int, Field(ge=0, le=MAX_SEED)],
        about("The seed of the random choice. Present only if the move was chosen at random.", example=7),
    ],
)

SkillUsed = TypeAliasType(
    "SkillUsed",
    Annotated[
        Annotated[int, Field(ge=0, le=99)],
        about(
            "The requested skill, present only if it is below 100. In that case `move` is a move that a player of "
            "this skill could choose. The value and `pv` then describe best play after that move.",
            example=40,
        ),
    ],
)

SeedOfDraw = TypeAliasType(
    "SeedOfDraw",
    Annotated[Annotated[int, Field(ge=0, le=MAX_SEED)], about("The seed, given or chosen by the service.", example=7)],
)

MovesPlayed = TypeAliasType(
    "MovesPlayed",
    Annotated[
        Sequence[AnyMoveName],
        about(
            "The moves from the initial position that lead to the position, as requests take them: cells, or columns "
            "with gravity; the notation of the family in others than line games.",
            example=[4, 0, 8],
        ),
    ],
)


REASONS = """These codes describe what the move does on the board:

- `wins-now`: completes a line.
- `loses-now`: completes a line in a misère game.
- `only-legal-move`: no other move is legal.
- `gives-win-now`: lets the opponent win at once; in other families than lines.
- `blocks`: blocks a line that the opponent would complete with the next move; in other families than lines, the
  opponent would win at once after any other move.
- `makes-fork`: threatens to win on two or more cells, and no reply answers all of them.
- `stops-fork`: leaves the opponent none of the forks that they had.
- `wins-board`: wins one of several boards.
- `lines-up-boards`: leaves one board to be won for three in a row.
- `frees-opponent`: lets the opponent choose the board to play in.

These codes describe the result of the move:

- `only-move`: no other move keeps the outcome.
- `wins`: wins.
- `slower-win`: wins, but another move wins faster.
- `draws`: draws.
- `repeats`: draws, because neither player can force an end; in other families than lines.
- `gives-win-away`: the position is won, but the move does not win.
- `gives-draw-away`: the position is drawn, but the move loses.
- `loses-slowest`: loses; no other move lasts longer.
- `loses-faster`: loses; another move lasts longer.
- `loses`: loses; it is not proven which move lasts longest.
- `unproven`: the result is not proven.
"""

ReasonCode = TypeAliasType(
    "ReasonCode", Annotated[Code, about(f"The stable code of a reason. {REASONS}", example="blocks")]
)


Verdict = TypeAliasType(
    "Verdict",
    Annotated[
        AnyVerdict,
        about(
            "The verdict on a move. `best`: no move is better. `slower`: the move keeps the outcome, but it wins "
            "more slowly or loses faster than the best move. `mistake`: the move gives the outcome away. `unknown`: "
            "the search reached its limit before a verdict.",
            example="mistake",
        ),
    ],
)


GaveAway = TypeAliasType(
    "GaveAway",
    Annotated[
        Literal["win -> draw", "win -> loss", "draw -> loss"],
        about("The outcomes under best play before and after a mistake.", example="draw -> loss"),
    ],
)
