"""Answers about games of families as text: boards, moves, tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from service.cli import text
from service.games.game import Game, MoveName
from service.games.position import Position, read_position
from service.games.surface import letters

Answer = Mapping[str, Any]

PICARIA = ((0, -1, 1, -1, 2), (-1, 9, -1, 10, -1), (3, -1, 4, -1, 5), (-1, 11, -1, 12, -1), (6, -1, 7, -1, 8))
"""Where the thirteen points of picaria are: nine, and the middles of the four squares between them."""

MOST_IN_A_TABLE = 8
"""Moves of a line of best play that fit into a table."""


def board(position: Position, chosen: int | None = None) -> str:
    """Draw a board as line games are drawn, with each of several boards beside the other.

    A mark in lower case is the one that disappears next.
    """
    game = position.game
    bracketed = position.winning_line or (() if chosen is None else (chosen,))
    cells = _cells(position)
    width = max(map(len, cells))
    blocks = []
    for rows in _blocks(game):
        lines = text.grid_lines(rows, [*cells, ""], width, bracketed, won=position.winning_line is not None)
        if _has_letters(game):
            lines.append(" ".join(f"{letters(column):^{width + 2}}" for column in range(game.columns)))
            lines = text.number_rows(lines)
        blocks.append(lines)
    return "\n".join(text.side_by_side(blocks))


def _has_letters(game: Game) -> bool:
    """Return whether cells are called by a letter and a number, rather than by a number of their own."""
    return game.rows > 1 and game.boards == 1


def _cells(position: Position) -> list[str]:
    """Return what each cell shows."""
    game, marks = position.game, [*position.contents]
    for cell in game.fading(position.words, position.turn):
        marks[cell] = marks[cell].lower()
    empty = ["·" if _has_letters(game) else game.label(cell) for cell in range(game.cells)]
    return [empty[cell] if mark == "." else mark for cell, mark in enumerate(marks)]


def _blocks(game: Game) -> list[Sequence[Sequence[int]]]:
    """Return the rows of each board, with the cells of each; -1 where there is none."""
    if game.numbered:
        return [PICARIA]
    rows = [range(row * game.columns, (row + 1) * game.columns) for row in range(game.rows)]
    size = game.rows // game.boards
    return [rows[first : first + size] for first in range(0, game.rows, size)]


def best_move_text(answer: Answer, game: Game) -> str:
    """Return the answer of ``/best-move`` as text: the board, the move and what it leads to."""
    drawn = board(_position(answer, game), answer["move"])
    if answer["status"] != "in_progress":
        return f"{drawn}\n\n{answer['reason']}"
    facts = [("value", value(answer)), ("line", _line(answer, game))]
    if answer["score"] is not None:
        facts.insert(1, ("score", str(answer["score"])))
    facts += [(name, str(answer[name])) for name in ("position", "skill", "seed") if name in answer]
    return f"{drawn}\n\n{move_text(answer, game)}\n\n{text.facts(facts)}"


def move_text(answer: Answer, game: Game) -> str:
    """Return a move and its reason, such as ``X plays b2. Wins in 9 plies against any defence``."""
    return f"{answer['player']} plays {click.style(move_label(answer, game), bold=True)}. {answer['reason']}"


def analysis_text(answer: Answer, game: Game) -> str:
    """Return the answer of ``/analysis`` as text: the best move, and every move."""
    if not answer["moves"]:
        return best_move_text(answer, game)
    rows = [
        [
            click.style("*", fg="green") if move["best"] else "",
            move_label(move, game),
            value(move),
            "" if move["score"] is None else str(move["score"]),
            _line(move, game, MOST_IN_A_TABLE),
            " ".join(reason["detail"] for reason in move["reasons"]),
        ]
        for move in answer["moves"]
    ]
    ranking = text.table([["", "move", "value", "score", "line", "why"], *rows], right=[False, True, False, True])
    return f"{best_move_text(answer, game)}\n\n{ranking}"


def review_rows(answer: Answer, game: Game) -> Iterator[Sequence[str]]:
    """Yield the cells of the table of a review, the head first."""
    yield "ply", "player", "move", "verdict", "best", "gave away", "why"
    for ply in answer["plies"]:
        verdict = click.style(ply["verdict"], fg={"mistake": "red", "slower": "yellow"}.get(ply["verdict"]))
        best, gave_away = labels(game, ply["best_moves"]), ply["gave_away"] or ""
        yield str(ply["ply"]), ply["player"], move_label(ply, game), verdict, best, gave_away, ply["reason"]


def answer_board(answer: Answer, game: Game) -> str:
    """Draw the board of an answer."""
    return board(_position(answer, game))


def value(known: Answer) -> str:
    """Return a value as line games have it, and that a draw is one because play never ends."""
    return f"{text.value(known)}{' by repetition' if known.get('repetition') else ''}"


def _position(answer: Answer, game: Game) -> Position:
    return read_position(game, answer["position"], answer["player"])


def move_label(answer: Answer, game: Game) -> str:
    """Return what the move of an answer is called."""
    return labels(game, [answer["name"]])


def labels(game: Game, names: Iterable[MoveName]) -> str:
    """Return moves one after the other, by the names that answers have."""
    return " ".join(game.label(game.moves_by_name[str(name).lower()]) for name in names)


def _line(answer: Answer, game: Game, most: int | None = None) -> str:
    names = answer["pv"][:most]
    more = " …" if len(answer["pv"]) > len(names) else ""
    return f"{labels(game, names)}{more}"
