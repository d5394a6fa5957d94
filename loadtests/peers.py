"""The search beside other solvers that answer the same question exactly: outcome and distance.

Each of them is asked as its users ask it, from Python, with an empty memory.
"""

from dataclasses import dataclass
from importlib import import_module
from time import perf_counter
from types import ModuleType
from typing import Protocol

from solved import CONNECT_FOUR, SMALL, Case, written

from service.games.game import Game


@dataclass(frozen=True, slots=True)
class Run:
    """One answer: the seconds and nodes that it took, and what it said."""

    seconds: float
    nodes: int
    value: str


class Peer(Protocol):
    """Another solver, and the positions that it can be asked about."""

    name: str
    cases: tuple[Case, ...]

    def solve(self, case: Case) -> Run:
        """Its answer, from an empty memory."""


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
        """Its answer; the score says how many of the winner's marks are left over, from which it tells the plies."""
        board = self._board(case.moves)
        self._solver.reset_transposition_table()
        self._solver.reset_node_counter()
        began = perf_counter()
        score = self._solver.mtdf(board)
        seconds = perf_counter() - began
        value = written(score, self._solver.score_to_moves_left(score, board))
        return Run(seconds, self._solver.get_node_counter(), value)


class EasyAI:
    """The Negamax of easyAI, in Python: to the full depth, with its transposition table."""

    name = "easyAI"
    cases: tuple[Case, ...] = SMALL

    def __init__(self) -> None:
        self._package = _package("easyAI")

    def solve(self, case: Case) -> Run:
        """Its answer; a win is worth a thousandth more for each ply of the depth that is left after it."""
        game, depth = LineGame(case.game), case.game.cells
        search = self._package.Negamax(depth, tt=self._package.TranspositionTable())
        began = perf_counter()
        search(game)
        seconds = perf_counter() - began
        left = round((abs(search.alpha) / LineGame.LOST - 1) * 1000) if search.alpha else 0
        return Run(seconds, game.nodes, written(search.alpha, depth - left))


class LineGame:
    """An empty board as easyAI wants to see it: mutable, its players numbered from 1.

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
        """The cells that may be marked, ascending."""
        occupied, supports = self._marks[0] | self._marks[1], self._game.supports
        free = (cell for cell in range(self._game.cells) if not occupied >> cell & 1)
        return [cell for cell in free if supports[cell] & occupied == supports[cell]]

    def make_move(self, move: int) -> None:
        """Marks a cell for the player to move."""
        self.nodes += 1
        self._marks[self.current_player - 1] |= 1 << move
        self._moves.append(move)

    def unmake_move(self, move: int) -> None:
        """Takes the last mark back."""
        self._marks[self.current_player - 1] ^= 1 << move
        self._moves.pop()

    def switch_player(self) -> None:
        """Lets the other player move."""
        self.current_player = 3 - self.current_player

    def is_over(self) -> bool:
        """Whether a line or the board is complete."""
        return self._lost() or self._marks[0] | self._marks[1] == self._game.full

    def scoring(self) -> int:
        """The worth of a finished game to the player who would move."""
        return -self.LOST if self._lost() else 0

    def ttentry(self) -> tuple[int, ...]:
        """What the transposition table knows the position by."""
        return tuple(self._marks)

    def _lost(self) -> bool:
        marks = self._marks[2 - self.current_player]
        return bool(self._moves) and any(mask & marks == mask for mask in self._lines[self._moves[-1]])


PEERS: tuple[type[Peer], ...] = (BitBully, EasyAI)


def _package(name: str) -> ModuleType:
    """A package that only the benchmark needs."""
    try:
        return import_module(name)
    except ImportError as error:
        raise SystemExit(f"The peers need {name}, of the dependency group bench: {error}") from None
