"""Other solvers of the same exact question: the outcome and the distance to the end.

Each is called as its users call it, from Python, with an empty memory.
"""

from dataclasses import dataclass
from importlib import import_module
from time import perf_counter
from types import ModuleType

from loadtests.search.known import CONNECT_FOUR, Case, written
from service.games.game import Game
from service.games.position import Position

SMALL = ("3x3 k3", "4x3 k3", "Connect Four 4x4", "Connect Four 5x4")
"""Boards that a solver in plain Python finishes within seconds."""


@dataclass(frozen=True, slots=True)
class Run:
    """One answer: its seconds, its nodes, the value, and the solver that gave it."""

    seconds: float
    nodes: int
    value: str
    solver: str = "the search"


class BitBully:
    """The Connect Four solver of Thill, in C++, by the fastest of its three searches.

    By default without an opening book, of which it has several; ``12-ply-dist`` knows the distances too.
    """

    name = "bitbully"

    def __init__(self, book: str | None = None) -> None:
        package = _package("bitbully")
        self._solver, self._board = package.BitBully(opening_book=book), package.Board

    def can_solve(self, case: Case) -> bool:
        """Return whether the position is one of 7 columns of 6 with some moves played."""
        return case.game.name == CONNECT_FOUR and case.moves != ""

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

    def value(self, case: Case) -> str:
        """Return the value of a position, sooner than ``solve``: with what earlier searches have left in the table."""
        board = self._board(case.moves)
        score = self._solver.mtdf(board)
        return written(score, self._solver.score_to_moves_left(score, board))


class EasyAI:
    """The Negamax of easyAI, in Python: to the full depth, with its transposition table."""

    name = "easyAI"

    def __init__(self) -> None:
        self._package = _package("easyAI")

    def can_solve(self, case: Case) -> bool:
        """Return whether the position is one of four small empty boards."""
        return case.name in SMALL

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
    """An empty board in the interface of easyAI: mutable, its players numbered from 1."""

    LOST = 100

    def __init__(self, game: Game) -> None:
        self.current_player = 1
        self.nodes = 1
        self._positions = [Position(game, 0, 0, "X")]

    def possible_moves(self) -> list[int]:
        """List the legal moves."""
        return list(self._positions[-1].legal_moves)

    def make_move(self, move: int) -> None:
        """Mark a cell for the player to move."""
        self.nodes += 1
        self._positions.append(self._positions[-1].play(move))

    def unmake_move(self, _move: int) -> None:
        """Take the last mark back."""
        self._positions.pop()

    def switch_player(self) -> None:
        """Let the other player move."""
        self.current_player = 3 - self.current_player

    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self._positions[-1].status != "in_progress"

    def scoring(self) -> int:
        """Return the score of a finished game for the player who would move."""
        return -self.LOST if self._positions[-1].status == "won" else 0

    def ttentry(self) -> tuple[int, ...]:
        """Return the key of the position for the transposition table."""
        return self._positions[-1].mine, self._positions[-1].theirs


Peer = BitBully | EasyAI
PEERS: tuple[type[Peer], ...] = (BitBully, EasyAI)


def _package(name: str) -> ModuleType:
    """Import a package that only the benchmark needs."""
    try:
        return import_module(name)
    except ImportError as error:
        raise SystemExit(f"The peers need {name}, of the dependency group bench: {error}") from None
