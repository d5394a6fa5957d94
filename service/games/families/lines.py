"""Games of lines: players take turns to mark a cell; a complete line ends the game.

A mask is an integer in which bit ``c`` stands for cell ``c``. A state is the mask of the player to move and that of the
other; a move is a cell. Either player may begin.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import Literal, cast

from service.games.boards.grid import Line, Symmetry, Wrap, drop_of, lines_of, longest_line, permute, symmetries_of
from service.games.boards.lines import LineBoard
from service.games.boards.marks import read_marks, write_marks
from service.games.game import (
    DRAWN,
    LOST,
    MAX_CELLS,
    ONGOING,
    WON,
    LastMove,
    UnreadableError,
    Value,
    Violation,
    counted,
)
from service.games.notation.lines import LineNotation
from service.games.parameters import MISERE, Parameter, ParameterValue, RuleFault, no_line_fits
from service.games.position import Position
from service.games.setup import Setup
from service.games.tactics import Tactics
from service.kernel.rules import Rules, make_rules
from service.kernel.states.family import State

Player = str
"""``X`` or ``O``."""

PLAYERS: tuple[Player, Player] = ("X", "O")
OPPONENT: Mapping[str, Player] = MappingProxyType({"X": "O", "O": "X"})

SIDE = range(1, MAX_CELLS + 1)

"""The sides of a board."""

FEW_LINES, DRAWISH_SCALE = 3.0, 500.0
"""The greatest ``potential`` at which most games without gravity are drawn, and the scale of their estimates."""

WRAP = Parameter(
    name="wrap",
    values=(False, True, "cylinder", "moebius"),
    default=False,
    about="How the edges of the board are joined, so that lines continue at the other side.",
    details="`false`: not at all. `true`: all with the opposite ones. `cylinder` and `moebius`: only the right "
    "edge with the left one, as it is or upside down. On a `moebius` strip, right of the last cell of the "
    "first row is the first cell of the last row.",
    choices="JoinedEdges",
)


MARKS = frozenset("XO.")

X_BITS, O_BITS = str.maketrans("XO.", "100"), str.maketrans("XO.", "010")
"""Translations of a board into the binary digits of the masks of X and of O."""


class LineGame(LineBoard, LineNotation):
    """The rules of one game of lines. Games are compared by identity, which is fast; ``digest`` compares rules.

    ``in_a_row`` is None if the lines are written by hand. Under gravity a cell is playable if the cell at distance
    ``drop`` is filled, or is not on the board; ``drop`` is 0 without gravity.
    """

    family = "line"
    engine = "lines"
    title = "Line games"
    about = "A number of marks in a row completes a line, in any direction. A board has at most 64 cells."
    PARAMETERS = (
        Parameter(name="rows", values=SIDE, about="The number of rows.", example=4),
        Parameter(name="columns", values=SIDE, about="The number of columns.", example=3),
        Parameter(name="in_a_row", values=SIDE, about="The number of marks in a row that complete a line.", example=3),
        Parameter(
            name="layers",
            values=SIDE,
            default=1,
            about="The number of layers.",
            details="With several layers, diagonals in all three dimensions count.",
        ),
        Parameter(
            name="gravity",
            values=bool,
            default=False,
            about="Whether marks fall to the lowest empty cell of their column.",
            details="On boards of several layers, marks fall from layer to layer, and each cell of the first layer is "
            "the top of a column.",
        ),
        MISERE,
        WRAP,
    )
    relative = True
    has_estimates = True
    cells_tell_all = True
    either_begins = True
    reads_columns = True

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        id: str,
        name: str,
        rules: str,
        rows: int,
        columns: int,
        layers: int = 1,
        in_a_row: int | None = None,
        gravity: bool = False,
        misere: bool = False,
        wrap: Wrap = False,
        lines: tuple[Line, ...],
        drop: int = 0,
        symmetries: tuple[Symmetry, ...],
        value: Value | None = None,
    ) -> None:
        super().__init__(id=id, name=name, rules=rules, rows=rows, columns=columns, layers=layers, value=value)
        self.in_a_row = in_a_row
        self.numbered = in_a_row is None
        self.gravity = gravity
        self.misere = misere
        self.wrap = wrap
        self.lines = lines
        self.drop = drop
        self.symmetries = symmetries
        self.has_columns = self.upright = bool(drop) and layers == 1
        self.full = (1 << self.cells) - 1
        if not (drop or misere) and self.potential <= FEW_LINES:
            self.estimate_scale = DRAWISH_SCALE

    @classmethod
    def rule_faults(cls, parameters: Mapping[str, ParameterValue]) -> Iterator[RuleFault]:
        """Yield every reason why no game has these parameters, each valid by itself."""
        rows, columns, layers, in_a_row = (int(parameters[name]) for name in ("rows", "columns", "layers", "in_a_row"))
        cells = rows * columns * layers
        if cells > MAX_CELLS:
            size = f"{rows} x {columns}{f' x {layers}' if layers > 1 else ''}"
            detail = f"A board of {size} has {cells} cells; the maximum is {MAX_CELLS}."
            yield RuleFault("rows", "too-many-cells", detail)
        if in_a_row > longest_line((layers, rows, columns), cast("Wrap", parameters["wrap"])):
            yield no_line_fits(in_a_row)

    @property
    def in_brief(self) -> str:
        """A description of the rules in a few words, for a game without a name."""
        if self.numbered:
            return f"Game of {counted(len(self.lines), 'line')} on {counted(self.cells, 'cell')}"
        size = "x".join(str(n) for n in (self.rows, self.columns, self.layers) if n > 1 or n != self.layers)
        kinds = {"misère": self.misere, "joined edges": self.wrap, "gravity": self.gravity}
        return ", ".join([f"{self.in_a_row} in a row on {size}", *(kind for kind, has in kinds.items() if has)])

    @property
    def rule_data(self) -> Mapping[str, object]:
        """The values that distinguish the rules from all others, by names."""
        return {"lines": self.lines, "cells": self.cells, "drop": self.drop, "misere": self.misere}

    @cached_property
    def digest(self) -> bytes:
        """A digest that is equal for games with the same moves and lines, regardless of their names."""
        return blake2b(repr((self.cells, self.lines, self.drop, self.misere)).encode(), digest_size=16).digest()

    @cached_property
    def search_digest(self) -> bytes:
        """A digest of everything that a search depends on, including the known symmetries.

        Two games with the same ``digest`` have the same values; node-limited searches are equal only if
        ``search_digest`` is too.
        """
        return blake2b(self.digest + repr(sorted(self.symmetries)).encode(), digest_size=16).digest()

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield a violation if the cell is marked, its column is full, or a mark would float."""
        del turn
        if (state[0] | state[1]) >> move & 1:
            unit, number = self.units[0], self.listed(move)
            fault = ("full-column", "full") if self.drop else ("occupied-cell", "already marked")
            yield Violation(fault[0], f"{unit} {number} is {fault[1]}", cell=move)
        elif not self.playable(state[0] | state[1]) >> move & 1:
            yield Violation("floating-mark", f"cell {move} is above an empty one", cell=move)

    def lay_out(self) -> Rules:
        """Return the rules as arrays for the search. It takes some milliseconds, so callers cache them."""
        return make_rules(
            self.cells,
            self.lines,
            drop=self.drop,
            misere=self.misere,
            symmetries=self.symmetries,
            automorphisms=self.automorphisms,
        )

    @property
    def proper_symmetries(self) -> Sequence[Symmetry]:
        """The ``automorphisms`` but the identity."""
        return [each for each in self.automorphisms if each != tuple(range(self.cells))]

    @property
    def last_move(self) -> LastMove:
        """The effect of a last move: it completes a line."""
        return "loses" if self.misere else "wins"

    def result(self, state: State) -> int:
        """Return the result by the lines of the player who moved last, then by a full board."""
        if self.has_line(state[1]):
            return WON if self.misere else LOST
        return DRAWN if state[0] | state[1] == self.full else ONGOING

    def legal_moves(self, state: State) -> Sequence[int]:
        """Return the playable cells, ascending; none when the game is over."""
        if self.result(state) != ONGOING:
            return ()
        playable = self.playable(state[0] | state[1])
        return [cell for cell in range(self.cells) if playable >> cell & 1]

    def after(self, state: State, move: int) -> State:
        """Return the state after a move, for the other player to move."""
        return state[1], state[0] | 1 << move

    def remaining(self, state: State) -> int:
        """Return the number of empty cells."""
        return self.cells - (state[0] | state[1]).bit_count()

    def unsupported(self, state: State) -> Sequence[int]:
        """Return the empty cells that cannot be marked yet because a cell below them, in gravity, is empty."""
        occupied = state[0] | state[1]
        marked_or_playable = occupied | self.playable(occupied)
        return [cell for cell in range(self.cells) if not marked_or_playable >> cell & 1]

    def line(self, state: State) -> Line | None:
        """Return the first line of the player who moved last."""
        theirs = state[1]
        lines = zip(self.lines, self.line_masks, strict=True)
        return next((line for line, cells in lines if cells & theirs == cells), None)

    def contents(self, state: State, turn: int) -> str:
        """Return the marks, with ``.`` for an empty cell: ``O.XX.X.OO``."""
        return write_marks(state[turn], state[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the marks. By default the player with fewer marks moves; with equal counts, the one without a line."""
        if len(text) != self.cells or not MARKS.issuperset(text):
            text = read_marks(text, self.cells)
        cells = text[::-1]
        x, o = int(cells.translate(X_BITS), 2), int(cells.translate(O_BITS), 2)
        setup = Setup(self, x, o, None if turn is None else PLAYERS[turn])
        violations = setup.violations()
        if violations:
            raise UnreadableError(violations)
        turn = PLAYERS.index(setup.player_to_move)
        return ((o, x) if turn else (x, o)), turn

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield every reason why no play leads to a state."""
        return iter(Setup(self, state[turn], state[1 - turn], PLAYERS[turn]).violations())

    def masks(self, position: "LinePosition") -> tuple[int, int]:
        """Return the masks of X and of O."""
        state, turn = position.state, position.turn
        return state[turn], state[1 - turn]

    def completed_by(self, position: "LinePosition", player: str, move: int) -> tuple[Line, ...]:
        """Return the lines that a player would complete by marking a cell."""
        return self.completed(self.masks(position)[self.players.index(player)], move)

    def move_result(self, state: State, move: int) -> tuple[int, tuple[Line, ...]]:
        """Return the result of a legal move for the player who makes it, and the lines that it completes."""
        lines = self.completed(state[0], move)
        if lines:
            return LOST if self.misere else WON, lines
        return DRAWN if state[0] | state[1] | 1 << move == self.full else ONGOING, ()

    def tactics(self, state: State) -> Tactics:
        """Return the finder of threats and forks of a state."""
        return Tactics(self, state)

    def completions(self, position: "LinePosition", player: str) -> dict[int, tuple[Line, ...]]:
        """Map each cell that would complete lines, if the player could move now, to these lines."""
        if position.result != ONGOING:
            return {}
        occupied, supports = position.state[0] | position.state[1], self.supports
        marks = self.masks(position)[self.players.index(player)]
        found: dict[int, tuple[Line, ...]] = {}
        for line, cells in zip(self.lines, self.line_masks, strict=True):
            missing = cells & ~marks
            if not missing & missing - 1 and not missing & occupied:
                cell = missing.bit_length() - 1
                if supports[cell] & occupied == supports[cell]:
                    found[cell] = (*found.get(cell, ()), line)
        return found

    def threats(self, state: State, turn: int) -> Mapping[str, tuple[int, ...]]:
        """Return the cells by which each player would complete a line if it were their move."""
        position = Position(self, state, turn)
        return {player: tuple(sorted(self.completions(position, player))) for player in self.players}

    def least_image(self, state: State) -> State:
        """Return the least of the symmetric images of a state, own marks first."""
        return min((permute(state[0], symmetry), permute(state[1], symmetry)) for symmetry in self.symmetries)


LinePosition = Position[LineGame]
"""A position of a game of lines."""


def marked(position: LinePosition) -> int:
    """Return the mask of all marked cells."""
    return position.state[0] | position.state[1]


def line_position(game: LineGame, x: int, o: int, player: str) -> LinePosition:
    """Return the position with these masks of X and O, and this player to move."""
    return Position(game, (x, o) if player == "X" else (o, x), game.players.index(player))


def position_after(game: LineGame, cells: Iterable[int], first_player: str = "X") -> LinePosition:
    """Return the position after legal moves to these cells from the empty board."""
    position = line_position(game, 0, 0, first_player)
    for cell in cells:
        position = position.play(cell)
    return position


def grid(  # noqa: PLR0913, the rules have that many
    *,
    id: str,
    name: str,
    rules: str,
    rows: int,
    columns: int,
    in_a_row: int,
    layers: int = 1,
    gravity: bool = False,
    misere: bool = False,
    wrap: Wrap | Literal["torus"] = False,
    value: Value | None = None,
) -> LineGame:
    """Return the game on a board in which ``in_a_row`` marks in any direction complete a line.

    Diagonals count, those of the plane and those of space.
    """
    shape = (layers, rows, columns)
    wrap = True if wrap == "torus" else wrap
    lines = lines_of(shape, in_a_row, wrap=wrap)
    drop = drop_of(shape) if gravity else 0
    return LineGame(
        id=id,
        name=name,
        rules=rules,
        rows=rows,
        columns=columns,
        layers=layers,
        in_a_row=in_a_row,
        gravity=gravity,
        misere=misere,
        wrap=wrap,
        lines=lines,
        drop=drop,
        symmetries=symmetries_of(shape, drop=drop, wrap=wrap),
        value=value,
    )


def hand_written(  # noqa: PLR0913, the rules have that many
    *,
    id: str,
    name: str,
    rules: str,
    cells: int,
    lines: Iterable[Iterable[int]],
    misere: bool = False,
) -> LineGame:
    """Return the game on ``cells`` cells in which only the given ``lines`` count.

    Its board is a single row; clients may draw the cells anywhere. Symmetries are not searched.
    """
    return LineGame(
        id=id,
        name=name,
        rules=rules,
        rows=1,
        columns=cells,
        misere=misere,
        lines=tuple(sorted({tuple(sorted(set(line))) for line in lines})),
        symmetries=(tuple(range(cells)),),
    )
