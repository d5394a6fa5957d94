"""The Connect Four solver of Thill, in C++, called from Python as its users call it, and random games to ask it about.

A game is the columns from 0, a digit for each ply, on 7 columns of 6.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import cycle, islice
from random import Random
from time import perf_counter

from loadtests.search.known import Case, connect_four, written
from loadtests.search.solve import Run, checked
from service.games.families.lines import PLAYERS, LinePosition

BOOK, BOOK_PLIES = "12-ply-dist", 12
"""Its book that has distances, and the most discs of the positions in it."""

EMPTY = connect_four("").position


class BitBully:
    """The solver by the fastest of its searches, by default without an opening book."""

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


def random_games(count: int, plies: Sequence[int], seed: int, *, quiet: bool = False) -> list[str]:
    """Return unfinished games whose lengths are ``plies`` in turn, the same for the same ``seed``; some may repeat.

    Nobody completes a line. In ``quiet`` games neither player could complete one now.
    """
    rng = Random(seed)
    return [
        next(game for game in _attempts(length, rng) if not quiet or _is_quiet(game))
        for length in islice(cycle(plies), count)
    ]


def _attempts(plies: int, rng: Random) -> Iterator[str]:
    """Yield games of this length without end; those in which every move would complete a line are given up."""
    while True:
        game, position = "", EMPTY
        while len(game) < plies and (moves := _moves_without_line(position)):
            move = rng.choice(moves)
            game, position = f"{game}{EMPTY.game.column_of(move)}", position.play(move)
        if len(game) == plies:
            yield game


def _moves_without_line(position: LinePosition) -> list[int]:
    return [move for move in position.legal_moves if not position.game.completed_by(position, position.player, move)]


def _is_quiet(game: str) -> bool:
    position = connect_four(game).position
    return not any(position.game.completions(position, player) for player in PLAYERS)
