"""Every form of a request, with either player to move, in games of every kind: one position, one answer to the byte."""

import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from service.api.notation import read_position
from service.api.requests import BestMoveRequest
from service.api.signs import DISCS, EMPTY_SIGNS, O_SIGNS, SIGNS, SQUARES, X_SIGNS
from service.explain.names import moves_by_name
from service.games.catalogue import CATALOGUE
from service.games.game import Game
from service.games.inline import game_by_lines
from service.games.position import Player, Position
from tests.contract import validator

LINES: dict[str, Any] = {"cells": 7, "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6]]}

GAMES: Mapping[str, tuple[object, Game]] = {
    **{name: (name, CATALOGUE[name]) for name in ("tic-tac-toe", "connect-four", "qubic")},
    "lines": (
        LINES,
        game_by_lines(cells=7, lines=tuple(tuple(line) for line in LINES["lines"]), misere=False),
    ),
}

Fields = dict[str, object]
Form = Callable[[Position], Fields]

MARKS = [
    *[("X", "O"), ("x", "o"), ("R", "Y"), ("r", "y"), ("X", "Y"), ("❌", "⭕"), ("✖", "⭕"), ("🔴", "🟡")],
    *[("\N{MULTIPLICATION SIGN}", "○"), ("✕", "O"), ("🔴", "🔵"), ("🟥", "🟨"), ("🟥", "🟦"), ("❌\ufe0f", "⭕\ufe0f")],
]
EMPTY = (".", " ", "-", "_", "+", "·", "⬜", "⬛", "⬜\ufe0f")
SIGN_SETS = [
    *((x, o, ".") for x, o in MARKS),
    *(("X", "O", empty) for empty in EMPTY),
    ("🔴", "🟡", "⬜"),
    ("🔴", "🟡", "⚪"),
    ("🔴", "🔵", "⚫\ufe0f"),
    ("r", "y", " "),
]


def _rows(position: Position, cells: list[Any]) -> list[list[Any]]:
    columns = position.game.columns
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]


def _cells(position: Position, x: Any, o: Any, empty: Any) -> list[Any]:
    return [{"X": x, "O": o, ".": empty}[mark] for mark in str(position)]


def _layers(position: Position, rows: list[Any]) -> list[Any]:
    """The rows, or with several layers the layers of rows."""
    game = position.game
    return rows if game.layers == 1 else [rows[at : at + game.rows] for at in range(0, len(rows), game.rows)]


def _indexed(position: Position) -> list[Any]:
    return [cell if mark == "." else mark for cell, mark in enumerate(str(position))]


def _boards(position: Position) -> Iterator[object]:
    """Yield the board in every form."""
    for x, o, empty in SIGN_SETS:
        cells = _cells(position, x, o, empty)
        rows = _rows(position, cells)
        strings = ["".join(row) for row in rows]
        yield from (cells, "".join(cells), strings, _layers(position, rows), _layers(position, strings))
        yield from ("/".join(strings), "\n".join(strings), "\r\n".join(strings) + "\r\n")
        yield from (
            [rows[0], *strings[1:]] if position.game.layers == 1 else ["".join(s) for s in _layers(position, strings)],
        )
    mixed: list[tuple[Any, Any, Any]] = [(1, -1, 0), (1, 2, 0), ("1", "2", "0"), ("R", "Y", 0), ("X", "O", None)]
    for signs in [*mixed, ("X", "O", "")]:
        cells = _cells(position, *signs)
        yield from (cells, _layers(position, _rows(position, cells)))
    yield _indexed(position)
    yield _layers(position, _rows(position, _indexed(position)))


def _games(position: Position, moves: list[int]) -> Iterator[object]:
    """Yield the moves in every form."""
    game = position.game
    indices = [move % game.drop if game.drop else move for move in moves]
    for names in ({index: name for name, index in moves_by_name(game).items()}, _short_names(game)):
        named = [names[index] for index in indices]
        yield from (indices, named, [name.upper() for name in named], [float(index) for index in indices])
        yield [name if ply % 2 else index for ply, (index, name) in enumerate(zip(indices, named, strict=True))]
        yield from (", ".join(named), " ".join(named), ",".join(named).upper())
    if game.has_columns:
        yield "".join(str(index + 1) for index in indices)


def _short_names(game: Game) -> dict[int, str]:
    """The first name of each move."""
    names: dict[int, str] = {}
    for name, index in moves_by_name(game).items():
        names.setdefault(index, name)
    return names


def _played(game: Game, first: Player, seed: int, plies: int) -> tuple[Position, list[int]]:
    dice, position, moves = Random(seed), Position(game, 0, 0, first), list[int]()
    while position.legal_moves and len(moves) < plies:
        moves.append(dice.choice(position.legal_moves))
        position = position.play(moves[-1])
    return position, moves


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("first", ["X", "O"])
@pytest.mark.parametrize("plies", [3, 4])
def test_every_form_of_a_board_shows_the_same_position(name: str, first: Player, plies: int) -> None:
    game = GAMES[name][1]
    position, _ = _played(game, first, plies, plies)
    is_in_contract = validator("Board").is_valid
    forms = list({json.dumps(board): board for board in _boards(position)}.values())
    assert len(forms) > 100
    for board in forms:
        for player in (position.player, position.player.lower()):
            found = read_position(BestMoveRequest.model_validate({"board": board, "player": player}), game)
            assert (found.x, found.o, found.player) == (position.x, position.o, position.player), board
        assert is_in_contract(board), board


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("first", ["X", "O"])
@pytest.mark.parametrize("plies", [1, 4])
def test_every_form_of_a_game_leads_to_the_same_position(name: str, first: Player, plies: int) -> None:
    game = GAMES[name][1]
    position, played = _played(game, first, plies, plies)
    is_in_contract = validator("Moves").is_valid
    for moves in _games(position, played):
        for player in (position.player, position.player.lower()):
            found = read_position(BestMoveRequest.model_validate({"moves": moves, "player": player}), game)
            assert (found.x, found.o, found.player) == (position.x, position.o, position.player), moves
        assert is_in_contract(moves), moves


