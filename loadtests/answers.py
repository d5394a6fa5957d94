"""The service's answers about 3x3, which benchmarks compare everything with that they get."""

import json

from in_process import body_of, call, post
from judge import faults
from positions import every_position

from service.app import create_app
from service.settings import Settings

Answers = dict[str, bytes]
"""The body of the answer to each board."""


def all_answers() -> Answers:
    """The service's answer to each of the 5,478 boards, every one compared with plain minimax."""
    app, answers = create_app(Settings()), {}
    for position in every_position():
        _, _, body = call(app, post(body_of(position.board)))
        wrong = faults(position, "tic-tac-toe", json.loads(body))
        if wrong:
            raise SystemExit(f"The service answers {position.board} wrongly: {'; '.join(wrong)}")
        answers[position.board] = body
    return answers
