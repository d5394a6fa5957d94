"""``best-move``, ``analysis``, ``review`` and ``games``: one request each, and its answer as text or JSON."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import click

from service.cli import text
from service.cli.client import Request, open_client, print_body, read_answer
from service.cli.colour import color_option
from service.cli.exit_codes import INTERRUPTED
from service.cli.options import (
    PLAYER,
    PositionCommand,
    choice_options,
    complete_game,
    game_of,
    game_options,
    json_option,
    limit_options,
    moves_option,
    position_options,
    read_limit,
    read_position,
    read_request,
)
from service.cli.progress import ask
from service.games.game import Game
from service.games.notation.lines import MOST_COLUMNS
from service.games.position import read_position as read_game_position

Answer = Mapping[str, Any]

MAX_IN_A_TABLE = 10
"""The maximum number of moves of a line in a table."""

POSITION_HELP = """
    POSITION is a board such as X...O...., rows optionally split by /, or moves such as 4,0,8 (under gravity columns,
    also as 443), or - to read either from standard input. Without it the board is empty.
"""


@click.command("best-move", cls=PositionCommand, help=f"Find the best move of a position.\n{POSITION_HELP}")
@position_options
@limit_options("by default 5000")
@choice_options
@json_option
def best_move(*, as_json: bool, **given: Any) -> None:
    """Print the best move of a position."""
    _print_answer("/best-move", read_request(given), best_move_text, as_json=as_json)


@click.command(cls=PositionCommand, help=f"Rank every legal move of a position, best first.\n{POSITION_HELP}")
@position_options
@limit_options("by default 5000")
@choice_options
@json_option
def analysis(*, as_json: bool, **given: Any) -> None:
    """Print every legal move of a position."""
    _print_answer("/analysis", read_request(given), analysis_text, as_json=as_json)


@click.command(cls=PositionCommand)
@click.argument("position", metavar="[MOVES]", required=False)
@moves_option
@click.option("--first-player", type=PLAYER, metavar="X|O", help="Player who moves first; by default X.")
@game_options
@limit_options("by default 5000")
@json_option
@color_option()
def review(*, as_json: bool, first_player: str | None, **given: Any) -> None:
    """Review a whole game, move by move: what was best, what each move gave away.

    MOVES are those of the game, such as 4,0,8 (under gravity columns, also as 443), or - to read them from standard
    input.
    """
    request = read_position(given) | read_limit(given)
    if "board" in request:
        raise click.UsageError("A review needs the moves of a game, such as 4,0,8, not a board.")
    if first_player is not None:
        request["first_player"] = first_player
    _print_answer("/review", request, review_text, as_json=as_json)


@click.command()
@click.argument("id", required=False, shell_complete=complete_game)
@json_option
@color_option()
def games(*, id: str | None, as_json: bool) -> None:
    """List the catalogue, or describe the game with this ID."""
    reply = open_client().ask(f"/games/{quote(id, safe='')}" if id else "/games")
    answer = read_answer(reply)
    if as_json:
        print_body(reply.body)
    else:
        text.echo(game_text(answer) if id else catalogue_text(answer["games"]))


def _print_answer(path: str, request: Request, as_text: Callable[[Answer, Game], str], *, as_json: bool) -> None:
    reply = ask(open_client(), path, request)
    answer = read_answer(reply)
    if as_json:
        print_body(reply.body)
    else:
        text.echo(as_text(answer, game_of(request)))
    if reply.interrupted:
        click.get_current_context().exit(INTERRUPTED)


def best_move_text(answer: Answer, game: Game) -> str:
    """Return the answer of ``/best-move`` as text: the board, the move, and its outcome."""
    is_over = answer["status"] != "in_progress"
    board = _board(answer, game, None if is_over else game.cell_of(move_of(answer, game)))
    if is_over:
        return f"{board}\n\n{answer['reason']}"
    facts = [("value", text.value(answer)), ("line", _line(game, answer["pv"]))]
    if answer["score"] is not None:
        facts.insert(1, ("score", str(answer["score"])))
    others = () if game.cells_tell_all else ("position",)
    facts += [(name, str(answer[name])) for name in (*others, "skill", "seed") if name in answer]
    return f"{board}\n\n{move_text(answer)}\n\n{text.facts(facts)}"


def move_text(answer: Answer) -> str:
    """Return a move and its reason, such as ``X plays b2. Completes the middle row.``."""
    return f"{answer['player']} plays {click.style(answer['name'], bold=True)}. {answer['reason']}"


def move_of(answer: Answer, game: Game) -> int:
    """Return the move of an answer in the numbering of positions."""
    return game.move_in(answer["move"], answer["name"])


def _named(game: Game, name: object) -> int:
    """Return the move with the name that an answer has; names of plain marks are cells."""
    return game.moves_by_name[str(name).lower()]


def _board(answer: Answer, game: Game, chosen: int | None = None) -> str:
    return text.board(read_game_position(game, answer["position"], answer["player"]), chosen)


def _choices(game: Game, names: Iterable[object]) -> str:
    """Return moves by their names, for a choice; columns from the left."""
    moves = [_named(game, name) for name in names]
    ordered = sorted(moves, key=game.column_of) if game.has_columns else moves
    return " ".join(game.label(move) for move in ordered)


def _line(game: Game, names: Iterable[object]) -> str:
    """Return a line of moves as text; as a string of columns if each is one digit."""
    separator = "" if game.has_columns and game.columns <= MOST_COLUMNS else " "
    return separator.join(game.label(_named(game, name)) for name in names)


def analysis_text(answer: Answer, game: Game) -> str:
    """Return the answer of ``/analysis`` as text: the best move, every move, and the threats."""
    parts = [best_move_text(answer, game)]
    if answer["moves"]:
        parts.append(_ranking(answer["moves"], game))
    threats = [(player, _choices(game, cells)) for player, cells in answer.get("threats", {}).items() if cells]
    if threats:
        parts.append("Moves that would complete a line now:\n" + text.facts(threats))
    return "\n\n".join(parts)


def _ranking(moves: Sequence[Answer], game: Game) -> str:
    head = ["", _unit(game), "value", "score", "line", "why"]
    rows = [
        [
            click.style("*", fg="green") if move["best"] else "",
            game.label(move_of(move, game)),
            text.value(move),
            "" if move["score"] is None else str(move["score"]),
            _line(game, move["pv"][:MAX_IN_A_TABLE]) + (" …" if len(move["pv"]) > MAX_IN_A_TABLE else ""),
            " ".join(reason["detail"] for reason in move["reasons"]),
        ]
        for move in moves
    ]
    return text.table([head, *rows], right=[False, True, False, True])


def _unit(game: Game) -> str:
    return "column" if game.has_columns else "move"


def review_text(answer: Answer, game: Game) -> str:
    """Return the answer of ``/review`` as text: the end of the game, every ply, and both accuracies."""
    parts = [_board(answer, game), _standing(answer)]
    if answer["plies"]:
        head = ["ply", "player", _unit(game), "verdict", "best", "gave away", "why"]
        parts.append(text.table([head, *_plies(answer, game)], right=[True, False, True]))
    return "\n\n".join([*parts, summary_text(answer)])


def _plies(answer: Answer, game: Game) -> list[list[str]]:
    return [
        [
            str(ply["ply"]),
            ply["player"],
            game.label(move_of(ply, game)),
            click.style(ply["verdict"], fg={"mistake": "red", "slower": "yellow"}.get(ply["verdict"])),
            _choices(game, ply["best_moves"]),
            ply["gave_away"] or "",
            ply["reason"],
        ]
        for ply in answer["plies"]
    ]


def _standing(answer: Answer) -> str:
    if answer["status"] == "won":
        return f"{answer['winner']} has won."
    return "A draw." if answer["status"] == "drawn" else f"The game goes on; {answer['player']} is to move."


def summary_text(answer: Answer) -> str:
    """Return both players' accuracies in a review, and the turning point."""
    accuracy = [
        (player, "not judged" if share is None else f"{share:g} % accuracy")
        for player, share in answer["accuracy"].items()
    ]
    ply, proven = answer["turning_point"], answer["proven"]
    without = "Neither player made a mistake." if proven else "No mistake was found."
    last = f"The game turned at ply {ply}, the last mistake." if ply else without
    unknown = "" if proven else " Not every move was judged within the limit."
    return f"{text.facts(accuracy)}\n\n{last}{unknown}"


