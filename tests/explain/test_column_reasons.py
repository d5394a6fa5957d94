"""Reasons where a move is a column: every sentence speaks of columns as people do, and is true.

What is true is found here from the text of the board alone.
"""

from dataclasses import dataclass
from functools import cache

import pytest

from service.api.read.notation import read_position
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.explain.reasons import reason
from service.games.catalogue import CONNECT_FOUR, CONNECT_FOUR_5X4
from service.games.families.lines import OPPONENT, LineGame, LinePosition, Player, line_position
from service.games.notation.moves import joined
from tests.explain.strategy import names_in
from tests.worlds import drawn_positions


@dataclass(frozen=True)
class Told:
    """A move of a position, and what is said of it in the analysis."""

    position: LinePosition
    move: int
    sentence: str


@cache
def told(code: str) -> list[Told]:
    """The moves of some hundred positions of two games of which this is said."""
    oracle, found = Oracle(), list[Told]()
    for position in (
        *drawn_positions(CONNECT_FOUR_5X4, range(4, 20), 120),
        *drawn_positions(CONNECT_FOUR, range(8, 40), 80),
    ):
        for move in rank(oracle.analyse(position, limit=Limit(60, 3000))):
            found += [Told(position, move.move, why.sentence) for why in move.reasons if why.code == code]
    return found


def name_of(game: LineGame, cell: int) -> str:
    """What the column of a cell is called."""
    return f"column {cell % game.columns + 1}"


def wins(position: LinePosition, player: Player, cell: int) -> bool:
    """Whether a player would complete a line by marking a cell, found by going through all lines of four."""
    marks, width, height = list(str(position)), position.game.columns, position.game.rows
    marks[cell] = player
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + down * step, column + right * step) for step in range(4)]
                if all(0 <= y < height and 0 <= x < width and marks[y * width + x] == player for y, x in line):
                    return True
    return False


def test_the_threats_that_a_move_makes_are_in_the_columns_it_names() -> None:
    found = told("makes-fork")
    assert len(found) > 5
    for one in found:
        game = one.position.game
        after = one.position.play(one.move)
        columns = [name_of(game, cell) for cell in after.legal_moves if wins(after, one.position.player, cell)]
        counts = {2: "two", 3: "three", 4: "four"}
        expected = f"Makes {counts[len(columns)]} threats at once, in "
        assert one.sentence.startswith(expected)
        assert sorted(names_in(one.sentence.removeprefix(expected).removesuffix("."))) == sorted(columns)


def test_stopping_two_threats_names_the_columns_that_would_have_made_them_or_this_one() -> None:
    found = told("stops-fork")
    assert len(found) > 5
    for one in found:
        game = one.position.game
        opponent = OPPONENT[one.position.player]
        other = line_position(game, *game.masks(one.position), opponent)
        feared = [cell for cell in other.legal_moves if makes_two_threats(other, cell)]
        where = "here" if feared == [one.move] else f"with {joined([name_of(game, cell) for cell in feared], 'or')}"
        assert one.sentence == f"Stops {opponent} from making two threats at once {where}."


def makes_two_threats(position: LinePosition, cell: int) -> bool:
    """Whether a move leaves two columns to win by, and the opponent none."""
    if wins(position, position.player, cell):
        return False
    after = position.play(cell)
    if any(wins(after, after.player, reply) for reply in after.legal_moves):
        return False
    return sum(wins(after, position.player, reply) for reply in after.legal_moves) > 1


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("4455", "Makes two threats at once, in column 2 and column 6: wins in"),
        ("121212", "Completes the vertical line in column 1."),
        ("335544", "Completes the row from column 2 to column 5."),
        ("12121", "Blocks the vertical line in column 1: the most promising"),
        ("445", "Stops X from making two threats at once with column 3 or column 6"),
        ("44", "The most promising "),
        ("3435353", "X has completed the vertical line in column 3 and won."),
    ],
)
def test_the_sentence_for_a_game_that_people_know(moves: str, sentence: str) -> None:
    position = read_position(CONNECT_FOUR, moves=moves)
    assert reason(Oracle().best_move(position, limit=Limit(60, 3000))).startswith(sentence)


def test_a_move_below_a_threat_is_told_to_let_the_opponent_win_on_top_of_it() -> None:
    analysis = Oracle().analyse(read_position(CONNECT_FOUR_5X4, moves="212131355"))
    (below,) = (move for move in rank(analysis) if move.move == 18)
    lets = "lets X win on top of it in column 4, completing the row from column 2 to column 5."
    assert below.reasons[-1].sentence == f"Gives the win away: {lets}"
