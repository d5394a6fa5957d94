"""A game as data and hooks: its rules, and how its positions and moves are written. A family is a subclass."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from random import Random
from typing import ClassVar, Literal, TypeVar

from service.games.boards.grid import Line, Wrap
from service.games.notation.moves import Notation
from service.games.parameters import Parameter, ParameterValue, RuleFault, no_line_fits
from service.games.tactics import Tactics
from service.kernel.states.family import START, Family, Words

CUSTOM = "custom"
"""The id of a game that a request describes."""

NAME = "this game"

ONGOING, LOST, DRAWN, WON = range(4)
"""The results of a state for the player to move, as compiled rules give them."""

FOR_MOVER = (ONGOING, WON, DRAWN, LOST)
"""The same results for the player who moved last."""

MOST_GAMES = 300
"""Random games that are played in search of an unfinished position."""

LONGEST = 126
"""Plies of the longest win that a table can hold."""

MAX_CELLS = 64
"""Cells of the largest board, whose marks are the bits of a word; and moves of a game so far that ends by itself."""

MOST_MOVES = 1024
"""The most moves of a game so far; games with loops have no end of their own."""

SIZES = ("rows", "columns", "in_a_row", "boards")
"""Parameters that say how large a board is, with the length of a line."""

LastMove = Literal["wins", "loses"] | None
"""What the last move of a game does for the player who makes it, unless the game is drawn; None where that varies."""


@dataclass(frozen=True)
class Value:
    """The theoretical value of a game: best play from the empty board, for the first player.

    ``plies`` is None where nobody has published how long best play lasts.
    """

    outcome: str
    plies: int | None
    source: str


@dataclass(frozen=True)
class Violation:
    """One broken rule: a stable ``code``, a sentence, and where it shows: a cell, the player, or the board."""

    code: str
    detail: str
    cell: int | None = None
    about_player: bool = False


class UnreadableError(ValueError):
    """A text is no position of the game, for every one of the ``violations``."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__(violations[0].detail)
        self.violations = violations


