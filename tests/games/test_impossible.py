"""Impossible boards and illegal moves: rules refuse them with all reasons, and never refuse what play leads to."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.exactly import ExactlyGame
from service.games.families.moving.mills import MillsGame
from service.games.families.moving.morris import MorrisGame
from service.games.families.moving.teeko import TeekoGame
from service.games.families.notakto import NotaktoGame
from service.games.families.numerical import NumericalGame
from service.games.families.pop_out import PopOutGame
from service.games.families.vanishing import VanishingGame
from service.games.families.wild import OrderAndChaosGame, WildGame
from service.games.game import Game, UnreadableError
from service.games.position import Position, read_position
from service.games.rules.morris import CENTRES
from service.kernel.states.graph import Graph
from tests.games.games import LINES, SMALL, Case, game_of, name_of, reachable, table_of
from tests.worlds import small

ENUMERATED: list[Case] = [
    *(case for case in SMALL if case[0] != "vanishing"),
    ("exactly", {"rows": 1, "columns": 7, "in_a_row": 2, "misere": True}),
]
"""Games all of whose boards are read."""

UNREACHABLE = {
    "pop-out rows=3 columns=3 in_a_row=3 both=draw": 27,
    "pop-out rows=3 columns=3 in_a_row=3 both=mover-wins": 27,
    "pop-out rows=2 columns=4 in_a_row=3 both=opponent-wins": 1,
}
"""How many boards of a game the rules take though no play leads to them; none of the others."""


def readable(game: Game) -> Iterator[Position]:
    """The positions of all boards, with each player to move, that the rules do not refuse."""
    for cells in product("X." if game.family == "notakto" else "XO.", repeat=game.cells):
        yield from readings_of(game, "".join(cells))


def readings_of(game: Game, text: str) -> Iterator[Position]:
    """The positions in a text, with each player to move, that the rules do not refuse."""
    for player in game.players:
        with suppress(UnreadableError):
            yield read_position(game, text, player)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[] if game_of(*case).states < 400 else pytest.mark.verify) for case in ENUMERATED],
    ids=lambda case: f"{case[0]} {name_of(case[1])}",
)
def test_of_all_boards_those_are_refused_that_no_play_leads_to(case: Case) -> None:
    game = game_of(*case)
    table, reached, found = table_of(game), reachable(game), {*readable(game)}
    assert reached <= {position for position in found if position in table}
    assert Graph(game.play, 1_000_000).positions() == len(reached)
    taken = [position for position in found if position not in table]
    assert len(taken) == UNREACHABLE.get(f"{case[0]} {name_of(case[1])}", 0)


MOVED: list[Case] = [
    *(("teeko", {"side": 3, "squares": "all", "centre": centre}) for centre in CENTRES),
    ("morris", {"marks": 2, "centre": "closed"}),
    *(("morris", {"diagonals_win": False, "centre": "closed", "moves": moves}) for moves in ("orthogonal", "fly")),
    *(("morris", {"marks": 4, "diagonals_win": wins, "moves": "king"}) for wins in (True, False)),
]
"""Games of pieces on nine points, but those in which the move before the last would have to be looked for, too."""


@pytest.mark.verify
@pytest.mark.parametrize("case", MOVED, ids=lambda case: f"{case[0]} {name_of(case[1])}")
def test_a_board_of_pieces_is_read_if_and_only_if_play_leads_to_it(case: Case) -> None:
    game = game_of(*case)
    found = {*readable(game)}
    assert found == reachable(game)
    for text in {str(position) for position in found}:  # a player left open is X, or the only one who can move
        assert read_position(game, text) == next(readings_of(game, text))


@pytest.mark.parametrize("game", [TIC_TAC_TOE, MISERE_TIC_TAC_TOE, *(game_of(*case) for case in LINES[1::2])], ids=repr)
def test_law_7_a_board_of_marks_is_read_if_and_only_if_play_leads_to_it(game: Game) -> None:
    reached = {(str(position), position.player) for position in reachable(game)}
    for text in map("".join, product("XO.", repeat=game.cells)):
        possible = [player for player in game.players if (text, player) in reached]
        readings = [*readings_of(game, text)]
        assert set(possible) <= {position.player for position in readings}
        assert game.upright or len(possible) == len(readings)  # discs might have to fall in another order
        if readings:  # a player left open is the only one who can move, or else X
            assert read_position(game, text) == readings[0]
        else:
            assert refusal(game, text)


def refusal(game: Game, text: str, player: str | None = None) -> UnreadableError:
    """Why a text is no position of a game."""
    with pytest.raises(UnreadableError) as refused:
        read_position(game, text, player)
    return refused.value


FIVE: Any = {"rows": 5, "columns": 5, "in_a_row": 4}

MORRIS, MILLS, AFTER = MorrisGame(), MillsGame(), VanishingGame(remove="after")
VANISHING, NUMERICAL = VanishingGame(), NumericalGame()
POP_OUT = PopOutGame(rows=3, columns=3, in_a_row=3)
EXACTLY, EXACTLY_FOUR = ExactlyGame(rows=3, columns=3, in_a_row=3), ExactlyGame(**FIVE)
FALLING, WIDE = small(3, 4, 3, gravity=True), small(4, 4, 3)
ORDER, WILD = OrderAndChaosGame(rows=3, columns=3, in_a_row=3), WildGame(**FIVE)


COUNT, PLAYER, LAST, TWO = "mark-count", "player-not-to-move", "no-last-move", "two-winners"
ENDED, DIGIT, FLOATS = "played-after-the-end", "repeated-digit", "floating-mark"
EARLY = "unreachable-position"
NO_CELL, TWICE = "no-such-cell", "repeated-cell"


@pytest.mark.parametrize(
    ("game", "text", "player", "codes", "sentence"),
    [
        (MORRIS, "XXXOO.O..", "X", [PLAYER], "X has a line and so has moved last: O is to move, not X."),
        (MORRIS, "XXXOOO...", None, [TWO], "X and O both have a line; the first of them has ended the game."),
        (MorrisGame(diagonals_win=False), "XXOXO.O..", "O", [LAST], "No last move of X leads to this board from one"),
        (TeekoGame(side=3, squares="all"), "XOXOXO.OX", "O", [LAST], "No last move of X leads to this board from one"),
        (MORRIS, "XX.XXOOO.", None, [COUNT], "X has 4 marks; each player has 3."),
        (MORRIS, "XXXXOOO..", None, [COUNT, LAST], ""),
        (MorrisGame(centre="closed"), "....X....", None, [EARLY], ""),
        (MorrisGame(marks=4), "XX.......", None, [COUNT], "X has 2 marks and O has 0; X begins and players take turns"),
        (MILLS, "X...............;6/5", None, [COUNT, COUNT], "X has 1 piece on the board and 6 in hand"),
        (MILLS, "X...............;5/6", "X", [PLAYER], "With 5 and 6 pieces in hand O is to move, not X."),
        (MILLS, "XX..............;4/6", None, [COUNT], "X has 4 pieces in hand and O has 6; X begins and players take"),
        (MILLS, "X...............;5/5", None, [EARLY, LAST], "X has placed 1 piece and cannot have taken 1 of O."),
        (MILLS, "XXX.....O.......;3/3", None, [EARLY], "X has placed 3 pieces and cannot have taken 2 of O."),
        (MILLS, "XX......OO......;0/0", None, [LAST], "No last move of O leads to this board from one where the game"),
        (MILLS, "XX......OO......", None, ["ambiguous"], "The points do not tell which pieces were taken: write the"),
        (MILLS, "XX......OO......;4", None, ["unreadable-position"], "After ; stand the pieces that X and O have"),
        (VANISHING, "X0/O", "X", [PLAYER], "With these marks O is to move, not X."),
        (VANISHING, "X0-1-3-4/O5-6-7", None, [COUNT], "X has 4 marks; a player keeps 3."),
        (VANISHING, "X0-1-2/O5-6-4", "X", [PLAYER], "X has a line and so has moved last: O is to move, not X."),
        (VANISHING, "X0-1-2/O", None, [COUNT], "X has 3 marks and O has 0; X begins and players take turns, so"),
        (VANISHING, "X9/O", None, [NO_CELL], "There is no cell 9; the game has cells 0 to 8."),
        (VANISHING, "X0-0-9/O10", None, [TWICE, NO_CELL, NO_CELL, COUNT], "Cell 0 is named twice."),
        (VANISHING, f"X{'9' * 5000}/O", None, ["unreadable-position"], "A position says in which order the marks were"),
        (AFTER, "X0-1-2-3/O4-5", None, [COUNT, LAST], "X has 4 marks and O has 2; X begins and players take turns, so"),
        (AFTER, "X0-1-3-5/O4-6-7", None, [COUNT], "X has 4 marks; a player keeps 3."),
        (AFTER, "X0-1-2-6/O3-4-5-8", None, [TWO, LAST], "X and O both have a line; the first of them"),
        (AFTER, "X0-1-2-5/O3-4-8", None, [LAST], ""),
        (POP_OUT, "XX......O", None, [FLOATS, FLOATS], "The disc in cell 0 floats above an empty cell."),
        (POP_OUT, "......X..", "X", [PLAYER], "After 1 marks O is to move, not X."),
        (NUMERICAL, "1122.....", None, [DIGIT, DIGIT], "The digit 1 stands in more than one cell; each is used once."),
        (NUMERICAL, "2........", None, [COUNT], "There are 0 odd digits and 1 even ones; odd begins"),
        (NUMERICAL, "951.2.4.6", None, [ENDED], ""),
        (NUMERICAL, "1133.....", "even", [DIGIT, DIGIT, COUNT, PLAYER], ""),
        (NotaktoGame(), "O........", None, ["unknown-mark"], "Cell 0 contains O; write X, or . for an empty cell."),
        (NotaktoGame(rows=6, columns=5), "XXX../...../XXX../...../...../.....", None, [LAST], ""),
        (NotaktoGame(boards=3, rows=4, columns=5), f"{'X' * 20}/{'.' * 20}/{'X' * 20}", None, [LAST, LAST], ""),
        (EXACTLY, "XX.......", None, [COUNT], "X has 2 marks and O has 0; X begins and players take turns, so"),
        (EXACTLY_FOUR, "XXXX./OO.OO/...../...../.....", None, [ENDED], "X has a line, which ended the game, but O has"),
        (ExactlyGame(**FIVE, misere=True), "XXXX./OO.OO/...../...../.....", None, [ENDED], ""),
        (EXACTLY_FOUR, "XXXX./OOOO./...../...../.....", None, [TWO], ""),
        (EXACTLY_FOUR, "XXXX./OO.O./XXXX./OO.O./...O.", None, [LAST], "X has lines that no single last move can"),
        (EXACTLY_FOUR, "XXXX./XX.../O..../...../.....", None, [COUNT], ""),
        (ORDER, "X...", None, ["board-size"], "The board has 4 cells; the game needs 9."),
        (OrderAndChaosGame(**FIVE), "XXXX./...../OOOO./...../.....", None, [LAST], ""),
        (WILD, "XXXX./OOOO./...../...../.....", "second", [PLAYER, LAST], ""),
        (WildGame(**FIVE, misere=True), "XXXX./...../XXXX./...../.....", None, [LAST], ""),
        (WILD, "Q...Z", "first", ["board-size", "unknown-mark", "unknown-mark"], ""),
        (TIC_TAC_TOE, "XX.......", None, [COUNT], "X has 2 marks and O has 0; players take turns, so the numbers"),
        (TIC_TAC_TOE, "XX..X....", "O", [COUNT], ""),
        (TIC_TAC_TOE, "X........", "X", [PLAYER], "X has 1 mark and O has 0, so O is to move."),
        (TIC_TAC_TOE, "XXXOO.O..", "X", [PLAYER], "X has completed a line, which ended the game, so player must be O."),
        (TIC_TAC_TOE, "OOOXX.X..", "O", [PLAYER], "O has completed a line, which ended the game, so player must be X."),
        (TIC_TAC_TOE, "XXXOOO...", None, [TWO], "Both players have completed a line; the first line ends the game."),
        (TIC_TAC_TOE, "XXXOOO...", "O", [TWO], ""),
        (TIC_TAC_TOE, "XXXOO.OO.", None, [ENDED], ""),
        (TIC_TAC_TOE, "XX.......", "X", [COUNT, PLAYER], ""),
        (TIC_TAC_TOE, "XXXOO....", "X", [PLAYER, PLAYER], ""),
        (TIC_TAC_TOE, "XXXOO.OO.", "X", [PLAYER, ENDED], ""),
        (TIC_TAC_TOE, "XXXOOO.O.", None, [TWO, ENDED], ""),
        (TIC_TAC_TOE, "XXX...XXX", None, [COUNT, LAST], ""),
        (TIC_TAC_TOE, "XXXO..XXX", "X", [COUNT, PLAYER, PLAYER, LAST], ""),
        (TIC_TAC_TOE, "XXXOOOXXX", None, [COUNT, TWO, LAST, ENDED], ""),
        (WIDE, "XXX.OO.OOO..XXX.", "O", [LAST], "X has lines that no single last move can complete together."),
        (WIDE, "OOO.XX.XXX..OOO.", "X", [LAST], ""),
        (FALLING, "....OOX.XXXO", None, [LAST], ""),
        (FALLING, "X...........", None, [FLOATS], "The mark in cell 0 floats above an empty cell."),
        (FALLING, "....X.......", None, [FLOATS], ""),
        (FALLING, "XX..........", None, [COUNT, FLOATS, FLOATS], ""),
        (FALLING, "XXX.OOO.....", None, [TWO, LAST, *[FLOATS] * 3], ""),
        (FALLING, "XXXXOOOX....", "X", [COUNT, PLAYER, TWO, ENDED, LAST, *[FLOATS] * 4], ""),
    ],
    ids=lambda value: value.family if isinstance(value, Game) else str(value)[:40],
)
def test_what_cannot_be_is_refused_with_every_reason(
    game: Game, text: str, player: str | None, codes: list[str], sentence: str
) -> None:
    refused = refusal(game, text, player)
    assert sorted(violation.code for violation in refused.violations) == sorted(codes)
    assert str(refused).startswith(sentence)
    for violation in refused.violations:
        assert violation.detail.endswith(".")
        assert violation.about_player == (violation.code == PLAYER)
        assert violation.cell is not None or violation.code != FLOATS


def test_a_line_is_no_reason_to_refuse_if_its_last_mark_can_have_come_last() -> None:
    for board in ("....OO..XXXO", "O...X..OOXXX"):  # the last of the line is on top; one of its ends is buried
        assert read_position(FALLING, board).status == "won"
