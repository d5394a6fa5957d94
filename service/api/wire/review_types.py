"""The answers of ``/review``."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType

from service.api.wire import fields as f
from service.api.wire import position_fields as p
from service.api.wire.contract import about
from service.api.wire.groups import MoveFields, PositionAnswer
from service.games.notation.moves import MoveName


class ReviewedMove(MoveFields):
    """One move of a game. Outcomes and scores are for the player who made the move."""

    ply: Annotated[int, about("The number of the ply in the game, counted from 1.", example=4)]
    player: Annotated[p.PlayerName, about("The player who made the move.", example="X")]
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
