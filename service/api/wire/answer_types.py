"""The answers about positions of any game.

``status``, ``proven`` and ``exact`` distinguish the kinds: the game is over; outcome and distance are proven; only the
outcome is; or not even that. Fields that a game does not need are absent; those of ``GameDescription`` say which its
answers have.
"""

from typing import Annotated, NotRequired

from pydantic import with_config
from typing_extensions import TypeAliasType, TypedDict

from service.api.wire import fields as f
from service.api.wire import position_fields as p
from service.api.wire.contract import about, example
from service.api.wire.groups import (
    BestPlay,
    ExactValue,
    FinalValue,
    MoveFields,
    OpenPosition,
    ProvenValue,
    Repetition,
    UnderstoodPosition,
    UnprovenValue,
)

_NoFrom = TypedDict("_NoFrom", {"from": NotRequired[p.NoNumber]})


class _FinishedPosition(UnderstoodPosition, _NoFrom):
    """A position whose game is over, and the fields of a move without one."""

    status: p.FinishedStatus
    winner: p.Winner
    winning_line: p.WinningLine
    move: p.NoNumber
    row: p.NoNumber
    column: p.NoNumber
    layer: NotRequired[p.NoNumber]
    takes: NotRequired[p.NoNumber]
    mark: NotRequired[p.NoText]
    pop: NotRequired[p.NoFlag]
    board_number: NotRequired[p.NoNumber]
    name: f.NameOrNull
    pv: f.EmptyLine
    pv_columns: NotRequired[f.EmptyLine]
    best_moves: NotRequired[f.EmptyLine]
    best_columns: NotRequired[f.EmptyLine]
    next_position: p.NoText
    next_status: p.NoText
    next_winning_line: p.WinningLine
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
class FinishedAnswer(_FinishedPosition, FinalValue, Repetition):
    """The answer if the game is over, so there is no move. ``plies`` is 0, and ``pv`` is empty."""


class _AnswerWithMove(OpenPosition, MoveFields, BestPlay, Repetition):
    """An answer without its value."""

    best_moves: NotRequired[f.AllBestMoves]
    best_columns: NotRequired[f.AllBestColumns]
    reason: f.ReasonSentence
    seed: NotRequired[f.SeedUsed]
    skill: NotRequired[f.SkillUsed]


class ExactAnswer(_AnswerWithMove, ExactValue):
    """The answer if the outcome and the distance are proven, so ``score`` is a number.

    So is ``plies``, but in a draw that neither player can bring to an end, or whose length varies.
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
class ProvenAnswer(_AnswerWithMove, ProvenValue):
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
class UnprovenAnswer(_AnswerWithMove, UnprovenValue):
    """The answer if the outcome is not proven.

    ``at_least`` and ``at_most`` bound it, and ``estimate`` is the expected result. ``move``, the only move in ``pv``,
    is proven to reach ``at_least``.
    """


class UncheckedAnswer(_FinishedPosition, UnprovenValue, Repetition):
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

    position: p.PositionText
    player: p.PlayerToMove
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
