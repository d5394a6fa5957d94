"""Why a move, in words: what it does on the board, and what that leads to.

Everything said is derived from the position or proven by the score; nothing is a rule of thumb.
"""

from collections.abc import Mapping
from types import MappingProxyType

from service.games.game import Game, Line
from service.games.position import OPPONENT, Position
from service.oracle.entry import Bounds, Entry, Outcome

CLASSIC_SHAPE = (3, 3, 1)
"""Rows, columns and layers of the board whose lines have names of their own."""

CLASSIC_LINES: Mapping[Line, str] = MappingProxyType(
    {
        (0, 1, 2): "the top row",
        (3, 4, 5): "the middle row",
        (6, 7, 8): "the bottom row",
        (0, 3, 6): "the left column",
        (1, 4, 7): "the middle column",
        (2, 5, 8): "the right column",
        (0, 4, 8): "the diagonal from the top left",
        (2, 4, 6): "the diagonal from the top right",
    }
)


MOST_NAMED = 4
"""Lines that a sentence names; a game by its lines can have a thousand of them through one cell."""

UNPROVEN: Mapping[tuple[Outcome, Outcome], str] = MappingProxyType(
    {
        ("loss", "win"): "the most promising move found; nothing is proven yet",
        ("draw", "win"): "holds the draw at least; whether it wins is not proven yet",
        ("loss", "draw"): "the most promising move found; no move wins, and whether one draws is not proven yet",
        ("win", "win"): "wins, though in how many plies is not proven yet",
        ("draw", "draw"): "holds the draw; its line of play is not worked out yet",
        ("loss", "loss"): "loses against best play, though in how many plies is not proven yet",
    }
)
"""What a search that was stopped can say, by the least and the greatest outcome."""


def reason(position: Position, known: Entry | Bounds, move: int | None) -> str:
    """One sentence for the chosen ``move``, or for the end of the game where there is none to choose."""
    if move is None:
        return _ending(position)
    completed = position.completed_by(position.player, move)
    if completed and not position.game.misere:
        return f"Completes {_names(position.game, completed)}."
    deed = _deed(position, move, won=isinstance(known, Entry) and known.outcome == "win")
    verdict = _verdict(position, known) if isinstance(known, Entry) else UNPROVEN[known.at_least, known.at_most]
    sentence = f"{deed}: {verdict}." if deed else f"{verdict}."
    return sentence[0].upper() + sentence[1:]


def _ending(position: Position) -> str:
    line = position.winning_line
    if line is None:
        return "The board is full and nobody has a line: a draw."
    owner = OPPONENT[position.player]
    verb = "lost" if position.game.misere else "won"
    return f"{owner} has completed {line_name(position.game, line)} and {verb}."


def _deed(position: Position, move: int, *, won: bool) -> str:
    """What the move does on the board, which may be ``won``; empty if nothing stands out."""
    game = position.game
    if len(position.legal_moves) == 1:
        return "the only move left"
    if game.misere:
        return "every move left completes a line" if position.completed_by(position.player, move) else ""
    blocked = position.completed_by(OPPONENT[position.player], move)
    if blocked:
        return f"blocks {_names(game, blocked)}"
    # A fork is what no single reply stops; one that the opponent need not answer, having a win at once, is none.
    threats = _threats(position.play(move)) if won else {}
    if len(threats) < 2:  # noqa: PLR2004
        return ""
    return f"makes a fork, threatening {_names(game, sum(threats.values(), ()))}"


def _threats(position: Position) -> dict[int, tuple[Line, ...]]:
    """For each cell by which the player who moved last would complete lines, those lines."""
    mover = OPPONENT[position.player]
    threats = {move: position.completed_by(mover, move) for move in position.legal_moves}
    return {move: lines for move, lines in threats.items() if lines}


def _verdict(position: Position, entry: Entry) -> str:
    plies = f"{entry.plies} {'ply' if entry.plies == 1 else 'plies'}"
    if entry.outcome == "draw":
        return "holds the draw"
    if entry.outcome == "win":
        return f"wins in {plies} against any defence"
    held = "" if len(position.legal_moves) == 1 else "; no move holds out longer"
    return f"loses in {plies} against best play{held}"


def _names(game: Game, lines: tuple[Line, ...]) -> str:
    more = len(lines) - MOST_NAMED
    names = [line_name(game, line) for line in lines[:MOST_NAMED]] + ([f"{more} more"] if more > 0 else [])
    return " and ".join(names)


def line_name(game: Game, line: Line) -> str:
    """What people call a line: ``the middle row``, ``the diagonal from the top left``; else its kind and cells."""
    names = CLASSIC_LINES if (game.rows, game.columns, game.layers) == CLASSIC_SHAPE else {}
    return names.get(line, f"the {_kind(game, line)} {'-'.join(map(str, line))}")


def _kind(game: Game, line: Line) -> str:
    """``row``, ``column`` or ``diagonal``, where that says what the line is; else ``line``."""
    if game.in_a_row is None or game.layers > 1 or len(line) == 1:
        return "line"
    if len({game.row_of(cell) for cell in line}) == 1:
        return "row"
    return "column" if len({game.column_of(cell) for cell in line}) == 1 else "diagonal"
