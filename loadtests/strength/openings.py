"""Connect Four without the book: how often the outcome of a random opening is kept."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from loadtests.budgets import Verdicts
from loadtests.clock import processor_time
from loadtests.search.bitbully import EMPTY, random_games
from loadtests.search.known import connect_four
from loadtests.tables import Row, show_table, show_title
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.settings import Settings

MOST_DISCS = 8
LIMITS = (50, 500, 2000)
"""Milliseconds for an opening."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The columns of a game, and the outcomes of its next moves by cell: 1 for a win, 0 for a draw, -1 for a loss."""

    game: str
    outcomes: Mapping[int, int]

    @property
    def right(self) -> frozenset[int]:
        """The moves that keep the outcome of the position."""
        best = max(self.outcomes.values())
        return frozenset(move for move, outcome in self.outcomes.items() if outcome == best)


def draw_openings(count: int, seed: int) -> list[Opening]:
    """Return the different ones among so many random openings, with the outcomes that bitbully has in its book."""
    bitbully = import_module("bitbully")
    solver = bitbully.BitBully(opening_book="12-ply")
    games = sorted(set(random_games(count, range(MOST_DISCS + 1), seed)))
    return [_opening(game, dict(solver.score_all_moves(bitbully.Board(game)))) for game in games]


def _opening(game: str, scores: Mapping[int, int]) -> Opening:
    position = connect_four(game).position
    cells = {EMPTY.game.column_of(move): move for move in position.legal_moves}
    return Opening(game, {cells[column]: (score > 0) - (score < 0) for column, score in scores.items()})


def show(verdicts: Verdicts, *, openings: int, seed: int, **_: object) -> None:
    """Print a row for each limit."""
    drawn = draw_openings(openings, seed)
    show_title(
        "Openings of Connect Four without a book",
        f"{len(drawn)} different random openings of up to {MOST_DISCS} discs, each asked of a fresh engine, one on a"
        " core, in milliseconds\nof processor time. The third column leaves out openings in which no move loses it.",
    )
    rows: list[Row] = [("ms", "outcome kept", "of those that can be lost", "outcome proven", "budget")]
    rows += [_row(limit, drawn, verdicts) for limit in LIMITS]
    show_table(rows)


def _row(milliseconds: int, drawn: Sequence[Opening], verdicts: Verdicts) -> Row:
    with ProcessPoolExecutor() as pool:
        played = [*pool.map(partial(_play, seconds=milliseconds / 1000), drawn)]
    kept = sum(right for right, _ in played) / len(played)
    lost = [
        right for opening, (right, _) in zip(drawn, played, strict=True) if len(opening.right) < len(opening.outcomes)
    ]
    proven = sum(proven for _, proven in played) / len(played)
    return (
        f"{milliseconds:,}",
        f"{kept:.1%}",
        f"{sum(lost) / len(lost):.1%}",
        f"{proven:.1%}",
        verdicts.judge(f"kept {milliseconds}", 100 * kept),
    )


def _play(opening: Opening, seconds: float) -> tuple[bool, bool]:
    """Return whether the outcome of an opening is kept, and whether an outcome is proven."""
    position = connect_four(opening.game).position
    with processor_time():
        answer = Oracle(table_mb=Settings().table_mb).best_move(position, limit=Limit(seconds))
    return answer.move in opening.right, answer.proven
