"""The Connect Four solver of Thill, in C++, called from Python as its users call it, by the fastest of its searches."""

from importlib import import_module
from time import perf_counter

from loadtests.search.known import Case, connect_four, written
from loadtests.search.solve import Run, checked

BOOK, BOOK_PLIES = "12-ply-dist", 12
"""Its book that has distances, and the most discs of the positions in it."""


class BitBully:
    """The solver, by default without an opening book."""

    def __init__(self, book: str | None = None) -> None:
        package = import_module("bitbully")
        self._solver, self._board = package.BitBully(opening_book=book), package.Board

    def solve(self, case: Case) -> Run:
        """Solve a position from an empty table. Ends the benchmark if the value is wrong."""
        self._solver.reset_transposition_table()
        self._solver.reset_node_counter()
        began = perf_counter()
        value = self.value(case.moves)
        return checked(case, Run(perf_counter() - began, self._solver.get_node_counter(), value, "bitbully"))

    def value(self, moves: str) -> str:
        """Return the value of the position after these moves, with what earlier searches have left in the table."""
        board = self._board(moves)
        score = self._solver.mtdf(board)
        return written(score, self._solver.score_to_moves_left(score, board))


class BitBullyWithBook:
    """Bitbully with its book where its searches take minutes, and without it where the book ends."""

    def __init__(self) -> None:
        self._searching, self._with_book = BitBully(), BitBully(BOOK)

    def case(self, moves: str) -> Case:
        """Return the position after these moves with its value."""
        solver = self._searching if len(moves) > BOOK_PLIES else self._with_book
        return connect_four(moves, solver.value(moves))
