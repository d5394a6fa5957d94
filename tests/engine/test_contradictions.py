"""Bounds that exclude each other: never shown, reported, and searched for again without the table."""

import logging
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from service.app import _contradiction_reporter
from service.book.book import Knowledge
from service.book.variation import ScoreSearch, principal_variation
from service.engine.line_engine import LineEngine
from service.engine.oracle import Oracle
from service.engine.result import ends, nothing_known
from service.engine.solver import Solver
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.games.families.lines import line_position
from service.games.families.wild import OrderAndChaosGame
from service.kernel.alpha_beta.search import ContradictoryBoundsError, Search
from service.kernel.rules import Rules
from service.metrics import Metrics
from tests.engine.slots import empty, searching
from tests.kernel.test_kernel import INTERPRETED
from tests.worlds import memory, proof, rules_of, small

GAME = small(4, 4, 4)
BEYOND_ALL_SCORES = 60


def forge(table: memoryview, rules: Rules, mine: int, theirs: int) -> int:
    """Writes an entry that says of a position what no position is worth; where its bucket begins."""
    search = INTERPRETED.Search(rules, memory(2))._alpha_beta  # noqa: SLF001
    marks = (mine | theirs).bit_count()
    board, empty = search._board, ((1 << rules.cells) - 1) ^ (mine | theirs)  # noqa: SLF001
    search._enter(0, mine, theirs, board.threats(mine, empty), board.threats(theirs, empty), marks)  # noqa: SLF001
    search._apply_static_bounds(0, -1, 1)  # noqa: SLF001
    key, check, marks = search._keys[0], search._checks[0], search._marks[0]  # noqa: SLF001
    target = INTERPRETED.Table(board, table, rules.key_seeds)
    target.store(key, check, marks, BEYOND_ALL_SCORES, BEYOND_ALL_SCORES, -1)
    bucket: int = target._bucket(key, marks)  # noqa: SLF001
    return bucket


@pytest.mark.parametrize("kernel", [Search, INTERPRETED.Search], ids=["compiled", "interpreted"])
def test_a_search_that_meets_an_impossible_entry_says_so_and_drops_it(kernel: Callable[..., Search]) -> None:
    rules, table = rules_of(GAME), memory()
    bucket = forge(table, rules, 0, 0)
    search = kernel(rules, table)
    with pytest.raises(ContradictoryBoundsError):
        search.bound(0, 0, 0, 1)
    assert not any(table[bucket : bucket + 4])
    assert search.bound(0, 0, 0, 1) <= 0


@pytest.mark.parametrize("limit", [Limit(60), Limit(60, 1_000_000)], ids=["time", "nodes"])
def test_an_oracle_answers_as_with_an_empty_table_and_reports_each_contradiction(limit: Limit) -> None:
    game = small(5, 5, 4)
    position, reported = line_position(game, 0, 0, "X"), list[object]()
    oracle = Oracle(on_contradiction=reported.append)
    engine = oracle._engines["lines"]  # noqa: SLF001
    assert isinstance(engine, LineEngine)
    rules = engine._laid_out(game).secret  # noqa: SLF001
    for move in position.legal_moves:
        after = position.play(move)
        forge(engine._table, rules, *after.state)  # noqa: SLF001
    assert proof(oracle.best_move(position, limit=limit)) == proof(Oracle().best_move(position))
    assert reported == ([position] if limit.nodes is None else [])  # where nodes count, nobody shares the table


def test_an_oracle_that_contradicts_itself_twice_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def contradicts(*_: object, **__: object) -> None:
        raise ContradictoryBoundsError

    position, reported = line_position(GAME, 0, 0, "X"), list[object]()
    monkeypatch.setattr(Solver, "prove", contradicts)
    monkeypatch.setattr(Solver, "settle", contradicts)
    analysis = Oracle(on_contradiction=reported.append).analyse(position)
    assert not analysis.complete
    assert {ends(move.known) for move in rank(analysis)} == {("loss", "win")}
    assert reported == [position] * 4


@pytest.mark.parametrize("wrong", [0, 1, 10**6])
def test_a_family_whose_line_does_not_keep_its_promise_is_searched_again_and_then_claims_nothing(
    monkeypatch: pytest.MonkeyPatch, wrong: int
) -> None:
    position, reported, lines = empty(OrderAndChaosGame(rows=3, columns=3, in_a_row=3)), list[object](), count()

    def overrating(search: ScoreSearch, book: Knowledge, first: int, second: int, score: int) -> Iterator[int]:
        return principal_variation(search, book, first, second, score + 2 * (next(lines) < wrong))

    truth = searching().best_move(position).known
    monkeypatch.setattr("service.engine.solver.principal_variation", overrating)
    found = searching(on_contradiction=reported.append).best_move(position).known
    assert found == (truth if wrong < 2 else nothing_known(position))
    assert reported == [position] * min(wrong, 2)


def test_a_contradiction_is_counted_and_logged_with_all_that_repeats_it(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    with caplog.at_level(logging.ERROR, "service"):
        _contradiction_reporter(metrics)(line_position(GAME, 0b10, 0b01, "X"))
    fields = vars(caplog.records[0])
    assert (fields["position"], fields["player"]) == ("OX..............", "X")
    assert (fields["lines"], fields["drop"], fields["misere"]) == (GAME.lines, 0, False)
    assert b"move_oracle_contradictions_total 1.0" in metrics.exposition()
