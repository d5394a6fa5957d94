"""The wire types of answers about games of families.

``openapi.yaml`` says the same; a test compares them. An answer of ``/best-move`` and ``/analysis`` has a type of its
own for each family, told by the field ``family``: who plays, and what there is to say of a move beside its cell.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from service.api.answer_types import Distance, Estimate, ReasonAnswer, Unknown
from service.api.requests import Seed
from service.engine.result import Outcome
from service.explain.review import Verdict
from service.families.game import MoveName
from service.games.position import Player, Status

FamilyName = Literal["wild", "notakto", "order-and-chaos", "numerical", "vanishing", "morris", "pop-out", "exactly"]

FamilyPlayer = Literal["X", "O", "first", "second", "Order", "Chaos", "odd", "even"]
"""A player of a game of any family."""

Either = Literal["first", "second"]
Side = Literal["Order", "Chaos"]
Parity = Literal["odd", "even"]

Digit = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"]

FewPlies = Annotated[int, Field(ge=0)]


class _Read(TypedDict):
    """The position that was understood, and how its game stands, without its players."""

    game: str
    position: str
    board: str
    status: Status
    winning_line: Sequence[int] | None


class _Value(TypedDict):
    """A value, and the line that has it.

    Bounds and estimate of the outcome are left out where it is proven, bounds of the plies where they are proven.
    """

    outcome: Outcome | Unknown
    score: int | None
    plies: FewPlies | None
    pv: Sequence[MoveName]
    proven: bool
    exact: bool
    repetition: bool
    at_least: NotRequired[Outcome]
    at_most: NotRequired[Outcome]
    estimate: NotRequired[Estimate]
    plies_at_least: NotRequired[Distance]
    plies_at_most: NotRequired[Distance]


class _Answer(_Read, _Value):
    """What every answer of ``/best-move`` has; null stands for the move where the game is over."""

    move: int | None
    row: int | None
    column: int | None
    name: MoveName | None
    next_position: str | None
    next_status: Status | None
    reason: str
    seed: NotRequired[Seed]
    skill: NotRequired[Annotated[int, Field(ge=0, le=99)]]


_From = TypedDict("_From", {"from": int | None})
"""The point that a piece leaves; null where one is placed."""


class WildAnswer(_Answer):
    """The best move in a game of wild tic-tac-toe."""

    family: Literal["wild"]
    player: Either
    winner: Either | None
    mark: Player | None


class NotaktoAnswer(_Answer):
    """The best move in a game of Notakto. ``board_number`` is left out where there is one board."""

    family: Literal["notakto"]
    player: Either
    winner: Either | None
    board_number: NotRequired[int | None]


class OrderAndChaosAnswer(_Answer):
    """The best move in a game of Order and Chaos."""

    family: Literal["order-and-chaos"]
    player: Side
    winner: Side | None
    mark: Player | None


class NumericalAnswer(_Answer):
    """The best move in a game of numerical tic-tac-toe."""

    family: Literal["numerical"]
    player: Parity
    winner: Parity | None
    mark: Digit | None


class VanishingAnswer(_Answer):
    """The best move in a game with marks that disappear."""

    family: Literal["vanishing"]
    player: Player
    winner: Player | None


class MorrisAnswer(_Answer, _From):
    """The best move in a game of three men's morris or one of its relatives."""

    family: Literal["morris"]
    player: Player
    winner: Player | None


class PopOutAnswer(_Answer):
    """The best move in a game of pop-out Connect Four."""

    family: Literal["pop-out"]
    player: Player
    winner: Player | None
    pop: bool | None


class ExactlyAnswer(_Answer):
    """The best move in a game in which a longer line does not count."""

    family: Literal["exactly"]
    player: Player
    winner: Player | None


FamilyBestMoveAnswer = TypeAliasType(
    "FamilyBestMoveAnswer",
    Annotated[
        WildAnswer
        | NotaktoAnswer
        | OrderAndChaosAnswer
        | NumericalAnswer
        | VanishingAnswer
        | MorrisAnswer
        | PopOutAnswer
        | ExactlyAnswer,
        Field(discriminator="family"),
    ],
)
"""The answer of ``/best-move`` about a game of a family."""


_MoveFields = TypedDict("_MoveFields", {"from": NotRequired[int | None]})


class _Move(_MoveFields):
    """A move of any family; what its family does not have is left out."""

    move: int
    row: int
    column: int
    mark: NotRequired[Player | Digit]
    pop: NotRequired[bool]
    board_number: NotRequired[int]
    name: MoveName


class RankedFamilyMove(_Move, _Value):
    """What one legal move is worth to the player who makes it, and why."""

    next_position: str
    next_status: Status
    best: bool
    reasons: list[ReasonAnswer]


class _Moves(TypedDict):
    moves: list[RankedFamilyMove]


class WildAnalysis(WildAnswer, _Moves):
    """All moves in a game of wild tic-tac-toe."""


class NotaktoAnalysis(NotaktoAnswer, _Moves):
    """All moves in a game of Notakto."""


class OrderAndChaosAnalysis(OrderAndChaosAnswer, _Moves):
    """All moves in a game of Order and Chaos."""


class NumericalAnalysis(NumericalAnswer, _Moves):
    """All moves in a game of numerical tic-tac-toe."""


class VanishingAnalysis(VanishingAnswer, _Moves):
    """All moves in a game of marks that disappear."""


class MorrisAnalysis(MorrisAnswer, _Moves):
    """All moves in a game of three men's morris or one of its relatives."""


class PopOutAnalysis(PopOutAnswer, _Moves):
    """All moves in a game of pop-out Connect Four."""


class ExactlyAnalysis(ExactlyAnswer, _Moves):
    """All moves in a game of lines of exactly so many cells."""


FamilyAnalysisAnswer = TypeAliasType(
    "FamilyAnalysisAnswer",
    Annotated[
        WildAnalysis
        | NotaktoAnalysis
        | OrderAndChaosAnalysis
        | NumericalAnalysis
        | VanishingAnalysis
        | MorrisAnalysis
        | PopOutAnalysis
        | ExactlyAnalysis,
        Field(discriminator="family"),
    ],
)
"""The answer of ``/analysis`` about a game of a family: that of ``/best-move``, and every legal move."""


class ReviewedFamilyMove(_Move):
    """One move of a game, judged for the player who made it; estimates are left out unless the outcome is unknown."""

    ply: int
    player: FamilyPlayer
    position: str
    best_moves: Sequence[MoveName]
    outcome_before: Outcome | Unknown
    outcome_after: Outcome | Unknown
    score_before: int | None
    score_after: int | None
    estimate_before: NotRequired[Estimate]
    estimate_after: NotRequired[Estimate]
    verdict: Verdict
    gave_away: Literal["win -> draw", "win -> loss", "draw -> loss"] | None
    reason: str


class FamilyReviewAnswer(_Read):
    """The answer of ``/review`` about a game of a family. ``accuracy`` has the players of the game."""

    family: FamilyName
    player: FamilyPlayer
    winner: FamilyPlayer | None
    plies: list[ReviewedFamilyMove]
    accuracy: dict[str, float | None]
    turning_point: int | None
    proven: bool


class FamilyRandomPositionAnswer(_Read):
    """The answer of ``/random-position`` about a game of a family; ``moves`` are names."""

    family: FamilyName
    player: FamilyPlayer
    winner: FamilyPlayer | None
    moves: Sequence[MoveName]
    seed: Seed
