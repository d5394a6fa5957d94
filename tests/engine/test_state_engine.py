"""Games that are searched as states: the same caches, phases and laws as games of lines, and bounds that are true."""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest

from service.engine.cache.shared import COSTLY_NODES, can_be_true
from service.engine.engine import Engine
from service.engine.oracle import BestMove, Oracle
from service.engine.result import Bounds, Known, ProvenResult, score_bounds
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.engine.work.slots import LIGHT_NODES, SearchSlots
from service.explain.review import review
from service.games.families.exactly import ExactlyGame
from service.games.families.numerical import NumericalGame
from service.games.families.order_and_chaos import OrderAndChaosGame
from service.games.families.wild import WildGame
from service.games.game import Game
from service.games.position import Position
from tests.engine.slots import COUNTED
from tests.games.games import positions
from tests.support import HUNG_SECONDS

GAME = OrderAndChaosGame(rows=4, columns=4, in_a_row=4)
UNPROVEN = OrderAndChaosGame(rows=6, columns=6, in_a_row=5)

START, LATER = Position(GAME), Position(GAME).play(0).play(7)


class Fleet:
    """A shared cache within this process."""

    def __init__(self) -> None:
        self.kept: dict[tuple[Any, bool], ProvenResult] = {}

    def look_up(self, positions: Sequence[Any], *, every: bool) -> Sequence[ProvenResult | None]:
        return [self.kept.get((position, every)) for position in positions]

    def keep(self, entries: Mapping[Any, ProvenResult], *, every: bool) -> None:
        self.kept.update({(position, every): entry for position, entry in entries.items()})


def searching(**options: Any) -> Oracle:
    """An oracle that makes no tables."""
    return Oracle(tablebases=Tablebases(most=1), **options)


@pytest.mark.parametrize("limit", [Limit(HUNG_SECONDS), Limit(HUNG_SECONDS, 10_000_000)], ids=["time", "nodes"])
def test_what_was_proven_is_not_searched_again(limit: Limit) -> None:
    oracle = searching()
    first, second = (oracle.best_move(START, limit=limit) for _ in range(2))
    assert (first.source, second.source, second.nodes) == ("search", "cache", 0)
    assert (first.known, first.pv, first.cost) == (second.known, second.pv, second.cost if limit.nodes else first.cost)
    values = [oracle.analyse(START, limit=limit) for _ in range(2)]
    assert values[1].nodes == 0
    assert values[0].move_values == values[1].move_values == searching().analyse(START).move_values


def test_an_analysis_and_the_next_position_find_what_the_search_before_has_stored() -> None:
    oracle, nodes = searching(), COUNTED.nodes or 0
    counted = searching().analyse(START, limit=Limit(HUNG_SECONDS, 10 * nodes)).nodes
    assert oracle.analyse(START).nodes < 0.8 * counted  # which begins each of its searches with an empty table
    assert oracle.best_move(LATER).nodes < searching().best_move(LATER).nodes / 2


