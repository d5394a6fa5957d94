"""Games whose rules are compiled: they are solved as a whole, or searched state by state."""

from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

from service.games.boards.marks import mask_of, out_of_turn, read_marks, write_marks
from service.games.game import Game, Value
from service.games.parameters import ParameterValue
from service.kernel.states.family import Family, Words


class Named(TypedDict, total=False):
    """What a game has that the catalogue names."""

    id: str
    name: str
    value: Value


class StateGame(Game):
    """A game with compiled rules: ``play`` knows legal moves and results, ``states`` estimates how many there are."""

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
        """Number of moves, legal or not."""
        return self.play.moves

    def result(self, words: Words) -> int:
        """Return ``ONGOING``, or the result for the player to move."""
        return self.play.result_of(words)

    def legal_moves(self, words: Words) -> Sequence[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        return self.play.legal_moves(words)

    def after(self, words: Words, move: int) -> Words:
        """Return the state after a legal move."""
        return self.play.after(words, move)

    def remaining(self, words: Words) -> int:
        """Return the most plies that the game can still last; 0 where play may go on for ever."""
        return self.play.remaining_of(words)


class MarksInTurn(StateGame):
    """A game of X and O, who write their marks in turn, so that the number of marks tells whose turn it is."""

    relative = True

    def contents(self, words: Words, turn: int) -> str:
        """Return the marks."""
        return write_marks(words[turn], words[1 - turn], self.cells)

    def read(self, text: str, turn: int | None) -> tuple[Words, int]:
        """Read the marks; their number tells whose turn it is."""
        marks = read_marks(text, self.cells)
        x, o = mask_of(marks, "X"), mask_of(marks, "O")
        counts = x.bit_count(), o.bit_count()
        found = int(counts[0] > counts[1])
        return self.checked((o, x) if found else (x, o), found, out_of_turn(*counts, turn))
