"""Searches with an end: what they say is true, what they count is reproducible, and they stop when they are told to."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from operator import attrgetter

import pytest

from service.engine.oracle import BestMove, Oracle
from service.engine.result import Bounds
from service.engine.work.limit import Limit
from service.explain.reasons import reason
from service.games.catalogue import (
    CONNECT_FOUR,
    CONNECT_FOUR_5X5,
    FOUR_IN_A_ROW_5X5,
    QUBIC,
    TIC_TAC_TOE,
    TIC_TAC_TOE_3D,
)
from service.games.families.lines import LineGame, LinePosition, grid, line_position
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import MOST_PRIVATE, private_memory, shared_memory
from tests.engine.slots import empty, looks
from tests.support import HUNG_SECONDS
from tests.worlds import (
    CATALOGUED,
    drawn_positions,
    each_catalogued_game,
    near_the_end,
    proof,
    rules_of,
    score_from_here,
    small,
    table,
)

MOST_OVERTIME = 2.0
"""Seconds of processor time: a search looks at the clock every few milliseconds, however busy the machine is."""


def bounds(answer: BestMove) -> Bounds:
    assert isinstance(answer.known, Bounds)
    return answer.known


def middle_games(game: LineGame, count: int) -> Iterator[LinePosition]:
    """Unfinished positions of all phases."""
    return drawn_positions(game, range(game.cells), count)


def essence(answer: BestMove) -> tuple[object, ...]:
    """All of an answer but where it was found."""
    return answer.position, answer.known, answer.move, answer.pv, reason(answer)


@each_catalogued_game
def test_law_1_a_node_limited_answer_does_not_depend_on_what_was_asked_before(game: LineGame) -> None:
    limit, used = Limit(HUNG_SECONDS, 500), Oracle()
    positions = list(middle_games(game, 6))
    for position in positions:
        used.best_move(position, limit=Limit(HUNG_SECONDS, stop=looks(8)))  # fills the shared memory and the cache
    for number, position in enumerate(positions):
        seed = (None, 3)[number % 2]
        fresh = Oracle().best_move(position, seed=seed, limit=limit)
        for _ in range(2):
            assert essence(used.best_move(position, seed=seed, limit=limit)) == essence(fresh)
        assert fresh.move in position.legal_moves


@pytest.mark.parametrize("game", [game for game in CATALOGUED if game.cells <= 25], ids=attrgetter("id"))
def test_law_1_a_proven_answer_is_the_same_from_a_cold_and_a_warm_memory(game: LineGame) -> None:
    warm = Oracle()
    for position in middle_games(game, 8):
        assert essence(warm.best_move(position)) == essence(Oracle().best_move(position))


@pytest.mark.verify
@each_catalogued_game
def test_a_search_that_was_cut_off_leaves_nothing_wrong_behind(game: LineGame) -> None:
    used = Oracle(table_mb=1)
    for position in middle_games(game, 10):
        used.best_move(position, limit=Limit(HUNG_SECONDS, stop=looks(4)))
    for position in near_the_end(game, empties=5, count=4):
        assert used.best_move(position).score == score_from_here(position)


@pytest.mark.parametrize("game", [game for game in CATALOGUED if not game.misere], ids=attrgetter("id"))
def test_every_move_that_wins_at_once_is_known_when_the_time_is_over(game: LineGame) -> None:
    won = 0
    for position in middle_games(game, 60):
        wins = [move for move in position.legal_moves if position.play(move).winner]
        if wins:
            answers = [Oracle().best_move(position, seed=seed, limit=Limit(0)) for seed in (None, 7)]
            assert [proof(answer).best_moves for answer in answers] == [(wins[0],), tuple(wins)]
            assert answers[0].pv == (wins[0],)
            won += 1
    assert won


@pytest.mark.parametrize("nodes", [1, 7, 50, 3000])
def test_a_larger_limit_of_nodes_knows_no_less(nodes: int) -> None:
    for position in middle_games(CONNECT_FOUR_5X5, 5):
        first, longer = (Oracle().best_move(position, limit=Limit(HUNG_SECONDS, n)) for n in (nodes, 4 * nodes))
        if first.exact:
            assert essence(longer) == essence(first)
        elif not longer.exact:
            assert bounds(first).least <= bounds(longer).least
            assert bounds(first).greatest >= bounds(longer).greatest


def test_a_move_drawn_by_a_seed_is_kept_when_only_its_line_of_play_is_not_proven() -> None:
    position = line_position(small(5, 3, 3, misere=True), 1 << 9, 0, "O")
    first, drawn = (Oracle().best_move(position, seed=seed, limit=Limit(HUNG_SECONDS, 83_000)) for seed in (None, 1))
    assert (first.outcome, first.move) == ("win", 0)
    assert (drawn.proven, drawn.exact) == (True, False)
    assert (drawn.outcome, drawn.plies_bounds) == ("win", (first.plies, first.plies))
    assert (drawn.move, drawn.pv) == (12, (12,))
    assert reason(drawn) == f"Wins in {first.plies} plies against any defence."
    assert Oracle().best_move(position, seed=1, limit=Limit(HUNG_SECONDS, 10**6)).move == 12


@pytest.mark.parametrize("nodes", [1, 10, 1000])
def test_a_threat_is_answered_even_when_nothing_is_proven(nodes: int) -> None:
    three, two = sum(1 << cell for cell in (35, 36, 37)), sum(1 << cell for cell in (28, 29))
    answer = Oracle().best_move(line_position(CONNECT_FOUR, three, two, "O"), limit=Limit(HUNG_SECONDS, nodes))
    assert (answer.exact, answer.move) == (False, 38)
    said = "Drops into column 4 and blocks the row from column 1 to column 4: the most promising move found"
    assert reason(answer).startswith(said)


@pytest.mark.parametrize("nodes", [1, 2, 10, 1000, 50_000])
def test_a_search_visits_no_more_nodes_than_it_may(nodes: int) -> None:
    answer = Oracle().best_move(empty(QUBIC), seed=1, limit=Limit(HUNG_SECONDS, nodes))
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


# Shared work.


def in_threads(works: list[Callable[[], BestMove]]) -> list[BestMove]:
    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(lambda work: work(), works))


def meeting(position: LinePosition, nodes: int | None = None, *, leaves: bool = False) -> list[BestMove]:
    """Ask the same twice; the first search goes on, or is given up, only when the other request waits for it."""
    oracle, waits, looked = Oracle(), threading.Event(), count()

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
    ("game", "nodes"), [(FOUR_IN_A_ROW_5X5, None), (QUBIC, 100_000)], ids=["proven", "not proven within its nodes"]
)
def test_threads_that_ask_the_same_share_one_search(game: LineGame, nodes: int | None) -> None:
    answers = meeting(empty(game), nodes)
    assert answers[0].known == answers[1].known
    assert answers[0].exact == (nodes is None)
    assert [answer.nodes > 0 for answer in answers].count(True) == 1
    assert sorted(answer.source for answer in answers) == ["cache", "search"]


def test_who_waits_for_a_search_that_is_given_up_goes_on_with_it() -> None:
    first, second = meeting(empty(CONNECT_FOUR_5X5), leaves=True)
    assert (first.exact, second.exact) == (False, True)


def test_who_waits_does_not_wait_longer_than_its_own_limit() -> None:
    oracle, begun, over = Oracle(), threading.Event(), threading.Event()

    def stop() -> bool:
        begun.set()
        return over.wait(HUNG_SECONDS)

    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(oracle.best_move, empty(QUBIC), limit=Limit(HUNG_SECONDS, stop=stop))
        assert begun.wait(HUNG_SECONDS)
        assert not oracle.best_move(empty(QUBIC), limit=Limit(HUNG_SECONDS, stop=looks(3))).proven
        assert not busy.done()
        over.set()


def test_threads_that_ask_different_things_of_one_memory_get_what_each_would_alone() -> None:
    oracle, alone = Oracle(table_mb=1), [Oracle() for _ in range(4)]
    positions = [list(middle_games(game, 8)) for game in (FOUR_IN_A_ROW_5X5, CONNECT_FOUR_5X5, TIC_TAC_TOE_3D)]
    mixed = [position for group in zip(*positions, strict=True) for position in group]
    answers = in_threads([partial(oracle.best_move, position) for position in mixed])
    found = {answer.position: answer.known for answer in answers}
    assert found == {position: alone[i % 4].best_move(position).known for i, position in enumerate(mixed)}


def test_both_colours_and_games_with_the_same_rules_share_what_is_known() -> None:
    oracle, rules = Oracle(), {"rows": 4, "columns": 4, "in_a_row": 3}
    games = [grid(id=name, name=name, rules=name, **rules) for name in ("one", "another")]  # type: ignore[arg-type]
    asked = [line_position(game, 0, 0, player) for game in (*games, TIC_TAC_TOE_3D) for player in ("X", "O")]
    answers = [oracle.best_move(position) for position in asked]
    assert [answer.source for answer in answers] == ["search", "cache", "cache", "cache", "search", "cache"]
    assert len({answer.known for answer in answers}) == 2


def test_a_process_finds_in_the_shared_memory_what_another_has_found() -> None:
    game, memory = small(6, 5, 4), shared_memory(16)
    child = os.fork()
    if child == 0:
        Search(rules_of(game), memory).score(0, 0)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    cold, warm = Search(rules_of(game), shared_memory(16)), Search(rules_of(game), memory)
    assert cold.score(0, 0) == warm.score(0, 0)
    assert warm.nodes * 10 < cold.nodes


def test_shared_memory_is_as_large_as_allowed_and_private_memory_is_empty_and_never_large() -> None:
    for megabytes in (1, 2, 3, 5, 128):
        size = shared_memory(megabytes).nbytes
        assert size.bit_count() == 1
        assert megabytes << 19 < size <= megabytes << 20
    for nodes in (1, 100, 10**6, 10**12):
        memory = private_memory(nodes)
        assert memory.nbytes.bit_count() == 1
        assert 1024 <= memory.nbytes <= MOST_PRIVATE
        assert not any(memory[:1024])


def test_the_cache_of_proven_entries_stays_within_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.engine.cache.proven_cache.MOST_CACHED", 3)
    oracle, game = Oracle(), small(3, 3, 3)
    for cell in range(9):
        position = line_position(game, 1 << cell, 0, "O")
        known = table(TIC_TAC_TOE)[line_position(TIC_TAC_TOE, 1 << cell, 0, "O")]
        assert (oracle.best_move(position).score, oracle.best_move(position).pv) == (known.score, known.pv)
    assert oracle.best_move(line_position(game, 1 << 8, 0, "O")).source == "cache"
    assert oracle.best_move(line_position(game, 1 << 0, 0, "O")).source == "search"
