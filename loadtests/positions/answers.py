"""The service's answers about all of 3x3, to which benchmarks compare every reply."""

import json

from loadtests.positions.judge import errors_of_answer
from loadtests.positions.tic_tac_toe import every_position
from service.app import create_app
from service.settings import Settings

Answers = dict[str, bytes]
"""The body of the answer to each board."""


def body_of(board: str) -> bytes:
    """Return the body that asks about a board."""
    return json.dumps({"board": board}).encode()


def all_answers() -> Answers:
    """Return the answer to each of the 5,478 boards. Ends the run if plain minimax contradicts one."""
    client, answers = create_app(Settings()).test_client(), {}
    for position in every_position():
        body = client.post("/best-move", data=body_of(position.board), content_type="application/json").data
        wrong = errors_of_answer(position, "tic-tac-toe", json.loads(body))
        if wrong:
            raise SystemExit(f"The service answers {position.board} wrongly: {'; '.join(wrong)}")
        answers[position.board] = body
    return answers
