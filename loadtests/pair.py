"""Two threads at one position, as the service has them: a search and one that helps it."""

from functools import partial
from time import perf_counter

from peers import Run
from solved import Case, rules_of
from solver import empty_table, judged

from service.engine.admission import Admission
from service.engine.team import Team
from service.kernel.rules import Rules
from service.kernel.search import Search
from service.kernel.searcher import Poll

SEARCHES = 2


def solve_together(case: Case) -> Run:
    """The answer of both, by the questions that one search puts to itself. Ends the benchmark if it is wrong."""
    position, most = case.position, case.game.cells + 1
    low, high = -most, most
    team = Team(partial(_enlist, rules_of(case.game), empty_table()), _never, Admission(helpers=SEARCHES - 1))
    began = perf_counter()
    while low < high:
        alpha = next((near for near in (0, -1) if low <= near < high), (low + high) // 2)
        found = team.bound(position.mine, position.theirs, alpha, alpha + 1)
        low, high = (low, found) if found <= alpha else (found, high)
    return judged(case, low, Run(perf_counter() - began, team.nodes, ""))


def _enlist(rules: Rules, table: memoryview, poll: Poll, signals: memoryview) -> Search:
    return Search(rules, table, poll=poll, signals=signals)


def _never() -> bool:
    return False
