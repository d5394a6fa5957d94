"""Impossible boards and illegal moves: rules refuse them with all reasons, and never refuse what play leads to."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.families.game import FamilyGame, UnreadableError
from service.families.position import LOST, FamilyPosition, read_position
from service.families.wild import WildGame
from tests.families.test_conformance import each_game, positions
from tests.families.test_values import table_of
from tests.support import sampled

FEW = 20_000

ENUMERATED: list[tuple[str, dict[str, Any], int]] = [
    ("wild", {"rows": 2, "columns": 3, "in_a_row": 2, "misere": True}, 0),
    ("order-and-chaos", {"rows": 2, "columns": 3, "in_a_row": 3, "first": "chaos"}, 0),
    ("notakto", {}, 0),
    ("notakto", {"boards": 2, "rows": 2, "columns": 2, "in_a_row": 2}, 0),
    ("notakto", {"rows": 1, "columns": 8, "misere": False}, 0),
    ("exactly", {"rows": 2, "columns": 3, "in_a_row": 1}, 0),
    ("exactly", {"rows": 2, "columns": 3, "in_a_row": 2}, 0),
    ("exactly", {"rows": 1, "columns": 7, "in_a_row": 2, "misere": True}, 0),
    ("pop-out", {"rows": 2, "columns": 3, "in_a_row": 2}, 1),
]
FULL: list[tuple[str, dict[str, Any], int]] = [
    ("wild", {"rows": 3, "columns": 3, "in_a_row": 3}, 0),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 2}, 0),
    ("exactly", {"rows": 3, "columns": 3, "in_a_row": 3}, 0),
    ("exactly", {"rows": 1, "columns": 9, "in_a_row": 3}, 0),
    ("morris", {}, 0),
    ("morris", {"marks": 4, "moves": "diagonals"}, 0),
    ("morris", {"centre": "closed", "diagonals_win": False}, 8),
    ("morris", {"marks": 2, "centre": "not-first", "moves": "king"}, 8),
    ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3}, 27),
    ("pop-out", {"rows": 2, "columns": 4, "in_a_row": 3, "both": "draw"}, 1),
]
"""Games all of whose boards are read, and how many of these the rules take that no play leads to."""


def name_of(case: object) -> str:
    return " ".join(f"{key}={value}" for key, value in case.items()) or "-" if isinstance(case, dict) else str(case)


def reachable(game: FamilyGame) -> set[FamilyPosition]:
    """All positions that play leads to."""
    start = FamilyPosition(game)
    found, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        new = {position.play(move) for move in position.legal_moves} - found
        found |= new
        waiting.extend(new)
    return found


def readable(game: FamilyGame) -> Iterator[FamilyPosition]:
    """The positions of all boards, with each player to move, that the rules do not refuse."""
    for cells in product("X." if game.family == "notakto" else "XO.", repeat=game.cells):
        for player in game.players:
            with suppress(UnreadableError):
                yield read_position(game, "".join(cells), player)


@pytest.mark.parametrize(
    ("family", "rules", "unreachable"),
    [*ENUMERATED, *(pytest.param(*case, marks=pytest.mark.verify) for case in FULL)],
    ids=name_of,
)
def test_of_all_boards_those_are_refused_that_no_play_leads_to(
    family: str, rules: dict[str, Any], unreachable: int
) -> None:
    game = FAMILIES[family](**rules)
    table, found = table_of(game), [*readable(game)]
    in_table = [position for position in found if position in table]
    assert reachable(game) <= set(in_table)
    assert len(found) - len(in_table) == unreachable


@each_game
def test_no_position_that_play_leads_to_has_a_violation(game: FamilyGame) -> None:
    chance, left = random.Random(1), sampled(2_000, FEW)
    while left > 0:
        position = FamilyPosition(game)
        while position.legal_moves and left > 0:
            position, left = position.play(chance.choice(position.legal_moves)), left - 1
            assert not [*game.violations(position.words, position.turn)], str(position)


@each_game
def test_a_move_has_no_fault_exactly_if_it_is_legal(game: FamilyGame) -> None:
    for position in positions(game)[:: 1 + len(positions(game)) // 60]:
        if position.legal_moves:
            without = [
                move for move in range(game.play.moves) if not [*game.move_faults(position.words, position.turn, move)]
            ]
            assert tuple(without) == position.legal_moves
            assert all(position.play_anyway(move) == position.play(move) for move in without)


@pytest.mark.verify
@pytest.mark.parametrize(
    ("family", "rules", "unreachable"), [case for case in FULL if case[0] == "morris"], ids=name_of
)
def test_what_the_rules_take_though_no_play_leads_there_has_a_line_of_the_last_player_only(
    family: str, rules: dict[str, Any], unreachable: int
) -> None:
    game = FAMILIES[family](**rules)
    table = table_of(game)
    taken = [position for position in readable(game) if position not in table]
    assert len(taken) == unreachable
    assert all(position.result in (0, LOST) for position in taken)


def codes(game: FamilyGame, text: str, player: str | None = None) -> list[str]:
    with pytest.raises(UnreadableError) as refused:
        read_position(game, text, player)
    return [violation.code for violation in refused.value.violations]


FIVE = {"rows": 5, "columns": 5, "in_a_row": 4}
WILD = WildGame(rows=5, columns=5, in_a_row=4)


@pytest.mark.parametrize(
    ("family", "rules", "text", "expected"),
    [
        ("exactly", FIVE, "XXXX./OO.OO/...../...../.....", ["played-after-the-end"]),
        ("exactly", {**FIVE, "misere": True}, "XXXX./OO.OO/...../...../.....", ["played-after-the-end"]),
        ("exactly", FIVE, "XXXX./OOOO./...../...../.....", ["two-winners"]),
        ("exactly", FIVE, "XXXX./OO.O./XXXX./OO.O./...O.", ["no-last-move"]),
        ("exactly", FIVE, "XXXX./XX.../O..../...../.....", ["mark-count"]),
        ("wild", FIVE, "XXXX./OOOO./...../...../.....", ["no-last-move"]),
        ("wild", {**FIVE, "misere": True}, "XXXX./...../XXXX./...../.....", ["no-last-move"]),
        ("order-and-chaos", FIVE, "XXXX./...../OOOO./...../.....", ["no-last-move"]),
        ("notakto", {"rows": 6, "columns": 5}, "XXX../...../XXX../...../...../.....", ["no-last-move"]),
        ("notakto", {"boards": 3, "rows": 4, "columns": 5}, f"{'X' * 20}/{'.' * 20}/{'X' * 20}", ["no-last-move"] * 2),
        ("morris", {}, "XX.OO...O", ["mark-count"]),
        ("morris", {}, "XXXXOOO..", ["mark-count", "no-last-move"]),
        ("morris", {"centre": "closed"}, "....X....", ["unreachable-position"]),
        ("numerical", {}, "951.2.4.6", ["played-after-the-end"]),
        ("numerical", {}, "1122.....", ["repeated-digit", "repeated-digit"]),
        ("numerical", {}, "1133.....", ["repeated-digit", "repeated-digit", "mark-count"]),
        ("pop-out", {"rows": 3, "columns": 3, "in_a_row": 3}, "XX......O", ["floating-mark", "floating-mark"]),
        ("vanishing", {}, "X0-0-9/O10", ["repeated-cell", "no-such-cell", "no-such-cell", "mark-count"]),
        ("vanishing", {"remove": "after"}, "X0-1-2-5/O3-4-8", ["no-last-move"]),
    ],
    ids=name_of,
)
def test_every_reason_is_named(family: str, rules: dict[str, Any], text: str, expected: list[str]) -> None:
    assert codes(FAMILIES[family](**rules), text) == expected


def test_a_wrong_player_is_named_beside_the_other_reasons() -> None:
    assert codes(WILD, "XXXX./OOOO./...../...../.....", "second") == ["player-not-to-move", "no-last-move"]
    numerical = FAMILY_GAMES["numerical-tic-tac-toe"]
    assert codes(numerical, "1133.....", "even") == [
        "repeated-digit",
        "repeated-digit",
        "mark-count",
        "player-not-to-move",
    ]
    assert Counter(codes(WILD, "Q...Z", "first")) == {"board-size": 1, "unknown-mark": 2}
