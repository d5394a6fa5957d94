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

    ``effort`` is the seconds that the search may take; ``books`` is the setting BOOKS, empty for those of the package.
    """

    game: LineGame
    outcome: str
    effort: float
    budget: str
    books: str = NONE


BOARDS = (
    Board(_board(6, 6, 5), "draw", 1, "6x6 k=5"),
    Board(_board(7, 7, 5), "draw", 10, "7x7 k=5"),
    Board(_board(9, 4, 4), "win", 60, "9x4 k=4"),
    Board(_board(4, 9, 4), "win", 60, "9x4 k=4"),
    Board(QUBIC, "win", 30, "qubic"),
    Board(QUBIC, "win", 5, "qubic with book", books=""),
)


@click.command()
@click.option("--longest", type=float, help="Leave out boards whose budget is longer than so many seconds.")
@ALLOWANCE
def command(longest: float | None, allowance: float) -> None:
    """Prove large empty boards; fail if a budget is missed or an outcome is wrong."""
    require_compiled()
    show_machine()
    show_title(
        "Large empty boards without gravity",
        "A new engine for each board, searching in one thread. Limits and seconds are processor time.\nThe limit is"
        " the budget.",
    )
    verdicts = Verdicts(allowance)
    rows = [_row(board, verdicts) for board in BOARDS if longest is None or board.effort <= longest]
    show_table([("", "books", "outcome", "distance", "limit, s", "s", "budget"), *rows])
    sys.exit(verdicts.show())


def _row(board: Board, verdicts: Verdicts) -> Row:
    """Measure a board. Ends the run if a wrong outcome is claimed."""
    seconds = board.effort * verdicts.allowance
    books = {digest: found.book for digest, found in read_books(board.books).items()}
    engine, began = Oracle(table_mb=Settings().table_mb, books=books), thread_time()
    with processor_time():
        answer = engine.best_move(line_position(board.game, 0, 0, "X"), limit=Limit(seconds))
    took = thread_time() - began
    if answer.outcome not in ("unknown", board.outcome):
        raise SystemExit(f"{board.game.name}: {board.outcome} expected, {answer.outcome} says the engine.")
    verdict = verdicts.judge(board.budget, seconds if answer.proven else float("inf"))
    distance = "exact" if answer.exact else "bounded" if answer.proven else ""
    return board.game.name, board.books or "packaged", answer.outcome, distance, f"{seconds:g}", f"{took:.2f}", verdict
