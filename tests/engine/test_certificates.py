"""Certificates in the engine: when there is one, how large it is, and that it is always the same."""

from operator import attrgetter
from random import Random

import pytest

from service.engine import engine
from service.engine.certificates.certificate import Certificate, Unfinished, Unproven
from service.engine.oracle import Oracle
from service.engine.result import ends
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.engine.work.slots import SearchSlots
from service.games.catalogue import LINE_GAMES, STATE_GAMES, TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, position_after
from service.games.position import Position
from tests.engine.slots import empty, looks
from tests.worlds import drawn_positions, small

FOUR_ON_5X5 = small(5, 5, 4)
LONG = 600.0


def certificate(position: LinePosition) -> Certificate:
    """The certificate of a position, which must have one."""
    found = Oracle().certify(position).found
    assert isinstance(found, Certificate), found
    return found


def entries(found: Certificate) -> int:
    """The number of entries of a certificate."""
    return sum(len(strategy.entries) for strategy in found.strategies)


@pytest.mark.parametrize("game", [small(4, 5, 4), LINE_GAMES["connect-four"], TIC_TAC_TOE], ids=attrgetter("id"))
def test_law_1_a_certificate_is_the_same_from_a_cold_and_from_a_warm_memory(game: LineGame) -> None:
    positions = list(drawn_positions(game, range(min(game.cells, 34) - 8, min(game.cells, 34)), 8))
    cold = [Oracle(table_mb=1).certify(position).found for position in positions]
    warm = Oracle(table_mb=1)
    for position in reversed(positions):
        warm.analyse(position)
    assert [warm.certify(position).found for position in positions] == cold


OPEN = STATE_GAMES["ultimate-tic-tac-toe-open"]


@pytest.mark.verify
def test_law_1_a_certificate_of_a_family_is_the_same_from_a_cold_and_from_a_warm_memory() -> None:
    dice, warm = Random(5), Oracle(table_mb=1)
    for game in (STATE_GAMES["ultimate-tic-tac-toe"], OPEN, STATE_GAMES["notakto-2"]):
        for _ in range(4):
            moves = [move for move, _ in game.random_game(dice)]
            position = Position(game)
            for move in moves[: len(moves) - dice.randint(1, 7)]:
                position = position.play(move)
            warm.analyse(position)
            assert warm.certify(position).found == Oracle(table_mb=1).certify(position).found


def test_law_1_limited_nodes_always_give_a_family_the_same_certificate() -> None:
    position, limit = Position(STATE_GAMES["exactly-three-4x4"]), Limit(LONG, 200_000)
    found = Oracle(tablebases=Tablebases(most=1)).certify(position, limit=limit).found
    assert isinstance(found, Certificate)
    warm = Oracle(tablebases=Tablebases(most=1))
    warm.analyse(position, limit=Limit(LONG, 100_000))
    assert warm.certify(position, limit=limit).found == found


@pytest.mark.parametrize("nodes", [1, 300, 3000, 30_000, 300_000])
def test_law_1_limited_nodes_always_prove_the_same(nodes: int) -> None:
    position, limit = position_after(FOUR_ON_5X5, [12, 6, 7]), Limit(LONG, nodes)
    found = Oracle().certify(position, limit=limit).found
    warm = Oracle()
    warm.analyse(position, limit=Limit(LONG, 100_000))
    assert warm.certify(position, limit=limit).found == found
    with SearchSlots(1, 1, 2).reserve() as slot:
        assert Oracle().certify(position, limit=limit, slot=slot).found == found


def test_without_a_certificate_it_is_said_why() -> None:
    position, oracle = empty(LINE_GAMES["connect-four-5x4"]), Oracle()
    limited = oracle.certify(position, limit=Limit(LONG, 60_000)).found
    oracle.best_move(position)
    stopped = oracle.certify(position, limit=Limit(LONG, stop=looks(20))).found
    for found in (limited, stopped):
        assert isinstance(found, Unfinished)
        assert (found.outcome, found.too_many) == ("draw", False)
        assert 0 < found.entries < 60_000 // 25
    unproven = oracle.certify(empty(LINE_GAMES["qubic"]), limit=Limit(LONG, 100)).found
    assert isinstance(unproven, Unproven)
    assert ends(unproven.known) == ("loss", "win")


def test_a_certificate_has_no_more_entries_than_are_allowed_and_may_have_just_as_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = certificate(empty(TIC_TAC_TOE))
    monkeypatch.setattr(engine, "MOST_ENTRIES", entries(whole))
    assert certificate(empty(TIC_TAC_TOE)) == whole
    monkeypatch.setattr(engine, "MOST_ENTRIES", 10)
    found = Oracle().certify(empty(TIC_TAC_TOE)).found
    assert isinstance(found, Unfinished)
    assert (found.outcome, found.too_many) == ("draw", True)
    assert found.entries < 10  # it is known of others that they will be needed
