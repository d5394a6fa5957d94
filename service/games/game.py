"""A game as data and hooks: its rules, and the notation of its positions and moves. A family is a subclass."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from random import Random
from typing import ClassVar, Literal, TypeVar

from service.games.boards.grid import Line, Symmetry, Wrap
from service.games.notation.moves import Notation
from service.games.parameters import Parameter, ParameterValue, RuleFault, no_line_fits
from service.games.tactics import Tactics
from service.kernel.states.family import START, Family, State

CUSTOM = "custom"
"""The id of games that requests describe."""

NAME = "this game"

ONGOING, LOST, DRAWN, WON = range(4)
"""The results of a state for the player to move, as compiled rules give them."""

FOR_MOVER = (ONGOING, WON, DRAWN, LOST)
"""The same results for the player who moved last."""

MOST_GAMES = 300
"""The maximum number of random games in search of an unfinished position."""

LONGEST = 126
"""The plies of the longest win that a table can store."""

MAX_CELLS = 64
"""The maximum number of cells: one for each bit of a word. Also the moves of the longest game without loops."""

MOST_CELLS = 81
"""Cells of the largest board of all: that of ultimate tic-tac-toe, whose states are no masks of cells."""

MOST_MOVES = 1024
"""The maximum number of moves of a game so far, for games with loops."""

SIZES = ("rows", "columns", "in_a_row", "boards")
"""Parameters of the size of a board and of the length of a line."""

LastMove = Literal["wins", "loses"] | None
"""The effect of a game's last move for its player, unless the game is drawn; None if it varies."""


Deed = Literal["wins-board", "lines-up-boards", "frees-opponent"]
"""What a move does on one of several boards."""


@dataclass(frozen=True)
class Value:
    """The theoretical value of a game: the result of best play from the empty board, for the first player.

    ``plies`` is None if no source gives the length of best play.
    """

    outcome: str
    plies: int | None
    source: str


@dataclass(frozen=True)
class Violation:
    """A broken rule: a stable ``code``, a sentence, and the place: a cell, the player, or the board."""

    code: str
    detail: str
    cell: int | None = None
    about_player: bool = False


