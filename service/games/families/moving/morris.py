"""Three men's morris and its relatives: place a few marks, then move them; three in a row wins at any time.

Tapatan, achi and picaria differ in their points, moves and numbers of marks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, product
from types import MappingProxyType
from typing import Unpack

from service.games.boards.geometry import in_turn
from service.games.boards.grid import Line
from service.games.families.moving.placing import PLACED, PLACED_ON_CENTRE, STUCK, PlaceThenMove
from service.games.parameters import Parameter, ParameterValue, RuleFault
from service.games.states import Named
from service.games.surface import Surface

WAYS: Mapping[str, str] = MappingProxyType(
    {
        "orthogonal": "to the next empty point in its row or column",
        "diagonals": "to the next empty point along a line, diagonals too",
        "king": "to any empty point beside it",
        "fly": "to any empty point",
    }
)
"""The moves of a mark, in words."""

SMALL, LARGE, CENTRE = 9, 13, 4
"""The number of points: of the square alone, and with the crossings of its diagonals; and the point in the middle."""

ROWS_AND_COLUMNS: tuple[Line, ...] = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS: tuple[Line, ...] = ((0, 4, 8), (2, 4, 6))
CROSSINGS: tuple[Line, ...] = ((0, 9, 4, 12, 8), (2, 10, 4, 11, 6), (1, 9, 3), (1, 10, 5), (3, 11, 7), (5, 12, 7))
"""The diagonals of picaria on 13 points, drawn through the crossings 9 to 12."""

PLACES = (*((row, column) for row in (0, 2, 4) for column in (0, 2, 4)), (1, 1), (1, 3), (3, 1), (3, 3))
"""The row and the column of each point, in quarters of the side of the square."""


class MorrisGame(PlaceThenMove):
    """Three men's morris and its relatives, on 9 points, or 13 in the larger picaria.

    ``moves`` are the moves of a mark: ``orthogonal`` to a neighbour in its row or column, ``diagonals`` also along the
    diagonals through the centre, ``king`` to any of the eight points around, ``fly`` anywhere. ``lines`` says whether
    the diagonals win too.
    """

    family = "morris"
    title = "Three men's morris and its relatives"
    about = "Pieces are placed, then moved."
    move_form = (
        "the point of a piece that is placed, or both points of a move, such as `0>1`, `0-1`, `a1-b1` or `a1b1`; the "
        "13 points of picaria have numbers only"
    )
    PARAMETERS = (
        Parameter(
            name="points",
            values=(SMALL, LARGE),
            default=SMALL,
            about="The number of points of the board.",
            details="The board of 13 points is that of the larger picaria.",
            choices="Points",
        ),
        Parameter(name="marks", values=range(1, 5), default=3, about="The number of pieces of each player."),
        Parameter(
            name="moves",
            values=("orthogonal", "diagonals", "king", "fly"),
            default="orthogonal",
            about="How a piece moves.",
            details="To a neighbour in its row or column (`orthogonal`), along the drawn diagonals too (`diagonals`), "
            "to any point around (`king`, only with 9 points), or anywhere (`fly`).",
            example="diagonals",
            choices="PieceMoves",
        ),
        Parameter(name="diagonals_win", values=bool, default=True, about="Whether the diagonals win too."),
        Parameter(
            name="stuck",
            values=tuple(STUCK),
            default="loss",
            about="The result for a player who cannot move.",
            choices="WhenStuck",
        ),
        PLACED_ON_CENTRE,
    )

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        points: int = 9,
        marks: int = 3,
        moves: str = "orthogonal",
        diagonals_win: bool = True,
        stuck: str = "loss",
        centre: str = "open",
        **named: Unpack[Named],
    ) -> None:
        large = points > SMALL
        super().__init__(
            rules=_sentence(points, marks, moves, stuck, centre, diagonals_win=diagonals_win),
            rows=1 if large else 3,
            columns=points if large else 3,
            parameters={
                "points": points,
                "marks": marks,
                "moves": moves,
                "diagonals_win": diagonals_win,
                "stuck": stuck,
                "centre": centre,
            },
            lines=ROWS_AND_COLUMNS + ((_triples() if large else DIAGONALS) if diagonals_win else ()),
            symmetries=_symmetries(points),
            neighbours=_neighbours(moves, points),
            marks=marks,
            stuck=STUCK[stuck],
            centre=CENTRE,
            rule=centre,
            states=in_turn(points, 2 * marks) // 7,  # images coincide for some of the eight symmetries
            **named,
        )
        self.numbered = large
        self._moves = moves

    @classmethod
    def rule_faults(cls, parameters: Mapping[str, ParameterValue]) -> Iterator[RuleFault]:
        """Yield a fault if marks move like a king on the larger board, whose points have fewer neighbours."""
        if parameters["moves"] == "king" and parameters["points"] != SMALL:
            detail = f"Marks move like a king only on a board of {SMALL} points."
            yield RuleFault("moves", "conflicting-field", detail)

    @cached_property
    def surface(self) -> Surface:
        """The description of the board for drawing: points on lines."""
        point_lines = _point_lines(self._moves, self.cells)
        return replace(super().surface, points=PLACES[: self.cells], point_lines=point_lines)


def _sentence(  # noqa: PLR0913, the rules have that many
    points: int, marks: int, moves: str, stuck: str, centre: str, *, diagonals_win: bool
) -> str:
    lines = "three in a row win" if diagonals_win else "three in a row or column win"
    end = "loses" if stuck == "loss" else "draws"
    return (
        f"Players place {marks} marks each on {points} points{PLACED[centre]}; then they move one of them "
        f"{WAYS[moves]}. At any time {lines}; a player who cannot move {end}."
    )


def _neighbours(moves: str, points: int) -> list[set[int]]:
    """Return for each point those to which a mark on it may move."""
    if moves == "fly":
        return [set(range(points)) for _ in range(points)]
    near: list[set[int]] = [set() for _ in range(points)]
    for line in _point_lines(moves, points):
        for start, end in pairwise(line):
            near[start].add(end)
            near[end].add(start)
    if moves == "king":
        for start, end in product(range(9), repeat=2):
            if max(abs(start // 3 - end // 3), abs(start % 3 - end % 3)) == 1:
                near[start].add(end)
    return near


def _point_lines(moves: str, points: int) -> tuple[Line, ...]:
    """Return the lines of the board."""
    diagonals = CROSSINGS if points > SMALL else DIAGONALS
    return ROWS_AND_COLUMNS + (diagonals if moves == "diagonals" else ())


def _triples() -> tuple[Line, ...]:
    """Return the lines of three consecutive points along the drawn diagonals."""
    return tuple(line[start : start + 3] for line in CROSSINGS for start in range(len(line) - 2))


def _symmetries(points: int) -> list[list[int]]:
    """Return the eight symmetries of the square, as permutations of the points."""
    places = PLACES[:points]
    found = []
    for turned, upside_down, mirrored in product((False, True), repeat=3):
        moved = [(column, row) if turned else (row, column) for row, column in places]
        moved = [(4 - row if upside_down else row, 4 - column if mirrored else column) for row, column in moved]
        found.append([places.index(place) for place in moved])
    return found
