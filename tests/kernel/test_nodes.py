"""The nodes of known searches: a change that is not meant to change what is searched keeps their number."""

import pytest

from loadtests.search.known import CASES, Case
from loadtests.search.solve import solve
from service.kernel.alpha_beta.search import KERNEL

MOST_NODES = 300_000
"""Larger searches are left to ``python -m loadtests search``."""


@pytest.mark.skipif(KERNEL == "interpreted", reason="takes minutes; other tests compare it with the compiled kernel")
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.nodes and case.nodes < MOST_NODES], ids=lambda case: case.name
)
def test_a_known_search_visits_the_nodes_on_record(case: Case) -> None:
    assert solve(case).nodes == case.nodes