class UnreadableError(ValueError):
    """A text is no position of the game; ``violations`` are all the reasons."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__(violations[0].detail)
        self.violations = violations


class Game(Notation):
    """The rules of one game, compared by identity. A family is a subclass, in the file of its rules.

    ``family`` names the family, ``engine`` the engine that answers for it (``lines`` or ``states``),
    ``title`` and ``about`` describe it to people. ``PARAMETERS`` are the switches of its
    rules, ``parameters`` those of this game. No board of the family has more cells than ``largest``. The first of the
    ``players`` begins.
    ``move_form`` and ``board_form`` describe how requests write moves and boards.
    ``compared``: the parameters of games that the rules atlas has.
    ``loops``: a position may come again, so that a game may never end. ``draws_vary``: drawn games differ in length, so
    that a draw has no distance. ``has_rest``: the text of a position goes on after the cells, behind ``;``.
    ``needs_turn``: a board says whose turn it is, because its cells do not always show it.
    ``cells_tell_all``: a position is what its cells hold, and a move is its cell.
    Games that are solved as a whole, and only they, have compiled rules to ``play`` by, and an estimate of how many
    ``states`` play can reach. ``has_estimates``: results are estimated where they are not proven;
    ``estimate_scale`` is the value of a look-ahead that means an expected result of tanh 1, which is 0.76.
    ``either_begins``: either player may have made the first move. ``reads_columns``: digits in a text of moves are
    columns, counted from 1, unless there are ``no_columns``; else they are names.
    ``marks`` are what cells hold in the text of a position; empty if that text does not list the cells.
    ``relative``: a state has the marks of the player to move, then the other's.
    ``wrap``: how edges are joined.
    """

    family: ClassVar[str]
    engine: ClassVar[str] = "states"
    title: ClassVar[str]
    about: ClassVar[str]
    PARAMETERS: ClassVar[tuple[Parameter, ...]]
    move_form: ClassVar[str] = "the cell, such as 4 or `b2`"
    board_form: ClassVar[str] = "`X`, `O` or `.` for each cell or point"
    compared: ClassVar[Sequence[Mapping[str, ParameterValue]]] = ()
    largest: ClassVar[int] = MAX_CELLS
    play: Family
    states: int
    players: tuple[str, str] = ("X", "O")
    estimate_scale: float = 200.0
    cells_tell_all: ClassVar[bool] = False
    has_estimates: ClassVar[bool] = False
    loops: ClassVar[bool] = False
    draws_vary: ClassVar[bool] = False
    has_rest: ClassVar[bool] = False
    needs_turn: ClassVar[bool] = False
    relative: ClassVar[bool] = False
    wrap: Wrap = False
    either_begins: ClassVar[bool] = False
    reads_columns: ClassVar[bool] = False
    marks: ClassVar[str] = "XO"

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        rules: str,
        rows: int,
        columns: int,
        layers: int = 1,
        parameters: Mapping[str, ParameterValue] | None = None,
        id: str = CUSTOM,
        name: str = NAME,
        value: Value | None = None,
    ) -> None:
        self.id = id
        self.name = name
        self.rules = rules
        self.rows = rows
        self.columns = columns
        self.layers = layers
        self.parameters: Mapping[str, ParameterValue] = parameters or {}
        self.value = value

    @classmethod
    def rule_faults(cls, parameters: Mapping[str, ParameterValue]) -> Iterator[RuleFault]:
        """Yield every reason why the family has no game with these parameters, each valid by itself."""
        rows, columns, in_a_row, boards = (int(parameters.get(name, 1)) for name in SIZES)
        cells = rows * columns * boards
        if cells > cls.largest:
            detail = f"The board has {cells} cells; the maximum of the family {cls.family} is {cls.largest}."
            yield RuleFault("boards" if boards > 1 else "rows", "too-many-cells", detail)
        if in_a_row > max(rows, columns):
            yield no_line_fits(in_a_row)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.rows}x{self.columns}x{self.layers}, {self.digest.hex()[:8]})"

    @property
    def in_brief(self) -> str:
        """A description of the rules in a few words, for a game without a name."""
        rows = self.rows // self.boards
        board = f"{rows}x{self.columns}" if self.rows > 1 else counted(self.cells, "cell")
        boards = board if self.boards == 1 else f"{self.boards} boards of {board}"
        return f"{self.family.replace('-', ' ').capitalize()}, {boards}"

    @property
    def rule_data(self) -> Mapping[str, object]:
        """The values that distinguish the rules from all others, by names."""
        return {"family": self.family, "parameters": self.parameters}

    @cached_property
    def digest(self) -> bytes:
        """A digest that is equal for games with the same rules, regardless of their names."""
        return blake2b(repr((self.family, sorted(self.parameters.items()))).encode(), digest_size=16).digest()

    @property
    def search_digest(self) -> bytes:
        """A digest of the rules as the search sees them: if it is equal, so are node-limited answers."""
        return self.digest

    @property
    def most_plies(self) -> int:
        """An upper bound on the plies of a win; the score of a win in n plies is ``most_plies + 1 - n``."""
        return LONGEST if self.loops else self.cells

    @property
    def last_move(self) -> LastMove:
        """The effect of a last move, for games that can be played misère."""
        misere = self.parameters.get("misere")
        return None if misere is None else "loses" if misere else "wins"

    def score(self, outcome: str, plies: int | None) -> int:
        """Return the score of an outcome after a number of plies; 0 for a draw."""
        if outcome == "draw" or plies is None:
            return 0
        return (self.most_plies + 1 - plies) * (1 if outcome == "win" else -1)

    @property
    def longest_record(self) -> int:
        """The maximum number of moves of a game so far."""
        return MOST_MOVES if self.loops else max(MAX_CELLS, self.cells)

    @property
    def proper_symmetries(self) -> Sequence[Symmetry]:
        """The permutations by which an entry of a certificate counts for other positions, without the identity."""
        return ()

    def not_legal(self, shown: str, fault: Violation) -> str:
        """Return the beginning of a sentence about a fault of a move."""
        return f"{shown} is not legal: {fault.detail}"

    def result(self, state: State) -> int:
        """Return ``ONGOING``, or ``LOST``, ``DRAWN`` or ``WON`` for the player to move."""
        raise NotImplementedError

    def legal_moves(self, state: State) -> Sequence[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        raise NotImplementedError

    def after(self, state: State, move: int) -> State:
        """Return the state after a legal move, for the other player to move."""
        raise NotImplementedError

    def remaining(self, state: State) -> int:
        """Return the plies to an end without a winner; 0 in games with loops."""
        raise NotImplementedError

    def contents(self, state: State, turn: int) -> str:
        """Return the contents of the cells, a character for each; ``.`` for an empty one."""
        raise NotImplementedError

    def text(self, state: State, turn: int) -> str:
        """Return the position as a text: the contents of the cells, and everything else that later play depends on."""
        return self.contents(state, turn)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Return the state in a text and whose turn it is. Raises UnreadableError, which names every fault."""
        raise NotImplementedError

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield the reasons why no play leads to a state, as far as the rules show them without a table.

        A reachable state has no violations. If the game is over in a state without violations, the last move ended it.
        """
        return iter(())

    def checked(self, state: State, turn: int, faults: Iterable[Violation] = ()) -> tuple[State, int]:
        """Return a state and whose turn it is. Raises UnreadableError with all ``faults`` and violations, if any."""
        found = [*faults, *self.violations(state, turn)]
        if found:
            raise UnreadableError(found)
        return state, turn

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield every reason why a move is not legal for the player whose ``turn`` it is.

        In unfinished games, exactly the legal moves have none. Details are the ends of sentences.
        """
        cell = self.cell_of(move)
        if self.contents(state, turn)[cell] != ".":
            yield Violation("occupied-cell", f"cell {cell} is already marked", cell=cell)

    def after_any(self, state: State, move: int) -> State:
        """Return the state after a move without faults, also after passed turns."""
        return self.after(state, move)

    def least_image(self, state: State) -> State:
        """Return the least of the symmetric images of a state, equal for all of them."""
        raise NotImplementedError

    def passed(self, state: State) -> State:
        """Return the same board with the other player to move."""
        return state[::-1] if self.relative else state

    def threats(self, state: State, turn: int) -> Mapping[str, tuple[int, ...]]:
        """Return the cells by which each player would complete a line if it were their move; empty without lines."""
        return {}

    def fading(self, state: State, turn: int) -> Sequence[int]:
        """Return the cells whose marks disappear with the next move."""
        return ()

    def unsupported(self, state: State) -> Sequence[int]:
        """Return the empty cells that cannot be marked before the cell below them."""
        if not self.upright:
            return ()
        contents = self.contents(state, 0)
        return [cell for cell in range(self.cells - self.columns) if contents[cell + self.columns] == "."]

    def line(self, state: State) -> Line | None:
        """Return the first of the lines that have ended the game."""
        return None

    def end(self, state: State, turn: int) -> str:
        """Return the reason why a game without a line has ended, as a clause about the player whose ``turn`` it is."""
        if "." in self.contents(state, turn):
            return f"{self.players[turn]} cannot move"
        lines = "and neither player has a line" if self.result(state) == DRAWN else "without a line"
        return f"the board is full {lines}"

    def move_result(self, state: State, move: int) -> tuple[int, tuple[Line, ...]]:
        """Return the result of a legal move for the player who makes it, and the deciding lines that it completes.

        In games with several boards, the line is on the board of the move.
        """
        after = self.after(state, move)
        result = FOR_MOVER[self.result(after)]
        if result not in (LOST, WON):
            return result, ()
        line = next((line for line in self.dead_lines(after) if self.cell_of(move) in line), None) or self.line(after)
        return result, () if line is None else (line,)

    def tactics(self, state: State) -> Tactics | None:
        """Return the finder of threats and forks of a state; None if lines alone do not show them."""
        return None

    def deeds(self, state: State, turn: int, move: int) -> Iterator[tuple[Deed, str]]:
        """Yield what a move that does not end the game does on one of several boards, as clauses about it."""
        return iter(())

    def owners(self, state: State, turn: int) -> str:
        """Return the player who has won each of several boards, ``.`` for none; empty where boards are not won."""
        return ""

    def lit(self, state: State) -> Sequence[int]:
        """Return the boards on which the player to move can play, where that is not any."""
        return ()

    def dead_lines(self, state: State) -> Sequence[Line]:
        """Return the lines of dead boards, while the game goes on elsewhere."""
        return ()

    @property
    def random_games(self) -> int:
        """The number of random games to play in search of an unfinished position."""
        return MOST_GAMES

    def random_game(self, dice: Random) -> Iterator[tuple[int, bool]]:
        """Yield the moves of a random game, each with whether the game continues after it."""
        state, moves = START, self.legal_moves(START)
        while moves:
            move = choice(dice, moves)
            state = self.after(state, move)
            moves = self.legal_moves(state)
            yield move, bool(moves)


def counted(number: int, what: str) -> str:
    """Return a number with its unit: ``1 cell``, ``2 cells``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


Item = TypeVar("Item")


def choice(dice: Random, items: Sequence[Item]) -> Item:
    """Return one of the items. Of the random methods, only ``random()`` is the same in all versions of Python."""
    return items[int(dice.random() * len(items))]
