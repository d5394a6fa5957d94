"""Plain Monte Carlo tree search in C, compiled when the benchmark begins."""

import ctypes
import subprocess
from dataclasses import dataclass
from pathlib import Path

from service.games.families.lines import LineGame
from service.games.families.ultimate import UltimateGame
from service.games.game import Game
from service.games.position import Position

FOLDER = Path(__file__).parent
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
        self._folder = folder
        self._built: dict[str, ctypes.CDLL] = {}
        self._code: ctypes.CDLL
        self._game: Game | None = None

    def choose(self, position: Position, seed: int, *, seconds: float = 1e9, playouts: int = 1 << 62) -> Choice:
        """Return the move most visited within ``seconds`` of processor time and this number of playouts."""
        if position.game is not self._game:
            self._set_game(position.game)
        words = [word >> shift & (1 << 64) - 1 for word in position.state for shift in (0, 64)]
        done = ctypes.c_int64()
        move = self._code.choose(
            (ctypes.c_uint64 * 4)(*words), seconds, EXPLORATION, seed, playouts, ctypes.byref(done)
        )
        return Choice(move, done.value)

    def _set_game(self, game: Game) -> None:
        match game:
            case LineGame():
                self._code = self._library("lines")
                lines = (ctypes.c_uint64 * len(game.line_masks))(*game.line_masks)
                self._code.set_game(game.cells, game.drop, len(game.line_masks), lines)
            case UltimateGame():
                self._code = self._library("ultimate")
                self._code.set_game(game.parameters["finished"] == "closed")
        self._game = game

    def _library(self, rules: str) -> ctypes.CDLL:
        """Return the search with these rules, compiled when it is first asked for."""
        if rules not in self._built:
            library = self._folder / f"{rules}.so"
            options = ["-O2", "-shared", "-fPIC", f'-DRULES="{rules}.c"', f"-I{FOLDER}"]
            subprocess.run(["cc", *options, "-o", library, FOLDER / "mcts.c", "-lm"], check=True)
            number, pointer = ctypes.c_double, ctypes.c_void_p
            code = self._built[rules] = ctypes.CDLL(str(library))
            code.choose.argtypes = [pointer, number, number, ctypes.c_uint64, ctypes.c_int64, pointer]
        return self._built[rules]
