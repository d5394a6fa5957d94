"""Three men's morris and its relatives: place a few marks, then move them; three in a row wins at any time.

Tapatan, achi and picaria differ in their points, moves and numbers of marks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, product
from types import MappingProxyType
from typing import Unpack

from service.games.boards.cells import Cells
from service.games.boards.geometry import in_turn
from service.games.boards.grid import Line
from service.games.boards.marks import (
    completed,
    first_line,
    line_faults,
    mask_of,
    read_marks,
    shared,
    turn_of,
    write_marks,
)
from service.games.game import Game, Violation
from service.games.notation.moves import MoveName
from service.games.parameters import Parameter, ParameterValue, RuleFault
from service.games.rules.morris import CENTRE, CENTRES, Morris
from service.games.states import Named, StateGame
from service.games.surface import Surface
from service.kernel.states.family import START, State

STUCK: Mapping[str, int] = MappingProxyType({"loss": 1, "draw": 2})
"""The result for a player who cannot move."""

WAYS: Mapping[str, str] = MappingProxyType(
    {
        "orthogonal": "to the next empty point in its row or column",
        "diagonals": "to the next empty point along a line, diagonals too",
        "king": "to any empty point beside it",
        "fly": "to any empty point",
    }
)
"""The moves of a mark, in words."""

PLACED: Mapping[str, str] = MappingProxyType(
    {"open": "", "not-first": ", the first one not on the centre", "closed": ", none on the centre"}
)
"""The points on which marks may be placed, in words."""


SMALL, LARGE = 9, 13
"""The number of points: of the square alone, and with the crossings of its diagonals."""

ROWS_AND_COLUMNS: tuple[Line, ...] = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS: tuple[Line, ...] = ((0, 4, 8), (2, 4, 6))
CROSSINGS: tuple[Line, ...] = ((0, 9, 4, 12, 8), (2, 10, 4, 11, 6), (1, 9, 3), (1, 10, 5), (3, 11, 7), (5, 12, 7))
"""The diagonals of picaria on 13 points, drawn through the crossings 9 to 12."""

PLACES = (*((row, column) for row in (0, 2, 4) for column in (0, 2, 4)), (1, 1), (1, 3), (3, 1), (3, 3))
"""The row and the column of each point, in quarters of the side of the square."""


class MorrisGame(StateGame):
    """Three men's morris and its relatives, on 9 points, or 13 in the larger picaria.

    ``moves`` are the moves of a mark: ``orthogonal`` to a neighbour in its row or column, ``diagonals`` also along the
    diagonals through the centre, ``king`` to any of the eight points around, ``fly`` anywhere. ``lines`` says whether
    the diagonals win too.
    """

    family = "morris"
    title = "Three men's morris and its relatives"
    about = "Pieces are placed, then moved."
    relative = True
    loops = True
    needs_turn = True
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
        Parameter(
            name="centre",
            values=CENTRES,
            default="open",
            about="Whether a piece may be placed on the centre.",
            details="Yes (`open`), not as the first of the game (`not-first`), or never (`closed`).",
            choices="CentreRule",
        ),
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
        lines = ROWS_AND_COLUMNS + ((_triples() if large else DIAGONALS) if diagonals_win else ())
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
            play=Morris(
                Cells(points, lines, _symmetries(points)),
                _neighbours(moves, points),
                marks,
                STUCK[stuck],
                CENTRES.index(centre),
            ),
            states=in_turn(points, 2 * marks) // 7,  # images coincide for some of the eight symmetries
            **named,
        )
        self.numbered = large
        self._marks = marks
        self._lines = lines
        self._near = _neighbours(moves, points)
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
        drawn = _drawn(self._moves, self.cells)
        return replace(super().surface, points=PLACES[: self.cells], drawn=drawn)

    def contents(self, state: State, turn: int) -> str:
        """Return the marks."""
        return write_marks(state[turn], state[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the marks. Once all are placed, X is to move, unless a player is named or a line decides."""
        marks = read_marks(text, self.cells)
        x, o = mask_of(marks, "X"), mask_of(marks, "O")
        counts = x.bit_count(), o.bit_count()
        lines = bool(completed(self._lines, x)), bool(completed(self._lines, o))
        faults = [
            Violation("mark-count", f"{player} has {count} marks; each player has {self._marks}.")
            for player, count in zip(self.players, counts, strict=True)
            if count > self._marks
        ]
        found, others = turn_of(counts, self._marks, lines, turn)
        return self.checked((o, x) if found else (x, o), found, [*faults, *others])

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield violations shown by lines about the last move, and by a mark on a closed centre."""
        first, second = (completed(self._lines, mask) for mask in state)
        yield from line_faults(bool(first), bool(second), turn, last=self._has_last_move(state, second, turn))
        centre = (state[0] | state[1]) & 1 << CENTRE
        if centre and state[0].bit_count() < self._marks and self._closed((state[0], state[1] & ~centre)):
            yield Violation("unreachable-position", "No piece may be placed on the centre.", cell=CENTRE)

    def _closed(self, state: State) -> bool:
        """Return whether marks may not be placed on the centre."""
        centre = self.parameters["centre"]
        return centre == "closed" or (centre == "not-first" and state == START)

    def _has_last_move(self, state: State, lines: Sequence[int], turn: int) -> bool:
        """Return whether a single move can have completed all these lines of the player who moved last."""
        if not lines:
            return True
        theirs, mine = state
        last = shared(lines)
        all_placed = min(theirs.bit_count(), mine.bit_count()) >= self._marks
        if turn == 0 or not all_placed:  # the second player places the last mark
            return bool(last)
        ends = [end for end in range(self.cells) if last >> end & 1]
        return any(
            not completed(self._lines, mine ^ 1 << end | 1 << start)
            for end in ends
            for start in self._near[end]
            if not (mine | theirs) >> start & 1
        )

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield every reason why a mark cannot be placed, or cannot leave its point or reach the other one."""
        start, player = self.move_fields(move)["from"], self.players[turn]
        yield from Game.move_faults(self, state, turn, move)
        placing = state[0].bit_count() < self._marks
        if placing != (start is None):
            detail = f"{player} has pieces to place" if placing else f"{player} has placed all pieces"
            yield Violation("illegal-move", f"{detail} and {'places' if placing else 'moves'} one")
        if start is None:
            if move == CENTRE and self._closed(state):
                yield Violation("illegal-move", "no piece may be placed on the centre")
            return
        if self.contents(state, turn)[int(start)] != player:
            yield Violation("illegal-move", f"{player} has no piece on point {start}")
        if self.cell_of(move) not in self._near[int(start)]:
            yield Violation("illegal-move", f"no piece moves from point {start} to point {self.cell_of(move)}")

    def move_name(self, move: int) -> MoveName:
        """Return the point of a placed mark, or both points of a moved one."""
        return str(move) if move < self.cells else f"{move // self.cells - 1}>{move % self.cells}"

    def cell_of(self, move: int) -> int:
        """Return the point that is reached."""
        return move % self.cells

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the point that a moved mark leaves."""
        return {"from": None if move < self.cells else move // self.cells - 1}

    def line(self, state: State) -> Line | None:
        """Return the first line of the player who moved last."""
        return first_line(self._lines, state[1])


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
    for line in _drawn(moves, points):
        for start, end in pairwise(line):
            near[start].add(end)
            near[end].add(start)
    if moves == "king":
        for start, end in product(range(9), repeat=2):
            if max(abs(start // 3 - end // 3), abs(start % 3 - end % 3)) == 1:
                near[start].add(end)
    return near


def _drawn(moves: str, points: int) -> tuple[Line, ...]:
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
