"""``games``: the catalogue."""

from typing import Any
from urllib.parse import quote

import click

from service.cli import words
from service.cli.options import json_option
from service.cli.replies import answer_of
from service.cli.services import find_service


@click.command()
@click.argument("id", required=False)
@json_option
def games(*, id: str | None, as_json: bool) -> None:
    """The catalogue, or the one game with this ID."""
    answer = answer_of(find_service().ask(f"/games/{quote(id, safe='')}" if id else "/games"), as_json=as_json)
    if answer is not None:
        click.echo(_described(answer) if id else _listed(answer["games"]))


def _listed(games: list[dict[str, Any]]) -> str:
    head = ["id", "rows x columns", "in a row", "rules", "who begins"]
    rows = [
        [game["id"], _size(game), str(game["in_a_row"] or ""), ", ".join(_flags(game)), _value(game)] for game in games
    ]
    return words.table([head, *rows], right=[False, True, True])


def _described(game: dict[str, Any]) -> str:
    facts = [("id", game["id"]), ("board", f"{_size(game)}, {game['cells']} cells"), ("rules", game["rules"])]
    facts += [("who begins", _value(game))] + ([("source", game["value"]["source"])] if game["value"] else [])
    return f"{click.style(game['name'], bold=True)}\n\n{words.facts(facts)}"


def _size(game: dict[str, Any]) -> str:
    """Rows by columns, and layers where there are several."""
    return "x".join(str(game[size]) for size in ("rows", "columns", "layers") if size != "layers" or game[size] > 1)


def _flags(game: dict[str, Any]) -> list[str]:
    return [flag for flag in ("gravity", "misere", "wrap") if game[flag]]


def _value(game: dict[str, Any]) -> str:
    """What best play leads to for the first player."""
    value = game["value"]
    if value is None:
        return "unknown"
    verb = {"win": "wins", "draw": "draws", "loss": "loses"}[value["outcome"]]
    return verb if value["outcome"] == "draw" or value["plies"] is None else f"{verb} in {value['plies']} plies"
