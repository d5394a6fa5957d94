"""Plain Monte Carlo tree search in C, compiled when the benchmark begins."""

import ctypes
import subprocess
from dataclasses import dataclass
from pathlib import Path

from service.games.families.lines import LineGame, LinePosition

SOURCE = Path(__file__).with_name("mcts.c")
EXPLORATION = 1.0
"""How much rarely visited moves are preferred: the constant of UCT for results from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and the playouts that it took."""

    move: int
    playouts: int


class MonteCarlo:
    """Chooses moves in one game at a time; built in ``folder``."""

    def __init__(self, folder: Path) -> None:
        library = folder / "mcts.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-lm"], check=True)
        self._code = ctypes.CDLL(str(library))
        masks, number = (ctypes.c_uint64, ctypes.c_uint64), ctypes.c_double
        self._code.choose.argtypes = [*masks, number, number, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p]
        self._game: LineGame | None = None

    def choose(self, position: LinePosition, seed: int, *, seconds: float = 1e9, playouts: int = 1 << 62) -> Choice:
        """Return the move most visited within so many seconds of processor time and so many playouts."""
        self._set_game(position.game)
        done = ctypes.c_int64()
        move = self._code.choose(*position.state, seconds, EXPLORATION, seed, playouts, ctypes.byref(done))
        return Choice(move, done.value)

    def _set_game(self, game: LineGame) -> None:
        if game is not self._game:
            lines = (ctypes.c_uint64 * len(game.line_masks))(*game.line_masks)
            self._code.set_game(game.cells, game.drop, len(game.line_masks), lines)
            self._game = game
