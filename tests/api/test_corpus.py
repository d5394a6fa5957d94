"""An answer depends on its request alone: whatever was asked before, and in whichever order."""

import pytest

from service.app import create_app
from service.settings import Settings
from tests.corpus import answer, corpus
from tests.support import sampled

pytestmark = pytest.mark.verify

EVERY = sampled(14, 7)


def test_answers_are_the_same_whatever_was_asked_before() -> None:
    asked = [*corpus()][::EVERY]
    one, other = (create_app(Settings(), search_slots=False).test_client() for _ in range(2))
    forwards = [answer(one, request) for request in asked]
    backwards = [answer(other, request) for request in reversed(asked)]
    assert forwards == [*reversed(backwards)]