def test_the_second_phase_finds_what_the_first_has_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = searching().best_move(START)
    monkeypatch.setattr("service.engine.work.slots.LIGHT_NODES", alone.nodes * 3 // 4)
    with SearchSlots(1, 0, 1).reserve() as slot:
        found = searching().best_move(START, slot=slot)
        assert slot.entered
    assert found.known == alone.known
    assert found.nodes < alone.nodes * 1.5


def test_law_1_a_node_limited_answer_is_the_same_wherever_the_first_phase_ends_and_whatever_was_asked_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position, oracle = Position(UNPROVEN), searching()
    alone = searching().analyse(position, limit=COUNTED)
    assert not alone.best.exact
    oracle.best_move(position, limit=Limit(0.2))
    for nodes in (-1, LIGHT_NODES, 10 * LIGHT_NODES):
        monkeypatch.setattr("service.engine.work.slots.LIGHT_NODES", nodes)
        with SearchSlots(1, 0, 1).reserve() as slot:
            assert oracle.analyse(position, limit=COUNTED, slot=slot) == alone


@pytest.mark.parametrize(
    ("position", "nodes"),
    [(START, None), (Position(UNPROVEN), 100_000)],
    ids=["proven", "not proven within its nodes"],
)
def test_threads_that_ask_the_same_share_one_search(position: Position, nodes: int | None) -> None:
    oracle, waits, looked = searching(), threading.Event(), count()

    def first() -> bool:
        assert waits.wait(HUNG_SECONDS)
        return False

    def second() -> bool:
        if next(looked) == 3:  # a request looks again and again while it waits
            waits.set()
        return False

    def ask(limit: Limit) -> BestMove:
        return oracle.best_move(position, limit=limit)

    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(ask, [Limit(HUNG_SECONDS, nodes, stop=stop) for stop in (first, second)]))
    assert answers[0].known == answers[1].known
    assert sorted(answer.source for answer in answers) == ["cache", "search"]
    assert [answer.nodes > 0 for answer in answers].count(True) == 1


def test_a_fleet_proves_each_position_once() -> None:
    fleet, alone = Fleet(), searching()
    first, second = (searching(shared=fleet).analyse(START, seed=1) for _ in range(2))
    assert (first.nodes > COSTLY_NODES, second.nodes) == (True, 0)
    assert first.move_values == second.move_values
    assert len(fleet.kept) > 1
    for (position, every), entry in fleet.kept.items():
        assert can_be_true(position, entry, every=every)
        assert alone.best_move(position, seed=1 if every else None).known == entry
    kept = len(fleet.kept)
    searching(shared=fleet).analyse(LATER, limit=COUNTED)
    assert len(fleet.kept) == kept


def test_all_positions_of_a_review_have_an_even_share_of_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[int] = []
    prove = Engine.prove

    def noted(self: Any, position: Any, effort: Any, **every: Any) -> Any:
        found = prove(self, position, effort, **every)
        spent.append(effort.used)
        return found

    monkeypatch.setattr(Engine, "prove", noted)
    review(searching(), Position(UNPROVEN), [14, 51, 20, 63], Limit(HUNG_SECONDS, nodes=50_000))
    assert len(spent) == 5
    assert max(spent) < 1.2 * min(spent)


GAMES = (
    WildGame(rows=3, columns=3, in_a_row=3),
    WildGame(rows=3, columns=3, in_a_row=3, misere=True),
    ExactlyGame(rows=3, columns=4, in_a_row=3),
    ExactlyGame(rows=3, columns=3, in_a_row=3, misere=True),
    NumericalGame(),
    OrderAndChaosGame(rows=3, columns=3, in_a_row=3),
)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.family} {game.parameters}")
def test_bounds_are_true_and_count_no_ply_of_the_wrong_player(game: Game) -> None:
    oracle, bounds = searching(), 0
    unfinished = [position for position in positions(game) if position.legal_moves]
    for position in unfinished[:: 1 + len(unfinished) // 25]:
        truth = oracle.analyse(position)
        for nodes in (1, 30, 200):
            found = searching().analyse(position, limit=Limit(HUNG_SECONDS, nodes))
            pairs: list[tuple[Known, Known]] = [(found.known, truth.known)]
            pairs += [(value, truth.move_values[move]) for move, value in found.move_values.items()]
            for known, true in pairs:
                least, greatest = score_bounds(known)
                assert least <= score_bounds(true)[0] <= greatest
                bounds += isinstance(known, Bounds)
                if game.last_move is not None:
                    wins = 1 if game.last_move == "wins" else 0
                    assert all(
                        plies(game, score) % 2 == (wins if score > 0 else 1 - wins)
                        for score in (least, greatest)
                        if score
                    )
    assert bounds


def plies(game: Game, score: int) -> int:
    """The plies to the end of a game that is not drawn."""
    return game.most_plies + 1 - abs(score)