def catalogue_text(games: Sequence[Answer]) -> str:
    """Return the answer of ``/games`` as a table."""
    head = ["id", "rows x columns", "in a row", "rules", "who begins"]
    rows = [
        [
            game["id"],
            _size(game),
            str(game.get("in_a_row") or ""),
            ", ".join(flag for flag in ("gravity", "misere", "wrap") if game.get(flag)),
            _game_value(game),
        ]
        for game in games
    ]
    return text.table([head, *rows], right=[False, True, True])


def game_text(game: Answer) -> str:
    """Return the answer of ``/games/{id}`` as text."""
    facts = [("id", game["id"]), ("board", f"{_size(game)}, {game['cells']} cells"), ("rules", game["rules"])]
    facts += [("who begins", _game_value(game))] + ([("source", game["value"]["source"])] if game["value"] else [])
    return f"{click.style(game['name'], bold=True)}\n\n{text.facts(facts)}"


def _size(game: Answer) -> str:
    """Return rows by columns, and by layers if there are several."""
    sizes = [game["rows"], game["columns"]] + ([game["layers"]] if game.get("layers", 1) > 1 else [])
    return "x".join(map(str, sizes))


def _game_value(game: Answer) -> str:
    """Return the outcome of best play for the first player."""
    value = game["value"]
    if value is None:
        return "unknown"
    verb = {"win": "wins", "draw": "draws", "loss": "loses"}[value["outcome"]]
    return verb if value["outcome"] == "draw" or value["plies"] is None else f"{verb} in {value['plies']} plies"
