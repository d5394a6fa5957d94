"""Random positions of all phases, each value compared with that of bitbully: the outcome and the plies."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median

from loadtests.budgets import Verdicts
from loadtests.connect_four.options import Options
from loadtests.connect_four.random_games import EMPTY, random_games
from loadtests.search.known import connect_four
from loadtests.search.peers import BitBully, Run
from loadtests.search.solve import empty_table, solve
from loadtests.tables import Row, show_table, show_title
from service.settings import Settings

BOOK, BOOK_PLIES = "12-ply-dist", 12
"""The book of bitbully that has distances, and the most discs of its positions."""

POSITIONS = 3000
"""The random positions, by default."""

PHASE = 7
"""The plies of a row of the table."""


class BitBullyWithBook:
    """Bitbully with its book where its searches take minutes, and without it where the book ends."""

    def __init__(self) -> None:
        self._searching, self._with_book = BitBully(), BitBully(BOOK)

    def solve(self, moves: str) -> Run:
        """Solve the position after these moves from an empty table."""
        return self._solver(moves).solve(connect_four(moves))

    def value(self, moves: str) -> str:
        """Return the value of the position after these moves, with what earlier searches have left in the table."""
        return self._solver(moves).value(connect_four(moves))

    def _solver(self, moves: str) -> BitBully:
        return self._searching if len(moves) > BOOK_PLIES else self._with_book


def show(options: Options, _verdicts: Verdicts) -> None:
    """Print how many positions have the same value, by phase."""
    table_mb = Settings().table_mb
    games = set(random_games(options.positions or POSITIONS, range(options.plies, EMPTY.game.cells), options.seed))
    show_title(
        "Values beside bitbully",
        f"{len(games):,} different random positions of {options.plies} to {EMPTY.game.cells - 1} plies. One search in"
        f" one thread, in a table\nof {table_mb} MB that all share, as in the service; the latest positions first."
        f" bitbully has its book {BOOK}\nup to {BOOK_PLIES} discs, and none after that.",
    )
    found = list(compare(sorted(games, key=lambda game: (-len(game), game)), table_mb))
    show_table([("plies", "the same", "nodes", "median, ms", "worst, ms"), *_rows(found)])


def compare(games: Sequence[str], table_mb: int) -> Iterator[tuple[str, Run]]:
    """Yield the moves and the run of each game. Ends the benchmark at the first value that differs."""
    peer, table = BitBullyWithBook(), empty_table(table_mb << 20)
    for moves in games:
        yield moves, solve(connect_four(moves, peer.solve(moves).value), table)


def _rows(found: Sequence[tuple[str, Run]]) -> Iterator[Row]:
    for phase, group in groupby(reversed(found), lambda each: len(each[0]) // PHASE):
        yield _row(f"{phase * PHASE} to {phase * PHASE + PHASE - 1}", list(group))
    yield _row("all", found)


def _row(name: str, found: Sequence[tuple[str, Run]]) -> Row:
    nodes = sum(run.nodes for _, run in found)
    seconds = [run.seconds for _, run in found]
    return name, f"{len(found):,}", f"{nodes:,}", f"{1000 * median(seconds):,.2f}", f"{1000 * max(seconds):,.2f}"
