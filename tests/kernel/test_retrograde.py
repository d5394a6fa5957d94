"""The limits of retrograde analysis: long wins, and polls."""

from array import array
from typing import Any

import pytest

from loadtests.interpreted import interpreted_families
from service.families.notakto import NotaktoGame
from service.kernel.family import START
from service.kernel.retrograde import Graph, entries, look_up
from service.kernel.stopping import Stopped

_, RETROGRADE, _ = interpreted_families()


class Chain(RETROGRADE.Family):  # type: ignore[misc, name-defined]
    """One move after the other, each forced; the player to move after the last one has lost."""

    def __init__(self, plies: int) -> None:
        super().__init__(moves=1, images=1)
        self._plies = plies

    def play(self, first: int, second: int, move: int) -> Any:
        return RETROGRADE.bits.Pair(first + 1 + move, second)

    def result(self, first: int, _second: int) -> int:
        return int(first == self._plies)


def value_of_the_start(graph: Any) -> int | None:
    places = 2 * graph.states
    keys, values = array("Q", bytes(8 * places)), array("B", bytes(places))
    graph.tabulate(keys, values)
    assert entries(memoryview(keys)) == graph.states
    return look_up(memoryview(keys), memoryview(values), START)


@pytest.mark.parametrize("plies", [1, 2, 125, 126])
def test_a_win_of_as_many_plies_as_a_value_holds_has_its_distance(plies: int) -> None:
    graph = RETROGRADE.Graph(Chain(plies), 1000)
    graph.solve()
    won = plies % 2
    assert value_of_the_start(graph) == 1 + won + 2 * plies


@pytest.mark.parametrize("plies", [127, 128, 300])
def test_a_longer_win_is_refused_and_never_a_draw(plies: int) -> None:
    graph = RETROGRADE.Graph(Chain(plies), 1000)
    with pytest.raises(RETROGRADE.TooLongError, match="more than 126 plies"):
        graph.solve()


@pytest.mark.parametrize("polls", [0, 1, 5])
def test_an_analysis_stops_when_its_poll_says_so(polls: int) -> None:
    left = polls

    def poll() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    with pytest.raises(Stopped):
        Graph(NotaktoGame(boards=2).play, 10_000, poll).solve()
    assert left == -1


def test_an_analysis_that_is_polled_finds_the_same() -> None:
    game = NotaktoGame(boards=2)
    polled, alone = Graph(game.play, 10_000, lambda: False), Graph(game.play, 10_000)
    polled.solve()
    alone.solve()
    assert value_of_the_start(polled) == value_of_the_start(alone)
