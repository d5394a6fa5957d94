"""The answers of ``/analysis``, and the progress of a search that its stream reports."""

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypeAliasType, TypedDict

from service.api.wire import fields as f
from service.api.wire import position_fields as p
from service.api.wire.answer_types import (
    ExactAnswer,
    FinishedAnswer,
    ProvenAnswer,
    UncheckedAnswer,
    UnprovenAnswer,
)
from service.api.wire.contract import about
from service.api.wire.groups import BestPlay, ExactValue, MoveFields, ProvenValue, Repetition, UnprovenValue


class Reason(TypedDict):
    """A fact about a move, derived from the position or proven by the search."""

    code: f.ReasonCode
    detail: Annotated[str, about("The reason as a sentence.", example="Blocks the top row.")]
    lines: Annotated[
        Sequence[Sequence[int]],
        about("The lines that the reason refers to, each as the indices of its cells.", example=[[0, 1, 2]]),
    ]


class _JudgedMove(MoveFields, BestPlay, Repetition):
    """A legal move, and the reasons for its value, without the value."""

    best: Annotated[bool, about("Whether it is proven that no other move is better.", example=True)]
    reasons: Annotated[
        list[Reason],
        about(
            "The reasons for the value of the move. The reasons about the board come first, and the reason "
            "about the result comes last."
        ),
    ]


class ExactMove(_JudgedMove, ExactValue):
    """A legal move whose outcome and distance are proven."""


class ProvenMove(_JudgedMove, ProvenValue):
    """A legal move whose outcome is proven, but not all of best play after it."""


class UnprovenMove(_JudgedMove, UnprovenValue):
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
    """The fields of ``/analysis`` beyond those of ``/best-move``."""

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

    ``at_least`` and ``at_most`` bound it, and ``estimate`` is the expected result. ``move``, the only move in ``pv``,
    is proven to reach ``at_least``.
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

    move: p.CellIndex
    column: NotRequired[p.ColumnIndex]
    name: p.MoveName


class ExactProgress(_SearchProgress, _FoundMove, ExactValue):
    """The progress of a search that has proven outcome and distance; moves or best play are still missing."""


class ProvenProgress(_SearchProgress, _FoundMove, ProvenValue):
    """The progress of a search that has proven the outcome, but not the distance."""


class UnprovenProgress(_SearchProgress, UnprovenValue):
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
