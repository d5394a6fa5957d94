"""Games with compiled rules: they are solved completely, or searched state by state."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, TypedDict, Unpack

from service.games.boards.grid import Symmetry
from service.games.boards.marks import out_of_turn, read_masks, write_marks
from service.games.boards.pairing import Pairs
from service.games.game import Game, Value
from service.games.notation.moves import MoveName, joined
from service.games.parameters import ParameterValue
from service.kernel.states.family import Family, State


class Named(TypedDict, total=False):
    """The fields of a game in the catalogue."""

    id: str
    name: str
    value: Value


class StateGame(Game):
    """A game with compiled rules: ``play`` has the moves and results, ``states`` estimates the number of states.

    Certificates have one entry for positions that are equal under ``symmetries``, each a permutation without the
    identity. Only a family with large certificates has any.
    """

    symmetries: ClassVar[Sequence[Symmetry]] = ()

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        rules: str,
        rows: int,
        columns: int,
        parameters: Mapping[str, ParameterValue],
        play: Family,
        states: int,
        **named: Unpack[Named],
    ) -> None:
        super().__init__(rules=rules, rows=rows, columns=columns, parameters=parameters, **named)
        self.play = play
        self.states = states

    @property
    def moves(self) -> int:
        """The number of moves, legal or not."""
        return self.play.moves

    def result(self, state: State) -> int:
        """Return ``ONGOING``, or the result for the player to move."""
        return self.play.result_of(state)

    def legal_moves(self, state: State) -> Sequence[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        return self.play.legal_moves(state)

    def after(self, state: State, move: int) -> State:
        """Return the state after a legal move."""
        return self.play.after(state, move)

    def least_image(self, state: State) -> State:
        """Return the least of the symmetric images of a state, as searches store it."""
        return self.play.least_image(state)

    @property
    def proper_symmetries(self) -> Sequence[Symmetry]:
        """The ``symmetries``."""
        return self.symmetries

    def images(self, state: State) -> Iterator[State]:
        """Yield the image of a state under each of the ``symmetries``."""
        yield from ()

    def pairs(self, state: State) -> Pairs:
        """Return pairs of cells by which the player who is not to move wins, answering each move in the same pair."""
        return ()

    def remaining(self, state: State) -> int:
        """Return the maximum number of plies left; 0 in games with loops."""
        return self.play.remaining_of(state)


class FromCellToCell(StateGame):
    """A game whose moves are a cell that is left, times the number of cells, plus a cell that is reached."""

    def move_name(self, move: int) -> MoveName:
        """Return both cells."""
        return f"{move // self.cells}>{move % self.cells}"

    def cell_of(self, move: int) -> int:
        """Return the cell that is reached."""
        return move % self.cells

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the cell that is left."""
        return {"from": move // self.cells}


def cell_list(cells: Sequence[int]) -> str:
    """Return the numbers of cells as part of a sentence: ``cell 2``, ``cells 2, 3 and 6``."""
    if not cells:
        return "no cell"
    return f"{'cell' if len(cells) == 1 else 'cells'} {joined([*map(str, cells)])}"


class MarksInTurn(StateGame):
    """A game of X and O in which the players alternate, so that the number of marks determines whose turn it is."""

    relative = True

    def contents(self, state: State, turn: int) -> str:
        """Return the marks."""
        return write_marks(state[turn], state[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the marks; their number determines whose turn it is."""
        x, o = read_masks(text, self.cells)
        counts = x.bit_count(), o.bit_count()
        found = int(counts[0] > counts[1])
        return self.checked((o, x) if found else (x, o), found, out_of_turn(*counts, turn))
