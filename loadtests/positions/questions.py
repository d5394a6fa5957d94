"""Requests with their right answers to the byte, found in this process; those about 3x3 agree with plain minimax."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any
from urllib.parse import urlencode

from flask.testing import FlaskClient

from loadtests.positions.remembering import Remembering
from service.app import create_app
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LinePosition, line_position
from service.settings import Settings

TIC_TAC_TOE = LINE_GAMES["tic-tac-toe"]
SMALL = (TIC_TAC_TOE, LINE_GAMES["misere-tic-tac-toe"])
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}

SEARCHED = ("tic-tac-toe-4x4", "connect-four-5x4", "wrapped-tic-tac-toe-4x4")
"""Games without a complete table whose every position is solved within a few milliseconds."""

BATCH = 50

UNSEEN = str.maketrans("01", " \t")
"""Digits as white space: behind a body they make another one that asks the same."""

Fields = dict[str, Any]
Drawn = tuple[str, Fields] | tuple[str, Fields, LinePosition]
"""A path, the body of a POST, and for plain minimax the position of 3x3."""

Answers = dict[str, bytes]
"""The body of the answer to each board."""

IN_A_QUERY: Mapping[str, Callable[[str, list[int]], Fields]] = {
    "text": lambda board, _: {"board": board},
    "split text": lambda board, _: {"board": "/".join(_rows(board)).replace(".", "_")},
    "moves": lambda _, moves: {"moves": moves},
    "names": lambda _, moves: {"moves": [f"{'abc'[move % 3]}{move // 3 + 1}" for move in moves]},
}
"""The forms of a position that fit into a query, by name: each from the board and the moves."""

IN_A_BODY: Mapping[str, Callable[[str, list[int]], Fields]] = {
    **IN_A_QUERY,
    "list": lambda board, _: {"board": [mark.strip(".") for mark in board]},
    "rows": lambda board, _: {"board": [[mark.lower().strip(".") for mark in row] for row in _rows(board)]},
    "row strings": lambda board, _: {"board": _rows(board)},
    "numbers": lambda board, _: {"board": [{"X": 1, "O": -1, ".": 0}[mark] for mark in board]},
    "emoji": lambda board, _: {"board": board.translate(str.maketrans("XO.", "❌⭕⬜"))},
}
"""The forms of a position in a JSON body."""


@dataclass(frozen=True, slots=True)
class Question:
    """A POST, or without a body a GET, and the body that answers it."""

    path: str
    body: bytes
    answer: bytes
    name: str = ""


def body_of(board: str) -> bytes:
    """Return the body that asks about a board."""
    return json.dumps({"board": board}).encode()


def every_position() -> list[LinePosition]:
    """List the positions of 3x3 that play can reach when X begins, each board once: 5,478 in all."""
    found = [line_position(TIC_TAC_TOE, 0, 0, "X")]
    seen = {str(found[0])}
    for position in found:  # which grows meanwhile
        for after in map(position.play, position.legal_moves):
            if str(after) not in seen:
                seen.add(str(after))
                found.append(after)
    return found


def all_answers() -> Answers:
    """Return the answer to each of the boards. Ends the run if plain minimax contradicts one."""
    client = _client()
    return {str(each): _answer(client, "/best-move", body_of(str(each)), each) for each in every_position()}


def opening_questions() -> list[Question]:
    """Ask about the first plies by lists of marks and by GET."""
    client, found = _client(), []
    for position in every_position():
        if len(position.legal_moves) >= 7:
            board = str(position)
            forms = json.dumps(IN_A_BODY["list"](board, [])).encode(), b""
            for path, body in zip(("/best-move", f"/best-move?{urlencode({'board': board})}"), forms, strict=True):
                found.append(Question(path, body, _answer(client, path, body, position), "opening"))
    return found


def spelled_questions(count: int) -> list[Question]:
    """Draw positions of the 3x3 games, begun by either player, in every notation, by POST and by GET."""
    client, rng, found = _client(), Random(0), []
    for number in range(count):
        position, moves = _random_position(rng)
        form = rng.choice([*(IN_A_QUERY if number % 3 == 0 else IN_A_BODY)])
        fields = {**IN_A_BODY[form](str(position), moves), "game": position.game.id, "player": position.player}
        path, body = "/best-move", json.dumps(fields).encode()
        if number % 3 == 0:
            listed = {name: ",".join(map(str, value)) for name, value in fields.items() if isinstance(value, list)}
            path, body = f"/best-move?{urlencode(fields | listed)}", b""
        found.append(Question(path, body, _answer(client, path, body, position), f"position as {form}"))
    return found


def tabled_questions(count: int) -> list[Question]:
    """Draw positions of the 3x3 games."""
    return _answered(count, _tabled)


def searched_questions(count: int) -> list[Question]:
    """Draw different positions that have to be searched; the answers come from undisturbed searches."""
    return _answered(count, _searched)


def other_questions(count: int) -> list[Question]:
    """Draw analyses, batches and reviews of 3x3."""
    return _answered(count, lambda rng: rng.choice((_analysis, _batch, _review))(rng))


def _answered(count: int, draw: Callable[[Random], Drawn]) -> list[Question]:
    client, rng = _client(), Random(0)
    found: dict[bytes, Question] = {}
    while len(found) < count:
        path, document, *position = draw(rng)
        body = json.dumps(document).encode()
        if body not in found:
            found[body] = Question(path, body, _answer(client, path, body, *position), path.strip("/"))
    return [*found.values()]


def _stated(position: LinePosition) -> Fields:
    return {"game": position.game.id, "board": str(position), "player": position.player}


def _tabled(rng: Random) -> Drawn:
    position, _ = _random_position(rng)
    return "/best-move", _stated(position), position


def _searched(rng: Random) -> Drawn:
    """Draw an unfinished position after at most ten random moves."""
    position = line_position(LINE_GAMES[rng.choice(SEARCHED)], 0, 0, "X")
    for _ in range(rng.randint(4, 10)):
        after = position.play(rng.choice(position.legal_moves))
        position = after if after.legal_moves else position
    return rng.choice(("/best-move", "/analysis")), _stated(position)


def _analysis(rng: Random) -> Drawn:
    return "/analysis", _stated(_random_position(rng)[0])


def _batch(rng: Random) -> Drawn:
    positions = [_random_position(rng)[0] for _ in range(rng.randint(1, BATCH))]
    return "/best-moves", {"positions": [{"board": str(each), "player": each.player} for each in positions]}


def _review(rng: Random) -> Drawn:
    position, moves = _random_position(rng)
    return "/review", {
        "moves": moves,
        "first_player": position.player if len(moves) % 2 == 0 else "XO"[position.player == "X"],
    }


def _random_position(rng: Random) -> tuple[LinePosition, list[int]]:
    """Draw a position of 3x3, which may be the end of its game, and the moves that led there."""
    position, moves = line_position(rng.choice(SMALL), 0, 0, rng.choice("XO")), list[int]()
    for _ in range(rng.randint(0, 9)):
        if position.legal_moves:
            moves.append(rng.choice(position.legal_moves))
            position = position.play(moves[-1])
    return position, moves


def _client() -> FlaskClient:
    return create_app(Settings()).test_client()


def _answer(client: FlaskClient, path: str, body: bytes, position: LinePosition | None = None) -> bytes:
    """Return the answer. Ends the run if there is none, or if plain minimax contradicts it about a position of 3x3."""
    reply = client.post(path, data=body, content_type="application/json") if body else client.get(path)
    if reply.status_code != 200 or (position and not _agrees(position, json.loads(reply.data))):
        raise SystemExit(f"{path} {body!r} is answered with {reply.status} {reply.data!r}")
    return bytes(reply.data)


def _agrees(position: LinePosition, answer: Mapping[str, Any]) -> bool:
    """Return whether plain minimax agrees with the outcome, the distance and the move."""
    mine, theirs = position.state
    board = [True if mine >> cell & 1 else False if theirs >> cell & 1 else None for cell in range(9)]
    known = _reference(misere=position.game.misere).solve(board)
    truth = OUTCOMES[known.outcome], known.plies, min(known.best, default=None)
    return truth == (answer["outcome"], answer["plies"], answer["move"])


@cache
def _reference(*, misere: bool) -> Remembering:
    return Remembering(9, LINES, misere)


def _rows(board: str) -> list[str]:
    return [board[start : start + 3] for start in (0, 3, 6)]
