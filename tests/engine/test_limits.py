"""Searches with an end: what they say is true, what they count is reproducible, and they stop when they are told to."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from operator import attrgetter

import pytest

from service.engine.oracle import LOWEST, BestMove, MoveChoice, Oracle
from service.engine.result import MoveValues, ends, is_decided
from service.engine.work.limit import Limit
from service.explain.reasons import reason
from service.games.catalogue import CONNECT_FOUR_5X5, FOUR_IN_A_ROW_5X5, QUBIC, TIC_TAC_TOE_3D
from service.games.families.lines import LineGame, LinePosition, grid, line_position
from service.games.game import Game
from service.games.position import Position
from tests.engine.slots import LARGE_STATES, STATES, empty, looks, searching
from tests.support import HUNG_SECONDS
from tests.worlds import CATALOGUED, drawn_positions, each_catalogued_game, proof, small

MOST_OVERTIME = 2.0
"""Seconds of processor time: a search looks at the clock every few milliseconds, however busy the machine is."""


def middle_games(game: LineGame, count: int) -> Iterator[LinePosition]:
    """Unfinished positions of all phases."""
    return drawn_positions(game, range(game.cells), count)


def endings(game: Game, remaining: int, count: int) -> Iterator[Position]:
    """Unfinished positions of any game, so many plies before the longest end."""
    dice = random.Random(game.id)
    while count:
        position = Position(game)
        while position.legal_moves and position.remaining > remaining:
            position = position.play(dice.choice(position.legal_moves))
        if position.legal_moves:
            count -= 1
            yield position


CHOICES = (LOWEST, MoveChoice(3), MoveChoice(hardest=True))


def outcomes(values: MoveValues) -> list[object]:
    """The least and the greatest outcome of each move."""
    return [ends(values[move]) for move in sorted(values)]


def essence(answer: BestMove) -> tuple[object, ...]:
    """All of an answer but where it was found."""
    return answer.position, answer.known, answer.move, answer.pv, reason(answer)


@each_catalogued_game
def test_law_1_a_node_limited_answer_does_not_depend_on_what_was_asked_before(game: LineGame) -> None:
    used, positions = Oracle(), list(middle_games(game, 6))
    for position in positions:
        used.best_move(position, limit=Limit(HUNG_SECONDS, stop=looks(8)))  # fills the shared memory and the cache
    for number, position in enumerate(positions):
        choice, limit = CHOICES[number % 3], Limit(HUNG_SECONDS, 500, outcome=number % 4 == 0)
        fresh = Oracle().best_move(position, choice, limit=limit)
        for _ in range(2):
            assert essence(used.best_move(position, choice, limit=limit)) == essence(fresh)
        assert fresh.move in position.legal_moves


@pytest.mark.parametrize("game", [game for game in CATALOGUED if game.cells <= 25], ids=attrgetter("id"))
def test_law_1_a_proven_answer_is_the_same_from_a_cold_and_a_warm_memory(game: LineGame) -> None:
    warm = Oracle()
    for position in middle_games(game, 8):
        assert essence(warm.best_move(position)) == essence(Oracle().best_move(position))


@pytest.mark.parametrize("game", [game for game in CATALOGUED if not game.misere], ids=attrgetter("id"))
def test_every_move_that_wins_at_once_is_known_when_the_time_is_over(game: LineGame) -> None:
    won = 0
    for position in middle_games(game, 60):
        wins = [move for move in position.legal_moves if position.play(move).winner]
        if wins:
            answers = [Oracle().best_move(position, MoveChoice(seed), limit=Limit(0)) for seed in (None, 7)]
            assert [proof(answer).best_moves for answer in answers] == [(wins[0],), tuple(wins)]
            assert answers[0].pv == (wins[0],)
            won += 1
    assert won


@pytest.mark.parametrize("nodes", [1, 2, 10, 1000, 50_000])
def test_a_search_visits_no_more_nodes_than_it_may(nodes: int) -> None:
    answer = Oracle().best_move(empty(QUBIC), MoveChoice(1), limit=Limit(HUNG_SECONDS, nodes))
    assert nodes * 0.9 < answer.nodes <= nodes


@pytest.mark.parametrize(
    "limit",
    [Limit(0.2), Limit(0.1, nodes=10**12), Limit(HUNG_SECONDS, stop=looks(20))],
    ids=["time", "time before nodes", "a client that has gone"],
)
def test_a_search_ends_when_it_is_told_to(limit: Limit) -> None:
    used = time.thread_time()
    assert not Oracle().best_move(empty(QUBIC), limit=limit).exact
    assert time.thread_time() - used < MOST_OVERTIME


@pytest.mark.parametrize(
    ("game", "remaining"),
    [(CONNECT_FOUR_5X5, 16), (FOUR_IN_A_ROW_5X5, 16), (LARGE_STATES, 9)],
    ids=["lines under gravity", "lines", "states"],
)
def test_a_search_for_the_outcome_ends_with_it(game: Game, remaining: int) -> None:
    oracle, whole, nodes, more = Oracle(), Oracle(), 0, 0
    for position in endings(game, remaining, 8):
        limit = Limit(HUNG_SECONDS, 1_000_000, outcome=True)
        answer, exact = oracle.best_move(position, limit=limit), whole.best_move(position)
        analysis, values = oracle.analyse(position, limit=limit), whole.analyse(position).move_values
        assert (answer.outcome, answer.exact) == (exact.outcome, False)
        assert answer.move is not None
        assert is_decided(analysis.known)
        assert outcomes(analysis.move_values) == outcomes(values)
        assert ends(values[answer.move])[0] == answer.outcome
        nodes, more = nodes + answer.nodes, more + exact.nodes
    assert 0 < nodes < more


# Shared work.


def in_threads(works: list[Callable[[], BestMove]]) -> list[BestMove]:
    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(lambda work: work(), works))


def meeting(position: Position, nodes: int | None = None, *, leaves: bool = False) -> list[BestMove]:
    """Ask the same twice; the first search goes on, or is given up, only when the other request waits for it."""
    oracle, waits, looked = searching(), threading.Event(), count()

    def first() -> bool:
        assert waits.wait(HUNG_SECONDS)
        return leaves

    def second() -> bool:
        if next(looked) == 3:  # a request looks again and again while it waits
            waits.set()
        return False

    limits = [Limit(HUNG_SECONDS, nodes, stop=stop) for stop in (first, second)]
    return in_threads([partial(oracle.best_move, position, limit=limit) for limit in limits])


@pytest.mark.parametrize(
    ("game", "nodes"),
    [(FOUR_IN_A_ROW_5X5, None), (STATES, None), (QUBIC, 100_000), (LARGE_STATES, 100_000)],
    ids=["proven", "states", "not proven within its nodes", "states within nodes"],
)
def test_threads_that_ask_the_same_share_one_search(game: Game, nodes: int | None) -> None:
    answers = meeting(empty(game), nodes)
    assert answers[0].known == answers[1].known
    assert answers[0].exact == (nodes is None)
    assert [answer.nodes > 0 for answer in answers].count(True) == 1
    assert sorted(answer.source for answer in answers) == ["cache", "search"]


def test_who_waits_for_a_search_that_is_given_up_goes_on_with_it() -> None:
    first, second = meeting(empty(CONNECT_FOUR_5X5), leaves=True)
    assert (first.exact, second.exact) == (False, True)


def test_threads_that_ask_different_things_of_one_memory_get_what_each_would_alone() -> None:
    oracle, alone = Oracle(table_mb=1), [Oracle() for _ in range(4)]
    positions = [list(middle_games(game, 8)) for game in (FOUR_IN_A_ROW_5X5, CONNECT_FOUR_5X5, TIC_TAC_TOE_3D)]
    mixed = [position for group in zip(*positions, strict=True) for position in group]
    answers = in_threads([partial(oracle.best_move, position) for position in mixed])
    found = {answer.position: answer.known for answer in answers}
    assert found == {position: alone[i % 4].best_move(position).known for i, position in enumerate(mixed)}


@pytest.mark.parametrize("limit", [Limit(HUNG_SECONDS), Limit(HUNG_SECONDS, 10_000_000)], ids=["time", "nodes"])
@pytest.mark.parametrize("game", [STATES, small(4, 5, 4)], ids=attrgetter("id"))
def test_what_was_proven_is_not_searched_again(game: Game, limit: Limit) -> None:
    oracle, start = searching(), empty(game)
    for _ in range(3):
        start = start.play(start.legal_moves[0])
    first, second = (oracle.best_move(start, limit=limit) for _ in range(2))
    assert (first.source, second.source, second.nodes) == ("search", "cache", 0)
    assert (first.known, first.pv, first.cost) == (second.known, second.pv, second.cost if limit.nodes else first.cost)
    values = [oracle.analyse(start, limit=limit) for _ in range(2)]
    assert values[1].nodes == 0
    assert values[0].move_values == values[1].move_values == searching().analyse(start).move_values


def test_the_cache_of_proven_entries_stays_within_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.engine.cache.proven_cache.MOST_CACHED", 3)
    oracle, game = Oracle(), small(3, 3, 3)
    asked = [line_position(game, 1 << cell, 0, "O") for cell in (*range(9), 8, 0)]
    assert [oracle.best_move(position).source for position in asked] == ["search"] * 9 + ["cache", "search"]


def test_both_colours_and_games_with_the_same_rules_share_what_is_known() -> None:
    oracle, rules = Oracle(), {"rows": 4, "columns": 4, "in_a_row": 3}
    games = [grid(id=name, name=name, rules=name, **rules) for name in ("one", "another")]  # type: ignore[arg-type]
    asked = [line_position(game, 0, 0, player) for game in (*games, TIC_TAC_TOE_3D) for player in ("X", "O")]
    answers = [oracle.best_move(position) for position in asked]
    assert [answer.source for answer in answers] == ["search", "cache", "cache", "cache", "search", "cache"]
    assert len({answer.known for answer in answers}) == 2
