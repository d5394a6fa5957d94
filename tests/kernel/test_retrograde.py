"""The limits of retrograde analysis: long wins, polls, and rules that are not compiled."""

from typing import Any

import pytest

from service.games.families.notakto import NotaktoGame
from service.kernel.alpha_beta.search import KERNEL
from service.kernel.states.family import Family, NotCompiledError
from service.kernel.states.retrograde import Graph
from service.kernel.stopping import Stopped
from tests.interpreted import interpreted_families
from tests.support import IN_CI

_, RETROGRADE, _ = interpreted_families()

MOST_PLIES = 126


class Forgotten(Family):
    """Rules in Python beside those of the kernel."""


@pytest.mark.skipif(KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the kernel")
def test_rules_that_are_not_compiled_are_refused_beside_a_compiled_kernel() -> None:
    with pytest.raises(NotCompiledError, match=rf"^{__name__} is not compiled"):
        Forgotten(1, 1)


class Chain(RETROGRADE.Family):  # type: ignore[misc, name-defined]
    """One move after the other, each forced; the player to move after the last one has lost."""

    def __init__(self, plies: int) -> None:
        super().__init__(moves=1, images=1)
        self._plies = plies

    def play(self, first: int, second: int, move: int) -> Any:
        return RETROGRADE.bits.Pair(first + 1 + move, second)

    def result(self, first: int, _second: int) -> int:
        return int(first == self._plies)


def value_of_the_start(graph: Any) -> int:
    _, ranks, values = graph.tabulate()
    assert [*ranks] == [*range(graph.states)]
    assert len(ranks) == len(values) == graph.states
    return int(values[0])


@pytest.mark.parametrize("plies", [1, 2, 125, 126, 127, 128, 300])
def test_a_win_has_its_distance_or_if_a_value_cannot_hold_that_is_refused_and_never_a_draw(plies: int) -> None:
    graph = RETROGRADE.Graph(Chain(plies), 1000)
    if plies > MOST_PLIES:
        with pytest.raises(RETROGRADE.TooLongError, match=f"more than {MOST_PLIES} plies"):
            graph.solve()
    else:
        graph.solve()
        assert value_of_the_start(graph) == 2 + plies % 2 + 2 * plies


@pytest.mark.parametrize("polls", [0, 1, 5])
def test_an_analysis_stops_when_its_poll_says_so(polls: int) -> None:
    left = iter([False] * polls)
    with pytest.raises(Stopped):
        Graph(NotaktoGame(boards=2).play, 10_000, lambda: next(left, True)).solve()
    assert next(left, None) is None
