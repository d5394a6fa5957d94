"""The answers about positions of any game.

``status``, ``proven`` and ``exact`` distinguish the kinds: the game is over; outcome and distance are proven; only the
outcome is; or not even that. Fields that a game does not need are absent; those of ``GameDescription`` say which its
answers have.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypeAliasType, TypedDict

from service.api.wire import fields as f
from service.api.wire.contract import about, example
from service.games.notation.moves import MoveName


class _UnderstoodPosition(TypedDict):
    """The position that was understood."""

    game: f.GameId
    family: NotRequired[f.FamilyOfGame]
    position: f.PositionText
    board: NotRequired[f.BoardContents]
    player: f.PlayerToMove


class PositionAnswer(_UnderstoodPosition):
    """The position that was understood, and how its game stands."""

    status: f.Status
    winner: f.Winner
    winning_line: f.WinningLine


class _OpenPosition(_UnderstoodPosition):
    """A position whose game goes on."""

    status: f.InProgress
    winner: f.Winner
    winning_line: f.WinningLine


_From = TypedDict("_From", {"from": NotRequired[f.LeftPoint]})


class _MoveFields(_From):
    """A move."""

    move: f.CellIndex
    row: f.RowIndex
    column: f.ColumnIndex
    layer: NotRequired[f.LayerIndex]
    mark: NotRequired[f.WrittenMark]
    pop: NotRequired[f.IsPop]
    board_number: NotRequired[f.BoardNumber]
    name: f.MoveName


class _BestPlay(TypedDict):
    """The line of best play that begins with a move, and what the move leads to."""

    pv: f.PrincipalVariation
    pv_columns: NotRequired[f.ColumnsOfLine]
    next_position: f.NextPosition
    next_status: f.NextStatus
    next_winning_line: f.NextWinningLine


class _ExactValue(TypedDict):
    """A value whose outcome, distance and best play to the end are proven."""

    outcome: f.Outcome
    score: f.Score
    plies: f.Plies
    proven: f.Proven
    exact: f.Exact


class _FinalValue(TypedDict):
    """The value of a position whose game is over."""

    outcome: f.Outcome
    score: f.Score
    plies: f.NoPlies
    proven: f.Proven
    exact: f.Exact


class _ProvenValue(TypedDict):
    """A value whose outcome is proven, but not the distance or best play to the end."""

    outcome: f.Outcome
    score: f.NotKnown
    plies: f.NotKnown
    proven: f.Proven
    exact: f.NotExact
    plies_at_least: f.PliesAtLeast
    plies_at_most: f.PliesAtMost


class _UnprovenValue(TypedDict):
    """A value whose outcome is not proven."""

    outcome: f.Unknown
    score: f.NotKnown
    plies: f.NotKnown
    proven: f.NotProven
    exact: f.NotExact
    at_least: f.AtLeast
    at_most: f.AtMost
    estimate: NotRequired[f.Estimate]


class _Repetition(TypedDict):
    repetition: NotRequired[f.Repetition]


_NoFrom = TypedDict("_NoFrom", {"from": NotRequired[f.NoNumber]})


class _FinishedPosition(_UnderstoodPosition, _NoFrom):
    """A position whose game is over, and the fields of a move without one."""

    status: f.FinishedStatus
    winner: f.Winner
    winning_line: f.WinningLine
    move: f.NoNumber
    row: f.NoNumber
    column: f.NoNumber
    layer: NotRequired[f.NoNumber]
    mark: NotRequired[f.NoText]
    pop: NotRequired[f.NoFlag]
    board_number: NotRequired[f.NoNumber]
    name: f.NameOrNull
    pv: f.EmptyLine
    pv_columns: NotRequired[f.EmptyLine]
    best_moves: NotRequired[f.EmptyLine]
    best_columns: NotRequired[f.EmptyLine]
    next_position: f.NoText
    next_status: f.NoText
    next_winning_line: f.WinningLine
    reason: f.ReasonSentence


@with_config(
    example(
        {
            "game": "tic-tac-toe",
            "position": "XXXOO....",
            "player": "O",
            "status": "won",
            "winner": "X",
            "winning_line": [0, 1, 2],
            "move": None,
            "row": None,
            "column": None,
            "name": None,
            "outcome": "loss",
            "score": -10,
            "plies": 0,
            "pv": [],
            "proven": True,
            "exact": True,
            "next_position": None,
            "next_status": None,
            "next_winning_line": None,
            "reason": "X has completed the top row and won.",
        }
    )
)
class FinishedAnswer(_FinishedPosition, _FinalValue, _Repetition):
    """The answer if the game is over, so there is no move. ``plies`` is 0, and ``pv`` is empty."""


class _AnswerWithMove(_OpenPosition, _MoveFields, _BestPlay, _Repetition):
    """An answer without its value."""

    best_moves: NotRequired[f.AllBestMoves]
    best_columns: NotRequired[f.AllBestColumns]
    reason: f.ReasonSentence
    seed: NotRequired[f.SeedUsed]
    skill: NotRequired[f.SkillUsed]


class ExactAnswer(_AnswerWithMove, _ExactValue):
    """The answer if the outcome and the distance are proven, so ``score`` is a number.

    So is ``plies``, but in a draw that neither player can bring to an end.
    """


@with_config(
    example(
        {
            "game": "connect-four-5x4",
            "position": "................X.OX",
            "player": "O",
            "status": "in_progress",
            "winner": None,
            "winning_line": None,
            "move": 13,
            "row": 2,
            "column": 3,
            "name": "column 4",
            "outcome": "win",
            "score": None,
            "plies": None,
            "pv": [13],
            "pv_columns": [3],
            "proven": True,
            "exact": False,
            "plies_at_least": 13,
            "plies_at_most": 17,
            "next_position": ".............O..X.OX",
            "next_status": "in_progress",
            "next_winning_line": None,
            "reason": "Wins in 13 to 17 plies against any defence.",
        }
    )
)
class ProvenAnswer(_AnswerWithMove, _ProvenValue):
    """The answer if the outcome is proven, but not all of best play.

    ``plies_at_least`` and ``plies_at_most`` bound the distance, and ``move`` is the only move in ``pv``.
    """


@with_config(
    example(
        {
            "game": "four-in-a-row-5x5",
            "position": ".........................",
            "player": "X",
            "status": "in_progress",
            "winner": None,
            "winning_line": None,
            "move": 12,
            "row": 2,
            "column": 2,
            "name": "c3",
            "outcome": "unknown",
            "score": None,
            "plies": None,
            "pv": [12],
            "proven": False,
            "exact": False,
            "at_least": "loss",
            "at_most": "win",
            "estimate": 0.762,
            "next_position": "............X............",
            "next_status": "in_progress",
            "next_winning_line": None,
            "reason": "The most promising move found; nothing is proven yet.",
        }
    )
)
class UnprovenAnswer(_AnswerWithMove, _UnprovenValue):
    """The answer if the outcome is not proven.

    ``at_least`` and ``at_most`` bound it, and ``estimate`` is the expected result. What ``at_least`` says holds for
    ``move``, the only move in ``pv``.
    """


class UncheckedAnswer(_FinishedPosition, _UnprovenValue, _Repetition):
    """The answer if the game is over on the board, but not in a line game, and its table is not made yet.

    Only the table shows whether play can reach such a board. Ask again later.
    """


BestMoveAnswer = TypeAliasType(
    "BestMoveAnswer",
    Annotated[
        FinishedAnswer | ExactAnswer | ProvenAnswer | UnprovenAnswer | UncheckedAnswer,
        about(
            "The best move and its result under best play. There are these kinds: the game is over; outcome "
            "and distance are proven; only the outcome is proven; or not even that, because the search has reached its "
            "limit. `status`, `exact` and `proven` tell them apart.",
            example={
                "game": "tic-tac-toe",
                "position": "O.XX.X.OO",
                "player": "X",
                "status": "in_progress",
                "winner": None,
                "winning_line": None,
                "move": 4,
                "row": 1,
                "column": 1,
                "name": "b2",
                "outcome": "win",
                "score": 9,
                "plies": 1,
                "pv": [4],
                "proven": True,
                "exact": True,
                "next_position": "O.XXXX.OO",
                "next_status": "won",
                "next_winning_line": [3, 4, 5],
                "reason": "Completes the middle row.",
            },
        ),
    ],
)


class PositionValue(TypedDict):
    """The best move of a position and its value, without the line of best play.

    ``move`` is null if the game is over. ``exact`` and ``proven`` say how much of the value is proven.
    """

    position: f.PositionText
    player: f.PlayerToMove
    move: f.MoveOrNull
    column: NotRequired[f.ColumnOrNull]
    name: NotRequired[f.NameOrNull]
    outcome: f.OutcomeOrUnknown
    score: f.ScoreOrNull
    plies: f.PliesOrNull
    proven: Annotated[bool, about("Whether the outcome is proven.", example=True)]
    exact: Annotated[bool, about("Whether the distance and the lowest best move are proven too.", example=True)]
    plies_at_least: NotRequired[f.PliesAtLeast]
    plies_at_most: NotRequired[f.PliesAtMost]
    at_least: NotRequired[f.AtLeast]
    at_most: NotRequired[f.AtMost]
    estimate: NotRequired[f.Estimate]
    best_moves: NotRequired[f.AllBestMoves]
    best_columns: NotRequired[f.AllBestColumns]


class Reason(TypedDict):
    """A fact about a move, derived from the position or proven by the search."""

    code: f.ReasonCode
    detail: Annotated[str, about("The reason as a sentence.", example="Blocks the top row.")]
    lines: Annotated[
        Sequence[Sequence[int]],
        about("The lines that the reason refers to, each as the indices of its cells.", example=[[0, 1, 2]]),
    ]


class _JudgedMove(_MoveFields, _BestPlay, _Repetition):
    """A legal move, and the reasons for its value, without the value."""

    best: Annotated[bool, about("Whether it is proven that no other move is better.", example=True)]
    reasons: Annotated[
        list[Reason],
        about(
            "The reasons for the value of the move. The reasons about the board come first, and the reason "
            "about the result comes last."
        ),
    ]


class ExactMove(_JudgedMove, _ExactValue):
    """A legal move whose outcome and distance are proven."""


class ProvenMove(_JudgedMove, _ProvenValue):
    """A legal move whose outcome is proven, but not all of best play after it."""


class UnprovenMove(_JudgedMove, _UnprovenValue):
    """A legal move whose outcome is not proven."""


RankedMove = TypeAliasType(
    "RankedMove",
    Annotated[
        ExactMove | ProvenMove | UnprovenMove,
        about(
            "One legal move. Its value is for the player who makes the move, counted from before the move. "
            "`exact` and `proven` tell the three kinds apart. If the search reaches its limit, kinds can mix."
        ),
    ],
)


class Threats(TypedDict):
    """For each player, the cells (or their columns) where that player would complete a line if it were their move."""

    X: Annotated[Sequence[int], about("The threats of X.", example=[2])]
    O: Annotated[Sequence[int], about("The threats of O.", example=[])]  # noqa: E741, the name of a player


NO_EXAMPLE = ConfigDict()
"""The examples of analyses are not those of the answers that they extend."""


class _Threats(TypedDict):
    """The threats of both players, in line games."""

    threats: NotRequired[Annotated[Threats, about("The threats of both players. Only in line games.")]]
    threat_columns: NotRequired[
        Annotated[
            Threats,
            about("The columns of `threats`; 0 is the leftmost column. Only with gravity on one layer."),
        ]
    ]


RankedMoves = TypeAliasType(
    "RankedMoves",
    Annotated[
        list[RankedMove],
        about(
            "All legal moves, from best to worst; equally good moves are ordered by index. Moves with a "
            "better `at_least` come first, which a proven outcome counts as. Among equals, those with a higher "
            "`estimate` come first, then those with a better `at_most`; proven wins and losses are ordered by their "
            "score, or by what it is at least. So a move that is proven best stands first."
        ),
    ],
)


NoRankedMoves = TypeAliasType(
    "NoRankedMoves", Annotated[list[RankedMove], Field(max_length=0), about("Empty; the game is over.")]
)


class _AllMoves(_Threats):
    """What ``/analysis`` answers beyond ``/best-move``."""

    moves: RankedMoves


@with_config(NO_EXAMPLE)
class FinishedAnalysis(FinishedAnswer, _Threats):
    """The analysis if the game is over, so there is no move. ``plies`` is 0, and ``pv`` is empty."""

    moves: NoRankedMoves


class ExactAnalysis(ExactAnswer, _AllMoves):
    """The analysis if the outcome and the distance are proven, so ``score`` is a number."""


@with_config(NO_EXAMPLE)
class ProvenAnalysis(ProvenAnswer, _AllMoves):
    """The analysis if the outcome is proven, but not all of best play.

    ``plies_at_least`` and ``plies_at_most`` bound the distance, and ``move`` is the only move in ``pv``.
    """


@with_config(NO_EXAMPLE)
class UnprovenAnalysis(UnprovenAnswer, _AllMoves):
    """The analysis if the outcome is not proven.

    ``at_least`` and ``at_most`` bound it, and ``estimate`` is the expected result. What ``at_least`` says holds for
    ``move``, the only move in ``pv``.
    """


class UncheckedAnalysis(UncheckedAnswer):
    """The analysis if the game is over on the board, but not in a line game, and its table is not made yet."""

    moves: NoRankedMoves


AnalysisAnswer = TypeAliasType(
    "AnalysisAnswer",
    Annotated[
        FinishedAnalysis | ExactAnalysis | ProvenAnalysis | UnprovenAnalysis | UncheckedAnalysis,
        about(
            "The answer of `/best-move`, of one of the same kinds, and all legal moves with their "
            "value and the reasons for it."
        ),
    ],
)


class _SearchProgress(TypedDict):
    """The progress of a search, without the value of the position so far."""

    ply: NotRequired[
        Annotated[
            int,
            about(
                "The number of the next move in the position that is searched. After the last move of the game it is "
                "one more than the number of moves. Present only in reviews.",
                example=4,
            ),
        ]
    ]
    depth: Annotated[
        int, about("The number of plies that the search has looked ahead for wins and losses.", example=12)
    ]
    nodes: Annotated[int, about("The number of positions searched so far.", example=58212)]
    settled: Annotated[int, about("The number of legal moves whose exact score is known.", example=3)]
    moves: Annotated[int, about("The number of legal moves.", example=7)]


class _FoundMove(TypedDict):
    """The best move so far. ``column`` is left out unless moves are columns."""

    move: f.CellIndex
    column: NotRequired[f.ColumnIndex]
    name: f.MoveName


class ExactProgress(_SearchProgress, _FoundMove, _ExactValue):
    """The progress of a search that has proven outcome and distance; moves or best play are still missing."""


class ProvenProgress(_SearchProgress, _FoundMove, _ProvenValue):
    """The progress of a search that has proven the outcome, but not the distance."""


class UnprovenProgress(_SearchProgress, _UnprovenValue):
    """The progress of a search that has not proven the outcome yet."""

    move: f.MoveOrNull
    column: NotRequired[f.ColumnOrNull]
    name: NotRequired[f.NameOrNull]


Progress = TypeAliasType(
    "Progress",
    Annotated[
        ExactProgress | ProvenProgress | UnprovenProgress,
        about(
            "The progress of a search, with what is known of the position so far. `exact` and `proven` "
            "tell the three kinds apart."
        ),
    ],
)


class ReviewedMove(_MoveFields):
    """One move of a game. Outcomes and scores are for the player who made the move."""

    ply: Annotated[int, about("The number of the ply in the game, counted from 1.", example=4)]
    player: Annotated[f.PlayerName, about("The player who made the move.", example="X")]
    position: Annotated[str, about("The position before the move.", example="X...O...X")]
    best_moves: Annotated[
        Sequence[MoveName],
        about(
            "All best moves of the position, as in `pv`. If they are not proven, the list contains one proven better "
            "move if the move was a mistake, and is empty otherwise.",
            example=[1, 3, 5, 7],
        ),
    ]
    best_columns: NotRequired[f.AllBestColumns]
    outcome_before: Annotated[f.OutcomeOrUnknown, about("The result under best play before this move.", example="draw")]
    outcome_after: Annotated[f.OutcomeOrUnknown, about("The result under best play after this move.", example="loss")]
    score_before: Annotated[int | None, about("The score of the position; null if it is not proven.", example=0)]
    score_after: Annotated[
        int | None, about("The score of the move, on the same scale; null if it is not proven.", example=-6)
    ]
    estimate_before: NotRequired[
        Annotated[
            float,
            Field(ge=-1, le=1),
            about(
                "The expected result before the move, from -1 for a loss to 1 for a win. Present only if "
                "`outcome_before` is `unknown`, and only in games whose results are estimated.",
                example=0.24,
            ),
        ]
    ]
    estimate_after: NotRequired[
        Annotated[
            float,
            Field(ge=-1, le=1),
            about(
                "The expected result after the move. Present only if `outcome_after` is `unknown`, and only in games "
                "whose results are estimated.",
                example=-0.1,
            ),
        ]
    ]
    verdict: f.Verdict
    gave_away: Annotated[
        f.GaveAway | None,
        about(
            "The outcomes under best play before and after a mistake; null if the move is not a mistake. If they are "
            "not both proven, this is the smallest change that is proven.",
            example="draw -> loss",
        ),
    ]
    reason: Annotated[str, about("The verdict as a sentence.", example="Gives the draw away.")]


Accuracy = TypeAliasType(
    "Accuracy",
    Annotated[
        Mapping[str, float | None],
        about(
            "By player, the share of the possible result that the player's moves kept, in percent. A best move counts "
            "100 and a slower move 90. A mistake counts 50 if it turned a win into a draw or a draw into a loss, and 0 "
            "if it turned a win into a loss. Where an outcome is not proven, its estimate takes its place. "
            "The value is null for a player none of whose moves can be judged.",
            example={"X": 100.0, "O": 83.3},
        ),
    ],
)


class ReviewAnswer(PositionAnswer):
    """A verdict for each move of a game, and the move that decided the game."""

    plies: Annotated[list[ReviewedMove], about("The moves in order.")]
    accuracy: Accuracy
    turning_point: Annotated[
        int | None,
        about(
            "The number of the ply with the last mistake; null if there was no mistake. The outcome did not change "
            "after this ply.",
            example=4,
        ),
    ]
    proven: Annotated[
        bool, about("Whether every move has a verdict and the loss of every mistake is proven.", example=True)
    ]
