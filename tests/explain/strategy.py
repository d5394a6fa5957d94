"""What a move does on the board of 3x3, found from the text of the board and the reference alone."""

import re
from dataclasses import dataclass

from service.games.boards.grid import Line
from service.games.families.lines import OPPONENT, LineGame, LinePosition, Player
from service.kernel.alpha_beta.reference import LOSS
from tests.worlds import canonical, unfinished, verdict

LINE_NAMES: dict[str, Line] = {
    "the top row": (0, 1, 2),
    "the middle row": (3, 4, 5),
    "the bottom row": (6, 7, 8),
    "the left column": (0, 3, 6),
    "the middle column": (1, 4, 7),
    "the right column": (2, 5, 8),
    "the diagonal from the top left": (0, 4, 8),
    "the diagonal from the top right": (2, 4, 6),
}

CELL_NAMES = {"a1": 0, "b1": 1, "c1": 2, "a2": 3, "b2": 4, "c2": 5, "a3": 6, "b3": 7, "c3": 8}

Marks = list[str]
"""The board, a character for each cell."""


def unlike(game: LineGame) -> list[LinePosition]:
    """The unfinished positions of a small game, one of each kind that symmetries leave."""
    return list({canonical(position): position for position in unfinished(game)}.values())


@dataclass(frozen=True)
class Move:
    """A legal move of a position."""

    position: LinePosition
    move: int

    @property
    def marks(self) -> Marks:
        return list(str(self.position))

    @property
    def me(self) -> Player:
        return self.position.player


def names_in(text: str | None) -> list[str]:
    """The names in ``the top row, the left column and the middle row``."""
    return re.split(", | and ", text) if text else []


def completed_by(player: Player, move: int, marks: Marks) -> list[Line]:
    """The lines that ``player`` completes with ``move``, by going through all eight."""
    after = [player if cell == move else mark for cell, mark in enumerate(marks)]
    return [line for line in LINE_NAMES.values() if move in line and all(after[cell] == player for cell in line)]


def threats_after(one: Move) -> dict[int, list[Line]]:
    """For each cell that completes lines for the mover on the turn after the move: those lines."""
    after = [one.me if cell == one.move else mark for cell, mark in enumerate(one.marks)]
    completing = {cell: completed_by(one.me, cell, after) for cell, mark in enumerate(after) if mark == "."}
    return {cell: lines for cell, lines in completing.items() if lines}


def completes(one: Move) -> list[Line]:
    return completed_by(one.me, one.move, one.marks)


def blocks(one: Move) -> list[Line]:
    return completed_by(OPPONENT[one.me], one.move, one.marks)


def forks(one: Move) -> list[Line]:
    """The lines of a fork, which leaves two cells to win on and gives the opponent no time to win first."""
    threats = threats_after(one)
    reply = verdict(one.position.play(one.move))
    is_fork = len(threats) > 1 and (reply.outcome, reply.plies) == (LOSS, 2)
    return [line for lines in threats.values() for line in lines] if is_fork else []


def stops(one: Move) -> list[int]:
    """The cells of the forks that the opponent could make by moving twice, if the move leaves them none."""
    opponent = OPPONENT[one.me]
    if any(completed_by(opponent, cell, one.marks) for cell in one.position.legal_moves):
        return []
    feared = [cell for cell in one.position.legal_moves if is_a_fork(opponent, cell, one.marks)]
    after = [one.me if cell == one.move else mark for cell, mark in enumerate(one.marks)]
    left = [cell for cell, mark in enumerate(after) if mark == "." and is_a_fork(opponent, cell, after)]
    return [] if left else feared


def wins_on(player: Player, cell: int, marks: Marks) -> int:
    """On how many cells ``player`` could win next after marking ``cell``."""
    after = [player if place == cell else mark for place, mark in enumerate(marks)]
    return sum(bool(completed_by(player, place, after)) for place, mark in enumerate(after) if mark == ".")


def is_a_fork(player: Player, cell: int, marks: Marks) -> bool:
    """Whether marking ``cell`` leaves ``player`` two cells to win on and the opponent none."""
    after = [player if place == cell else mark for place, mark in enumerate(marks)]
    answers = [place for place, mark in enumerate(after) if mark == "."]
    if completed_by(player, cell, marks) or any(completed_by(OPPONENT[player], place, after) for place in answers):
        return False
    return wins_on(player, cell, marks) > 1


def is_only_move(one: Move) -> bool:
    return one.marks.count(".") == 1
