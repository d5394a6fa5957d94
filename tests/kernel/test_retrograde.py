"""The limits of retrograde analysis: long wins, polls, and rules that are not compiled."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from service.games.catalogue import STATE_GAMES
from service.games.families.notakto import NotaktoGame
from service.kernel.alpha_beta.search import KERNEL
from service.kernel.states import graph, retrograde
from service.kernel.states.family import Family, NotCompiledError
from service.kernel.stopping import Stopped
from tests.interpreted import interpreted_families
from tests.support import IN_CI

CATALOGUE, GRAPH, RETROGRADE, _ = interpreted_families()

MOST_PLIES = 126


class Forgotten(Family):
    """Rules in Python beside those of the kernel."""


@pytest.mark.skipif(KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the kernel")
def test_rules_that_are_not_compiled_are_refused_beside_a_compiled_kernel() -> None:
    with pytest.raises(NotCompiledError, match=rf"^{__name__} is not compiled"):
        Forgotten(1, 1)


class Chain(RETROGRADE.family.Family):  # type: ignore[misc, name-defined]
    """One move after the other, each forced; the player to move after the last one has lost."""

    def __init__(self, plies: int) -> None:
        super().__init__(moves=1, images=1)
        self._plies = plies

    def play(self, first: int, second: int, move: int) -> Any:
        return RETROGRADE.bits.Pair(first + 1 + move, second)

    def result(self, first: int, _second: int) -> int:
        return int(first == self._plies)


def value_of_the_start(chain: Any) -> int:
    _, ranks, values = RETROGRADE.Retrograde(chain).tabulate()
    assert [*ranks] == [*range(chain.states)]
    assert len(ranks) == len(values) == chain.states
    return int(values[0])


@pytest.mark.parametrize("plies", [1, 2, 125, 126, 127, 128, 300])
def test_a_win_has_its_distance_or_if_a_value_cannot_hold_that_is_refused_and_never_a_draw(plies: int) -> None:
    chain = GRAPH.Graph(Chain(plies), 1000)
    if plies > MOST_PLIES:
        with pytest.raises(RETROGRADE.TooLongError, match=f"more than {MOST_PLIES} plies"):
            RETROGRADE.Retrograde(chain)
    else:
        assert value_of_the_start(chain) == 2 + plies % 2 + 2 * plies


@contextmanager
def pool_of(threads: int) -> Iterator[ThreadPoolExecutor | None]:
    """No pool for one thread."""
    if threads == 1:
        yield None
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool


def found_by(threads: int, graphs: Any, analysis: Any, rules: Any) -> tuple[Any, ...]:
    with pool_of(threads) as pool:
        found = graphs.Graph(rules, 1_000_000, None, pool)
        return found.states, found.edges, found.positions(), *map(bytes, analysis.Retrograde(found).tabulate())


@pytest.mark.parametrize("game", ["dao", "achi", "vanishing-tic-tac-toe"])
def test_several_threads_find_the_same_table(game: str) -> None:
    alone, *others = (found_by(threads, graph, retrograde, STATE_GAMES[game].play) for threads in (1, 2, 7))
    assert others == [alone, alone]


def test_several_threads_find_the_same_table_interpreted() -> None:
    alone, *others = (
        found_by(threads, GRAPH, RETROGRADE, CATALOGUE.FAMILIES["vanishing"](marks=2).play) for threads in (1, 3)
    )
    assert others == [alone]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("polls", [0, 1, 5])
def test_an_analysis_stops_when_its_poll_says_so(polls: int, threads: int) -> None:
    left = iter([False] * polls)
    with pytest.raises(Stopped), pool_of(threads) as pool:
        retrograde.Retrograde(graph.Graph(NotaktoGame(boards=2).play, 10_000, lambda: next(left, True), pool))
    assert next(left, None) is None
