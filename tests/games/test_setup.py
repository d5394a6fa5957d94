"""Set-ups: every reason why a board is impossible, and the player to move where none is given."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import OPPONENT, PLAYERS, LineGame, Player
from service.games.setup import Setup
from tests.worlds import each_first_player, each_game, reachable, read_setup, small

FALLING = small(3, 4, 3, gravity=True)
WIDE = small(4, 4, 3)

COUNT, PLAYER, TWO = "mark-count", "player-not-to-move", "two-winners"
AFTER, LAST, FLOATING = "played-after-the-end", "no-last-move", "floating-mark"


def codes(setup: Setup) -> list[str]:
    return [violation.code for violation in setup.violations()]


ALONE = [
    pytest.param(COUNT, "XX. ... ...", None, TIC_TAC_TOE, id="X two ahead"),
    pytest.param(COUNT, "OO. ... X.O", None, TIC_TAC_TOE, id="O two ahead"),
    pytest.param(COUNT, "XX. .X. ...", "O", TIC_TAC_TOE, id="X three ahead, O to move"),
    pytest.param(PLAYER, "X.. ... ...", "X", TIC_TAC_TOE, id="X has more marks and is to move"),
    pytest.param(PLAYER, "XO. .O. ...", "O", TIC_TAC_TOE, id="O has more marks and is to move"),
    pytest.param(PLAYER, "XXX OO. O..", "X", TIC_TAC_TOE, id="X has a line and is to move"),
    pytest.param(PLAYER, "OOO XX. X..", "O", TIC_TAC_TOE, id="O has a line and is to move"),
    pytest.param(TWO, "XXX OOO ...", None, TIC_TAC_TOE, id="a line each"),
    pytest.param(TWO, "XXX OOO ...", "X", TIC_TAC_TOE, id="a line each, X to move"),
    pytest.param(TWO, "XXX OOO ...", "O", TIC_TAC_TOE, id="a line each, O to move"),
    pytest.param(AFTER, "XXX OO. OO.", None, TIC_TAC_TOE, id="O played on after the line of X"),
    pytest.param(AFTER, "OOO XX. XX.", None, TIC_TAC_TOE, id="X played on after the line of O"),
    pytest.param(LAST, "XXX. OO.O OO.. XXX.", "O", WIDE, id="two lines of X without a common cell"),
    pytest.param(LAST, "OOO. XX.X XX.. OOO.", "X", WIDE, id="two lines of O without a common cell"),
    pytest.param(LAST, ".... OOX. XXXO", None, FALLING, id="every cell of the line has a mark on top"),
    pytest.param(FLOATING, "X... .... ....", None, FALLING, id="a mark in the air"),
    pytest.param(FLOATING, ".... X... ....", None, FALLING, id="a mark one row too high"),
]


@pytest.mark.parametrize(("code", "board", "player", "game"), ALONE)
def test_every_broken_rule_is_found_where_it_is_the_only_one_and_told_in_a_sentence(
    code: str, board: str, player: Player | None, game: LineGame
) -> None:
    (violation,) = read_setup(board, player, game).violations()
    assert violation.code == code
    assert violation.detail.endswith(".")
    assert violation.about_player == (code == PLAYER)
    assert (violation.cell is not None) == (code == FLOATING)


TOGETHER = [
    pytest.param([COUNT, PLAYER], "XX. ... ...", "X", TIC_TAC_TOE, id="too many, and to move"),
    pytest.param([PLAYER, PLAYER], "XXX OO. ...", "X", TIC_TAC_TOE, id="one mark and one line too many to move"),
    pytest.param([PLAYER, AFTER], "XXX OO. OO.", "O", TIC_TAC_TOE, id="O has more marks and moves after a line of X"),
    pytest.param([PLAYER, AFTER], "XXX OO. OO.", "X", TIC_TAC_TOE, id="X moves after a line of X and a reply"),
    pytest.param([TWO, AFTER], "XXX OOO .O.", None, TIC_TAC_TOE, id="a line each and O a mark ahead"),
    pytest.param([COUNT, LAST], "XXX ... XXX", None, TIC_TAC_TOE, id="two lines with too many marks"),
    pytest.param([COUNT, PLAYER, PLAYER, LAST], "XXX O.. XXX", "X", TIC_TAC_TOE, id="too many of everything"),
    pytest.param([COUNT, TWO, LAST, AFTER], "XXX OOO XXX", None, TIC_TAC_TOE, id="three full rows"),
    pytest.param([FLOATING, FLOATING], "X... .O.. ....", None, FALLING, id="two marks in the air"),
    pytest.param([COUNT, FLOATING, FLOATING], "XX.. .... ....", None, FALLING, id="marks in the air, too many"),
    pytest.param([TWO, LAST, *[FLOATING] * 3], "XXX. OOO. ....", None, FALLING, id="a line on a line in the air"),
    pytest.param([COUNT, PLAYER, TWO, AFTER, LAST, *[FLOATING] * 4], "XXXX OOOX ....", "X", FALLING, id="every rule"),
]


@pytest.mark.parametrize(("expected", "board", "player", "game"), TOGETHER)
def test_all_broken_rules_are_reported_at_once(
    expected: list[str], board: str, player: Player | None, game: LineGame
) -> None:
    assert Counter(codes(read_setup(board, player, game))) == Counter(expected)


@pytest.mark.parametrize(("player", "other"), OPPONENT.items())
def test_a_player_who_is_not_to_move_is_told_who_is(player: Player, other: Player) -> None:
    setup = read_setup("XXX OO. O.." if player == "X" else "OOO XX. X..", player)
    (violation,) = setup.violations()
    assert violation.detail.startswith(f"{player} has completed a line")
    assert violation.detail.endswith(f"so player must be {other}.")


def test_every_floating_mark_is_named_by_its_cell() -> None:
    setup = read_setup("X... .O.. ...X", None, FALLING)
    assert [violation.cell for violation in setup.violations() if violation.code == FLOATING] == [0, 5]


@cache
def reachable_by_either(game: LineGame) -> frozenset[tuple[int, int, Player]]:
    """Return masks and player to move of every position that play can reach, whether X or O begins."""
    return frozenset((*p.game.masks(p), p.player) for first in PLAYERS for p in reachable(game, first))


def players_who_may_move(setup: Setup) -> list[Player]:
    return [p for p in PLAYERS if (setup.x, setup.o, p) in reachable_by_either(setup.game)]


def every_board(game: LineGame) -> Iterator[Setup]:
    """All ways to fill the cells with X, O and nothing, with the player left open."""
    return (read_setup("".join(marks), None, game) for marks in product(".XO", repeat=game.cells))


@each_game
def test_law_7_a_setup_is_legal_if_and_only_if_play_can_reach_it(game: LineGame) -> None:
    for board in every_board(game):
        possible = players_who_may_move(board)
        for player in PLAYERS:
            legal = not Setup(game, board.x, board.o, player).violations()
            assert legal == (player in possible)
        assert bool(board.violations()) == (not possible)
        if possible:  # a player left open is the only one who can move, or else X
            assert board.player_to_move == possible[0]


@each_first_player
def test_under_gravity_every_position_that_play_reaches_is_legal(first: Player) -> None:
    for position in reachable(small(3, 3, 3, gravity=True), first):
        assert codes(Setup(position.game, *position.game.masks(position), position.player)) == []
    for board in (".... OO.. XXXO", "O... X..O OXXX"):  # the last of the line is on top; one of its ends is buried
        assert codes(read_setup(board, None, FALLING)) == []
