"""Requests with their right answers to the byte, found in this process."""

import json
from dataclasses import dataclass
from random import Random

from flask.testing import FlaskClient

from loadtests.positions.judge import errors_of_answer
from loadtests.positions.tic_tac_toe import MISERE, random_position
from service.app import create_app
from service.games.catalogue import CATALOGUE
from service.games.game import Game
from service.games.position import Position
from service.settings import Settings

SEARCHED = ("tic-tac-toe-4x4", "connect-four-5x4", "wrapped-tic-tac-toe-4x4")
"""Games without a complete table whose every position is solved within a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Question:
    """A POST and the body that answers it."""

    path: str
    body: bytes
    answer: bytes


def tabled_questions(count: int, seed: int = 0) -> list[Question]:
    """Draw positions of the 3x3 games; each answer agrees with plain minimax."""
    client, rng = create_app(Settings()).test_client(), Random(seed)
    return [_judged(client, rng) for _ in range(count)]


def searched_questions(count: int, seed: int = 0) -> list[Question]:
    """Draw different positions that have to be searched; the answers come from undisturbed searches."""
    client, rng = create_app(Settings()).test_client(), Random(seed)
    found: dict[bytes, str] = {}
    while len(found) < count:
        path, body = _searched(CATALOGUE[rng.choice(SEARCHED)], rng)
        found.setdefault(body, path)
    return [Question(path, body, _answer(client, path, body)) for body, path in found.items()]


def _judged(client: FlaskClient, rng: Random) -> Question:
    game, position = rng.choice(tuple(MISERE)), random_position(rng)
    body = json.dumps({"game": game, "board": position.board, "player": position.player}).encode()
    answer = _answer(client, "/best-move", body)
    wrong = errors_of_answer(position, game, json.loads(answer))
    if wrong:
        raise SystemExit(f"{body!r} is answered with {answer!r}: {wrong}")
    return Question("/best-move", body, answer)


def _searched(game: Game, rng: Random) -> tuple[str, bytes]:
    position = _played(game, rng)
    body = json.dumps({"game": game.id, "board": str(position), "player": position.player}).encode()
    return rng.choice(("/best-move", "/analysis")), body


def _played(game: Game, rng: Random) -> Position:
    """Return an unfinished position after at most ten random moves."""
    position = Position(game, 0, 0, "X")
    for _ in range(rng.randint(4, 10)):
        after = position.play(rng.choice(position.legal_moves))
        position = after if after.legal_moves else position
    return position


def _answer(client: FlaskClient, path: str, body: bytes) -> bytes:
    reply = client.post(path, data=body, content_type="application/json")
    if reply.status_code != 200:
        raise SystemExit(f"{body!r} is answered with {reply.status} {reply.data!r}")
    return bytes(reply.data)
