"""The values of positions by plain minimax in C, compiled when the hunt begins."""

import ctypes
import subprocess
from dataclasses import dataclass
from pathlib import Path

from loadtests.hunt.games import Board, Game

SOURCE = Path(__file__).with_name("reference.c")
WIN, UNSOLVED = 1000, 9999


@dataclass(frozen=True, slots=True)
class Value:
    """What a position or a move is worth to the player to move: the outcome, and the plies to the end."""

    outcome: str
    plies: int

    @property
    def score(self) -> int:
        """The distance as the service counts it, but for the number of cells: larger is better."""
        return {"win": WIN - self.plies, "draw": 0, "loss": self.plies - WIN}[self.outcome]


Values = dict[int, Value]
"""The value of every legal move."""


class Reference:
    """Solves positions of one game at a time; built in ``folder``."""

    def __init__(self, folder: Path) -> None:
        library = folder / "reference.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        self._code = ctypes.CDLL(str(library))
        self._code.solve.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p]
        self._game: Game | None = None
        self._values = (ctypes.c_int * 64)()

    def values(self, board: Board, nodes: int = 3_000_000) -> Values | None:
        """Return the value of every move of an unfinished position; None if that takes more ``nodes``."""
        game = board.game
        if game is not self._game:
            lines = (ctypes.c_uint64 * len(game.masks))(*game.masks)
            self._code.set_game(game.cells, game.drop, int(game.misere), len(game.masks), lines)
            self._game = game
        if self._code.solve(board.mine, board.theirs, nodes, self._values) == UNSOLVED:
            return None
        empties = game.cells - board.occupied.bit_count()
        return {move: _value(self._values[move], empties) for move in board.legal_moves()}


def best_of(values: Values) -> Value:
    """Return the value of the position."""
    return max(values.values(), key=lambda value: value.score)


def _value(number: int, empties: int) -> Value:
    if number == 0:
        return Value("draw", empties)
    return Value("win" if number > 0 else "loss", WIN - abs(number))
