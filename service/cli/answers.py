"""``best-move``, ``analysis`` and ``review``: questions that the service has routes for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from service.api.record import MOST_COLUMNS
from service.cli import words
from service.cli.boards import draw
from service.cli.options import (
    PLAYER,
    PositionCommand,
    choice_options,
    game_options,
    json_option,
    limit_options,
    moves_option,
    position_options,
    read_limit,
    read_position,
    read_request,
)
from service.cli.positions import game_of, position_in, typed
from service.cli.replies import answer_of
from service.cli.services import find_service
from service.games.game import Game

Answer = Mapping[str, Any]

DROPS = "Drops into "
"""How a reason begins that names the column."""

MOST_IN_A_TABLE = 10
"""Moves of a line of best play that fit into a table."""

POSITION_HELP = """
    POSITION is a board such as X...O...., rows optionally split by /, or moves such as 4,0,8 (under gravity columns,
    also as 443), or - to read either from standard input.
"""


@click.command("best-move", cls=PositionCommand, help=f"The best move of a position.\n{POSITION_HELP}")
@position_options
@limit_options("by default 5000")
@choice_options
@json_option
def best_move(*, as_json: bool, **given: Any) -> None:
    """Prints the best move of a position."""
    request = read_request(given)
    answer = answer_of(find_service().ask("/best-move", request), as_json=as_json)
    if answer is not None:
        click.echo(told(answer, game_of(request)))


@click.command(cls=PositionCommand, help=f"Every legal move of a position, best first.\n{POSITION_HELP}")
@position_options
@limit_options("by default 5000")
@choice_options
@json_option
def analysis(*, as_json: bool, **given: Any) -> None:
    """Prints every legal move of a position."""
    request = read_request(given)
    answer = answer_of(find_service().ask("/analysis", request), as_json=as_json)
    if answer is not None:
        click.echo(analysed(answer, game_of(request)))


@click.command(cls=PositionCommand)
@click.argument("position", metavar="[MOVES]", required=False)
@moves_option
@click.option("--first-player", type=PLAYER, metavar="X|O", help="Who moves first; by default X.")
@game_options
@limit_options("by default 5000")
@json_option
def review(*, as_json: bool, **given: Any) -> None:
    """A whole game, move by move: what was best, what each move gave away.

    MOVES are those of the game, such as 4,0,8 (under gravity columns, also as 443), or - to read them from standard
    input.
    """
    request = read_position(given) | read_limit(given)
    if "board" in request:
        raise click.UsageError("A review takes the moves of a game, such as 4,0,8; a board does not tell them.")
    if given["first_player"] is not None:
        request["first_player"] = given["first_player"]
    answer = answer_of(find_service().ask("/review", request), as_json=as_json)
    if answer is not None:
        click.echo(reviewed(answer, game_of(request)))


def told(answer: Answer, game: Game) -> str:
    """The answer of ``/best-move``: the board, the move and what it leads to."""
    return f"{draw(position_in(answer, game), answer['move'])}\n\n{_headline(answer, game)}"


def _headline(answer: Answer, game: Game) -> str:
    if answer["status"] != "in_progress":
        return str(answer["reason"])
    best = [("value", words.value(answer)), ("line", _line(game, answer["pv"]))]
    if answer["score"] is not None:
        best.insert(1, ("score", str(answer["score"])))
    chance = [(name, str(answer[name])) for name in ("skill", "seed") if name in answer]
    said = played(answer, game, click.style(_place(answer, game), bold=True))
    return f"{said}\n\n{words.facts([*best, *chance])}"


def played(answer: Answer, game: Game, place: str) -> str:
    """Who plays what, and why; ``place`` says where, if the reason does not."""
    player, reason = answer["player"], answer["reason"]
    if game.has_columns and reason.startswith(DROPS):
        return f"{player} {reason[0].lower()}{reason[1:]}"
    return f"{player} plays {place}. {reason}"


def _place(answer: Answer, game: Game) -> str:
    """Where a move is: ``4 (row 1, column 1)``, under gravity on one layer ``column 2``."""
    if game.has_columns:
        return f"column {typed(game, answer['move'])}"
    names = [name for name in ("layer", "row", "column") if name in answer]
    return f"{typed(game, answer['move'])} ({', '.join(f'{name} {answer[name]}' for name in names)})"


def _moves(game: Game, cells: Iterable[int]) -> str:
    """Moves to choose from, as they are typed."""
    return words.numbers(sorted(typed(game, cell) for cell in cells))


def _line(game: Game, cells: Iterable[int]) -> str:
    """Moves one after the other; as a string of columns where that tells them apart."""
    moves = words.numbers(typed(game, cell) for cell in cells)
    return moves.replace(" ", "") if game.has_columns and game.columns <= MOST_COLUMNS else moves


def analysed(answer: Answer, game: Game) -> str:
    """The answer of ``/analysis``: the best move, every move, and the threats."""
    parts = [told(answer, game)]
    if answer["moves"]:
        parts.append(_ranking(answer["moves"], game))
    threats = [(player, _moves(game, cells)) for player, cells in answer["threats"].items() if cells]
    if threats:
        parts.append("Moves that would complete a line now:\n" + words.facts(threats))
    return "\n\n".join(parts)


def _ranking(moves: Sequence[Answer], game: Game) -> str:
    head = ["", _unit(game), "value", "score", "line", "why"]
    rows = [
        [
            click.style("*", fg="green") if move["best"] else "",
            str(typed(game, move["move"])),
            words.value(move),
            "" if move["score"] is None else str(move["score"]),
            _line(game, move["pv"][:MOST_IN_A_TABLE]) + (" …" if len(move["pv"]) > MOST_IN_A_TABLE else ""),
            " ".join(reason["detail"] for reason in move["reasons"]),
        ]
        for move in moves
    ]
    return words.table([head, *rows], right=[False, True, False, True])


def _unit(game: Game) -> str:
    return "column" if game.has_columns else "move"


def reviewed(answer: Answer, game: Game) -> str:
    """The answer of ``/review``: how the game ended, every ply, and how well both played."""
    parts = [draw(position_in(answer, game)), ending(answer)]
    if answer["plies"]:
        head = ["ply", "player", _unit(game), "verdict", "best", "gave away", "why"]
        parts.append(words.table([head, *_plies(answer, game)], right=[True, False, True]))
    return "\n\n".join([*parts, summary(answer)])


def _plies(answer: Answer, game: Game) -> list[list[str]]:
    return [
        [
            str(ply["ply"]),
            ply["player"],
            str(typed(game, ply["move"])),
            click.style(ply["verdict"], fg={"mistake": "red", "slower": "yellow"}.get(ply["verdict"])),
            _moves(game, ply["best_moves"]),
            ply["gave_away"] or "",
            ply["reason"],
        ]
        for ply in answer["plies"]
    ]


def ending(answer: Answer) -> str:
    """How the game of an answer stands, in a sentence."""
    if answer["status"] == "won":
        return f"{answer['winner']} has won."
    return "A draw." if answer["status"] == "drawn" else f"The game goes on; {answer['player']} is to move."


def summary(answer: Answer) -> str:
    """How well both played, and where the game turned."""
    accuracy = [
        (player, "nothing to judge" if share is None else f"{share:g} % of the moves keep what could be had")
        for player, share in answer["accuracy"].items()
    ]
    turn = answer["turning_point"]
    last = "Nobody made a mistake." if turn is None else f"The game turned at ply {turn}, the last mistake."
    unknown = "" if answer["proven"] else " Not every move could be judged within the limit."
    return f"{words.facts(accuracy)}\n\n{last if turn or answer['proven'] else 'No mistake was found.'}{unknown}"
