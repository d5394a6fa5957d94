"""An answer depends on its request alone: whatever was asked before, and in whichever order."""

from functools import cache

import pytest

from service.app import create_app
from service.settings import Settings
from tests.corpus import Asked, answer, corpus
from tests.support import sampled

pytestmark = pytest.mark.verify

EVERY = sampled(14, 7)


@cache
def requests() -> tuple[Asked, ...]:
    """All requests, made once."""
    return tuple(corpus())


def test_answers_are_the_same_whatever_was_asked_before() -> None:
    asked = requests()[::EVERY]
    one, other = (create_app(Settings(), search_slots=False).test_client() for _ in range(2))
    forwards = [answer(one, request) for request in asked]
    backwards = [answer(other, request) for request in reversed(asked)]
    assert forwards == [*reversed(backwards)]


def test_the_corpus_has_thousands_of_requests_of_every_kind_and_is_the_same_at_every_run() -> None:
    asked = requests()
    assert len({str(request) for request in asked}) > 3000
    assert asked == tuple(corpus())
    assert {request.path.partition("?")[0] for request in asked} >= {
        "/best-move",
        "/analysis",
        "/best-moves",
        "/review",
        "/proof",
        "/position.png",
        "/position.svg",
        "/random-position",
        "/puzzles",
    }
