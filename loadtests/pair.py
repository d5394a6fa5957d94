"""Two threads at one position, each with a search of its own, in one table: who answers first stops the other."""

from array import array
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from peers import Run
from solved import Case, rules_of
from solver import empty_table, judged

from service.kernel.rules import Rules
from service.kernel.search import Search, Stopped

SEARCHES = 2
SIGNALS = 4096
"""Words in which the searches note what they are at."""


class Pair:
    """Searches of one game that answer every question together, with signals that are new for each."""

    def __init__(self, rules: Rules, pool: ThreadPoolExecutor) -> None:
        self.nodes = 0
        self._rules, self._pool, self._table = rules, pool, empty_table()

    def bound(self, mine: int, theirs: int, alpha: int) -> int:
        """A bound on the score: an upper one if it is at most ``alpha``, else a lower one."""
        signals = memoryview(array("Q", bytes(8 * SIGNALS)))
        searches = [Search(self._rules, self._table, signals=signals) for _ in range(SEARCHES)]

        def ask(search: Search) -> int | None:
            try:
                found = search.bound(mine, theirs, alpha, alpha + 1)
            except Stopped:
                return None
            signals[0] = 1
            return found

        answers = [found for found in self._pool.map(ask, searches) if found is not None]
        self.nodes += sum(search.nodes for search in searches)
        return answers[0]


def solve_together(case: Case) -> Run:
    """The answer of both, by the questions that one search puts to itself. Ends the benchmark if it is wrong."""
    position, most = case.position, case.game.cells + 1
    low, high = -most, most
    with ThreadPoolExecutor(SEARCHES) as pool:
        pair, began = Pair(rules_of(case.game), pool), perf_counter()
        while low < high:
            alpha = next((near for near in (0, -1) if low <= near < high), (low + high) // 2)
            found = pair.bound(position.mine, position.theirs, alpha)
            low, high = (low, found) if found <= alpha else (found, high)
        return judged(case, low, Run(perf_counter() - began, pair.nodes, ""))
