"""Games whose rules are compiled: they are solved as a whole, or searched state by state."""

from collections.abc import Mapping, Sequence

from service.games.game import Game, Value
from service.games.parameters import ParameterValue
from service.kernel.states.family import Family, Words


class StateGame(Game):
    """A game with compiled rules: ``play`` knows legal moves and results, ``states`` estimates how many there are."""

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        id: str,
        name: str,
        rules: str,
        rows: int,
        columns: int,
        parameters: Mapping[str, ParameterValue],
        play: Family,
        states: int,
        value: Value | None = None,
    ) -> None:
        super().__init__(id=id, name=name, rules=rules, rows=rows, columns=columns, parameters=parameters, value=value)
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
