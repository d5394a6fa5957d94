"""Large empty boards without gravity: is the outcome proven within the budget, by an engine that knows nothing yet?"""

import sys
from dataclasses import dataclass
from time import thread_time

import click

from loadtests.budgets import ALLOWANCE, Verdicts
from loadtests.clock import processor_time
from loadtests.search.solve import require_compiled
from loadtests.tables import Row, show_machine, show_table, show_title
from service.book.paths import NONE, read_books
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.games.catalogue import QUBIC
from service.games.families.lines import LineGame, grid, line_position
from service.settings import Settings


def _board(rows: int, columns: int, in_a_row: int) -> LineGame:
    name = f"{rows}x{columns}, {in_a_row} in a row"
    return grid(id=name, name=name, rules=name, rows=rows, columns=columns, in_a_row=in_a_row)


@dataclass(frozen=True, slots=True)
class Board:
    """An empty board, its outcome for the first player, and the budget, by its name in ``budgets``.

    ``limit`` is the seconds that the search may take; ``books`` is the setting BOOKS, empty for those of the package.
    """

    game: LineGame
    outcome: str
    limit: float
    budget: str
    books: str = NONE


BOARDS = (
    Board(_board(6, 6, 5), "draw", 2, "6x6 k=5"),
    Board(_board(7, 7, 5), "draw", 20, "7x7 k=5"),
    Board(_board(7, 8, 5), "draw", 90, "7x8 k=5"),
    Board(_board(8, 8, 5), "draw", 5, "8x8 k=5 with book", books=""),
    Board(_board(9, 4, 4), "win", 20, "9x4 k=4"),
    Board(_board(4, 9, 4), "win", 20, "4x9 k=4"),
    Board(QUBIC, "win", 40, "qubic"),
    Board(QUBIC, "win", 5, "qubic with book", books=""),
)


@click.command()
@click.option("--longest", type=float, help="Leave out boards with a limit of more seconds.")
@ALLOWANCE
def command(longest: float | None, allowance: float) -> None:
    """Prove large empty boards; fail if a budget is missed or an outcome is wrong."""
    require_compiled()
    show_machine()
    show_title(
        "Large empty boards without gravity",
        "A new engine for each board, asked for the outcome, searching in one thread.\nLimits and seconds are processor"
        " time.",
    )
    verdicts = Verdicts(allowance)
    rows = [_row(board, verdicts) for board in BOARDS if longest is None or board.limit <= longest]
    show_table([("", "books", "outcome", "limit, s", "s", "budget"), *rows])
    sys.exit(verdicts.show())


def _row(board: Board, verdicts: Verdicts) -> Row:
    """Measure a board. Ends the run if a wrong outcome is claimed."""
    seconds = board.limit * verdicts.allowance
    books = {digest: found.book for digest, found in read_books(board.books).items()}
    engine, began = Oracle(table_mb=Settings().table_mb, books=books), thread_time()
    with processor_time():
        answer = engine.best_move(line_position(board.game, 0, 0, "X"), limit=Limit(seconds, outcome=True))
    took = thread_time() - began
    if answer.outcome not in ("unknown", board.outcome):
        raise SystemExit(f"{board.game.name}: {board.outcome} expected, {answer.outcome} says the engine.")
    verdict = verdicts.judge(board.budget, took if answer.proven else float("inf"))
    return board.game.name, board.books or "packaged", answer.outcome, f"{seconds:g}", f"{took:.2f}", verdict
