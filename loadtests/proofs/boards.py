"""Large empty boards without gravity: is the outcome proven within the budget, by a process that knows nothing yet?"""

from dataclasses import dataclass

from loadtests.budgets import Verdicts
from loadtests.proofs.asking import Json, ask
from loadtests.proofs.options import Options
from loadtests.tables import Row, show_table, show_title


@dataclass(frozen=True, slots=True)
class Board:
    """An empty board, its outcome for the first player, and the budget, by its name in ``budgets``.

    ``effort`` is the seconds that the search may take; ``books`` is the setting BOOKS.
    """

    name: str
    game: str | Json
    outcome: str
    effort: float
    budget: str
    books: str | None = "none"


BOARDS = (
    Board("6x6, five in a row", {"rows": 6, "columns": 6, "in_a_row": 5}, "draw", 1, "6x6 k=5"),
    Board("7x7, five in a row", {"rows": 7, "columns": 7, "in_a_row": 5}, "draw", 10, "7x7 k=5"),
    Board("9x4, four in a row", {"rows": 9, "columns": 4, "in_a_row": 4}, "win", 60, "9x4 k=4"),
    Board("4x9, four in a row", {"rows": 4, "columns": 9, "in_a_row": 4}, "win", 60, "9x4 k=4"),
    Board("Qubic, without books", "qubic", "win", 30, "qubic"),
    Board("Qubic, as installed", "qubic", "win", 5, "qubic with book", None),
)


def show(_options: Options, verdicts: Verdicts) -> None:
    """Print the outcome of each board; a wrong one ends the run."""
    show_title(
        "Large empty boards without gravity",
        "POST /best-move in a new process for each board, searched by one thread. Limits and seconds are processor"
        " time.\nThe limit is the budget.",
    )
    rows = [_row(board, verdicts) for board in BOARDS]
    show_table([("", "outcome", "distance", "limit, s", "s", "budget"), *rows])


def _row(board: Board, verdicts: Verdicts) -> Row:
    limit = {"time_ms": round(1000 * board.effort * verdicts.allowance)}
    (reply,) = ask([{"game": board.game, "moves": [], "limit": limit}], books=board.books)
    if reply.outcome not in ("unknown", board.outcome):
        raise SystemExit(f"{board.name}: {board.outcome} expected, {reply.outcome} says the service.")
    verdict = verdicts.judge(board.budget, board.effort * verdicts.allowance if reply.is_proven else float("inf"))
    distance = "exact" if reply.exact else "bounded" if reply.is_proven else ""
    return board.name, reply.outcome, distance, f"{limit['time_ms'] / 1000:g}", f"{reply.seconds:.2f}", verdict
