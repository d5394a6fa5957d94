"""The outcome of an empty board by some of the techniques; ``python -m loadtests.proofs.prove`` is one proof.

It prints the outcome, the nodes and the seconds, as JSON.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from service.engine.limit import FIRST_NODES, FORCE_EARLY, GROWTH
from service.games.game import grid
from service.kernel.layout import lay_out
from service.kernel.rules import Rules
from service.kernel.search import Search, Stopped

TABLE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Size:
    """An empty board."""

    layers: int
    rows: int
    columns: int
    in_a_row: int

    @property
    def name(self) -> str:
        """How tables name it."""
        layers = f"{self.layers}x" if self.layers > 1 else ""
        return f"{layers}{self.rows}x{self.columns}, {self.in_a_row} in a row"


def lay_out_board(size: Size) -> Rules:
    """Return the rules of a board, as the search wants them."""
    game = grid(
        id=size.name,
        name=size.name,
        rules=size.name,
        layers=size.layers,
        rows=size.rows,
        columns=size.columns,
        in_a_row=size.in_a_row,
    )
    return lay_out(game)


class Prover:
    """Asks for the outcome of an empty board, within so many seconds of processor time."""

    def __init__(self, size: Size, seconds: float) -> None:
        self._rules = lay_out_board(size)
        self._table = memoryview(bytearray(bytes(TABLE_BYTES))).cast("Q")
        self._end = process_time() + seconds
        self._low, self._high = -1, 1
        self.nodes = 0

    def alpha_beta(self) -> str:
        """Return the outcome by alpha-beta alone: no other search takes a turn in a window of two."""
        search = self._search()
        found = self._bound(search, -1, 1)
        self.nodes = search.nodes
        self._low = self._high = (found > 0) - (found < 0)
        return self.outcome

    def with_zones(self) -> str:
        """Return the outcome by alpha-beta and the maker-breaker search, which take turns."""
        search = self._search()
        try:
            self._ask(search)
        finally:
            self.nodes = search.nodes
        return self.outcome

    def with_forced_wins(self) -> str:
        """Return the outcome by both and by the proof-number search, which take turns."""
        forced, nodes, before = self._search(), FIRST_NODES, 0
        while self._low < self._high:
            turn = self._search(nodes)
            try:
                self._ask(turn)
            except Stopped:
                self._require_time()
            before += turn.nodes
            if self._low < self._high and forced.forced_win(0, 0, FORCE_EARLY * nodes, to_move=True):
                self._low = self._high = 1
            self.nodes = before + forced.nodes
            nodes *= GROWTH
        return self.outcome

    @property
    def outcome(self) -> str:
        """What is proven for the first player."""
        return {-1: "loss", 0: "draw", 1: "win"}[self._low] if self._low == self._high else "unknown"

    def _ask(self, search: Search) -> None:
        """Ask whether the first player wins, then whether the first player loses."""
        if self._high > 0 >= self._low:
            self._narrow(self._bound(search, 0, 1), 0)
        if self._high > -1 >= self._low:
            self._narrow(self._bound(search, -1, 0), -1)

    def _narrow(self, found: int, alpha: int) -> None:
        if found > alpha:
            self._low = alpha + 1
        else:
            self._high = alpha

    def _bound(self, search: Search, alpha: int, beta: int) -> int:
        return search.bound(0, 0, alpha, beta)

    def _search(self, limit: int | None = None) -> Search:
        return Search(self._rules, self._table, poll=lambda: process_time() > self._end, limit=limit)

    def _require_time(self) -> None:
        if process_time() > self._end:
            raise Stopped


METHODS: dict[str, Callable[[Prover], str]] = {
    "alpha-beta": Prover.alpha_beta,
    "zones": Prover.with_zones,
    "forced wins": Prover.with_forced_wins,
}


def prove(size: Size, method: str, seconds: float) -> tuple[str, int, float]:
    """Return the outcome of an empty board, ``unknown`` if the time did not suffice, the nodes and the seconds."""
    prover, began = Prover(size, seconds), process_time()
    try:
        outcome = METHODS[method](prover)
    except Stopped:
        outcome = "unknown"
    return outcome, prover.nodes, process_time() - began


if __name__ == "__main__":
    *numbers, allowed = map(float, sys.argv[2:])
    print(json.dumps(prove(Size(*map(int, numbers)), sys.argv[1], allowed)))