class Game(Notation):
    """The rules of one game, compared by identity. A family is a subclass, in the file of its rules.

    ``family`` names the family, ``engine`` the engine that answers for it (``lines`` or ``states``),
    ``title`` and ``about`` tell people of it. ``PARAMETERS`` are the switches of its
    rules, ``parameters`` those of this game. No board of the family has more cells than ``largest``. The first of the
    ``players`` begins.
    ``move_form`` and ``board_form`` tell people how requests write moves and boards.
    ``compared``: the parameters of games that the rules atlas has.
    ``loops``: a position may come again, so that a game may never end. ``turn_is_free``: a board does not always tell
    whose turn it is.
    ``cells_tell_all``: a position is what its cells hold, and a move is its cell.
    Games that are solved as a whole, and only they, have compiled rules to ``play`` by, and an estimate of how many
    ``states`` play can reach. ``has_estimates``: results are estimated where they are not proven.
    ``either_begins``: either player may have made the first move. ``reads_columns``: digits in a text of moves are
    columns, counted from 1, unless there are ``no_columns``; else they are names.
    ``marks`` are what cells hold in the text of a position; empty if that text does not tell cell by cell.
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
    cells_tell_all: ClassVar[bool] = False
    has_estimates: ClassVar[bool] = False
    loops: ClassVar[bool] = False
    turn_is_free: ClassVar[bool] = False
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
        """Yield every reason why the family has no game with all of these parameters, each of which is legal alone."""
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
        """What is played, in a few words, for a game without a name of its own."""
        rows = self.rows // self.boards
        board = f"{rows}x{self.columns}" if self.rows > 1 else counted(self.cells, "cell")
        boards = board if self.boards == 1 else f"{self.boards} boards of {board}"
        return f"{self.family.replace('-', ' ').capitalize()}, {boards}"

    @property
    def rule_data(self) -> Mapping[str, object]:
        """What tells the rules from all others, by names."""
        return {"family": self.family, "parameters": self.parameters}

    @cached_property
    def digest(self) -> bytes:
        """The same for all games with the same rules, whatever they are called."""
        return blake2b(repr((self.family, sorted(self.parameters.items()))).encode(), digest_size=16).digest()

    @property
    def search_digest(self) -> bytes:
        """The same for all games in which a search that is limited by nodes finds the same."""
        return self.digest

    @property
    def most_plies(self) -> int:
        """At least the plies of the longest win: a score is one more than that, less the plies."""
        return LONGEST if self.loops else self.cells

    @property
    def last_move(self) -> LastMove:
        """What the last move of a game does: known of games that can be played misère."""
        misere = self.parameters.get("misere")
        return None if misere is None else "loses" if misere else "wins"

    def score(self, outcome: str, plies: int | None) -> int:
        """Return the score of an outcome after a number of plies; 0 for a draw."""
        if outcome == "draw" or plies is None:
            return 0
        return (self.most_plies + 1 - plies) * (1 if outcome == "win" else -1)

    @property
    def longest_record(self) -> int:
        """The most moves of a game so far."""
        return MOST_MOVES if self.loops else MAX_CELLS

    def not_legal(self, shown: str, fault: Violation) -> str:
        """Return the sentence about a fault of a move, without its end."""
        return f"{shown} is not legal: {fault.detail}"

    def result(self, words: Words) -> int:
        """Return ``ONGOING``, or ``LOST``, ``DRAWN`` or ``WON`` for the player to move."""
        raise NotImplementedError

    def legal_moves(self, words: Words) -> Sequence[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        raise NotImplementedError

    def after(self, words: Words, move: int) -> Words:
        """Return the state after a legal move, for the other player to move."""
        raise NotImplementedError

    def remaining(self, words: Words) -> int:
        """Return the plies to an end without a winner; 0 where play may go on for ever."""
        raise NotImplementedError

    def contents(self, words: Words, turn: int) -> str:
        """Return what the cells hold, a character for each; ``.`` for nothing."""
        raise NotImplementedError

    def text(self, words: Words, turn: int) -> str:
        """Return the position as a text: what the cells hold, and whatever else the rest of the game depends on."""
        return self.contents(words, turn)

    def read(self, text: str, turn: int | None) -> tuple[Words, int]:
        """Return the state in a text and whose turn it is. Raises UnreadableError that names every fault."""
        raise NotImplementedError

    def violations(self, words: Words, turn: int) -> Iterator[Violation]:
        """Yield the reasons why no play leads to a state, as far as the rules tell them without a table.

        No state that play leads to has any. A state that has none ends at most with its last move.
        """
        return iter(())

    def checked(self, words: Words, turn: int, faults: Iterable[Violation] = ()) -> tuple[Words, int]:
        """Return a state and whose turn it is. Raises UnreadableError for the ``faults`` and for its violations."""
        found = [*faults, *self.violations(words, turn)]
        if found:
            raise UnreadableError(found)
        return words, turn

    def move_faults(self, words: Words, turn: int, move: int) -> Iterator[Violation]:
        """Yield every reason why a move is not legal for the player whose ``turn`` it is.

        There is none exactly for the legal moves, while the game is on. Details are the ends of sentences.
        """
        cell = self.cell_of(move)
        if self.contents(words, turn)[cell] != ".":
            yield Violation("occupied-cell", f"cell {cell} is already marked", cell=cell)

    def after_any(self, words: Words, move: int) -> Words:
        """Return the state after a move without faults, also where the turn was passed before."""
        return self.after(words, move)

    def passed(self, words: Words) -> Words:
        """Return the same board with the other player to move."""
        return words[::-1] if self.relative else words

    def threats(self, words: Words, turn: int) -> Mapping[str, tuple[int, ...]]:
        """Return the cells where each player would complete a line now, were it their move; nothing if none tells."""
        return {}

    def fading(self, words: Words, turn: int) -> Sequence[int]:
        """Return the cells whose marks disappear with the next move."""
        return ()

    def unsupported(self, words: Words) -> Sequence[int]:
        """Return the empty cells that cannot be marked before the cell below them is."""
        if not self.upright:
            return ()
        contents = self.contents(words, 0)
        return [cell for cell in range(self.cells - self.columns) if contents[cell + self.columns] == "."]

    def line(self, words: Words) -> Line | None:
        """Return the first line that has ended the game."""
        return None

    def end(self, words: Words, turn: int) -> str:
        """Return what has ended a game without a line, as a clause about the player whose ``turn`` it is."""
        if "." in self.contents(words, turn):
            return f"{self.players[turn]} cannot move"
        lines = "and neither player has a line" if self.result(words) == DRAWN else "without a line"
        return f"the board is full {lines}"

    def move_result(self, words: Words, move: int) -> tuple[int, tuple[Line, ...]]:
        """Return the result of a legal move for the player who makes it, and the lines that it completes to decide.

        Of several boards, it is the line on the board of the move.
        """
        after = self.after(words, move)
        result = FOR_MOVER[self.result(after)]
        if result not in (LOST, WON):
            return result, ()
        line = next((line for line in self.dead_lines(after) if self.cell_of(move) in line), None) or self.line(after)
        return result, () if line is None else (line,)

    def tactics(self, words: Words) -> Tactics | None:
        """Return what finds threats and forks of a state; None where lines alone do not show them."""
        return None

    def dead_lines(self, words: Words) -> Sequence[Line]:
        """Return the lines of boards on which play has ended, while the game goes on elsewhere."""
        return ()

    @property
    def random_games(self) -> int:
        """The random games that are worth playing in search of an unfinished position."""
        return MOST_GAMES

    def random_game(self, dice: Random) -> Iterator[tuple[int, bool]]:
        """Yield the moves of a random game, each with whether the game goes on after it."""
        words, moves = START, self.legal_moves(START)
        while moves:
            move = drawn(dice, moves)
            words = self.after(words, move)
            moves = self.legal_moves(words)
            yield move, bool(moves)


def counted(number: int, what: str) -> str:
    """Return a number and what it counts: ``1 cell``, ``2 cells``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


Item = TypeVar("Item")


def drawn(dice: Random, items: Sequence[Item]) -> Item:
    """Return one of the items. Python promises the same numbers for ever only for ``random()`` itself."""
    return items[int(dice.random() * len(items))]
