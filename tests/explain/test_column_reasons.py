"""Reasons where a move is a column: every sentence speaks of columns as people do, and is true.

What is true is found here from the text of the board alone.
"""

from dataclasses import dataclass
from functools import cache

import pytest

from service.api.read.notation import read_position
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.explain.names import joined
from service.explain.ranking import rank
from service.explain.reason import MoveReason
from service.explain.reasons import reason
from service.games.catalogue import CONNECT_FOUR, CONNECT_FOUR_5X4
from service.games.families.lines import OPPONENT, LineGame, LinePosition, Player, line_position
from tests.explain.strategy import names_in
from tests.worlds import drawn_positions

"""Rows down and columns to the right from the left end of a line to its next cell."""


@dataclass(frozen=True)
class Told:
    """A move of a position, what is said of it in the analysis, and its line of best play."""

    position: LinePosition
    move: int
    reasons: tuple[MoveReason, ...]
    pv: tuple[int, ...]
    chosen: str | None

    @property
    def game(self) -> LineGame:
        return self.position.game

    def said(self, code: str) -> str | None:
        return next((reason.sentence for reason in self.reasons if reason.code == code), None)

    @property
    def sentences(self) -> list[str]:
        return [reason.sentence for reason in self.reasons] + ([self.chosen] if self.chosen else [])


@cache
def told() -> tuple[Told, ...]:
    """Every move of some hundred positions of two games."""
    oracle, found = Oracle(), list[Told]()
    for position in [
        *drawn_positions(CONNECT_FOUR_5X4, range(4, 20), 120),
        *drawn_positions(CONNECT_FOUR, range(8, 40), 80),
    ]:
        analysis = oracle.analyse(position, limit=Limit(60, 3000))
        best = analysis.best
        found += [
            Told(position, ranked.move, ranked.reasons, ranked.pv, reason(best) if ranked.move == best.move else None)
            for ranked in rank(analysis)
        ]
    return tuple(found)


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
    found = [one for one in told() if one.said("makes-fork")]
    assert len(found) > 5
    for one in found:
        after = one.position.play(one.move)
        columns = [name_of(one.game, cell) for cell in after.legal_moves if wins(after, one.position.player, cell)]
        counts = {2: "two", 3: "three", 4: "four"}
        expected = f"Makes {counts[len(columns)]} threats at once, in "
        sentence = one.said("makes-fork") or ""
        assert sentence.startswith(expected)
        assert sorted(names_in(sentence.removeprefix(expected).removesuffix("."))) == sorted(columns)


def test_stopping_two_threats_names_the_columns_that_would_have_made_them_or_this_one() -> None:
    found = [one for one in told() if one.said("stops-fork")]
    assert len(found) > 5
    for one in found:
        opponent = OPPONENT[one.position.player]
        other = line_position(one.game, *one.position.game.masks(one.position), opponent)
        feared = [cell for cell in other.legal_moves if makes_two_threats(other, cell)]
        where = "here" if feared == [one.move] else f"with {joined([name_of(one.game, cell) for cell in feared], 'or')}"
        assert one.said("stops-fork") == f"Stops {opponent} from making two threats at once {where}."


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
        ("4455", "Drops into column 3 and makes two threats at once, in column 2 and column 6: wins in"),
        ("121212", "Drops into column 1 and completes the vertical line in column 1."),
        ("335544", "Drops into column 2 and completes the row from column 2 to column 5."),
        ("12121", "Drops into column 1 and blocks the vertical line in column 1: the most promising"),
        ("445", "Drops into column 3 and stops X from making two threats at once with column 3 or column 6"),
        ("4", "Drops into column 4: "),
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
