"""Certificates in the engine: when there is one, how large it is, and that it is always the same."""

from operator import attrgetter

import pytest

from service.engine import line_engine
from service.engine.certificates.certificate import Certificate, Unfinished, Unproven
from service.engine.certificates.pairing import find_pairs
from service.engine.oracle import Oracle
from service.engine.result import ends
from service.engine.work.limit import Limit
from service.engine.work.slots import SearchSlots
from service.games.catalogue import LINE_GAMES, TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, line_position, position_after
from tests.engine.slots import empty, looks
from tests.worlds import drawn_positions, read_position, small

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


@pytest.mark.parametrize(
    ("game", "outcome", "most"),
    [
        (TIC_TAC_TOE, "draw", 20),
        (small(4, 4, 3), "win", 15),
        (small(4, 4, 4), "draw", 0),
        (small(3, 3, 3, layers=3), "win", 12),
        (small(5, 5, 5), "draw", 0),
        (LINE_GAMES["connect-four-5x4"], "draw", 8000),
    ],
    ids=str,
)
def test_the_certificate_of_an_empty_board_is_small(game: LineGame, outcome: str, most: int) -> None:
    found = certificate(empty(game))
    assert found.outcome == outcome
    assert entries(found) <= most


@pytest.mark.parametrize(
    ("board", "holders"),
    [
        pytest.param("XXXOO....", [("X", True)], id="a finished game"),
        pytest.param("XOXXOOOXX", [("O", False), ("X", False)], id="a full board"),
        pytest.param("X........", [("O", False), ("X", False)], id="a draw, held by the player to move first"),
    ],
)
def test_a_strategy_is_of_its_holder_and_a_finished_game_has_no_entries(
    board: str, holders: list[tuple[str, bool]]
) -> None:
    found = certificate(read_position(board))
    assert [(strategy.holder, strategy.wins) for strategy in found.strategies] == holders
    assert (entries(found) == 0) == (board.count(".") < 5)


@pytest.mark.parametrize("game", [small(4, 5, 4), LINE_GAMES["connect-four"], TIC_TAC_TOE], ids=attrgetter("id"))
def test_law_1_a_certificate_is_the_same_from_a_cold_and_from_a_warm_memory(game: LineGame) -> None:
    positions = list(drawn_positions(game, range(min(game.cells, 34) - 8, min(game.cells, 34)), 8))
    cold = [Oracle(table_mb=1).certify(position).found for position in positions]
    warm = Oracle(table_mb=1)
    for position in reversed(positions):
        warm.analyse(position)
    assert [warm.certify(position).found for position in positions] == cold


@pytest.mark.parametrize("nodes", [1, 300, 3000, 30_000, 300_000])
def test_law_1_limited_nodes_always_prove_the_same(nodes: int) -> None:
    position, limit = position_after(FOUR_ON_5X5, [12, 6, 7]), Limit(LONG, nodes)
    found = Oracle().certify(position, limit=limit).found
    warm = Oracle()
    warm.analyse(position, limit=Limit(LONG, 100_000))
    assert warm.certify(position, limit=limit).found == found
    with SearchSlots(1, 1, 2).reserve() as slot:
        assert Oracle().certify(position, limit=limit, slot=slot).found == found


def test_an_outcome_that_is_not_proven_has_no_certificate_but_bounds() -> None:
    found = Oracle().certify(empty(LINE_GAMES["qubic"]), limit=Limit(LONG, 100)).found
    assert isinstance(found, Unproven)
    assert ends(found.known) == ("loss", "win")


def test_a_certificate_that_outgrows_the_limit_says_how_large_it_was() -> None:
    position = empty(LINE_GAMES["connect-four-5x4"])
    found = Oracle().certify(position, limit=Limit(LONG, 60_000)).found
    assert isinstance(found, Unfinished)
    assert (found.outcome, found.too_many) == ("draw", False)
    assert 0 < found.entries < 60_000 // 25


def test_a_certificate_has_no_more_entries_than_are_allowed_and_may_have_just_as_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = certificate(empty(TIC_TAC_TOE))
    monkeypatch.setattr(line_engine, "MOST_ENTRIES", entries(whole))
    assert certificate(empty(TIC_TAC_TOE)) == whole
    monkeypatch.setattr(line_engine, "MOST_ENTRIES", 10)
    assert Oracle().certify(empty(TIC_TAC_TOE)).found == Unfinished("draw", 10, too_many=True)


def test_a_certificate_ends_when_it_is_stopped() -> None:
    position = empty(LINE_GAMES["connect-four-5x4"])
    oracle = Oracle()
    oracle.best_move(position)
    found = oracle.certify(position, limit=Limit(LONG, stop=looks(20))).found
    assert isinstance(found, Unfinished)


def test_pairs_are_apart_and_stop_every_line_or_there_are_none() -> None:
    lines = [0b111, 0b11100, 0b110000, 0b1000011]
    pairs = find_pairs(lines)
    assert pairs is not None
    cells = [cell for pair in pairs for cell in pair]
    assert len(set(cells)) == len(cells)
    assert all(any(line >> one & line >> two & 1 for one, two in pairs) for line in lines)
    assert find_pairs([0b11, 0b110]) is None
    assert find_pairs([0b1]) is None
    assert find_pairs([]) == ()


def test_one_entry_serves_for_symmetric_positions() -> None:
    found = certificate(empty(TIC_TAC_TOE))
    assert found.symmetries
    corners = [1 << cell for cell in (0, 2, 6, 8)]
    answered = [masks for masks in found.strategies[1].entries if masks[0] == 0 and masks[1] in corners]
    assert len(answered) == 1


def test_the_holder_of_a_position_may_be_either_player() -> None:
    certificate(line_position(TIC_TAC_TOE, 0b000000011, 0b000011000, "X"))