def _is_floats(moves: object) -> bool:
    return isinstance(moves, list) and all(isinstance(move, float) for move in moves)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("route", ["/best-move", "/analysis"])
def test_every_form_has_the_same_answer_to_the_byte(client: FlaskClient, name: str, route: str) -> None:
    named, game = GAMES[name]
    position, played = _played(game, "X", 3, 3)
    fields: Fields = {"game": named, "limit": {"nodes": 300}}
    dice = Random(1)
    forms: list[Fields] = [{"board": board} for board in dice.sample(list(_boards(position)), 12)]
    forms += [{"moves": moves} for moves in _games(position, played)]
    answers = {client.post(route, json={**fields, **form}).data for form in forms}
    assert len(answers) == 1
    assert json.loads(answers.pop())["position"] == str(position)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "qubic"])
def test_a_query_takes_the_same_strings(client: FlaskClient, name: str) -> None:
    game = CATALOGUE[name]
    position, played = _played(game, "X", 3, 3)
    forms: list[Fields] = [{"board": board} for board in _boards(position) if isinstance(board, str)]
    names = [*_games(position, played)]
    forms += [{"moves": moves} for moves in names if isinstance(moves, str) and not moves.isdigit()]
    forms += [
        {"moves": ",".join(map(str, moves))} for moves in names if isinstance(moves, list) and not _is_floats(moves)
    ]
    for form in forms:
        query = urlencode({"game": name, "nodes": 300, **form})
        answer = client.get(f"/best-move?{query}")
        assert (answer.status_code, answer.get_json().get("position")) == (200, str(position)), form


@pytest.mark.parametrize("player", ["x", "o", "X", "O"])
def test_a_player_is_read_in_either_case(client: FlaskClient, player: str) -> None:
    body = {"board": "." * 9, "player": player}
    assert client.post("/best-move", json=body).get_json()["player"] == player.upper()
    assert client.get(f"/analysis?player={player}").get_json()["player"] == player.upper()
    reviewed = client.post("/review", json={"moves": "b2 a1", "first_player": player}).get_json()
    assert [ply["player"] for ply in reviewed["plies"]] == [player.upper(), "XO".replace(player.upper(), "")]


EMPTY_REQUESTS: list[Fields] = [{}, {"board": None}, {"moves": None}, {"moves": []}, {"moves": ""}, {"board": [0] * 9}]


@pytest.mark.parametrize("route", ["/best-move", "/analysis"])
def test_neither_a_board_nor_moves_is_the_empty_board(client: FlaskClient, route: str) -> None:
    answers = {client.post(route, json=body).data for body in EMPTY_REQUESTS}
    answers |= {client.get(route).data, client.get(f"{route}?moves=").data}
    (answer,) = answers
    assert json.loads(answer)["position"] == "." * 9
    others = client.post(route, json={"game": "connect-four-5x4", "player": "O"}).get_json()
    assert (others["position"], others["player"]) == ("." * 20, "O")


def test_an_empty_position_of_a_batch_is_the_empty_board(client: FlaskClient) -> None:
    results = client.post("/best-moves", json={"positions": [{}, {"board": "." * 9}]}).get_json()["results"]
    assert results[0] == results[1]


def test_an_empty_body_is_more_often_a_mistake_than_a_question(client: FlaskClient) -> None:
    refused = client.post("/best-move", data=b"")
    assert refused.status_code == 400
    assert refused.get_json()["detail"].endswith("{} is the empty board.")


def test_yellow_began_where_yellow_has_one_mark_more(client: FlaskClient) -> None:
    for board, player in [("Y........", "X"), ("R........", "O"), ("RY.......", "X"), ("🔵........", "X")]:
        assert client.post("/best-move", json={"board": board}).get_json()["player"] == player


def test_a_sign_means_one_thing_and_the_contract_lists_it() -> None:
    assert len(SIGNS) == len(X_SIGNS) + len(O_SIGNS) + len(EMPTY_SIGNS)
    assert {*SQUARES, *DISCS} < set(EMPTY_SIGNS)
    assert [sign for sign in SIGNS if not validator("Cell").is_valid(sign)] == []
    assert [sign for sign in ("Z", "XX", "◆", "0X", "X\ufe0f") if validator("Cell").is_valid(sign)] == []


def test_a_body_of_a_browser_is_answered_like_any_other(client: FlaskClient) -> None:
    """What ``fetch(url, {method: "POST", body: JSON.stringify(...)})`` sends."""
    body, origin = b'{"board":"X...O...."}', {"Origin": "https://example.org"}
    plain = client.post("/best-move", data=body, content_type="text/plain;charset=UTF-8", headers=origin)
    assert plain.status_code == 200
    assert plain.data == client.post("/best-move", data=body, content_type="application/json").data


@pytest.mark.parametrize("content_type", ["multipart/form-data; boundary=x", "text/html", "image/png"])
def test_what_is_no_json_is_refused_with_what_to_send(client: FlaskClient, content_type: str) -> None:
    refused = client.post("/best-move", data=b"--x", content_type=content_type)
    shown = content_type.partition(";")[0]
    assert refused.status_code == 415
    assert refused.get_json()["detail"] == f"The content type is {shown}; send JSON text as application/json."
