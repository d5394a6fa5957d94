"""Plain Monte Carlo tree search in C, compiled when the benchmark begins."""

import ctypes
import subprocess
from dataclasses import dataclass
from functools import cache
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
    """Chooses moves in one game, with the code that ``compile_rules`` has put into ``folder``."""

    def __init__(self, game: Game, folder: Path) -> None:
        match game:
            case LineGame():
                self._code = _code("lines", folder)
                lines = (ctypes.c_uint64 * len(game.line_masks))(*game.line_masks)
                self._code.set_game(game.cells, game.drop, len(game.line_masks), lines)
            case UltimateGame():
                self._code = _code("ultimate", folder)
                self._code.set_game(game.parameters["finished"] == "closed")

    def choose(self, position: Position, seed: int, *, seconds: float = 1e9, playouts: int = 1 << 62) -> Choice:
        """Return the move most visited within ``seconds`` of processor time and this number of playouts."""
        words = [word >> shift & (1 << 64) - 1 for word in position.state for shift in (0, 64)]
        done = ctypes.c_int64()
        move = self._code.choose(
            (ctypes.c_uint64 * 4)(*words), seconds, EXPLORATION, seed, playouts, ctypes.byref(done)
        )
        return Choice(move, done.value)


def compile_rules(folder: Path) -> None:
    """Compile the search with all rules."""
    for rules in ("lines", "ultimate"):
        options = ["-O2", "-shared", "-fPIC", f'-DRULES="{rules}.c"', f"-I{FOLDER}"]
        subprocess.run(["cc", *options, "-o", folder / f"{rules}.so", FOLDER / "mcts.c", "-lm"], check=True)


@cache
def _code(rules: str, folder: Path) -> ctypes.CDLL:
    """Return the compiled search with these rules."""
    code = ctypes.CDLL(str(folder / f"{rules}.so"))
    number, pointer = ctypes.c_double, ctypes.c_void_p
    code.choose.argtypes = [pointer, number, number, ctypes.c_uint64, ctypes.c_int64, pointer]
    return code
