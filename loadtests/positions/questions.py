"""Requests with their right answers to the byte, found in this process."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from flask.testing import FlaskClient

from loadtests.positions.judge import errors_of_answer
from loadtests.positions.tic_tac_toe import MISERE, random_position
from service.app import create_app
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import line_position
from service.settings import Settings

SEARCHED = ("tic-tac-toe-4x4", "connect-four-5x4", "wrapped-tic-tac-toe-4x4")
"""Games without a complete table whose every position is solved within a few milliseconds."""

BATCH = 50

Draw = Callable[[Random], tuple[str, dict[str, object]]]
"""Draws a route and the document of a request."""


@dataclass(frozen=True, slots=True)
class Question:
    """A POST and the body that answers it."""

    path: str
    body: bytes
    answer: bytes


def tabled_questions(count: int) -> list[Question]:
    """Draw positions of the 3x3 games, each answer checked by plain minimax."""
    client, rng, found = create_app(Settings()).test_client(), Random(0), []
    for _ in range(count):
        game, position = rng.choice(tuple(MISERE)), random_position(rng)
        body = json.dumps({"game": game, "board": position.board, "player": position.player}).encode()
        answer = _answer(client, "/best-move", body)
        if wrong := errors_of_answer(position, game, json.loads(answer)):
            raise SystemExit(f"{body!r} is answered with {answer!r}: {wrong}")
        found.append(Question("/best-move", body, answer))
    return found


def searched_questions(count: int) -> list[Question]:
    """Draw different positions that have to be searched; the answers come from undisturbed searches."""
    return _answered(count, _searched)


def other_questions(count: int) -> list[Question]:
    """Draw analyses, batches and reviews of 3x3."""
    return _answered(count, lambda rng: rng.choice((_analysis, _batch, _review))(rng))


def _answered(count: int, draw: Draw) -> list[Question]:
    client, rng = create_app(Settings()).test_client(), Random(0)
    found: dict[bytes, str] = {}
    while len(found) < count:
        path, document = draw(rng)
        found.setdefault(json.dumps(document).encode(), path)
    return [Question(path, body, _answer(client, path, body)) for body, path in found.items()]


def _searched(rng: Random) -> tuple[str, dict[str, object]]:
    """Draw an unfinished position after at most ten random moves."""
    position = line_position(LINE_GAMES[rng.choice(SEARCHED)], 0, 0, "X")
    for _ in range(rng.randint(4, 10)):
        after = position.play(rng.choice(position.legal_moves))
        position = after if after.legal_moves else position
    document: dict[str, object] = {"game": position.game.id, "board": str(position), "player": position.player}
    return rng.choice(("/best-move", "/analysis")), document


def _analysis(rng: Random) -> tuple[str, dict[str, object]]:
    position = random_position(rng)
    return "/analysis", {"game": rng.choice(tuple(MISERE)), "board": position.board, "player": position.player}


def _batch(rng: Random) -> tuple[str, dict[str, object]]:
    positions = [random_position(rng) for _ in range(rng.randint(1, BATCH))]
    return "/best-moves", {"positions": [{"board": each.board, "player": each.player} for each in positions]}


def _review(rng: Random) -> tuple[str, dict[str, object]]:
    game = random_position(rng)
    return "/review", {"moves": list(game.moves), "first_player": game.first}


def _answer(client: FlaskClient, path: str, body: bytes) -> bytes:
    reply = client.post(path, data=body, content_type="application/json")
    if reply.status_code != 200:
        raise SystemExit(f"{body!r} is answered with {reply.status} {reply.data!r}")
    return bytes(reply.data)
