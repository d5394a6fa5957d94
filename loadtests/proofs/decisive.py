"""The positions of the documentation, each decided by one technique: the nodes with it and without it."""

from collections.abc import Callable
from dataclasses import dataclass

from loadtests.budgets import Verdicts
from loadtests.proofs.options import Options
from loadtests.proofs.prove import TABLE_BYTES, Size, lay_out_board
from loadtests.tables import show_row, show_title
from service.kernel.search import Search, Stopped

NODES = 1_000_000
"""Nodes after which a search is given up."""

Masks = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Decisive:
    """A position with X to move, and what decides it.

    ``without`` and ``decide`` ask whether X wins, and return whether; both raise Stopped. ``without`` is None where
    every other search uses the technique too.
    """

    technique: str
    size: Size
    board: str
    wins: bool
    without: Callable[[Search, Masks], bool] | None
    decide: Callable[[Search, Masks], bool]

    @property
    def masks(self) -> Masks:
        """The cells of X and those of O."""
        x, o = (sum(1 << cell for cell, mark in enumerate(self.board) if mark == player) for player in "XO")
        return x, o


def alpha_beta(search: Search, masks: Masks) -> bool:
    """Return whether X wins by alpha-beta alone: in a window of two no other search takes a turn."""
    return search.bound(*masks, -1, 1) > 0


def zones(search: Search, masks: Masks) -> bool:
    """Return whether X wins by alpha-beta and the maker-breaker search."""
    return search.bound(*masks, 0, 1) > 0


def forced(search: Search, masks: Masks) -> bool:
    """Return whether X wins by threats and proof numbers."""
    return search.forced_win(*masks, NODES, to_move=True) is not None


POSITIONS = (
    Decisive("pairing", Size(1, 5, 5, 5), 25 * ".", False, alpha_beta, zones),  # noqa: FBT003
    Decisive("relevance zones", Size(1, 6, 6, 5), 36 * ".", False, alpha_beta, zones),  # noqa: FBT003
    Decisive(
        "threat-space search",
        Size(1, 8, 8, 5),
        "..O......O...OXOX...X.O..XX..X.......XX..........OO.O..X.O......",
        True,  # noqa: FBT003
        None,
        forced,
    ),
    Decisive("proof-number search", Size(4, 4, 4, 4), "X..X" + 57 * "." + "O.O", True, zones, forced),  # noqa: FBT003
)


def nodes(position: Decisive, ask: Callable[[Search, Masks], bool]) -> int | None:
    """Return the nodes of an answer; None if it takes too many. Ends the run if the answer is wrong."""
    table = memoryview(bytearray(TABLE_BYTES)).cast("Q")
    search = Search(lay_out_board(position.size), table, limit=NODES)
    try:
        wins = ask(search, position.masks)
    except Stopped:
        return None
    if wins != position.wins:
        raise SystemExit(f"{position.technique}: a wrong answer about {position.board}")
    return search.nodes


def show(_options: Options, _verdicts: Verdicts) -> None:
    """Print the nodes of each position."""
    show_title("Positions that one technique decides", f"Does X win? Nodes, at most {NODES:,}.")
    show_row("technique", "board", "without", "with")
    show_row("---", "---", "---:", "---:")
    for position in POSITIONS:
        written = [_count(position, ask) for ask in (position.without, position.decide)]
        show_row(position.technique, position.size.name, *written)


def _count(position: Decisive, ask: Callable[[Search, Masks], bool] | None) -> str:
    if ask is None:
        return "-"
    count = nodes(position, ask)
    return f"> {NODES:,}" if count is None else f"{count:,}"
