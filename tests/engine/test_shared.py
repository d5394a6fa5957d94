"""The shared cache: a fleet solves each costly position once, and answers are the same without it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from service.engine.cache.shared import COSTLY_NODES, MOST_CHEAP, can_be_true
from service.engine.engine import HARDEST_NODES
from service.engine.oracle import LOWEST, Analysis, BestMove, MoveChoice, Oracle
from service.engine.result import ProvenResult
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.explain.reasons import reason
from service.explain.review import review
from service.games.catalogue import CONNECT_FOUR_5X4, QUBIC, TIC_TAC_TOE
from service.games.families.lines import LinePosition, line_position, position_after
from service.games.game import Game
from service.games.position import Position
from tests.engine.slots import STATES, empty, looks, searching
from tests.worlds import drawn_positions, small

BOARD = small(4, 5, 4)

COSTLY = (
    BOARD,
    small(4, 5, 4, gravity=True),
    small(4, 4, 3, misere=True),
    small(4, 4, 4, wrap=True, misere=True),
    STATES,
)
"""Games of which the empty board takes many nodes, but not many seconds."""

each_costly_game = pytest.mark.parametrize("game", COSTLY, ids=lambda game: game.id)
CHOICES = {"first": LOWEST, "random": MoveChoice(3), "hardest": MoveChoice(hardest=True)}
each_choice = pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)


class Fleet:
    """A shared cache within this process, which records every look-up."""

    def __init__(self) -> None:
        self.kept: dict[tuple[Position, bool], ProvenResult] = {}
        self.asked: list[tuple[Position, bool]] = []

    def look_up(self, positions: Sequence[Position], *, all_best: bool) -> Sequence[ProvenResult | None]:
        self.asked += [(position, all_best) for position in positions]
        return [self.kept.get((position, all_best)) for position in positions]

    def keep(self, entries: Mapping[Position, ProvenResult], *, all_best: bool) -> None:
        self.kept.update({(position, all_best): entry for position, entry in entries.items()})


def best_move_essence(answer: BestMove) -> tuple[object, ...]:
    return answer.position, answer.known, answer.move, answer.pv, reason(answer), answer.seed


def essence(analysis: Analysis) -> tuple[object, ...]:
    return best_move_essence(analysis.best), rank(analysis), analysis.threats


@each_costly_game
@each_choice
@pytest.mark.parametrize(("ask", "told"), [(Oracle.best_move, best_move_essence), (Oracle.analyse, essence)])
def test_a_second_oracle_answers_without_a_search_and_all_that_is_kept_is_what_a_search_finds(
    game: Game, choice: MoveChoice, ask: Callable[..., Any], told: Callable[[Any], object]
) -> None:
    fleet, alone = Fleet(), searching()
    first, second = (ask(searching(shared=fleet), empty(game), choice) for _ in range(2))
    assert first.nodes > COSTLY_NODES
    assert second.nodes <= (HARDEST_NODES if choice.hardest else 0)
    assert told(first) == told(second) == told(ask(alone, empty(game), choice))
    assert len(fleet.kept) > (ask is Oracle.analyse)
    for (position, all_best), entry in fleet.kept.items():
        assert can_be_true(position, entry, all_best=all_best)
        assert alone.best_move(position, MoveChoice(1 if all_best else None)).known == entry


def test_the_hardest_move_does_not_depend_on_whether_the_fleet_saves_the_search() -> None:
    for position in drawn_positions(CONNECT_FOUR_5X4, range(3, 7), 24):
        fleet = Fleet()
        searched, saved = (Oracle(shared=fleet).best_move(position, CHOICES["hardest"]) for _ in range(2))
        assert best_move_essence(searched) == best_move_essence(saved)


def test_if_one_move_is_missing_the_analysis_is_made_anew() -> None:
    fleet, position = Fleet(), empty(BOARD)
    first = Oracle(shared=fleet).analyse(position)
    del fleet.kept[position.play(7), False]
    second = Oracle(shared=fleet).analyse(position)
    assert second.nodes > 0
    assert essence(second) == essence(first)
    assert (position.play(7), False) in fleet.kept


LIMITED = Limit(60, 1_000_000)


@pytest.mark.parametrize(
    "ask",
    [
        lambda oracle, position: best_move_essence(oracle.best_move(position, limit=LIMITED)),
        lambda oracle, position: essence(oracle.analyse(position, MoveChoice(1), limit=LIMITED)),
        lambda oracle, position: review(oracle, position, [12, 0], LIMITED),
    ],
    ids=["best move", "analysis", "review"],
)
def test_a_node_limited_answer_neither_asks_the_fleet_nor_tells_it(
    ask: Callable[[Oracle, LinePosition], object],
) -> None:
    fleet, position = Fleet(), empty(BOARD)
    alone = ask(Oracle(), position)
    assert ask(Oracle(shared=fleet), position) == alone
    assert (fleet.asked, fleet.kept) == ([], {})
    Oracle(shared=fleet).analyse(position, MoveChoice(1))
    fleet.asked.clear()
    assert ask(Oracle(shared=fleet), position) == alone
    assert not fleet.asked


def test_law_6_what_was_cut_off_or_cost_little_is_not_kept_and_what_is_proven_in_time_is() -> None:
    fleet, stopped = Fleet(), Limit(60, stop=looks(20))
    assert not Oracle(shared=fleet).best_move(empty(QUBIC), limit=stopped).proven
    cheap = Oracle(shared=fleet).best_move(empty(small(4, 4, 4)))
    assert 0 < cheap.nodes <= COSTLY_NODES
    assert fleet.asked == [(empty(QUBIC), False), (cheap.position, False)]
    assert not fleet.kept
    assert Oracle(shared=fleet).best_move(empty(BOARD), limit=Limit(50)).proven
    assert [*fleet.kept] == [(empty(BOARD), False)]
    assert Oracle(shared=fleet).best_move(empty(BOARD), limit=Limit(0)).proven


def test_known_finished_and_nearly_full_positions_are_not_looked_up() -> None:
    fleet = Fleet()
    oracle = Oracle([TIC_TAC_TOE], shared=fleet)
    oracle.analyse(empty(TIC_TAC_TOE), MoveChoice(1))
    assert oracle.best_move(line_position(QUBIC, 0b1111, 0b1110000, "O")).outcome == "loss"
    nearly_full = position_after(small(3, 4, 4), range(12 - MOST_CHEAP))
    oracle.analyse(nearly_full, MoveChoice(1))
    assert not fleet.asked
    for _ in range(3):
        oracle.best_move(empty(BOARD))
    assert len(fleet.asked) == 1
