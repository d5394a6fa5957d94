"""Other solvers of the same exact question: the outcome and the distance to the end.

Each is called as its users call it, from Python, with an empty memory.
"""

from dataclasses import dataclass
from importlib import import_module
from time import perf_counter
from types import ModuleType
from typing import Protocol

from loadtests.search.known import CONNECT_FOUR, SMALL, Case, written
from service.games.game import Game


@dataclass(frozen=True, slots=True)
class Run:
    """One answer: its seconds, its nodes, the value, and the solver that gave it."""

    seconds: float
    nodes: int
    value: str
    solver: str = "the search"


class Peer(Protocol):
    """Another solver, and the positions that it can solve."""

    name: str
    cases: tuple[Case, ...]

    def solve(self, case: Case) -> Run:
        """Solve a position from an empty memory."""


class BitBully:
    """The Connect Four solver of Thill, in C++, by the fastest of its three searches.

    By default without an opening book, of which it has several; ``12-ply-dist`` knows the distances too.
    """

    name = "bitbully"
    cases: tuple[Case, ...] = CONNECT_FOUR

    def __init__(self, book: str | None = None) -> None:
        package = _package("bitbully")
        self._solver, self._board = package.BitBully(opening_book=book), package.Board

    def solve(self, case: Case) -> Run:
        """Solve a position; the plies follow from the marks that the winner has left."""
        board = self._board(case.moves)
        self._solver.reset_transposition_table()
        self._solver.reset_node_counter()
        began = perf_counter()
        score = self._solver.mtdf(board)
        seconds = perf_counter() - began
        value = written(score, self._solver.score_to_moves_left(score, board))
        return Run(seconds, self._solver.get_node_counter(), value, self.name)


class EasyAI:
    """The Negamax of easyAI, in Python: to the full depth, with its transposition table."""

    name = "easyAI"
    cases: tuple[Case, ...] = SMALL

    def __init__(self) -> None:
        self._package = _package("easyAI")

    def solve(self, case: Case) -> Run:
        """Solve a position; a win is worth a thousandth more for each ply of the depth that is left after it."""
        game, depth = LineGame(case.game), case.game.cells
        search = self._package.Negamax(depth, tt=self._package.TranspositionTable())
        began = perf_counter()
        search(game)
        seconds = perf_counter() - began
        left = round((abs(search.alpha) / LineGame.LOST - 1) * 1000) if search.alpha else 0
        return Run(seconds, game.nodes, written(search.alpha, depth - left), self.name)


class LineGame:
    """An empty board in the interface of easyAI: mutable, its players numbered from 1.

    Masks and the lines through each cell make it faster than the examples that come with easyAI.
    """

    LOST = 100

    def __init__(self, game: Game) -> None:
        self.current_player = 1
        self.nodes = 1
        self._game = game
        self._lines = [[mask for mask in game.line_masks if mask >> cell & 1] for cell in range(game.cells)]
        self._marks = [0, 0]
        self._moves: list[int] = []

    def possible_moves(self) -> list[int]:
        """List the cells that may be marked."""
        occupied, supports = self._marks[0] | self._marks[1], self._game.supports
        free = (cell for cell in range(self._game.cells) if not occupied >> cell & 1)
        return [cell for cell in free if supports[cell] & occupied == supports[cell]]

    def make_move(self, move: int) -> None:
        """Mark a cell for the player to move."""
        self.nodes += 1
        self._marks[self.current_player - 1] |= 1 << move
        self._moves.append(move)

    def unmake_move(self, move: int) -> None:
        """Take the last mark back."""
        self._marks[self.current_player - 1] ^= 1 << move
        self._moves.pop()

    def switch_player(self) -> None:
        """Let the other player move."""
        self.current_player = 3 - self.current_player

    def is_over(self) -> bool:
        """Whether a line or the board is complete."""
        return self._lost() or self._marks[0] | self._marks[1] == self._game.full

    def scoring(self) -> int:
        """Return the score of a finished game for the player who would move."""
        return -self.LOST if self._lost() else 0

    def ttentry(self) -> tuple[int, ...]:
        """Return the key of the position for the transposition table."""
        return tuple(self._marks)

    def _lost(self) -> bool:
        marks = self._marks[2 - self.current_player]
        return bool(self._moves) and any(mask & marks == mask for mask in self._lines[self._moves[-1]])


PEERS: tuple[type[Peer], ...] = (BitBully, EasyAI)


def _package(name: str) -> ModuleType:
    """Import a package that only the benchmark needs."""
    try:
        return import_module(name)
    except ImportError as error:
        raise SystemExit(f"The peers need {name}, of the dependency group bench: {error}") from None
