"""Games in which each player places some pieces, then moves one of them a turn; lines win at any time."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Unpack

from service.games.boards.cells import Cells
from service.games.boards.grid import Line
from service.games.boards.marks import (
    completed,
    first_line,
    line_faults,
    no_move_before,
    read_masks,
    shared,
    turn_of,
    write_marks,
)
from service.games.game import Game, Violation
from service.games.notation.moves import MoveName
from service.games.parameters import Parameter, ParameterValue
from service.games.rules.morris import CENTRES, Morris
from service.games.states import Named, StateGame
from service.kernel.states.family import START, State

STUCK: Mapping[str, int] = MappingProxyType({"loss": 1, "draw": 2})
"""The result for a player who cannot move."""


PLACED: Mapping[str, str] = MappingProxyType(
    {"open": "", "not-first": ", the first one not on the centre", "closed": ", none on the centre"}
)
"""The points on which pieces may be placed, in words."""

PLACED_ON_CENTRE = Parameter(
    name="centre",
    values=CENTRES,
    default="open",
    about="Whether a piece may be placed on the centre.",
    details="Yes (`open`), not as the first of the game (`not-first`), or never (`closed`).",
    choices="CentreRule",
)


class PlaceThenMove(StateGame):
    """``neighbours`` are for each point those to which a piece on it may move.

    ``stuck`` is the result for a player who cannot move, ``rule`` the one about placing pieces on the ``centre``.
    """

    relative = True
    loops = True
    needs_turn = True

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        rules: str,
        rows: int,
        columns: int,
        parameters: Mapping[str, ParameterValue],
        lines: Sequence[Line],
        symmetries: Sequence[Sequence[int]],
        neighbours: Sequence[Collection[int]],
        marks: int,
        stuck: int,
        centre: int,
        rule: str,
        states: int,
        **named: Unpack[Named],
    ) -> None:
        cells = Cells(rows * columns, lines, symmetries)
        super().__init__(
            rules=rules,
            rows=rows,
            columns=columns,
            parameters=parameters,
            play=Morris(cells, neighbours, marks=marks, stuck=stuck, centre=centre, rule=rule),
            states=states,
            **named,
        )
        self._marks = marks
        self._lines = lines
        self._near = neighbours
        self._centre = centre
        self._rule = rule

    def contents(self, state: State, turn: int) -> str:
        """Return the marks."""
        return write_marks(state[turn], state[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the marks. Once all are placed, X is to move, unless a player is named or the last move decides."""
        x, o = read_masks(text, self.cells)
        counts = x.bit_count(), o.bit_count()
        lines = bool(completed(self._lines, x)), bool(completed(self._lines, o))
        faults = [
            Violation("mark-count", f"{player} has {count} marks; each player has {self._marks}.")
            for player, count in zip(self.players, counts, strict=True)
            if count > self._marks
        ]
        found, others = turn_of(counts, self._marks, lines, turn)
        masks = (x, o), (o, x)
        if turn is None and min(counts) >= self._marks and [*self.violations(masks[found], found)]:
            found ^= not [*self.violations(masks[1 - found], 1 - found)]
        return self.checked(masks[found], found, [*faults, *others])

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield violations about the last move, and by a mark on a closed centre."""
        first, second = (completed(self._lines, mask) for mask in state)
        has_last = self._has_last_move(state, second, turn)
        yield from line_faults(bool(first), bool(second), turn, last=has_last or not second)
        if not has_last and not first and not second:
            yield no_move_before(self.players[1 - turn])
        if self._was_placed_on_centre(state, turn):
            detail = f"{'No' if self._rule == 'closed' else 'Not the first'} piece may be placed on the centre."
            yield Violation("unreachable-position", detail, cell=self._centre)

    def _was_placed_on_centre(self, state: State, turn: int) -> bool:
        """Return whether a piece on the centre must have been placed there, against the rule."""
        centre = 1 << self._centre
        if self._rule == "not-first":
            return state[turn] == centre and (self._marks > 1 or not state[1 - turn])
        is_placing = state[0].bit_count() < self._marks
        return self._rule == "closed" and is_placing and bool((state[0] | state[1]) & centre)

    def _closed(self, state: State) -> bool:
        """Return whether marks may not be placed on the centre."""
        return self._rule == "closed" or (self._rule == "not-first" and state == START)

    def _has_last_move(self, state: State, lines: Sequence[int], turn: int) -> bool:
        """Return whether a single move leads here from where the player who moved last had none of these lines."""
        theirs, mine = state
        last = shared(lines) if lines else mine
        all_placed = min(theirs.bit_count(), mine.bit_count()) >= self._marks
        moved = all_placed and self._rule == "closed" and bool((mine | theirs) >> self._centre & 1)
        if not all_placed or (turn == 0 and not moved):  # the second player places the last mark
            return bool(last) or not mine
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
            if move == self._centre and self._closed(state):
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
