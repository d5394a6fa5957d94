"""Groups of fields that several answers have in common."""

from typing import NotRequired

from typing_extensions import TypedDict

from service.api.wire import fields as f
from service.api.wire import position_fields as p


class UnderstoodPosition(TypedDict):
    """The position that was understood."""

    game: p.GameId
    family: NotRequired[p.FamilyOfGame]
    position: p.PositionText
    board: NotRequired[p.BoardContents]
    player: p.PlayerToMove


class PositionAnswer(UnderstoodPosition):
    """The position that was understood, and the status of its game."""

    status: p.Status
    winner: p.Winner
    winning_line: p.WinningLine


class OpenPosition(UnderstoodPosition):
    """A position whose game goes on."""

    status: p.InProgress
    winner: p.Winner
    winning_line: p.WinningLine


_From = TypedDict("_From", {"from": NotRequired[p.LeftPoint]})


class MoveFields(_From):
    """A move."""

    move: p.CellIndex
    row: p.RowIndex
    column: p.ColumnIndex
    layer: NotRequired[p.LayerIndex]
    takes: NotRequired[p.TakenPoint]
    mark: NotRequired[p.WrittenMark]
    pop: NotRequired[p.IsPop]
    board_number: NotRequired[p.BoardNumber]
    name: p.MoveName


class BestPlay(TypedDict):
    """The line of best play that begins with a move, and the position after the move."""

    pv: f.PrincipalVariation
    pv_columns: NotRequired[f.ColumnsOfLine]
    next_position: f.NextPosition
    next_status: f.NextStatus
    next_winning_line: f.NextWinningLine


class ExactValue(TypedDict):
    """A value whose outcome, distance and best play to the end are proven."""

    outcome: f.Outcome
    score: f.Score
    plies: f.Plies
    proven: f.Proven
    exact: f.Exact


class FinalValue(TypedDict):
    """The value of a position whose game is over."""

    outcome: f.Outcome
    score: f.Score
    plies: f.NoPlies
    proven: f.Proven
    exact: f.Exact


class ProvenValue(TypedDict):
    """A value whose outcome is proven, but not the distance or best play to the end."""

    outcome: f.Outcome
    score: f.NotKnown
    plies: f.NotKnown
    proven: f.Proven
    exact: f.NotExact
    plies_at_least: f.PliesAtLeast
    plies_at_most: f.PliesAtMost


class UnprovenValue(TypedDict):
    """A value whose outcome is not proven."""

    outcome: f.Unknown
    score: f.NotKnown
    plies: f.NotKnown
    proven: f.NotProven
    exact: f.NotExact
    at_least: f.AtLeast
    at_most: f.AtMost
    estimate: NotRequired[f.Estimate]


class Repetition(TypedDict):
    """Whether a draw is endless, in games with loops."""

    repetition: NotRequired[f.Repetition]
